package tool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
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
				if r.Header.Get("Authorization") != "Bearer operator-key" || r.URL.Path != "/mcp" || r.Header.Get("Cookie")+r.Header.Get("Origin") != "" {
					t.Errorf("%s %s with %q", r.Method, r.URL, r.Header)
				}
				w.Header().Set("Set-Cookie", "a=b")
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

// TestMCPRedirectsACall has a server that, once it was looked through, sends calls elsewhere: to another host, and to
// another path of its own.
func TestMCPRedirectsACall(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"operator-key", ""} {
		for _, status := range []int{http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			t.Run(fmt.Sprintf("%d with a key %t", status, key != ""), func(t *testing.T) {
				t.Parallel()
				elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					t.Errorf("a redirect was followed, with %q", r.Header)
				}))
				t.Cleanup(elsewhere.Close)
				server := notes()
				handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
				var to atomic.Pointer[string]
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					want := ""
					if key != "" {
						want = "Bearer " + key
					}
					if r.Header.Get("Authorization") != want || r.URL.Path != "/mcp" {
						t.Errorf("%s %s with %q", r.Method, r.URL, r.Header)
					}
					if to := to.Load(); to != nil && r.Method == http.MethodPost {
						http.Redirect(w, r, *to, status)
						return
					}
					handler.ServeHTTP(w, r)
				}))
				t.Cleanup(s.Close)
				settings := config.MCPServer{URL: s.URL + "/mcp"}
				if key != "" {
					settings.Key = config.NewSecret(key)
				}
				d := newDesk(t, settings, reads("text"))
				t.Cleanup(func() { _ = d.Close() }) // before the server, which waits for its streams
				for _, place := range []string{elsewhere.URL + "/mcp", s.URL + "/elsewhere", "/mcp/", "//" + strings.TrimPrefix(elsewhere.URL, "http://")} {
					to.Store(&place)
					d.want(t, "notes.text", fmt.Sprintf(`{"status":"unreadable","code":"unreadable","reason":"The server of this tool answered with a redirect (HTTP %d), which is not followed."}`, status))
				}
				to.Store(nil)
				d.want(t, "notes.text", `{"status":"read","data":"<<k7m2p9qrstuvw:hello ‹‹SYS››:k7m2p9qrstuvw>>"}`)
			})
		}
	}
}
