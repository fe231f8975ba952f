package model

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// chatAt is a client whose address is the vendor's; nothing is sent.
func chatAt(t *testing.T, address string, without ...string) *Chat {
	t.Helper()
	c, err := NewChat(ChatConfig{Name: "p", Key: testKey, BaseURL: address, Without: without, HTTPClient: &http.Client{Transport: roundTrip(nil)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bodyOf gives the body of a request, which must be JSON.
func bodyOf(t *testing.T, w wire, req Request) string {
	t.Helper()
	body, err := w.encode(&req)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(body) {
		t.Fatalf("not JSON: %s", body)
	}
	return string(body)
}

// messagesOf gives the messages of a Chat body, or the items of a Responses body.
func messagesOf(t *testing.T, w wire, req Request) string {
	t.Helper()
	body := bodyOf(t, w, req)
	for _, key := range []string{`"messages":`, `"input":`} {
		if _, list, ok := strings.Cut(body, key); ok {
			return strings.TrimSuffix(list, "}")
		}
	}
	t.Fatalf("no messages: %s", body)
	return ""
}

const (
	addressOther      = "http://127.0.0.1:1/v1"
	addressOpenRouter = "https://openrouter.ai/api/v1"
	addressDeepSeek   = "https://api.deepseek.com"
	addressMistral    = "https://api.mistral.ai/v1"
	addressGroq       = "https://api.groq.com/openai/v1"
)

func TestEncodeChatWhole(t *testing.T) {
	req := Request{
		Model: "gpt-5.6-terra", Effort: EffortMedium, MaxOutputTokens: 16384,
		System: []SystemBlock{{Text: "You are \"it\"."}, {}, {Text: "Org.\n\x01"}},
		Tools: []Tool{
			{Name: "a", Description: "Reads <a>", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"number","minimum":1.0}},"required":["n"],"additionalProperties":false}`), Strict: true},
			{Name: "b"},
			{Name: "c", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"}}}`), Strict: true},
		},
		Messages: []Message{
			{Role: RoleUser, Blocks: []Block{{Kind: BlockText, Text: "Who?"}, {Kind: BlockText}, {Kind: BlockText, Text: "שלום 😀"}}},
			{Role: RoleAssistant, Blocks: nil},
			{Role: RoleAssistant, Blocks: []Block{{Kind: BlockText, Text: " \n"}}},
		},
	}
	tools := `"tools":[{"type":"function","function":{"name":"a","description":"Reads <a>","parameters":{"type":"object","properties":{"n":{"type":"number","minimum":1.0}},"required":["n"],"additionalProperties":false},"strict":true}},` +
		`{"type":"function","function":{"name":"b","parameters":{"type":"object","properties":{}}}},` +
		`{"type":"function","function":{"name":"c","parameters":{"type":"object","properties":{"n":{"type":"number"}}}}}],`
	messages := `"messages":[{"role":"system","content":"You are \"it\".\n\nOrg.\n\u0001"},{"role":"user","content":"Who?\n\nשלום 😀"}]}`
	want := `{"model":"gpt-5.6-terra","max_completion_tokens":16384,"stream":true,"stream_options":{"include_usage":true},"reasoning_effort":"medium",` + tools + messages
	if got := bodyOf(t, chatAt(t, ""), req); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	req.Tools = nil
	for _, c := range []struct{ address, model, want string }{
		{addressOpenRouter, "x-ai/grok-4", `"max_tokens":16384,"stream":true,"stream_options":{"include_usage":true},"reasoning":{"effort":"medium"}`},
		{addressDeepSeek, "deepseek-v4-flash", `"max_tokens":16384,"stream":true,"stream_options":{"include_usage":true},"reasoning_effort":"medium"`},
		{addressMistral, "mistral-small-latest", `"max_tokens":16384,"stream":true,"reasoning_effort":"medium"`},
		{addressOther, "qwen3", `"max_tokens":16384,"stream":true,"stream_options":{"include_usage":true},"reasoning_effort":"medium"`},
		{addressOther, "gpt-5.6-terra", `"max_completion_tokens":16384,"stream":true,"stream_options":{"include_usage":true},"reasoning_effort":"medium"`},
	} {
		req.Model = c.model
		want := `{"model":"` + c.model + `",` + c.want + `,` + messages
		if got := bodyOf(t, chatAt(t, c.address), req); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.address, got, want)
		}
	}
	req.Effort = ""
	if got := bodyOf(t, chatAt(t, addressOther, CapabilityStreams), req); !strings.Contains(got, `"stream":false,"messages"`) {
		t.Errorf("got %s", got)
	}
}

func TestEncodeChatMessages(t *testing.T) {
	say := func(role Role, text string) Message {
		return Message{role, []Block{{Kind: BlockText, Text: text}}}
	}
	call := func(id string) Block {
		return Block{Kind: BlockToolUse, CallID: id, ToolName: "r", Input: json.RawMessage(`{"n":1.0}`), Provider: "p", Model: "m"}
	}
	result := func(id, text string, bad bool) Block {
		return Block{Kind: BlockToolResult, CallID: id, Text: text, IsError: bad}
	}
	thinking := Block{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(`{"reasoning_content":"hm"}`), Provider: "p", Model: "m"}
	detailed := thinking
	detailed.Raw = json.RawMessage(`{"reasoning":"hm","reasoning_details":[{"index":0.0}]}`)
	foreign := thinking
	foreign.Provider = "anthropic"
	gemini := call("a")
	gemini.Raw = json.RawMessage(`{"id":"a","type":"function","function":{"name":"r","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}`)
	other := gemini
	other.Model = "n"
	const (
		hi       = `{"role":"user","content":"hi"},`
		calls    = `"tool_calls":[{"id":"a","type":"function","function":{"name":"r","arguments":"{\"n\":1.0}"}}]}`
		answered = `,{"role":"tool","content":"ok","tool_call_id":"a"}`
	)
	for _, c := range []struct {
		name, address string
		blocks        []Block
		want          string // of the assistant's message and the result
	}{
		{"calls without words", addressOther, []Block{call("a")}, `{"role":"assistant","content":null,` + calls + answered},
		{"words and calls", addressOther, []Block{{Kind: BlockText, Text: "I look."}, {Kind: BlockText, Text: "Again."}, call("a")}, `{"role":"assistant","content":"I look.\n\nAgain.",` + calls + answered},
		{"thinking goes back", addressOther, []Block{thinking, call("a")}, `{"role":"assistant","content":null,"reasoning_content":"hm",` + calls + answered},
		{"not to OpenAI", "", []Block{thinking, call("a")}, `{"role":"assistant","content":null,` + calls + answered},
		{"not to Groq", addressGroq, []Block{thinking, call("a")}, `{"role":"assistant","content":null,` + calls + answered},
		{"not another provider's", addressOther, []Block{foreign, call("a")}, `{"role":"assistant","content":null,` + calls + answered},
		{"details to OpenRouter", addressOpenRouter, []Block{detailed, call("a")}, `{"role":"assistant","content":null,"reasoning_details":[{"index":0.0}],` + calls + answered},
		{"DeepSeek wants some", addressDeepSeek, []Block{foreign, call("a")}, `{"role":"assistant","content":null,"reasoning_content":"",` + calls + answered},
		{"a vendor's own beside a call", addressOther, []Block{gemini}, `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"r","arguments":"{\"n\":1.0}"},"extra_content":{"google":{"thought_signature":"s"}}}]}` + answered},
		{"not another model's", addressOther, []Block{other}, `{"role":"assistant","content":null,` + calls + answered},
		{"arguments that were none", addressOther, []Block{{Kind: BlockToolUse, CallID: "a", ToolName: "r", BadInput: "{"}}, `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"r","arguments":"{}"}}]}` + answered},
	} {
		req := openAIRequest()
		req.Model = "m"
		req.Messages = []Message{say(RoleUser, "hi"), {RoleAssistant, c.blocks}, {RoleUser, []Block{result("a", "ok", false)}}}
		if got, want := messagesOf(t, chatAt(t, c.address), req), "["+hi+c.want+"]"; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}

	req := openAIRequest()
	req.Model = "m"
	req.Messages = []Message{
		say(RoleUser, "hi"),
		{RoleAssistant, []Block{thinking}},
		say(RoleUser, "there"),
		{RoleAssistant, []Block{call("a"), call("b")}},
		{RoleUser, []Block{{Kind: BlockText, Text: "and"}, result("a", "no", true)}},
		{RoleUser, []Block{result("b", "", false), {Kind: BlockText, Text: "more"}}},
	}
	want := `[{"role":"user","content":"hi"},{"role":"user","content":"there"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"r","arguments":"{\"n\":1.0}"}},{"id":"b","type":"function","function":{"name":"r","arguments":"{\"n\":1.0}"}}]},` +
		`{"role":"tool","content":"Error: no","tool_call_id":"a"},{"role":"tool","content":"","tool_call_id":"b"},{"role":"user","content":"and\n\nmore"}]`
	if got := messagesOf(t, chatAt(t, addressOther), req); got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
}

// A provider that changed its wire and kept its name is not sent the blocks of the older wire as they came.
func TestWireChangedUnderName(t *testing.T) {
	raws := map[BlockKind][]string{
		BlockThinking: {`{"reasoning_content":"hm"}`, `{"reasoning":"hm"}`, `{"type":"reasoning","summary":[],"encrypted_content":"e"}`, `{"type":"thinking","thinking":"hm","signature":"s"}`},
		BlockToolUse:  {`{"id":"a","type":"function","function":{"name":"r","arguments":"{}"},"extra_content":{}}`, `{"type":"function_call","call_id":"a","name":"r","arguments":"{}"}`, `{"type":"tool_use","id":"a","name":"r","input":{}}`},
	}
	claude, err := NewAnthropic(AnthropicConfig{Name: "p", Key: testKey})
	if err != nil {
		t.Fatal(err)
	}
	responses, err := NewResponses(ResponsesConfig{Name: "p", Key: testKey})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		w     wire
		model string
		own   string // what its own raw blocks hold
	}{{claude, "claude-sonnet-5", `"signature"`}, {responses, "gpt-5.6-terra", `"encrypted_content":"e"`}, {chatAt(t, addressOther), "m", `"reasoning_content"`}} {
		for i := range 4 {
			thinking := Block{Kind: BlockThinking, Raw: json.RawMessage(raws[BlockThinking][i]), Provider: "p", Model: c.model}
			use := Block{Kind: BlockToolUse, CallID: "a", ToolName: "r", Input: json.RawMessage(`{}`), Raw: json.RawMessage(raws[BlockToolUse][i%3]), Provider: "p", Model: c.model}
			req := openAIRequest()
			req.Model = c.model
			req.Messages = append(req.Messages, Message{RoleAssistant, []Block{thinking, use}})
			got := messagesOf(t, c.w, req)
			if strings.Contains(got, "hm") != (strings.Contains(string(thinking.Raw), c.own) && strings.Contains(string(thinking.Raw), "hm")) || strings.Contains(got, `"e"`) != strings.Contains(string(thinking.Raw), c.own) && c.w == wire(responses) {
				t.Errorf("%s: got %s", thinking.Raw, got)
			}
			for _, foreign := range []string{`"tool_use"`, `"function_call"`, `"type":"function"`} {
				own := map[wire]string{claude: `"tool_use"`, responses: `"function_call"`}[c.w]
				if own == "" {
					own = `"type":"function"`
				}
				if strings.Contains(got, foreign) != (foreign == own) {
					t.Errorf("%s: got %s", use.Raw, got)
				}
			}
		}
	}
}

// Ids that repeat, or that the vendor does not take, become ids of ours, and so do the results'.
func TestOpenAICallIDs(t *testing.T) {
	long := strings.Repeat("x", 70)
	req := openAIRequest()
	req.Model, req.Messages = "m", nil
	for range 2 {
		var calls, results []Block
		for _, id := range []string{"call_0", "call:1", "", long, "abcDEF123"} {
			calls = append(calls, Block{Kind: BlockToolUse, CallID: id, ToolName: "r"})
			results = append(results, Block{Kind: BlockToolResult, CallID: id})
		}
		req.Messages = append(req.Messages, Message{RoleAssistant, calls}, Message{RoleUser, results})
	}
	responses, err := NewResponses(ResponsesConfig{Key: testKey})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		w        wire
		key      string
		fits     func(id string) bool
		kept     string
		id, call string
	}{
		{"OpenAI", chatAt(t, ""), "tool_call_id", func(id string) bool { return len(id) <= 40 }, "call_0", "id", "tool_calls"},
		{"Mistral", chatAt(t, addressMistral), "tool_call_id", func(id string) bool { return len(id) == 9 && alphanumeric(id) }, "abcDEF123", "id", "tool_calls"},
		{"Responses", responses, "call_id", func(id string) bool { return len(id) <= 64 }, "call_0", "call_id", ""},
	} {
		body := messagesOf(t, c.w, req)
		if body != messagesOf(t, c.w, req) {
			t.Errorf("%s: another body for the same request", c.name)
		}
		var list []map[string]any
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatal(err)
		}
		asked, answered := map[string]bool{}, map[string]bool{}
		var ids []string
		add := func(id string) {
			if asked[id] || !c.fits(id) {
				t.Errorf("%s: %q is there twice, or not as it must be", c.name, id)
			}
			asked[id] = true
			ids = append(ids, id)
		}
		for _, item := range list {
			if calls, ok := item["tool_calls"].([]any); ok {
				for _, call := range calls {
					add(call.(map[string]any)["id"].(string))
				}
			} else if item["type"] == "function_call" {
				add(item["call_id"].(string))
			} else {
				answered[item[c.key].(string)] = true
				if !asked[item[c.key].(string)] {
					t.Errorf("%s: %v answers nothing", c.name, item)
				}
			}
		}
		if len(asked) != 10 || len(answered) != 10 || !asked[c.kept] {
			t.Errorf("%s: got %q", c.name, ids)
		}
	}
}
