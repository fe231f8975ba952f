package tool_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// TestOpenMCP holds that servers are started at once, that each fault stands at its place, and that closing the registry
// closes them.
func TestOpenMCP(t *testing.T) {
	t.Parallel()
	server := notes()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	sessions := make(chan string, 10)
	good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			sessions <- "ended"
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(good.Close)
	src := `product: {id: gym, name: G, about: A gym.}
identity: {secret_env: SECRET, audience: a, roles: {owner: [read, send]}}
sources:
  gone: {mcp: {command: [no-such-program-here]}}
  notes: {mcp: {url: "` + good.URL + `/mcp"}, sha256: PIN}
  other: {mcp: {url: "` + good.URL + `/mcp"}, sha256: PIN}
tools:
  actions:
    notes.find: {operation: notes.listNotes, effect: read}
    other.text: {operation: other.text}
`
	open := func(src string) (*tool.Registry, error) {
		cfg, faults := config.Load(fstest.MapFS{"steward.yaml": {Data: []byte(src)}}, "steward.yaml", func(name string) (string, bool) { return strings.Repeat("s", 40), name == "SECRET" })
		if faults != nil {
			t.Fatal(faults)
		}
		return tool.Open(t.Context(), cfg, tool.OpenOptions{})
	}
	r, err := open(strings.ReplaceAll(src, "PIN", strings.Repeat("0", 64)))
	if r == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Fatal(err)
	}
	if want := "steward.yaml:4:10: sources.gone.mcp: the server cannot be started: there is no such program"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	pin := r.Source("notes").(*tool.MCP).SHA256()
	if err := r.Close(); err != nil || len(sessions) != 2 {
		t.Errorf("%v, %d sessions were ended", err, len(sessions))
	}
	r, err = open(strings.ReplaceAll(strings.Replace(src, "  gone: {mcp: {command: [no-such-program-here]}}\n", "", 1), "PIN", pin))
	if err != nil {
		t.Fatal(err)
	}
	for name, effect := range map[string]tool.Effect{"notes.find": tool.Read, "notes.text": tool.Write, "other.text": tool.Write, "other.list_notes": tool.Write} {
		if d := r.Find(name); d == nil || d.Effect != effect {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if err := r.Close(); err != nil || len(sessions) != 4 {
		t.Errorf("%v, %d sessions were ended", err, len(sessions))
	}
}
