package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// encoded gives the body of a request, which must be JSON.
func encoded(t *testing.T, req Request) string {
	t.Helper()
	body := encodeAnthropic(&req, anthropicName, true)
	if !json.Valid(body) {
		t.Fatalf("not JSON: %s", body)
	}
	return string(body)
}

// encodedMessages gives the messages of a request's body alone.
func encodedMessages(t *testing.T, req Request) string {
	t.Helper()
	_, list, _ := strings.Cut(encoded(t, req), `"messages":`)
	return strings.TrimSuffix(list, "}")
}

func TestEncodeWhole(t *testing.T) {
	req := Request{
		Model: "claude-sonnet-5", Effort: EffortMedium, MaxOutputTokens: 16384, CacheLong: true,
		System: []SystemBlock{{Text: "You are \"it\".", Cache: true}, {}, {Text: "Org.\n\x01"}},
		Tools: []Tool{
			{Name: "a", Description: "Reads <a>", Input: json.RawMessage(`{"type":"object","properties":{"n":{"minimum":1.0}}}`), Strict: true},
			{Name: "b"},
		},
		Messages: []Message{
			{Role: RoleUser, Blocks: []Block{{Kind: BlockText, Text: "Who?"}, {Kind: BlockText}, {Kind: BlockText, Text: "שלום 😀", Cache: true}}},
			{Role: RoleAssistant, Blocks: nil},
			{Role: RoleAssistant, Blocks: []Block{{Kind: BlockText, Text: " \n"}}},
		},
	}
	want := `{"model":"claude-sonnet-5","max_tokens":16384,"stream":true,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"},` +
		`"tools":[{"name":"a","description":"Reads <a>","input_schema":{"type":"object","properties":{"n":{"minimum":1.0}}},"strict":true},{"name":"b","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"},` +
		`"system":[{"type":"text","text":"You are \"it\".","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"text","text":"Org.\n\u0001"}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"Who?"},{"type":"text","text":"שלום 😀","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`
	if got := encoded(t, req); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := encoded(t, testRequest()); got != `{"model":"claude-sonnet-5","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"canary-prompt"}]}]}` {
		t.Errorf("got %s", got)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for want, change := range map[string]func(*Request){
		"names no model":  func(r *Request) { r.Model = "" },
		"MaxOutputTokens": func(r *Request) { r.MaxOutputTokens = 0 },
		"no messages":     func(r *Request) { r.Messages = nil },
		"role is neither": func(r *Request) { r.Messages[0].Role = "system" },
		"5 cache marks":   func(r *Request) { r.Messages[0].Blocks = marks(3); r.System = []SystemBlock{{"a", true}, {"b", true}} },
	} {
		req := testRequest()
		change(&req)
		a := testClient(t, nil)
		if got := firstError(t, a.Stream(t.Context(), req)); got.Code != CodeInvalidRequest || !strings.Contains(got.Error(), want) || strings.Contains(got.Error(), "canary") {
			t.Errorf("got %v, want %q", got, want)
		}
	}
}

func marks(n int) []Block {
	var list []Block
	for i := range n {
		list = append(list, Block{Kind: BlockText, Text: fmt.Sprint(i), Cache: true})
	}
	return list
}

// What a model made goes back as it came to its own family, and is built anew for any other.
func TestEncodeForms(t *testing.T) {
	thinking := Block{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(`{"type":"thinking","thinking":"hm","signature":"s"}`)}
	redacted := Block{Kind: BlockThinking, Raw: json.RawMessage(`{"type":"redacted_thinking","data":"d"}`)}
	unsigned := Block{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(`{"type":"thinking","thinking":"hm"}`), Unfinished: true}
	text := Block{Kind: BlockText, Text: "as shown", Raw: json.RawMessage(`{"type":"text","text":"as sent"}`)}
	use := Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", Input: json.RawMessage(`{"n":1.0}`), Raw: json.RawMessage(`{"type":"tool_use","id":"toolu_1","name":"read","input":{"n":1.0},"caller":{"type":"direct"}}`)}
	bad := Block{Kind: BlockToolUse, CallID: "toolu_2", ToolName: "read", BadInput: `{"n`}
	other := Block{Kind: BlockOther, Raw: json.RawMessage(`{"type":"server_tool_use","id":"s","name":"web","input":{}}`)}
	from := func(provider, model string) []Block {
		list := []Block{thinking, redacted, unsigned, text, use, bad, other}
		for i := range list {
			list[i].Provider, list[i].Model = provider, model
		}
		return list
	}
	const (
		rawThinking = `{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"d"},`
		shown       = `{"type":"text","text":"as shown"},`
		rawUse      = `{"type":"tool_use","id":"toolu_1","name":"read","input":{"n":1.0},"caller":{"type":"direct"}},`
		ownUse      = `{"type":"tool_use","id":"toolu_1","name":"read","input":{"n":1.0}},`
		ownBad      = `{"type":"tool_use","id":"toolu_2","name":"read","input":{}}`
		rawOther    = `,{"type":"server_tool_use","id":"s","name":"web","input":{}}`
	)
	for _, c := range []struct {
		name            string
		provider, model string // of the blocks
		ask             string
		effort          Effort
		want            string
	}{
		{"the same model", "anthropic", "claude-sonnet-5", "claude-sonnet-5", EffortMedium, rawThinking + shown + rawUse + ownBad + rawOther},
		{"its snapshot", "anthropic", "claude-sonnet-5-20260601", "claude-sonnet-5", "", rawThinking + shown + rawUse + ownBad + rawOther},
		{"the same, not thinking", "anthropic", "claude-sonnet-4-6", "claude-sonnet-4-6", "", shown + rawUse + ownBad + rawOther},
		{"the same, thinking", "anthropic", "claude-sonnet-4-6", "claude-sonnet-4-6", EffortLow, rawThinking + shown + rawUse + ownBad + rawOther},
		{"another model", "anthropic", "claude-opus-5", "claude-sonnet-5", EffortMedium, shown + ownUse + ownBad},
		{"another provider", "openai", "claude-sonnet-5", "claude-sonnet-5", EffortMedium, shown + ownUse + ownBad},
	} {
		req := testRequest()
		req.Model, req.Effort = c.ask, c.effort
		req.Messages = append(req.Messages, Message{Role: RoleAssistant, Blocks: from(c.provider, c.model)})
		want := `[{"role":"user","content":[{"type":"text","text":"canary-prompt"}]},{"role":"assistant","content":[` + c.want + `]}]`
		if got := encodedMessages(t, req); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

func TestEncodeMarks(t *testing.T) {
	const mark = `,"cache_control":{"type":"ephemeral"}`
	thinking := Block{Kind: BlockThinking, Raw: json.RawMessage(`{"type":"redacted_thinking","data":"d"}`), Provider: "anthropic", Model: "claude-sonnet-5", Cache: true}
	use := Block{Kind: BlockToolUse, CallID: "t", ToolName: "r", Raw: json.RawMessage(`{"type":"tool_use","id":"t","name":"r","input":{}}`), Provider: "anthropic", Model: "claude-sonnet-5"}
	marked := use
	marked.Cache = true
	text := Block{Kind: BlockText, Text: "a"}
	empty := Block{Kind: BlockText, Cache: true}
	result := Block{Kind: BlockToolResult, CallID: "t", Text: "r", Cache: true}
	for _, c := range []struct {
		name   string
		role   Role
		blocks []Block
		want   string
	}{
		{"a raw block", RoleAssistant, []Block{text, marked}, `{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"r","input":{}` + mark + `}`},
		{"thinking hands it back", RoleAssistant, []Block{text, thinking, use}, `{"type":"text","text":"a"` + mark + `},{"type":"redacted_thinking","data":"d"},{"type":"tool_use","id":"t","name":"r","input":{}}`},
		{"empty text hands it back", RoleAssistant, []Block{text, thinking, empty}, `{"type":"text","text":"a"` + mark + `}`},
		{"not past one that can", RoleAssistant, []Block{text, use, empty}, `{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"r","input":{}` + mark + `}`},
		{"nowhere to go", RoleAssistant, []Block{thinking, text}, `{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"}`},
		{"two in one message", RoleUser, []Block{result, text, result}, `{"type":"tool_result","tool_use_id":"t","content":"r"` + mark + `},{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"t","content":"r"` + mark + `}`},
	} {
		req := testRequest()
		req.Messages = []Message{{Role: c.role, Blocks: c.blocks}}
		want := `[{"role":"` + string(c.role) + `","content":[` + c.want + `]}]`
		if got := encodedMessages(t, req); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

// Servers that repeat their ids, or write them as the vendor does not take them, get ids of ours, and so do the results.
func TestEncodeCallIDs(t *testing.T) {
	call := func(id string) Block { return Block{Kind: BlockToolUse, CallID: id, ToolName: "r", Provider: "openai"} }
	result := func(id string) Block { return Block{Kind: BlockToolResult, CallID: id, IsError: true} }
	req := testRequest()
	req.Messages = nil
	for range 2 {
		req.Messages = append(req.Messages,
			Message{RoleAssistant, []Block{call("call_0"), call("call:1"), call("")}},
			Message{RoleUser, []Block{result("call_0"), result("call:1"), result("")}})
	}
	got := encodedMessages(t, req)
	for id, n := range map[string]int{"call_0": 1, "call_1": 1, "call": 1, "call_0-2": 1, "call_1-2": 1, "call-2": 1} {
		if strings.Count(got, `"id":"`+id+`"`) != n || strings.Count(got, `"tool_use_id":"`+id+`"`) != n {
			t.Errorf("%q is not there %d times in each role: %s", id, n, got)
		}
	}
}

func TestAnthropicTraits(t *testing.T) {
	all, asked, effort := modelTraits{true, true, true}, modelTraits{adaptive: true, effort: true}, modelTraits{effort: true}
	for model, want := range map[string]modelTraits{
		"claude-sonnet-5": all, "claude-opus-5": all, "claude-opus-5-5": all, "claude-haiku-5-5": all, "claude-fable-5-1-20260901": all,
		"claude-mythos-preview": all, "anthropic/claude-opus-4.7": asked, "us.anthropic.claude-opus-4-6-v1": asked, "claude-sonnet-4-6": asked,
		"claude-opus-4-5-20251101": effort, "claude-haiku-4-5": {}, "claude-haiku-4-5-20251001": {}, "claude-sonnet-4-20250514": {},
		"claude-3-7-sonnet-latest": {}, "claude-next": {}, "gpt-5": {}, "": {}, "claude-": {}, "claude-opus-x": {},
	} {
		if got := anthropicTraits(model); got != want {
			t.Errorf("%q: got %+v, want %+v", model, got, want)
		}
	}
	for model, want := range map[string]string{
		"claude-sonnet-4-5-20250929": "claude-sonnet-4-5", "anthropic/claude-sonnet-4.5": "claude-sonnet-4-5",
		"claude-opus-4@20250514": "claude-opus-4", "claude-3-5-sonnet-latest": "claude-3-5-sonnet", "claude-sonnet-5": "claude-sonnet-5",
		"claude-sonnet-5:beta": "claude-sonnet-5", "20250929": "20250929", "my-model": "my-model",
	} {
		if got := anthropicFamily(model); got != want {
			t.Errorf("%q: got %q, want %q", model, got, want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", "a", "\"\\\n\r\t\x00\x1f\x7f", "é😀\u2028", "\xff\xfea", "\ufffd"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := appendString(nil, s)
		var got string
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var want string
		plain, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(plain, &want); err != nil || got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		if end := stringEnd(text[1:]); end != len(text)-2 {
			t.Fatalf("the end of %q is %d", text, end)
		}
		if back, err := unquote(text[1 : len(text)-1]); err != nil || back != want {
			t.Fatalf("got %q, %v", back, err)
		}
	})
}
