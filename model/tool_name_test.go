package model

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSentToolName(t *testing.T) {
	tools := []Tool{{Name: "read_shelves"}, {Name: "read_shelves-2"}, {Name: "functions_list"}, {Name: "call"}}
	long := strings.Repeat("x", 64)
	for name, want := range map[string]string{
		"read_shelves":   "read_shelves",
		"unknown-tool":   "unknown-tool",
		"read shelves":   "read_shelves-3",
		"functions.list": "functions_list-2",
		"functions.read": "functions_read",
		"x<|channel|>y":  "x__channel__y",
		"a\x00b":         "a_b",
		"":               "call-2",
		long:             long,
		long + "x":       long[:55] + "-" + hashed(long+"x", 8),
	} {
		got := sentToolName(name, tools)
		if got != want || got != sentToolName(name, tools) || len(got) > maxToolNameBytes {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if sentToolName(long+"a", nil) == sentToolName(long+"b", nil) {
		t.Error("two long names became one")
	}
}

// A call of a name that no vendor takes goes out under one that each takes, also to the model that made it.
func TestEncodeToolNames(t *testing.T) {
	const odd, sent = "functions.list", `"name":"functions_list-2"`
	block := Block{Kind: BlockToolUse, CallID: "a", ToolName: odd, Input: json.RawMessage(`{}`), Model: "m"}
	from := func(provider, model, raw string) Message {
		b := block
		b.Provider, b.Model, b.Raw = provider, model, json.RawMessage(raw)
		return Message{RoleAssistant, []Block{b}}
	}
	messages := []Message{
		from("anthropic", "claude-sonnet-5", `{"type":"tool_use","id":"a","name":"functions.list","input":{}}`),
		from("openai", "gpt-5.6-terra", `{"type":"function_call","id":"fc","call_id":"a","name":"functions.list","arguments":"{}"}`),
		from("other", "m", ""),
	}
	req := testRequest()
	req.Tools = []Tool{{Name: "functions_list"}}
	req.Messages = append(req.Messages, messages...)
	gpt := req
	gpt.Model = "gpt-5.6-terra"
	for wire, body := range map[string][]byte{
		"anthropic": encodeAnthropic(&req, "anthropic", true),
		"chat":      encodeChat(&gpt, "openai", vendorOpenAI, true),
		"responses": encodeResponses(&gpt, "openai", true),
	} {
		if text := string(body); !json.Valid(body) || strings.Contains(text, odd) || strings.Count(text, sent) != len(messages) {
			t.Errorf("%s: got %s", wire, body)
		}
	}
}

// An id that Anthropic does not take goes out as one that it takes, also to the provider that gave it.
func TestEncodeOddCallID(t *testing.T) {
	req := testRequest()
	req.Messages = []Message{
		{RoleAssistant, []Block{{Kind: BlockToolUse, CallID: "a b", ToolName: "read", Input: json.RawMessage(`{}`), Provider: "anthropic", Model: "claude-sonnet-5", Raw: json.RawMessage(`{"type":"tool_use","id":"a b","name":"read","input":{}}`)}}},
		{RoleUser, []Block{{Kind: BlockToolResult, CallID: "a b", Text: "r"}}},
	}
	want := `[{"role":"assistant","content":[{"type":"tool_use","id":"a_b","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a_b","content":"r"}]}]`
	if got := encodedMessages(t, req); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
