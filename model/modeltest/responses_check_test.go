package modeltest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model/modeltest"
)

const responsesPath = "/v1/responses"

// respond makes a body around input items, with more top-level members put before.
func respond(items string, more ...string) string {
	return `{"model":"gpt-5",` + strings.Join(append(more, ""), ",") + `"input":[` + items + `]}`
}

const (
	callA   = `{"type":"function_call","call_id":"a","name":"read","arguments":"{}"}`
	callB   = `{"type":"function_call","id":"fc_b","call_id":"b","name":"read","arguments":"{\"q\":","status":"completed"}`
	outputA = `{"type":"function_call_output","call_id":"a","output":"1"}`
	outputB = `{"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":"2"}]}`
	unkept  = `"store":false`
)

func responseTool(name, parameters string, more ...string) string {
	return `{"type":"function","name":"` + name + `",` + strings.Join(append(more, ""), ",") + `"parameters":` + parameters + `}`
}

func TestResponsesAccepts(t *testing.T) {
	for name, body := range map[string]string{
		"text":          `{"model":"gpt-5","input":"hi"}`,
		"plain":         respond(hi),
		"messages":      respond(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"d"}]},` + hi + `,{"role":"assistant","content":"a"},{"type":"message","role":"assistant","id":"msg_1","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"a","annotations":[],"logprobs":[]},{"type":"refusal","refusal":"no"}]},` + hi),
		"answered":      respond(hi+","+callA+","+callB+","+outputB+","+outputA, unkept),
		"answered late": respond(hi + "," + callA + "," + hi + "," + outputA),
		"tools":         respond(hi, tools(responseTool("a", open), responseTool("b", open, `"strict":false`)), `"tool_choice":{"type":"function","name":"a"}`, `"parallel_tool_calls":false`),
		"no tools":      respond(hi, `"tools":[]`),
		"options":       respond(hi, `"stream":true`, `"stream_options":{"include_obfuscation":false}`, `"reasoning":{"effort":"low","summary":"auto"}`, `"include":["reasoning.encrypted_content"]`, `"text":{"verbosity":"low"}`, `"truncation":"auto"`, `"max_output_tokens":16`, `"instructions":"s"`, `"metadata":{"a":"b"}`, `"user":"u"`),
		"old model":     as("gpt-4.1", respond(hi, `"temperature":0.5`, `"top_p":1`)),
	} {
		if status, answer := post(t, modeltest.New(modeltest.Config{}), body, onto(responsesPath)); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
}

func TestResponsesRefuses(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat(responseTool("a", open)+",", 129), ",")
	for name, c := range map[string]refusal{
		"unknown key":             {"unknown_field", respond(hi, `"foo":1`), "Unknown parameter: 'foo'.", "foo", "unknown_parameter"},
		"key of the other wire":   {"unknown_field", `{"model":"gpt-5","messages":[]}`, "has moved to 'input'", "", "unsupported_parameter"},
		"limit of the other wire": {"unknown_field", respond(hi, `"max_tokens":1`), "has moved to 'max_output_tokens'", "", "unsupported_parameter"},
		"unknown key in message":  {"unknown_field", respond(`{"role":"user","content":"a","name":"x"}`), "input[0].name", "input[0].name", "unknown_parameter"},
		"id of a user's":          {"unknown_field", respond(`{"role":"user","content":"a","id":"msg_1"}`), "input[0].id", "input[0].id", "unknown_parameter"},
		"unknown key in a call":   {"unknown_field", respond(hi + `,{"type":"function_call","call_id":"a","name":"read","arguments":"{}","index":0}`), "input[1].index", "input[1].index", "unknown_parameter"},
		"unknown key in output":   {"unknown_field", respond(hi + "," + callA + `,{"type":"function_call_output","call_id":"a","output":"1","is_error":true}`), "input[2].is_error", "input[2].is_error", "unknown_parameter"},
		"unknown key in a part":   {"unknown_field", respond(user(`{"type":"input_text","text":"a","x":1}`)), "content[0].x", "input[0].content[0].x", "unknown_parameter"},
		"unknown key in a tool":   {"unknown_field", respond(hi, tools(responseTool("a", open, `"x":1`))), "tools[0].x", "tools[0].x", "unknown_parameter"},
		"tool of the other wire":  {"missing", respond(hi, tools(chatTool("a", open))), "Missing required parameter: 'tools[0].name'", "tools[0].name", "missing_required_parameter"},
		"no model":                {"model", `{"input":"hi"}`, "you must provide a model", "", ""},
		"unknown model":           {"model", as("gpt-6", respond(hi)), "does not exist", "", "model_not_found"},
		"no input":                {"missing", `{"model":"gpt-5"}`, "'input'", "input", "missing_required_parameter"},
		"empty input":             {"messages", respond(""), "empty array", "input", "empty_array"},
		"an earlier response":     {"previous_response", respond(hi, `"previous_response_id":"resp_1"`), "'resp_1' not found", "previous_response_id", "previous_response_not_found"},
		"little room":             {"max_tokens", respond(hi, `"max_output_tokens":15`), ">= 16, but got 15", "max_output_tokens", "integer_below_min_value"},
		"temperature":             {"sampling", respond(hi, `"temperature":1`), "'temperature' is not supported", "temperature", ""},
		"effort without thought":  {"effort", as("gpt-4.1", respond(hi, `"reasoning":{"effort":"low"}`)), "'reasoning.effort' is not supported", "reasoning.effort", "unsupported_parameter"},
		"summary without thought": {"effort", as("gpt-4.1", respond(hi, `"reasoning":{"summary":"auto"}`)), "'reasoning.summary' is not supported", "reasoning.summary", "unsupported_parameter"},
		"unknown summary":         {"effort", respond(hi, `"reasoning":{"summary":"long"}`), "Invalid value: 'long'", "reasoning.summary", "invalid_value"},
		"encrypted, no thought":   {"include", as("gpt-4.1", respond(hi, `"include":["reasoning.encrypted_content"]`)), "Encrypted content is not supported", "include", ""},
		"unknown include":         {"include", respond(hi, `"include":["x"]`), "Invalid value: 'x'", "include[0]", "invalid_value"},
		"unknown truncation":      {"truncation", respond(hi, `"truncation":"x"`), "Invalid value: 'x'", "truncation", "invalid_value"},
		"options, not streamed":   {"stream_options", respond(hi, `"stream_options":{}`), "only allowed when 'stream'", "stream_options", ""},
		"unknown role":            {"role", respond(`{"role":"tool","content":"a"}`), "Invalid value: 'tool'", "input[0].role", "invalid_value"},
		"no content":              {"missing", respond(`{"role":"user"}`), "input[0].content", "input[0].content", "missing_required_parameter"},
		"null content":            {"type", respond(`{"role":"user","content":null}`), "got null", "input[0].content", "invalid_type"},
		"part of the other side":  {"block_type", respond(hi + "," + assistant(`{"type":"input_text","text":"a"}`)), "Supported values are: 'output_text' and 'refusal'", "input[1].content[0]", "invalid_value"},
		"part of the other wire":  {"block_type", respond(user(`{"type":"text","text":"a"}`)), "'input_text'", "input[0].content[0]", "invalid_value"},
		"include is a number":     {"type", respond(hi, `"include":[1]`), "expected a string", "include[0]", "invalid_type"},
		"item is a number":        {"type", respond("1"), "expected an object", "input[0]", "invalid_type"},
		"part is a number":        {"type", respond(user("1")), "expected an object", "input[0].content[0]", "invalid_type"},
		"text without a text":     {"missing", respond(user(`{"type":"input_text"}`)), "content[0].text", "input[0].content[0].text", "missing_required_parameter"},
		"unknown item":            {"block_type", respond(`{"type":"novel"}`), "'novel'", "input[0]", "invalid_value"},
		"item without type":       {"missing", respond(`{}`), "input[0].type", "input[0].type", "missing_required_parameter"},
		"id of another kind":      {"item_id", respond(hi + `,{"role":"assistant","content":"a","id":"fc_1"}`), "begins with 'msg'", "input[1].id", "invalid_value"},
		"long item id":            {"item_id", respond(hi + `,{"role":"assistant","content":"a","id":"msg_` + strings.Repeat("1", 61) + `"}`), "maximum length 64", "input[1].id", "string_above_max_length"},
		"item twice":              {"item_id", respond(hi + `,{"role":"assistant","content":"a","id":"msg_1"},{"role":"assistant","content":"a","id":"msg_1"}`), "Duplicate item found with id msg_1", "input", ""},
		"unknown status":          {"status", respond(hi + `,{"role":"assistant","content":"a","status":"x"}`), "Invalid value: 'x'", "input[1].status", "invalid_value"},
		"call without call_id":    {"missing", respond(hi + `,{"type":"function_call","name":"read","arguments":"{}"}`), "input[1].call_id", "input[1].call_id", "missing_required_parameter"},
		"long call_id":            {"tool_use_id", respond(hi + "," + strings.Replace(callA, `"a"`, `"`+strings.Repeat("a", 65)+`"`, 1)), "maximum length 64", "input[1].call_id", "string_above_max_length"},
		"call twice":              {"tool_use_id", respond(hi + "," + callA + "," + outputA + "," + callA + "," + outputA), "call_id a", "input", ""},
		"arguments are an object": {"type", respond(hi + "," + strings.Replace(callA, `"{}"`, `{}`, 1)), "expected a string", "input[1].arguments", "invalid_type"},
		"name of a call":          {"tool_names", respond(hi + "," + strings.Replace(callA, "read", "x.y", 1)), "pattern", "input[1].name", "invalid_value"},
		"unanswered":              {"unanswered", respond(hi + "," + callA + "," + callB + "," + outputA), "No tool output found for function call b.", "input", ""},
		"output without call":     {"result_without_use", respond(hi + "," + outputA), "No tool call found for function call output with call_id a.", "input", ""},
		"output before call":      {"result_without_use", respond(hi + "," + outputA + "," + callA), "No tool call found", "input", ""},
		"answered twice":          {"answered_twice", respond(hi + "," + callA + "," + outputA + "," + outputA), "call_id a", "input", ""},
		"output missing":          {"missing", respond(hi + "," + callA + `,{"type":"function_call_output","call_id":"a"}`), "input[2].output", "input[2].output", "missing_required_parameter"},
		"reference":               {"item_not_found", respond(hi+`,{"type":"item_reference","id":"msg_1"}`, unkept), "Items are not persisted when `store` is set to false", "input", ""},
		"reference by id":         {"item_not_found", respond(hi + `,{"id":"msg_1"}`), "Item with id 'msg_1' not found.", "input", ""},
		"thought of nobody":       {"thinking_changed", respond(hi + `,{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAx.y"},{"role":"assistant","content":"a"}`), "could not be verified", "", "invalid_encrypted_content"},
		"thought without content": {"item_not_found", respond(hi+`,{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":"a"}`, unkept), "Item with id 'rs_1' not found", "input", ""},
		"thought without summary": {"missing", respond(hi + `,{"type":"reasoning","id":"rs_1"}`), "input[1].summary", "input[1].summary", "missing_required_parameter"},
		"129 tools":               {"tools", respond(hi, `"tools":[`+many+`]`), "array with length 129", "tools", "array_above_max_length"},
		"tools unsorted":          {"tool_order", respond(hi, tools(responseTool("b", open), responseTool("a", open))), "sorted by name", "", ""},
		"strict and open":         {"strict", respond(hi, tools(responseTool("a", open, `"strict":true`))), "'additionalProperties'", "tools[0].parameters", "invalid_function_parameters"},
		"absent choice":           {"tool_choice", respond(hi, tools(responseTool("a", open)), `"tool_choice":{"type":"function","name":"b"}`), "'b' not found", "tool_choice", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.check(t, modeltest.New(modeltest.Config{Models: []string{"gpt-5", "gpt-4.1"}}), responsesPath)
		})
	}
}

// What a reply thought goes back as it came, before what was thought about, and to the same family of models.
func TestResponsesThinkingIsHeld(t *testing.T) {
	s := modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Think("hm"), modeltest.Call("read", nil)}})})
	const ask = `"include":["reasoning.encrypted_content"]`
	items := func() (thought, call, output string) {
		status, answer := post(t, s, respond(hi, unkept, ask), onto(responsesPath))
		var doc struct{ Output []json.RawMessage }
		if err := json.Unmarshal([]byte(answer), &doc); err != nil || status != http.StatusOK || len(doc.Output) != 2 {
			t.Fatalf("got %d %s, %v", status, answer, err)
		}
		var called struct {
			CallID string `json:"call_id"`
		}
		if err := json.Unmarshal(doc.Output[1], &called); err != nil {
			t.Fatal(err)
		}
		return string(doc.Output[0]), string(doc.Output[1]), `{"type":"function_call_output","call_id":"` + called.CallID + `","output":"1"}`
	}
	thought, call, output := items()
	_, otherCall, otherOutput := items()
	for name, c := range map[string]struct{ rule, items, model string }{
		"as it came":              {"", hi + "," + thought + "," + call + "," + output, "gpt-5"},
		"a snapshot of the model": {"", hi + "," + thought + "," + call + "," + output, "gpt-5-2025-08-07"},
		"another model":           {"thinking_changed", hi + "," + thought + "," + call + "," + output, "gpt-5-mini"},
		"only begun":              {"thinking_changed", hi + "," + strings.Replace(thought, `"encrypted_content":"gAAAA`, `"encrypted_content":"gAAAABbeginning`, 1) + "," + call + "," + output, "gpt-5"},
		"at the end":              {"reasoning_alone", hi + "," + withoutID(t, call) + "," + output + "," + thought, "gpt-5"},
		"before the user":         {"reasoning_alone", thought + "," + hi, "gpt-5"},
		"of another reply":        {"reasoning_alone", hi + "," + thought + "," + otherCall + "," + otherOutput, "gpt-5"},
		"gone":                    {"thinking_missing", hi + "," + call + "," + output, "gpt-5"},
		"gone with its id":        {"", hi + "," + withoutID(t, call) + "," + output, "gpt-5"},
	} {
		before := s.Rejected()[c.rule]
		status, answer := post(t, s, as(c.model, respond(c.items, unkept, ask)), onto(responsesPath))
		if (status == http.StatusOK) != (c.rule == "") || c.rule != "" && s.Rejected()[c.rule] != before+1 {
			t.Errorf("%s: got %d %s, rejected %v", name, status, answer, s.Rejected())
		}
	}
	// A server that was started anew knows what the one before it made.
	if status, answer := post(t, modeltest.New(modeltest.Config{}), respond(hi+","+thought+","+call+","+output, unkept), onto(responsesPath)); status != http.StatusOK {
		t.Errorf("got %d %s", status, answer)
	}
}

func withoutID(t *testing.T, item string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(item), &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "id")
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
