package modeltest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model/modeltest"
)

// post sends a body as it stands and gives the status and the answer.
func post(t *testing.T, s *modeltest.Server, body string, change ...func(*http.Request)) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/messages", strings.NewReader(body))
	r.Header.Set("X-Api-Key", "k")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	r.Header.Set("Content-Type", "application/json")
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// ask makes a body around messages, with more top-level members put before.
func ask(messages string, more ...string) string {
	return `{"model":"claude-sonnet-5","max_tokens":100,` + strings.Join(append(more, ""), ",") + `"messages":[` + messages + `]}`
}

const (
	hi    = `{"role":"user","content":"hi"}`
	use   = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"read","input":{}},{"type":"tool_use","id":"toolu_b","name":"read","input":{}}]}`
	resA  = `{"type":"tool_result","tool_use_id":"toolu_a","content":"1"}`
	resB  = `{"type":"tool_result","tool_use_id":"toolu_b","content":[{"type":"text","text":"2"}],"is_error":true}`
	mark  = `"cache_control":{"type":"ephemeral"}`
	hour  = `"cache_control":{"type":"ephemeral","ttl":"1h"}`
	words = `{"type":"text","text":"and?"}`
)

func user(parts ...string) string {
	return `{"role":"user","content":[` + strings.Join(parts, ",") + `]}`
}

func assistant(parts ...string) string {
	return `{"role":"assistant","content":[` + strings.Join(parts, ",") + `]}`
}

func tool(name, more string) string {
	return `{"name":"` + name + `","input_schema":{"type":"object"` + more + `}}`
}

func strictTools(n, optional, unions int) string {
	var list []string
	for i := range n {
		var properties, required []string
		if i == 0 {
			for j := range optional {
				properties = append(properties, fmt.Sprintf(`"o%d":{"type":"string"}`, j))
			}
			for j := range unions {
				properties = append(properties, fmt.Sprintf(`"u%d":{"type":["string","null"]}`, j))
				required = append(required, fmt.Sprintf(`"u%d"`, j))
			}
		}
		list = append(list, fmt.Sprintf(`{"name":"t%02d","strict":true,"input_schema":{"type":"object","additionalProperties":false,"properties":{%s},"required":[%s]}}`,
			i, strings.Join(properties, ","), strings.Join(required, ",")))
	}
	return `"tools":[` + strings.Join(list, ",") + `]`
}

func TestAccepts(t *testing.T) {
	for name, body := range map[string]string{
		"plain":               ask(hi),
		"answered":            ask(hi + "," + use + "," + user(resA, resB, words)),
		"answered in pieces":  ask(hi + "," + use + "," + user(resB) + "," + user(resA) + "," + user(words)),
		"user twice":          ask(hi + "," + hi),
		"assistant in pieces": ask(hi + "," + assistant(words) + "," + use + "," + user(resA, resB)),
		"result without text": ask(hi + "," + assistant(`{"type":"tool_use","id":"x","name":"read","input":{"a":[1.50]}}`) + "," + user(`{"type":"tool_result","tool_use_id":"x"}`)),
		"four marks":          ask(user(`{"type":"text","text":"a",`+mark+`}`, `{"type":"text","text":"b",`+mark+`}`), `"system":[{"type":"text","text":"s",`+hour+`},{"type":"text","text":"s",`+mark+`}]`),
		"system text":         ask(hi, `"system":"s"`),
		"tools":               ask(hi, `"tools":[`+tool("a", "")+","+tool("b", `,"properties":{"x":{"oneOf":[{"type":"string"}]}}`)+`],"tool_choice":{"type":"auto"}`),
		"strict at the limit": ask(hi, strictTools(20, 24, 16)),
		"adaptive":            ask(hi, `"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"},"stream":true,"metadata":{"user_id":"u"},"stop_sequences":["x"]`),
	} {
		if status, answer := post(t, modeltest.New(modeltest.Config{}), body); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
}

func TestRefuses(t *testing.T) {
	haiku := func(body string) string { return strings.ReplaceAll(body, "claude-sonnet-5", "claude-haiku-4-5") }
	for name, c := range map[string]struct{ rule, body, want string }{
		"not JSON":               {"json", `{`, "not valid JSON"},
		"two documents":          {"json", ask(hi) + "{}", "not valid JSON"},
		"unknown key":            {"unknown_field", ask(hi, `"foo":1`), "foo: Extra inputs are not permitted"},
		"temperature":            {"unknown_field", ask(hi, `"temperature":1.0`), "temperature: Extra inputs are not permitted"},
		"top_p":                  {"unknown_field", ask(hi, `"top_p":1.0`), "top_p: Extra"},
		"top_k":                  {"unknown_field", ask(hi, `"top_k":1`), "top_k: Extra"},
		"wrong case":             {"unknown_field", ask(hi, `"Stream":true`), "Stream: Extra"},
		"unknown key in a block": {"unknown_field", ask(user(`{"type":"text","text":"a","x":1}`)), "messages.0.content.0.text.x: Extra"},
		"unknown key in message": {"unknown_field", ask(`{"role":"user","content":"a","id":"1"}`), "messages.0.id: Extra"},
		"unknown key in a tool":  {"unknown_field", ask(hi, `"tools":[{"name":"a","input_schema":{"type":"object"},"x":1}]`), "tools.0.x: Extra"},
		"unknown key in system":  {"unknown_field", ask(hi, `"system":[{"type":"text","text":"a","x":1}]`), "system.0.text.x: Extra"},
		"unknown key in a mark":  {"unknown_field", ask(user(`{"type":"text","text":"a","cache_control":{"type":"ephemeral","x":1}}`)), "cache_control.x: Extra"},
		"unknown key in result":  {"unknown_field", ask(hi + "," + use + "," + user(resA, `{"type":"tool_result","tool_use_id":"toolu_b","x":1}`)), "x: Extra"},
		"unknown key in content": {"unknown_field", ask(hi + "," + use + "," + user(resA, `{"type":"tool_result","tool_use_id":"toolu_b","content":[{"type":"text","text":"a","x":1}]}`)), "x: Extra"},
		"no model":               {"model", `{"max_tokens":1,"messages":[` + hi + `]}`, "model: Field required"},
		"another's model":        {"model", strings.ReplaceAll(ask(hi), "claude-sonnet-5", "gpt-5"), "model: gpt-5"},
		"no max_tokens":          {"max_tokens", `{"model":"claude-sonnet-5","messages":[` + hi + `]}`, "max_tokens: Field required"},
		"max_tokens zero":        {"max_tokens", strings.ReplaceAll(ask(hi), "100", "0"), "greater than or equal"},
		"max_tokens too high":    {"max_tokens", strings.ReplaceAll(ask(hi), "100", "128001"), "128001 > 128000"},
		"max_tokens of a haiku":  {"max_tokens", haiku(strings.ReplaceAll(ask(hi), "100", "64001")), "64001 > 64000"},
		"max_tokens text":        {"type", strings.ReplaceAll(ask(hi), "100", `"100"`), "valid integer"},
		"no messages":            {"messages", ask(""), "at least one message"},
		"first is assistant":     {"first_message", ask(assistant(words) + "," + hi), "first message must use"},
		"prefill":                {"prefill", ask(hi + "," + assistant(words)), "prefill"},
		"use at the end":         {"prefill", ask(hi + "," + use), "prefill"},
		"paused use":             {"unanswered", ask(hi + "," + assistant(`{"type":"server_tool_use","id":"s","name":"web","input":{}}`, `{"type":"tool_use","id":"toolu_a","name":"read","input":{}}`)), "toolu_a"},
		"white prefill":          {"empty_text", ask(hi + "," + assistant(`{"type":"text","text":" \n"}`)), "non-whitespace"},
		"system message":         {"role", ask(hi + `,{"role":"system","content":"a"}`), "'user' or 'assistant'"},
		"empty content":          {"empty", ask(user()), "non-empty content"},
		"empty words":            {"empty_text", ask(`{"role":"user","content":""}`), "must be non-empty"},
		"empty text":             {"empty_text", ask(user(`{"type":"text","text":""}`)), "must be non-empty"},
		"white text":             {"empty_text", ask(user(`{"type":"text","text":"\n"}`, words)), "non-whitespace"},
		"mark on empty text":     {"cache_control", ask(user(`{"type":"text","text":"",` + mark + `}`)), "cannot be set for empty text"},
		"unanswered":             {"unanswered", ask(hi + "," + use + "," + user(resA)), "toolu_b"},
		"unanswered, words":      {"unanswered", ask(hi + "," + use + "," + hi), "toolu_a"},
		"answered later":         {"unanswered", ask(hi + "," + use + "," + user(resA) + "," + assistant(words) + "," + user(resB)), "toolu_b"},
		"answered twice":         {"answered_twice", ask(hi + "," + use + "," + user(resA, resB, resA)), "toolu_a"},
		"answered twice, merged": {"answered_twice", ask(hi + "," + use + "," + user(resA, resB) + "," + user(resA)), "toolu_a"},
		"result without use":     {"result_without_use", ask(user(resA)), "toolu_a"},
		"result of an older use": {"result_without_use", ask(hi + "," + use + "," + user(resA, resB) + "," + assistant(words) + "," + user(resA)), "toolu_a"},
		"words before results":   {"results_not_first", ask(hi + "," + use + "," + user(words, resA, resB)), "must come before"},
		"words between results":  {"results_not_first", ask(hi + "," + use + "," + user(resA, words, resB)), "must come before"},
		"use twice":              {"tool_use_id", ask(hi + "," + use + "," + user(resA, resB) + "," + use + "," + user(resA, resB)), "must be unique"},
		"bad use id":             {"tool_use_id", ask(hi + "," + assistant(`{"type":"tool_use","id":"a.b","name":"read","input":{}}`) + "," + user(`{"type":"tool_result","tool_use_id":"a.b"}`)), "match pattern"},
		"input is a list":        {"tool_input", ask(hi + "," + assistant(`{"type":"tool_use","id":"a","name":"read","input":[]}`) + "," + user(resA)), "valid dictionary"},
		"use by a user":          {"block_type", ask(user(`{"type":"tool_use","id":"a","name":"b","input":{}}`)), "does not match"},
		"result by an assistant": {"block_type", ask(hi + "," + assistant(resA) + "," + hi), "does not match"},
		"unknown block":          {"block_type", ask(user(`{"type":"novel"}`)), "novel"},
		"block is a number":      {"type", ask(`{"role":"user","content":[1]}`), "messages.0.content.0: Input should be a valid dictionary"},
		"use without a name":     {"tool_names", ask(hi + "," + assistant(`{"type":"tool_use","id":"a","name":"","input":{}}`)), "at least 1"},
		"result of a number":     {"type", ask(hi + "," + use + "," + user(resA, `{"type":"tool_result","tool_use_id":"toolu_b","content":1}`)), "valid string or list"},
		"result in a result":     {"block_type", ask(hi + "," + use + "," + user(resA, `{"type":"tool_result","tool_use_id":"toolu_b","content":[`+resA+`]}`)), "'tool_result' does not match"},
		"vendor's own tool":      {"tool_type", ask(hi, `"tools":[{"type":"bash_20250124","name":"bash"}]`), "custom tools only"},
		"properties are a list":  {"schema", ask(hi, `"tools":[`+tool("a", `,"properties":[]`)+`]`), "properties: Input should be a valid dictionary"},
		"choice is text":         {"tool_choice", ask(hi, `"tools":[`+tool("a", "")+`],"tool_choice":"auto"`), "valid dictionary"},
		"five marks":             {"cache_marks", ask(user(strings.Repeat(`{"type":"text","text":"a",`+mark+`},`, 4) + `{"type":"text","text":"a",` + mark + `}`)), "Found 5"},
		"marks in a wrong order": {"cache_marks", ask(user(`{"type":"text","text":"a",`+mark+`}`, `{"type":"text","text":"a",`+hour+`}`)), "must not come after"},
		"mark of another life":   {"cache_control", ask(user(`{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"2h"}}`)), "'5m' or '1h'"},
		"mark on thinking":       {"unknown_field", ask(hi + "," + assistant(`{"type":"thinking","thinking":"a","signature":"b",`+mark+`}`, words) + "," + hi), "thinking.cache_control: Extra"},
		"thinking of nobody":     {"thinking_changed", ask(hi + "," + assistant(`{"type":"thinking","thinking":"a","signature":"b"}`, words) + "," + hi), "Invalid `signature`"},
		"redacted of nobody":     {"thinking_changed", ask(hi + "," + assistant(`{"type":"redacted_thinking","data":"a.b"}`, words) + "," + hi), "Invalid `data`"},
		"tools unsorted":         {"tool_order", ask(hi, `"tools":[`+tool("b", "")+","+tool("a", "")+`]`), "sorted by name"},
		"tools twice":            {"tool_names", ask(hi, `"tools":[`+tool("a", "")+","+tool("a", "")+`]`), "must be unique"},
		"tool name":              {"tool_names", ask(hi, `"tools":[`+tool("a.b", "")+`]`), "match pattern"},
		"tool name too long":     {"tool_names", ask(hi, `"tools":[`+tool(strings.Repeat("a", 65), "")+`]`), "match pattern"},
		"no schema":              {"schema", ask(hi, `"tools":[{"name":"a"}]`), "input_schema: Field required"},
		"schema of a string":     {"schema", ask(hi, `"tools":[{"name":"a","input_schema":{"type":"string"}}]`), "'object'"},
		"schema with oneOf":      {"schema", ask(hi, `"tools":[`+tool("a", `,"oneOf":[]`)+`]`), "top level"},
		"schema with anyOf":      {"schema", ask(hi, `"tools":[`+tool("a", `,"anyOf":[]`)+`]`), "top level"},
		"schema with allOf":      {"schema", ask(hi, `"tools":[`+tool("a", `,"allOf":[]`)+`]`), "top level"},
		"property name":          {"schema", ask(hi, `"tools":[`+tool("a", `,"properties":{"a b":{}}`)+`]`), "Property keys"},
		"21 strict tools":        {"strict", ask(hi, strictTools(21, 0, 0)), "strict tools: 21"},
		"25 optional":            {"strict", ask(hi, strictTools(1, 25, 0)), "optional parameters (25)"},
		"17 unions":              {"strict", ask(hi, strictTools(1, 0, 17)), "union types (17)"},
		"strict and open":        {"strict", ask(hi, `"tools":[{"name":"a","strict":true,"input_schema":{"type":"object"}}]`), "additionalProperties"},
		"choice without tools":   {"tool_choice", ask(hi, `"tool_choice":{"type":"auto"}`), "while providing tools"},
		"unknown choice":         {"tool_choice", ask(hi, `"tools":[`+tool("a", "")+`],"tool_choice":{"type":"some"}`), "expected tags"},
		"forced while thinking":  {"tool_choice", ask(hi, `"tools":[`+tool("a", "")+`],"tool_choice":{"type":"any"}`), "forces tool use"},
		"budget on a new model":  {"thinking", ask(hi, `"thinking":{"type":"enabled","budget_tokens":1024}`), "not supported for this model"},
		"adaptive on an old one": {"thinking", haiku(ask(hi, `"thinking":{"type":"adaptive"}`)), "not supported for this model"},
		"effort on an old one":   {"effort", haiku(ask(hi, `"output_config":{"effort":"low"}`)), "does not support the effort"},
		"unknown effort":         {"effort", ask(hi, `"output_config":{"effort":"huge"}`), "output_config.effort"},
		"unknown thinking":       {"thinking", ask(hi, `"thinking":{"type":"auto"}`), "expected tags"},
		"stream is text":         {"type", ask(hi, `"stream":"true"`), "valid boolean"},
	} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.New(modeltest.Config{})
			status, answer := post(t, s, c.body)
			var doc struct {
				Type  string
				Error struct{ Type, Message string }
			}
			if err := json.Unmarshal([]byte(answer), &doc); err != nil {
				t.Fatalf("%d %s: %v", status, answer, err)
			}
			if status/100 != 4 || doc.Type != "error" || !strings.Contains(doc.Error.Message, c.want) || s.Rejected()[c.rule] != 1 || s.Accepted() != 0 {
				t.Errorf("got %d %s, rejected %v; want %q by %q", status, answer, s.Rejected(), c.want, c.rule)
			}
		})
	}
}

func TestRefusesHeaders(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		kind   string
		change func(*http.Request)
	}{
		"no key":        {401, "authentication_error", func(r *http.Request) { r.Header.Del("X-Api-Key") }},
		"wrong key":     {401, "authentication_error", func(r *http.Request) { r.Header.Set("X-Api-Key", "other") }},
		"wrong bearer":  {401, "authentication_error", func(r *http.Request) { r.Header.Del("X-Api-Key"); r.Header.Set("Authorization", "Bearer other") }},
		"no version":    {400, "invalid_request_error", func(r *http.Request) { r.Header.Del("Anthropic-Version") }},
		"other version": {400, "invalid_request_error", func(r *http.Request) { r.Header.Set("Anthropic-Version", "2020-01-01") }},
		"form":          {400, "invalid_request_error", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }},
		"other path":    {404, "not_found_error", func(r *http.Request) { r.URL.Path = "/v1/complete" }},
		"other method":  {405, "invalid_request_error", func(r *http.Request) { r.Method = http.MethodGet }},
	} {
		s := modeltest.New(modeltest.Config{Key: "k"})
		if status, answer := post(t, s, ask(hi), c.change); status != c.status || !strings.Contains(answer, c.kind) {
			t.Errorf("%s: got %d %s", name, status, answer)
		}
	}
	s := modeltest.New(modeltest.Config{Key: "k", MaxBodyBytes: 200})
	bearer := func(r *http.Request) { r.Header.Del("X-Api-Key"); r.Header.Set("Authorization", "Bearer k") }
	if status, answer := post(t, s, ask(hi), bearer); status != http.StatusOK {
		t.Errorf("bearer: got %d %s", status, answer)
	}
	if status, answer := post(t, s, ask(hi)+strings.Repeat(" ", 200)); status != 413 || !strings.Contains(answer, "request_too_large") {
		t.Errorf("too long: got %d %s", status, answer)
	}
}

func TestRefusesUnsortedOnlyWhenAsked(t *testing.T) {
	s := modeltest.New(modeltest.Config{AnyToolOrder: true})
	if status, answer := post(t, s, ask(hi, `"tools":[`+tool("b", "")+","+tool("a", "")+`]`)); status != http.StatusOK {
		t.Errorf("got %d %s", status, answer)
	}
}

func TestThinkingIsNotTheLast(t *testing.T) {
	const think = `"thinking":{"type":"adaptive"}`
	s := modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Think("hm")}})})
	_, answer := post(t, s, ask(hi, think))
	var doc struct{ Content json.RawMessage }
	if err := json.Unmarshal([]byte(answer), &doc); err != nil {
		t.Fatal(err)
	}
	if status, answer := post(t, s, ask(hi+`,{"role":"assistant","content":`+string(doc.Content)+`},`+hi, think)); status != http.StatusBadRequest || s.Rejected()["thinking_last"] != 1 {
		t.Errorf("got %d %s, rejected %v", status, answer, s.Rejected())
	}
}
