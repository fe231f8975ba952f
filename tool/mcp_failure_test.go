package tool_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

func TestMCPServerIsNotThere(t *testing.T) {
	t.Parallel()
	nobody := httptest.NewServer(nil)
	nobody.Close()
	answers := func(f http.HandlerFunc) config.MCPServer {
		s := httptest.NewServer(f)
		t.Cleanup(s.Close)
		return config.MCPServer{URL: s.URL + "/mcp", Key: config.NewSecret("operator-key")}
	}
	hung := make(chan struct{})
	noBits := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(noBits, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with %q", r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	cases := []struct {
		name   string
		server config.MCPServer
		want   string
	}{
		{"no such program", config.MCPServer{Command: []string{"no-such-program-here"}}, "cannot be started: there is no such program"},
		{"no such file", config.MCPServer{Command: []string{"./no-such-program-here"}}, "cannot be started: there is no such program"},
		{"not to be run", config.MCPServer{Command: []string{noBits}}, "cannot be started: this process may not run that program"},
		{"exits", program(t, "exits"), "ended before it answered, or answered something that is not of its protocol"},
		{"garbage", program(t, "garbage"), "answered something that is not of its protocol"},
		{"silent", program(t, "silent"), "did not answer the request initialize within 1s"},
		{"deaf", program(t, "deaf"), "did not answer the request initialize within 1s"},
		{"web page", program(t, "web page"), "did not answer the request initialize within 1s"},
		{"nobody", config.MCPServer{URL: nobody.URL + "/mcp"}, "could not be reached"},
		{"redirect", answers(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}), "answered with a redirect (HTTP 307), which is not followed"},
		{"unauthorised", answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }), "answered HTTP 401"},
		{"failing", answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }), "answered HTTP 503"},
		{"not found", answers(http.NotFound), "answered something that is not of its protocol"},
		{"html", answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }), "answered something that is not of its protocol"},
		{"hangs", answers(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-hung:
			case <-r.Context().Done():
			}
		}), "did not answer the request initialize within 1s"},
	}
	t.Cleanup(func() { close(hung) }) // before the servers close
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log, logger := newLog()
			started := time.Now()
			m, err := tool.NewMCP(t.Context(), tool.MCPOptions{Name: "notes", Server: c.server, Timeout: time.Second, Log: logger})
			if m != nil {
				_ = m.Close()
				t.Fatal("it is there")
			}
			if got := fmt.Sprint(err); !strings.Contains(got, "sources.notes.mcp: the server ") || !strings.HasSuffix(got, c.want) {
				t.Errorf("%s\nwant %s\n%s", got, c.want, log)
			}
			if took := time.Since(started); took > 8*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}
