package check_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPSource holds what a check says of an MCP server: first the pin that is missing, then where its calls go.
func TestMCPSource(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	for _, name := range []string{"list-notes", "addNote"} {
		server.AddTool(&mcp.Tool{Name: name, Description: "Adds a note.", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			t.Error("a check calls a tool")
			return nil, nil
		})
	}
	s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(s.Close)
	src := strings.Replace(head, "sources: {", `sources: {notes: {mcp: {url: "`+s.URL+`/secret-path"}}, `, 1) +
		"tools: {actions: {notes.list: {operation: notes.list-notes, effect: read, asks: {en: [my notes], he: [הפתקים שלי]}}}}\n"
	const pin = "sources.notes.sha256: must pin the server's list of tools, so that it cannot change unseen; look through its 2 tools and set "
	r := run(t, src)
	_, after, found := strings.Cut(r.Faults.Error(), pin)
	if !found || len(after) != 64 {
		t.Fatalf("%q", r.Faults.Error())
	}
	if text := strings.Join(r.Lines, "\n"); !strings.Contains(text, "for a model to read:\n  notes.addNote: Adds a note.\n  notes.list-notes: Adds a note.\n") {
		t.Error(text)
	}
	r = run(t, strings.Replace(src, `/secret-path"}`, `/secret-path"}, sha256: `+after, 1))
	var b strings.Builder
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Source notes asks the MCP server at " + s.URL + " by the operator's authority; a member's token never goes there: after a crash its reads go on by themselves. Its list of tools has the sha256 " + after + ".\n",
		"  notes.add_note (notes.addNote)\n",
		"notes.list",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	if r.Failed() || strings.Contains(b.String(), "secret-path") {
		t.Error(b.String())
	}
}

// TestMCPSourceFindings holds that a tool whose schema no model can be offered is told of with the place, and that one
// cannot be described; and that nothing that a server calls its tools reaches a terminal raw.
func TestMCPSourceFindings(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	for name, schema := range map[string]string{
		"spaced": `{"type":"object","properties":{"first name":{}}}`, "either": `{"type":"object","anyOf":[{},{}]}`, "good": `{"type":"object","properties":{"a":{"type":"array"}}}`, "odd\u001b[2J": `{"type":"object"}`,
	} {
		server.AddTool(&mcp.Tool{Name: name, Description: "Finds.", InputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	}
	s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(s.Close)
	r := run(t, strings.Replace(head, "sources: {", `sources: {notes: {mcp: {url: "`+s.URL+`"}}, `, 1)+
		"tools: {actions: {notes.spaced: {operation: notes.spaced, effect: read}, notes.good: {operation: notes.good, effect: read}}}\n")
	const name = "its input schema: /properties/first name: a property's name must be 1 to 64 letters a-z, digits, underscores, hyphens and dots"
	if want := "tools.actions[notes.spaced].operation: cannot be called: " + name; !strings.Contains(r.Faults.Error(), want) {
		t.Errorf("lacks %q:\n%v", want, r.Faults)
	}
	text := strings.Join(r.Lines, "\n")
	for _, want := range []string{
		"Tools that cannot be called:\n  notes.either (notes.either): its input schema: /anyOf: must not stand at the top", "  notes.spaced (notes.spaced): " + name,
		"app.whoami, notes.good, ", "(notes.odd[2J)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
}

// TestMCPSourceGone holds that a check does not guess why a server did not answer.
func TestMCPSourceGone(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	r := run(t, strings.Replace(head, "sources: {", `sources: {notes: {mcp: {url: "`+s.URL+`"}}, `, 1))
	if !strings.Contains(r.Faults.Error(), "sources.notes.mcp: the server could not be reached") {
		t.Error(r.Faults)
	}
	if text := strings.Join(r.Lines, "\n"); !strings.Contains(text, "Source notes asks the MCP server at "+s.URL+", and has no tools; the fault of sources.notes says why.") {
		t.Error(text)
	}
}
