package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What a provider cannot do is said, with its name; nothing is sent and nothing is left out.
func TestUnsupported(t *testing.T) {
	tool := Tool{Name: "a", Input: json.RawMessage(`{"type":"object"}`)}
	many := make([]Tool, 129)
	for i := range many {
		many[i] = Tool{Name: fmt.Sprint("t", i)}
	}
	responses := func(without ...string) Provider {
		r, err := NewResponses(ResponsesConfig{Name: "p", Key: testKey, Without: without})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	anthropic := func(without ...string) Provider {
		a, err := NewAnthropic(AnthropicConfig{Name: "p", Key: testKey, Without: without})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, c := range []struct {
		name   string
		p      Provider
		change func(*Request)
		want   string
	}{
		{"tools", chatAt(t, addressOther, CapabilityTools), func(r *Request) { r.Tools = []Tool{tool} }, `capability "tools"`},
		{"tools", responses(CapabilityTools), func(r *Request) { r.Tools = []Tool{tool} }, `capability "tools"`},
		{"tools", anthropic(CapabilityTools), func(r *Request) { r.Tools = []Tool{tool} }, `capability "tools"`},
		{"too many tools", chatAt(t, ""), func(r *Request) { r.Tools = many }, "129, and it takes 128 at most"},
		{"too many tools", responses(), func(r *Request) { r.Tools = many }, "129, and it takes 128 at most"},
		{"effort", chatAt(t, addressOther, CapabilityEffort), func(r *Request) { r.Effort = EffortLow }, `capability "effort": the request asks for it: `},
		{"effort", responses(CapabilityEffort), func(r *Request) { r.Effort = EffortLow }, `capability "effort": the request asks for it: `},
		{"effort of a model", chatAt(t, ""), func(r *Request) { r.Effort, r.Model = EffortLow, "gpt-4.1" }, "takes none: gpt-4.1"},
		{"effort of a model", responses(), func(r *Request) { r.Effort, r.Model = EffortLow, "gpt-5-chat-latest" }, "takes none: gpt-5-chat-latest"},
		{"effort of a model", anthropic(), func(r *Request) { r.Effort, r.Model = EffortLow, "claude-haiku-4-5" }, "takes none: claude-haiku-4-5"},
		{"strict", chatAt(t, addressOther), func(r *Request) { r.Tools = []Tool{{Name: "a", Strict: true}} }, `capability "strict"`},
		{"strict", responses(CapabilityStrict), func(r *Request) { r.Tools = []Tool{{Name: "a", Strict: true}} }, `capability "strict"`},
		{"cache marks", responses(), func(r *Request) { r.Messages[0].Blocks[0].Cache = true }, "1 cache marks"},
	} {
		req := openAIRequest()
		if _, ok := c.p.(*Anthropic); ok {
			req = testRequest()
		}
		c.change(&req)
		got := firstError(t, c.p.Stream(t.Context(), req))
		if got.Code != CodeInvalidRequest || !strings.Contains(got.Error(), c.want) || strings.Contains(got.Error(), "canary") ||
			c.name != "cache marks" && !strings.Contains(got.Error(), `provider "p"`) {
			t.Errorf("%s: got %v, want %q", c.name, got, c.want)
		}
	}
}

func TestModelName(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-4.1": "gpt-4.1", "openai/gpt-oss-20b:free": "openai/gpt-oss-20b:free", "a b": "", "x/y\nz": "", "": "", "//": "//",
	} {
		if got := modelName(model); got != want {
			t.Errorf("%q: got %q", model, got)
		}
	}
}

func TestTakesEffort(t *testing.T) {
	responses, err := NewResponses(ResponsesConfig{Key: testKey})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p     Provider
		model string
		want  bool
	}{
		{testClient(t, nil), "claude-sonnet-5", true},
		{testClient(t, nil), "claude-opus-4-5", true},
		{testClient(t, nil), "claude-haiku-4-5", false},
		{testClient(t, nil), "my-model", false},
		{responses, "gpt-5.6-terra", true},
		{responses, "o4-mini", true},
		{responses, "gpt-4.1", false},
		{responses, "my-model", true},
		{chatAt(t, addressOpenRouter), "openai/gpt-4.1", true},
		{chatAt(t, addressOther), "openai/gpt-4.1", false},
		{chatAt(t, addressOther), "qwen3", true},
		{chatAt(t, addressOther, CapabilityEffort), "qwen3", false},
	} {
		if got := TakesEffort(c.p, c.model); got != c.want {
			t.Errorf("%T, %q: got %v", c.p, c.model, got)
		}
	}
}

func TestOpenAIModels(t *testing.T) {
	for model, want := range map[string]knowledge{
		"gpt-5.6-terra": yes, "gpt-5": yes, "gpt-5-mini-2025-08-07": yes, "openai/gpt-5.6-sol": yes, "o3": yes, "o4-mini": yes, "gpt-oss-120b": yes,
		"openai/gpt-oss-20b:free": yes, "codex-mini-latest": yes, "ft:o4-mini:acme::x": yes,
		"gpt-4.1-nano-2025-04-14": no, "gpt-4o": no, "chatgpt-4o-latest": no, "gpt-3.5-turbo": no, "gpt-5-chat-latest": no, "ft:gpt-4.1:acme": no,
		"": unknown, "gpt-": unknown, "gpt-x": unknown, "o": unknown, "olmo": unknown, "qwen3": unknown, "claude-sonnet-5": unknown,
	} {
		if got := openAIReasons(model); got != want {
			t.Errorf("%q: got %d, want %d", model, got, want)
		}
	}
	for model, want := range map[string]string{
		"gpt-5-mini-2025-08-07": "gpt-5-mini", "openai/gpt-5.6-terra:nitro": "gpt-5.6-terra", "deepseek/deepseek-v4-flash-20260424": "deepseek-v4-flash",
		"mistral-small-latest": "mistral-small", "2026-01-01": "2026-01-01", "o3-2025-04-16": "o3", "x-1-2-3": "x-1-2-3", "Qwen3": "qwen3",
	} {
		if got := openAIFamily(model); got != want {
			t.Errorf("%q: got %q, want %q", model, got, want)
		}
	}
}

func TestStrictFits(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object","properties":{},"additionalProperties":false}`:                                                                                                                                              true,
		`{"type":"object","properties":{"a":{"type":["string","null"],"description":"x"}},"required":["a"],"additionalProperties":false}`:                                                                             true,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"enum":[1]}},"required":["b"],"additionalProperties":false}}},"required":["a"],"additionalProperties":false}`: true,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["a"],"additionalProperties":false}`:                                                                            true,
		`{"type":"object","properties":{"a":{}},"additionalProperties":false}`:                                                                                                                                        false,
		`{"type":"object","properties":{"a":{}},"required":["b"],"additionalProperties":false}`:                                                                                                                       false,
		`{"type":"object","properties":{"a":{}},"required":["a"]}`:                                                                                                                                                    false,
		`{"type":"object","properties":{"a":{"type":"object"}},"required":["a"],"additionalProperties":false}`:                                                                                                        false,
		`{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"],"additionalProperties":false}`:                                                                                          false,
		`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"}]}},"required":["a"],"additionalProperties":false}`:                                                                                            false,
		`{"type":"object","properties":{"a":true},"required":["a"],"additionalProperties":false}`:                                                                                                                     false,
		`{"type":"object","$defs":{"x":{"type":"object"}},"properties":{},"additionalProperties":false}`:                                                                                                              false,
		`7`: false, `{"type":"string"}`: true,
	} {
		if got := strictFits(json.RawMessage(schema)); got != want {
			t.Errorf("%s: got %v", schema, got)
		}
	}
}
