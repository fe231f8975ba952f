package modeltest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model/modeltest"
)

// onto sends a request on one of OpenAI's wires.
func onto(path string) func(*http.Request) {
	return func(r *http.Request) {
		r.URL.Path = path
		r.Header.Del("X-Api-Key")
		r.Header.Del("Anthropic-Version")
		r.Header.Set("Authorization", "Bearer k")
	}
}

// chat makes a body around messages, with more top-level members put before.
func chat(messages string, more ...string) string {
	return `{"model":"gpt-5",` + strings.Join(append(more, ""), ",") + `"messages":[` + messages + `]}`
}

const (
	chatCalls = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"read","arguments":"{\"q\":"}}]}`
	chatA     = `{"role":"tool","tool_call_id":"a","content":"1"}`
	chatB     = `{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"2"}]}`
	open      = `{"type":"object","properties":{}}`
)

func chatTool(name, parameters string, more ...string) string {
	return `{"type":"function","function":{"name":"` + name + `",` + strings.Join(append(more, ""), ",") + `"parameters":` + parameters + `}}`
}

func tools(list ...string) string { return `"tools":[` + strings.Join(list, ",") + `]` }

func as(model, body string) string { return strings.Replace(body, `"gpt-5"`, `"`+model+`"`, 1) }

func called(id, name, arguments string) string {
	return `{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":` + arguments + `}}]}`
}

func TestChatAccepts(t *testing.T) {
	for name, body := range map[string]string{
		"plain":                chat(hi),
		"answered":             chat(hi + "," + chatCalls + "," + chatB + "," + chatA + "," + hi),
		"ids again later":      chat(hi + "," + chatCalls + "," + chatA + "," + chatB + "," + chatCalls + "," + chatA + "," + chatB),
		"roles":                chat(`{"role":"developer","content":"d"},{"role":"system","content":[{"type":"text","text":"s"}]},` + hi + `,{"role":"assistant","content":"a"},` + hi),
		"image":                chat(user(`{"type":"text","text":"a"}`, `{"type":"image_url","image_url":{"url":"u"}}`)),
		"refused before":       chat(hi + `,{"role":"assistant","content":null,"refusal":"no"},` + hi),
		"tools":                chat(hi, tools(chatTool("a", open), chatTool("b", `{"type":"object","properties":{"x":{"type":"array","items":{}}}}`)), `"tool_choice":"auto"`, `"parallel_tool_calls":true`),
		"tool without input":   chat(hi, `"tools":[{"type":"function","function":{"name":"a"}}]`, `"tool_choice":{"type":"function","function":{"name":"a"}}`),
		"strict":               chat(hi, tools(chatTool("a", `{"type":"object","properties":{"x":{"type":["string","null"]}},"required":["x"],"additionalProperties":false}`, `"strict":true`))),
		"streamed":             chat(hi, `"stream":true`, `"stream_options":{"include_usage":true}`, `"max_completion_tokens":5`, `"reasoning_effort":"low"`, `"temperature":1`),
		"old limit, old model": as("gpt-4.1", chat(hi, `"max_tokens":5`, `"temperature":0.5`, `"presence_penalty":1`)),
		"5.4 told not to":      as("gpt-5.4", chat(hi, `"reasoning_effort":"none"`, tools(chatTool("a", open)))),
		"openrouter":           as("x-ai/grok-4", chat(hi+`,{"role":"assistant","content":"a","reasoning":"r","reasoning_details":[{"type":"reasoning.summary","summary":"s"}]},`+user(`{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`), `"reasoning":{"effort":"low"}`, `"usage":{"include":true}`, `"max_tokens":5`)),
		"deepseek":             as("deepseek-reasoner", chat(hi+`,{"role":"assistant","content":"a","reasoning_content":"r"},`+hi, `"max_tokens":5`, `"top_k":3`)),
		"long id elsewhere":    as("qwen3", chat(hi+","+called(strings.Repeat("i", 41), "read", `"{}"`)+`,{"role":"tool","tool_call_id":"`+strings.Repeat("i", 41)+`","content":"1"}`)),
		"known model":          as("local", chat(hi)),
	} {
		s := modeltest.New(modeltest.Config{Models: []string{"gpt-5", "gpt-4.1", "gpt-5.4", "x-ai/grok-4", "deepseek-reasoner", "qwen3", "local"}})
		if status, answer := post(t, s, body, onto("/v1/chat/completions")); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
}

func TestChatRefuses(t *testing.T) {
	many := make([]string, 129)
	for i := range many {
		many[i] = chatTool(fmt.Sprintf("t%03d", i), open)
	}
	strict := func(schema string) string { return chat(hi, tools(chatTool("a", schema, `"strict":true`))) }
	for name, c := range map[string]refusal{
		"not JSON":                {"json", `{`, "not valid JSON", "", ""},
		"unknown key":             {"unknown_field", chat(hi, `"foo":1`), "Unrecognized request argument supplied: foo", "", ""},
		"Anthropic's key":         {"unknown_field", chat(hi, `"system":"s"`), "supplied: system", "", ""},
		"OpenRouter's key":        {"unknown_field", chat(hi, `"reasoning":{}`), "supplied: reasoning", "", ""},
		"unknown key in message":  {"unknown_field", chat(`{"role":"user","content":"a","x":1}`), "Unknown parameter: 'messages[0].x'.", "messages[0].x", "unknown_parameter"},
		"unknown key in a part":   {"unknown_field", chat(user(`{"type":"text","text":"a","cache_control":{}}`)), "content[0].cache_control", "messages[0].content[0].cache_control", "unknown_parameter"},
		"unknown key in a call":   {"unknown_field", chat(hi + `,{"role":"assistant","tool_calls":[{"id":"a","index":0,"type":"function","function":{}}]}`), "tool_calls[0].index", "messages[1].tool_calls[0].index", "unknown_parameter"},
		"unknown key in a tool":   {"unknown_field", chat(hi, tools(`{"type":"function","name":"a","function":{}}`)), "tools[0].name", "tools[0].name", "unknown_parameter"},
		"unknown key in function": {"unknown_field", chat(hi, tools(chatTool("a", open, `"x":1`))), "tools[0].function.x", "tools[0].function.x", "unknown_parameter"},
		"unknown stream option":   {"unknown_field", chat(hi, `"stream":true`, `"stream_options":{"x":1}`), "stream_options.x", "stream_options.x", "unknown_parameter"},
		"thoughts of others":      {"unknown_field", chat(hi + `,{"role":"assistant","content":"a","reasoning_content":"r"}`), "reasoning_content", "messages[1].reasoning_content", "unknown_parameter"},
		"no model":                {"model", `{"messages":[]}`, "you must provide a model parameter", "", ""},
		"unknown model":           {"model", as("gpt-6", chat(hi)), "does not exist", "", "model_not_found"},
		"both limits":             {"max_tokens", chat(hi, `"max_tokens":5`, `"max_completion_tokens":5`), "at the same time", "max_tokens", "invalid_parameter_combination"},
		"the old limit":           {"max_tokens", chat(hi, `"max_tokens":5`), "Use 'max_completion_tokens' instead", "max_tokens", "unsupported_parameter"},
		"no room":                 {"max_tokens", chat(hi, `"max_completion_tokens":0`), "below minimum value", "max_completion_tokens", "integer_below_min_value"},
		"two choices":             {"choices", chat(hi, `"n":2`), "one choice", "n", "invalid_value"},
		"temperature":             {"sampling", chat(hi, `"temperature":0.5`), "does not support 0.5", "temperature", "unsupported_value"},
		"penalty":                 {"sampling", chat(hi, `"presence_penalty":1`), "presence_penalty", "presence_penalty", "unsupported_value"},
		"temperature is text":     {"type", chat(hi, `"temperature":"1"`), "expected a number", "temperature", "invalid_type"},
		"effort without thought":  {"effort", as("gpt-4.1", chat(hi, `"reasoning_effort":"low"`)), "supplied: reasoning_effort", "", ""},
		"unknown effort":          {"effort", chat(hi, `"reasoning_effort":"huge"`), "Invalid value: 'huge'", "reasoning_effort", "invalid_value"},
		"effort of another":       {"effort", chat(hi, `"reasoning_effort":"xhigh"`), "not supported with this model", "reasoning_effort", "unsupported_value"},
		"thinking with tools":     {"effort", as("gpt-5.6-terra", chat(hi, tools(chatTool("a", open)))), "use /v1/responses", "reasoning_effort", ""},
		"usage, not streamed":     {"stream_options", chat(hi, `"stream_options":{"include_usage":true}`), "only allowed when 'stream'", "stream_options", ""},
		"stream is text":          {"type", chat(hi, `"stream":"true"`), "expected a boolean, but got a string", "stream", "invalid_type"},
		"no messages":             {"messages", chat(""), "empty array", "messages", "empty_array"},
		"messages missing":        {"missing", `{"model":"gpt-5"}`, "Missing required parameter: 'messages'", "messages", "missing_required_parameter"},
		"messages is text":        {"type", `{"model":"gpt-5","messages":"hi"}`, "expected an array", "messages", "invalid_type"},
		"unknown role":            {"role", chat(`{"role":"model","content":"a"}`), "Invalid value: 'model'", "messages[0].role", "invalid_value"},
		"no role":                 {"missing", chat(`{"content":"a"}`), "messages[0].role", "messages[0].role", "missing_required_parameter"},
		"no content":              {"missing", chat(`{"role":"user"}`), "messages[0].content", "messages[0].content", "missing_required_parameter"},
		"null content":            {"content", chat(`{"role":"user","content":null}`), "expected a string, got null", "messages[0].content", ""},
		"silent assistant":        {"content", chat(hi + `,{"role":"assistant","content":null}`), "expected a string, got null", "messages[1].content", ""},
		"content is a number":     {"type", chat(`{"role":"user","content":1}`), "string or array of objects", "messages[0].content", "invalid_type"},
		"empty content":           {"content", chat(user()), "empty array", "messages[0].content", "empty_array"},
		"part of another role":    {"block_type", chat(hi + "," + assistant(`{"type":"image_url","image_url":{"url":"u"}}`)), "image_url", "messages[1].content[0].type", "invalid_value"},
		"Anthropic's part":        {"block_type", chat(hi + "," + assistant(`{"type":"tool_use","id":"a","name":"b","input":{}}`)), "tool_use", "messages[1].content[0].type", "invalid_value"},
		"message is a number":     {"type", chat("1"), "expected an object, but got a number", "messages[0]", "invalid_type"},
		"part is a number":        {"type", chat(user("1")), "expected an object", "messages[0].content[0]", "invalid_type"},
		"part without a type":     {"missing", chat(user("{}")), "content[0].type", "messages[0].content[0].type", "missing_required_parameter"},
		"text without a text":     {"missing", chat(user(`{"type":"text"}`)), "content[0].text", "messages[0].content[0].text", "missing_required_parameter"},
		"call is a number":        {"type", chat(hi + `,{"role":"assistant","tool_calls":[1]}`), "expected an object", "messages[1].tool_calls[0]", "invalid_type"},
		"call without arguments":  {"missing", chat(hi + `,{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"read"}}]}`), "function.arguments", "messages[1].tool_calls[0].function.arguments", "missing_required_parameter"},
		"tool is a number":        {"type", chat(hi, tools("1")), "expected an object", "tools[0]", "invalid_type"},
		"tool without a type":     {"missing", chat(hi, tools("{}")), "tools[0].type", "tools[0].type", "missing_required_parameter"},
		"tool without a name":     {"missing", chat(hi, tools(chatTool("", open))), "function.name", "tools[0].function.name", "missing_required_parameter"},
		"choice is a number":      {"type", chat(hi, tools(chatTool("a", open)), `"tool_choice":1`), "tool_choice", "tool_choice", "invalid_type"},
		"metadata is text":        {"type", chat(hi, `"metadata":"x"`), "expected an object, but got a string", "metadata", "invalid_type"},
		"half a token":            {"type", chat(hi, `"max_completion_tokens":1.5`), "expected an integer", "max_completion_tokens", "invalid_type"},
		"detail is a number":      {"type", as("x-ai/grok-4", chat(hi+`,{"role":"assistant","content":"a","reasoning_details":[1]}`)), "expected an object", "messages[1].reasoning_details[0]", "invalid_type"},
		"no calls":                {"empty", chat(hi + `,{"role":"assistant","content":"a","tool_calls":[]}`), "empty array", "messages[1].tool_calls", "empty_array"},
		"call without id":         {"missing", chat(hi + "," + called("", "read", `"{}"`)), "tool_calls[0].id", "messages[1].tool_calls[0].id", "missing_required_parameter"},
		"long id":                 {"tool_use_id", chat(hi + "," + called(strings.Repeat("i", 41), "read", `"{}"`)), "maximum length 40", "messages[1].tool_calls[0].id", "string_above_max_length"},
		"id twice":                {"tool_use_id", chat(hi + "," + strings.ReplaceAll(chatCalls, `"id":"b"`, `"id":"a"`)), "Duplicate value", "messages[1].tool_calls", ""},
		"call of another type":    {"tool_type", chat(hi + `,{"role":"assistant","tool_calls":[{"id":"a","type":"custom","function":{}}]}`), "'custom'", "messages[1].tool_calls[0].type", "invalid_value"},
		"name of a call":          {"tool_names", chat(hi + "," + called("a", "x.y", `"{}"`)), "does not match pattern", "messages[1].tool_calls[0].function.name", "invalid_value"},
		"arguments are an object": {"type", chat(hi + "," + called("a", "read", `{}`)), "expected a string, but got an object", "messages[1].tool_calls[0].function.arguments", "invalid_type"},
		"arguments are no JSON":   {"tool_input", as("llama3.2", chat(hi+","+chatCalls+","+chatA+","+chatB)), "invalid tool call arguments", "", ""},
		"unanswered":              {"unanswered", chat(hi + "," + chatCalls + "," + chatA), "did not have response messages: b", "messages[3].role", ""},
		"words between":           {"unanswered", chat(hi + "," + chatCalls + "," + chatA + "," + hi + "," + chatB), "response messages: b", "messages[3].role", ""},
		"result at the start":     {"result_without_use", chat(chatA), "preceding message with 'tool_calls'", "messages[0].role", ""},
		"result after words":      {"result_without_use", chat(hi + "," + chatCalls + "," + chatA + "," + chatB + "," + hi + "," + chatA), "preceding message", "messages[5].role", ""},
		"result of another":       {"result_without_use", chat(hi + "," + chatCalls + "," + strings.ReplaceAll(chatA, `"a"`, `"c"`)), "not found in 'tool_calls'", "messages[2].tool_call_id", ""},
		"result without id":       {"missing", chat(hi + "," + chatCalls + `,{"role":"tool","content":"1"}`), "tool_call_id", "messages[2].tool_call_id", "missing_required_parameter"},
		"answered twice":          {"answered_twice", chat(hi + "," + chatCalls + "," + chatA + "," + chatA), "has a response message already", "messages[3].tool_call_id", ""},
		"empty tools":             {"tools", chat(hi, `"tools":[]`), "empty array", "tools", "empty_array"},
		"129 tools":               {"tools", chat(hi, tools(many...)), "array with length 129", "tools", "array_above_max_length"},
		"parallel without tools":  {"tools", chat(hi, `"parallel_tool_calls":true`), "only allowed when 'tools'", "parallel_tool_calls", ""},
		"tools unsorted":          {"tool_order", chat(hi, tools(chatTool("b", open), chatTool("a", open))), "sorted by name", "", ""},
		"tools twice":             {"tool_names", chat(hi, tools(chatTool("a", open), chatTool("a", open))), "must be unique", "tools", ""},
		"tool name":               {"tool_names", chat(hi, tools(chatTool("a.b", open))), "pattern", "tools[0].function.name", "invalid_value"},
		"tool name too long":      {"tool_names", chat(hi, tools(chatTool(strings.Repeat("a", 65), open))), "maximum length 64", "tools[0].function.name", "string_above_max_length"},
		"tool of the other wire":  {"missing", chat(hi, tools(`{"type":"function"}`)), "tools[0].function", "tools[0].function", "missing_required_parameter"},
		"another type of tool":    {"tool_type", chat(hi, tools(`{"type":"web_search"}`)), "web_search", "tools[0].type", "invalid_value"},
		"parameters are text":     {"type", chat(hi, tools(chatTool("a", `"x"`))), "expected an object", "tools[0].function.parameters", "invalid_type"},
		"parameters of a string":  {"schema", chat(hi, tools(chatTool("a", `{"type":"string"}`))), "schema must be a JSON Schema", "tools[0].function.parameters", "invalid_function_parameters"},
		"no properties":           {"schema", chat(hi, tools(chatTool("a", `{"type":"object"}`))), "object schema missing properties", "tools[0].function.parameters", "invalid_function_parameters"},
		"anyOf at the top":        {"schema", chat(hi, tools(chatTool("a", `{"type":"object","properties":{},"anyOf":[]}`))), "at the top level", "tools[0].function.parameters", "invalid_function_parameters"},
		"array without items":     {"schema", chat(hi, tools(chatTool("a", `{"type":"object","properties":{"x":{"type":"array"}}}`))), "In context=('properties', 'x'), array schema missing items", "tools[0].function.parameters", "invalid_function_parameters"},
		"strict and open":         {"strict", strict(open), "In context=(), 'additionalProperties' is required", "tools[0].function.parameters", "invalid_function_parameters"},
		"strict and optional":     {"strict", strict(`{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`), "Missing 'x'", "tools[0].function.parameters", "invalid_function_parameters"},
		"strict, open inside":     {"strict", strict(`{"type":"object","properties":{"x":{"type":"object","properties":{}}},"required":["x"],"additionalProperties":false}`), "('properties', 'x'), 'additionalProperties'", "tools[0].function.parameters", "invalid_function_parameters"},
		"strict with oneOf":       {"strict", strict(`{"type":"object","properties":{"x":{"oneOf":[]}},"required":["x"],"additionalProperties":false}`), "'oneOf' is not permitted", "tools[0].function.parameters", "invalid_function_parameters"},
		"choice without tools":    {"tool_choice", chat(hi, `"tool_choice":"auto"`), "only allowed when 'tools'", "tool_choice", ""},
		"unknown choice":          {"tool_choice", chat(hi, tools(chatTool("a", open)), `"tool_choice":"any"`), "Invalid value: 'any'", "tool_choice", "invalid_value"},
		"absent choice":           {"tool_choice", chat(hi, tools(chatTool("a", open)), `"tool_choice":{"type":"function","function":{"name":"b"}}`), "'b' not found", "tool_choice", ""},
		"a thought changed":       {"thinking_changed", as("x-ai/grok-4", chat(hi+`,{"role":"assistant","content":"a","reasoning_details":[{"type":"reasoning.text","text":"t","signature":"s"}]}`)), "Invalid `signature`", "messages[1].reasoning_details[0]", ""},
		"encrypted of nobody":     {"thinking_changed", as("x-ai/grok-4", chat(hi+`,{"role":"assistant","content":"a","reasoning_details":[{"type":"reasoning.encrypted","data":"s"}]}`)), "Invalid", "messages[1].reasoning_details[0]", ""},
		"another kind of detail":  {"block_type", as("x-ai/grok-4", chat(hi+`,{"role":"assistant","content":"a","reasoning_details":[{"type":"reasoning.novel"}]}`)), "reasoning.novel", "messages[1].reasoning_details[0].type", "invalid_value"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := modeltest.Config{Models: []string{"gpt-5", "gpt-4.1", "gpt-5.6-terra", "x-ai/grok-4", "llama3.2"}}
			c.check(t, modeltest.New(cfg), "/v1/chat/completions")
		})
	}
}

// refusal is a body, the rule that refuses it, and what OpenAI says: a part of the message, the parameter and the code.
type refusal struct{ rule, body, message, param, code string }

func (c refusal) check(t *testing.T, s *modeltest.Server, path string) {
	t.Helper()
	status, answer := post(t, s, c.body, onto(path))
	var doc struct {
		Error struct {
			Message, Type string
			Param, Code   *string
		}
	}
	if err := json.Unmarshal([]byte(answer), &doc); err != nil {
		t.Fatalf("%d %s: %v", status, answer, err)
	}
	value := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	e := doc.Error
	if status/100 != 4 || e.Type != "invalid_request_error" || !strings.Contains(e.Message, c.message) || value(e.Param) != c.param || value(e.Code) != c.code || s.Rejected()[c.rule] != 1 || s.Accepted() != 0 {
		t.Errorf("got %d %s, rejected %v; want %+v", status, answer, s.Rejected(), c)
	}
}

func TestOpenAIRefusesHeaders(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses"} {
		body := `{"model":"gpt-5","messages":[` + hi + `]}`
		if path == "/v1/responses" {
			body = `{"model":"gpt-5","input":"hi"}`
		}
		for name, c := range map[string]struct {
			status int
			change func(*http.Request)
		}{
			"right":        {200, func(*http.Request) {}},
			"no key":       {401, func(r *http.Request) { r.Header.Del("Authorization") }},
			"wrong key":    {401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer other") }},
			"not a bearer": {401, func(r *http.Request) { r.Header.Set("Authorization", "k") }},
			"its key":      {401, func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("X-Api-Key", "k") }},
			"form":         {400, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }},
			"other method": {405, func(r *http.Request) { r.Method = http.MethodGet }},
		} {
			s := modeltest.New(modeltest.Config{Key: "k"})
			if status, answer := post(t, s, body, onto(path), c.change); status != c.status || status != 200 && !strings.Contains(answer, `"param":null`) {
				t.Errorf("%s, %s: got %d %s", path, name, status, answer)
			}
		}
		keyless := modeltest.New(modeltest.Config{Keyless: true})
		if status, answer := post(t, keyless, body, onto(path), func(r *http.Request) { r.Header.Del("Authorization") }); status != http.StatusOK {
			t.Errorf("%s without a key: got %d %s", path, status, answer)
		}
	}
}
