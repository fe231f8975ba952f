package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGoSnippets holds that the tutorial's Go is this package's own.
func TestGoSnippets(t *testing.T) {
	source, err := os.ReadFile("steward.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks(t, "go") {
		if !strings.Contains(string(source), block) {
			t.Errorf("the tutorial shows Go that does not stand in steward.go:\n%s", block)
		}
	}
}

// TestTags holds that the tutorial's tag is the one of the pages.
func TestTags(t *testing.T) {
	for _, block := range blocks(t, "html") {
		if !strings.Contains(pageText, block) {
			t.Errorf("the pages do not have\n%s", block)
		}
	}
}

// TestOtherLanguages runs the tutorial's servers in Node and in Python.
func TestOtherLanguages(t *testing.T) {
	for _, language := range []struct {
		fence, program string
		files          []string
	}{
		{"js", "node", []string{"steward.mjs", "server.mjs"}},
		{"python", "python3", []string{"steward.py", "server.py"}},
	} {
		t.Run(language.fence, func(t *testing.T) {
			program, err := exec.LookPath(language.program)
			if err != nil {
				t.Skipf("%s is not on this machine", language.program)
			}
			texts := blocks(t, language.fence)
			if len(texts) != len(language.files) {
				t.Fatalf("the tutorial has %d blocks of %s, want %d", len(texts), language.fence, len(language.files))
			}
			dir := t.TempDir()
			for i, name := range language.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(texts[i]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			gone, over := make(chan struct{}), make(chan struct{})
			steward := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, r.Method+" "+r.Host+r.URL.Path+" "+string(body)+"\n")
				_ = http.NewResponseController(w).Flush()
				if r.URL.Path != "/v1/stream" {
					return
				}
				// As a stream does, it says now and then that it is there, by which a proxy learns that its page has gone.
				for tick := time.NewTicker(20 * time.Millisecond); ; {
					select {
					case <-tick.C:
						_, _ = io.WriteString(w, ":\n\n")
						_ = http.NewResponseController(w).Flush()
					case <-r.Context().Done():
						tick.Stop()
						close(gone)
						return
					case <-over:
						return
					}
				}
			}))
			defer steward.Close()
			defer close(over)
			address := freeAddress(t)
			_, port, err := net.SplitHostPort(address)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, language.files[1])
			cmd.Dir = dir
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PORT=" + port, "STEWARD_URL=" + steward.URL, "TOOL_LIBRARY_TOKEN_SECRET=" + secret}
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait() // killed: it has no status worth telling
				if t.Failed() {
					t.Log(said.String())
				}
			})
			waitFor(t, address)
			follow(t, "http://"+address, gone)
		})
	}
}

// follow holds a server that was made by the tutorial to what the tutorial says of it.
func follow(t *testing.T, home string, gone <-chan struct{}) {
	t.Helper()
	do := func(method, path, body string, headers ...string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, home+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		defer res.Body.Close()
		out, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(out)
	}
	a := &app{secret: []byte(secret), now: time.Now}
	_, body := do(http.MethodGet, "/steward-token", "", "Cookie", "session=1")
	token := strings.Trim(strings.TrimSpace(body[strings.Index(body, ":")+1:]), ` "}`)
	if member, ok := a.memberOf(token); !ok || member != "Ada" {
		t.Errorf("its token is %q's: %s", member, body)
	}
	forged := (&app{secret: []byte("another"), now: time.Now}).tokenFor("Ada")
	old := (&app{secret: []byte(secret), now: func() time.Time { return time.Now().Add(-time.Hour) }}).tokenFor("Ada")
	for _, bearer := range []string{forged, old, "x", "a.b.c", signed(`{"sub":"Ada","aud":"other","exp":9999999999}`)} {
		if status, body := do(http.MethodGet, "/api/me", "", "Authorization", "Bearer "+bearer); status != http.StatusUnauthorized {
			t.Errorf("the token %q is taken: %d %s", bearer, status, body)
		}
	}
	if status, _ := do(http.MethodGet, "/steward-token", ""); status != http.StatusUnauthorized {
		t.Errorf("a stranger gets a token: %d", status)
	}
	if status, body := do(http.MethodGet, "/api/me", "", "Authorization", "Bearer "+a.tokenFor("Bo")); status != http.StatusOK || !strings.Contains(body, "Bo") {
		t.Errorf("a token of Bo: %d %s", status, body)
	}
	host := strings.TrimPrefix(home, "http://")
	if _, body := do(http.MethodPost, "/v1/messages", `{"a":1}`); body != "POST "+host+`/v1/messages {"a":1}`+"\n" {
		t.Errorf("Steward was handed %q", body)
	}
	if _, body := do(http.MethodGet, "/steward.js", ""); !strings.HasPrefix(body, "GET "+host+"/steward.js") {
		t.Errorf("Steward was handed %q", body)
	}

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, home+"/v1/stream", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 100)
	if n, err := res.Body.Read(first); err != nil || !strings.HasPrefix(string(first[:n]), "GET ") {
		t.Errorf("a stream begins with %q: %v", first[:n], err)
	}
	_ = res.Body.Close()
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Error("Steward is not told that a page has gone")
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// waitFor waits until somebody listens.
func waitFor(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return
		}
	}
	t.Fatal("the server does not come up")
}
