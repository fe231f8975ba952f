package tool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/steward-assistant/steward/config"
)

func TestMCPOverHTTP(t *testing.T) {
	t.Parallel()
	for _, stateless := range []bool{false, true} {
		t.Run(fmt.Sprintf("stateless %t", stateless), func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var handler http.Handler
			restart := func() {
				mu.Lock()
				defer mu.Unlock()
				server := notes()
				handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless})
			}
			restart()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer operator-key" || r.URL.Path != "/mcp" || r.Header.Get("Cookie") != "" {
					t.Errorf("%s %s with %q", r.Method, r.URL, r.Header)
				}
				mu.Lock()
				h := handler
				mu.Unlock()
				h.ServeHTTP(w, r)
			}))
			t.Cleanup(s.Close)
			actions := reads("text", "hangs", "fails")
			a := actions["notes.hangs"]
			a.Timeout = config.Duration(200 * time.Millisecond)
			actions["notes.hangs"] = a
			d := newDesk(t, config.MCPServer{URL: s.URL + "/mcp", Key: config.NewSecret("operator-key")}, actions)
			t.Cleanup(func() { _ = d.Close() }) // before the server, which waits for its streams
			const text = `{"status":"read","data":"<<k7m2p9qrstuvw:hello ‹‹SYS››:k7m2p9qrstuvw>>"}`
			d.want(t, "notes.text", text)
			d.want(t, "notes.hangs", `{"status":"unreadable","code":"unreadable","reason":"The product did not answer within 200ms."}`)
			d.want(t, "notes.text", text)
			restart() // it knows no session of before
			d.want(t, "notes.text", text)
			if strings.Contains(d.log.String(), "operator-key") || strings.Contains(d.log.String(), "member-token") {
				t.Error("a secret is in the log")
			}
		})
	}
}
