package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

const (
	rsCreated   = `{"type":"response.created","response":{"id":"resp_1","object":"response","model":"gpt-5.6-terra","status":"in_progress","output":[],"usage":null}}`
	rsMessage   = `{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}`
	rsPart      = `{"type":"response.content_part.added","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}`
	rsWord      = `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"canary-reply"}`
	rsDone      = `{"type":"response.output_item.done","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"canary-reply"}]}}`
	rsCompleted = `{"type":"response.completed","response":{"object":"response","model":"gpt-5.6-terra","status":"completed","output":[]}}`
)

// rsBlocks reads a stream of the given events behind the opening one, and gives its blocks.
func rsBlocks(t *testing.T, events ...string) ([]Block, transcript) {
	t.Helper()
	var list []Block
	reply := &responsesReply{provider: "p", model: "asked"}
	got := collect(func(yield func(Event, error) bool) {
		reply.yield = func(e Event, err error) bool {
			if e.Kind == EventBlockEnd {
				list = append(list, e.Block)
			}
			return yield(e, err)
		}
		if err := reply.stream(strings.NewReader(eventStream(append([]string{rsCreated}, events...)...))); err != errDone { //nolint:errorlint // the sentinel itself
			yield(Event{}, err)
		}
	})
	return list, got
}

func rsItem(kind string, place int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.%s","output_index":%d,"item":%s}`, kind, place, item)
}

func rsEnd(status, more string) string {
	return fmt.Sprintf(`{"type":"response.%s","response":{"object":"response","status":%q%s}}`, status, status, more)
}

func TestResponsesBlocks(t *testing.T) {
	const (
		call      = `{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"read","arguments":"{\"n\":1.0}"}`
		opening   = `{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_1","name":"read","arguments":""}`
		reasoning = `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e=="}`
		custom    = `{"id":"ct_1","type":"custom_tool_call","call_id":"c","name":"sql","input":"SELECT 1"}`
	)
	arguments := func(text string) string {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return `{"type":"response.function_call_arguments.delta","output_index":0,"delta":` + string(raw) + `}`
	}
	use := Block{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", Input: json.RawMessage(`{"n":1.0}`), Raw: json.RawMessage(call)}
	text := Block{Kind: BlockText, Text: "canary-reply"}
	for _, c := range []struct {
		name   string
		events []string
		want   []Block
		stop   StopReason
	}{
		{"a message", []string{rsMessage, rsPart, rsWord, rsDone, rsCompleted}, []Block{text}, StopEndTurn},
		{"no parts told", []string{rsMessage, rsWord, rsDone, rsCompleted}, []Block{text}, StopEndTurn},
		{"no deltas", []string{rsMessage, rsDone, rsCompleted}, []Block{text}, StopEndTurn},
		{"no opening of the item", []string{rsDone, rsCompleted}, []Block{text}, StopEndTurn},
		{"all in the last event", []string{rsEnd("completed", `,"output":[`+reasoning+`,`+call+`]`)}, []Block{{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(reasoning)}, use}, StopToolUse},
		{"fewer deltas than text", []string{rsMessage, rsPart, strings.Replace(rsWord, "-reply", "", 1), rsDone, rsCompleted}, []Block{text}, StopEndTurn},
		{"deltas of another text", []string{rsMessage, rsPart, strings.Replace(rsWord, "canary-reply", "shown", 1), rsDone, rsCompleted}, []Block{{Kind: BlockText, Text: "shown"}}, StopEndTurn},
		{"a pair cut in two", []string{rsMessage, strings.Replace(rsWord, "canary-reply", `\ud83d`, 1), strings.Replace(rsWord, "canary-reply", `\ude00`, 1), strings.Replace(rsDone, "canary-reply", "😀", 1), rsCompleted}, []Block{{Kind: BlockText, Text: "😀"}}, StopEndTurn},
		{"two parts", []string{
			rsMessage, rsWord, strings.Replace(rsWord, `"content_index":0`, `"content_index":1`, 1),
			rsItem("done", 0, `{"type":"message","content":[{"type":"output_text","text":"canary-reply"},{"type":"output_text","text":"canary-reply"}]}`), rsCompleted,
		}, []Block{text, text}, StopEndTurn},
		{"a refusal", []string{
			rsMessage, `{"type":"response.refusal.delta","output_index":0,"content_index":0,"delta":"I cannot."}`,
			rsItem("done", 0, `{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}`), rsCompleted,
		}, []Block{{Kind: BlockText, Text: "I cannot."}}, StopRefusal},
		{"a call", []string{rsItem("added", 0, opening), arguments(`{"n"`), arguments(`:1.0}`), rsItem("done", 0, call), rsCompleted}, []Block{use}, StopToolUse},
		{"arguments in the deltas alone", []string{
			rsItem("added", 0, opening), arguments(`{"n":1.0}`), rsItem("done", 0, strings.Replace(call, `{\"n\":1.0}`, "", 1)), rsCompleted,
		}, []Block{{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", Input: json.RawMessage(`{"n":1.0}`), Raw: json.RawMessage(strings.Replace(call, `{\"n\":1.0}`, "", 1))}}, StopToolUse},
		{"no arguments", []string{rsItem("done", 0, opening), rsCompleted}, []Block{{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", Input: json.RawMessage(`{}`), Raw: json.RawMessage(opening)}}, StopToolUse},
		{"no JSON", []string{rsItem("done", 0, strings.Replace(call, `{\"n\":1.0}`, "n=1", 1)), rsCompleted}, []Block{{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", BadInput: "n=1"}}, StopToolUse},
		{"one id for two calls", []string{rsItem("done", 0, call), rsItem("done", 1, call), rsCompleted}, []Block{use, {Kind: BlockToolUse, CallID: "call_1-2", ToolName: "read", Input: use.Input, Raw: use.Raw}}, StopToolUse},
		{"a call at the cap", []string{rsItem("added", 0, opening), arguments(`{"n":`), rsEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)}, []Block{{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", BadInput: `{"n":`, Unfinished: true}}, StopMaxTokens},
		{"a call that ended at the cap", []string{rsItem("done", 0, strings.Replace(call, "completed", "incomplete", 1)), rsEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)}, []Block{{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", Input: use.Input, Unfinished: true}}, StopMaxTokens},
		{"words at the cap", []string{rsMessage, rsWord, rsEnd("incomplete", `,"incomplete_details":{"reason":"max_output_tokens"}`)}, []Block{{Kind: BlockText, Text: "canary-reply", Unfinished: true}}, StopMaxTokens},
		{"filtered", []string{rsMessage, rsWord, rsDone, rsEnd("incomplete", `,"incomplete_details":{"reason":"content_filter"}`)}, []Block{text}, StopRefusal},
		{"reasoning", []string{
			rsItem("added", 0, `{"id":"rs_1","type":"reasoning","summary":[]}`), `{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`,
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"hm"}`, rsItem("done", 0, reasoning), rsCompleted,
		}, []Block{{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(reasoning)}}, StopEndTurn},
		{"reasoning that is not encrypted", []string{rsItem("done", 0, `{"type":"reasoning","summary":[],"encrypted_content":null}`), rsCompleted}, []Block{{Kind: BlockThinking, Raw: json.RawMessage(`{"type":"reasoning","summary":[],"encrypted_content":null}`), Unfinished: true}}, StopEndTurn},
		{"reasoning in the open", []string{
			rsItem("added", 0, `{"type":"reasoning"}`), `{"type":"response.content_part.added","output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":""}}`,
			`{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"hm"}`, rsItem("done", 0, `{"type":"reasoning"}`), rsCompleted,
		}, []Block{{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(`{"type":"reasoning"}`), Unfinished: true}}, StopEndTurn},
		{"a vendor's own", []string{
			rsItem("added", 0, custom), `{"type":"response.custom_tool_call_input.delta","output_index":0,"delta":"SELECT 1"}`, rsItem("done", 0, custom), rsCompleted,
		}, []Block{{Kind: BlockOther, Raw: json.RawMessage(custom)}}, StopEndTurn},
		{"a vendor's own, of other members", []string{rsItem("done", 0, `{"type":"novel","content":7,"arguments":[],"status":{}}`), rsCompleted}, []Block{{Kind: BlockOther, Raw: json.RawMessage(`{"type":"novel","content":7,"arguments":[],"status":{}}`)}}, StopEndTurn},
		{"events that nobody knows", []string{`{"type":"response.novel","delta":{"a":1},"item":7}`, rsMessage, `{"type":"keepalive"}`, rsWord, rsDone, "[DONE]", rsCompleted}, []Block{text}, StopEndTurn},
		{"the opening twice", []string{strings.Replace(rsCreated, "resp_1", "resp_2", 1), rsMessage, rsWord, rsDone, rsCompleted}, []Block{text}, StopEndTurn},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, got := rsBlocks(t, c.events...)
			for i := range c.want {
				c.want[i].Provider, c.want[i].Model = "p", "gpt-5.6-terra"
			}
			if !reflect.DeepEqual(blocks, c.want) || got.Stop != c.stop || got.Code != "" {
				t.Errorf("got  %+v\n%+v\nwant %+v", blocks, got, c.want)
			}
			if c.name != "a pair cut in two" && got.Deltas != got.Text {
				t.Errorf("%q was yielded of %q", got.Deltas, got.Text)
			}
		})
	}
}

func TestResponsesFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []string
		want   Code
		kind   string
	}{
		{"failed", []string{rsCreated, rsEnd("failed", `,"error":{"code":"server_error","message":"canary"}`)}, CodeUnavailable, "server_error"},
		{"failed, out of credit", []string{rsCreated, rsEnd("failed", `,"error":{"code":"insufficient_quota","message":"canary"}`)}, CodeOutOfCredit, "insufficient_quota"},
		{"failed, no reason", []string{rsCreated, rsEnd("failed", `,"error":null`)}, CodeUnavailable, "response_failed"},
		{"cancelled", []string{rsCreated, rsEnd("cancelled", "")}, CodeUnavailable, "response_cancelled"},
		{"an error event", []string{rsCreated, rsMessage, rsWord, `{"type":"error","code":"rate_limit_exceeded","message":"canary","param":null}`}, CodeRateLimited, "rate_limit_exceeded"},
		{"an error event, an object in it", []string{`{"type":"error","error":{"type":"invalid_request_error","code":null,"message":"canary","param":"input[2].call_id"}}`}, CodeInvalidRequest, "invalid_request_error"},
		{"an error event, no name", []string{`{"type":"error","message":"canary"}`}, CodeUnavailable, ""},
		{"an error without a type", []string{`{"error":{"code":503,"message":"canary"}}`}, CodeUnavailable, ""},
		{"an end that nobody knows", []string{rsCreated, rsEnd("incomplete", `,"incomplete_details":{"reason":"canary"}`)}, CodeUnavailable, "unknown_stop_reason"},
		{"an end without a status", []string{rsCreated, `{"type":"response.completed","response":{}}`}, CodeUnavailable, "no_stop_reason"},
		{"an end without a response", []string{rsCreated, `{"type":"response.completed"}`}, CodeUnavailable, "malformed_event"},
		{"no end", []string{rsCreated, rsMessage, rsWord, rsDone}, CodeUnavailable, "stream_cut"},
		{"words of no item", []string{rsCreated, rsWord}, CodeUnavailable, "block_order"},
		{"words of an item that ended", []string{rsCreated, rsMessage, rsWord, rsDone, rsWord}, CodeUnavailable, "block_order"},
		{"arguments of words", []string{rsCreated, rsMessage, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{}"}`}, CodeUnavailable, "block_order"},
		{"an item twice", []string{rsCreated, rsMessage, rsMessage}, CodeUnavailable, "block_order"},
		{"an item without a type", []string{rsCreated, rsItem("added", 0, `{}`)}, CodeUnavailable, "malformed_event"},
		{"no JSON", []string{rsCreated, `{canary`}, CodeUnavailable, "malformed_event"},
		{"a bad escape", []string{rsCreated, rsMessage, strings.Replace(rsWord, "canary-reply", `\xcanary`, 1)}, CodeUnavailable, "malformed_event"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := testResponses(t, answering(http.StatusOK, "text/event-stream", strings.NewReader(eventStream(c.events...))))
			got := firstError(t, client.Stream(t.Context(), openAIRequest()))
			if got.Code != c.want || got.Type != c.kind || strings.Contains(got.Error(), "canary") {
				t.Errorf("got %v, want %s %s", got, c.want, c.kind)
			}
		})
	}
}

func TestResponsesWhole(t *testing.T) {
	const done = `{"object":"response","model":"m","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":9,"output_tokens":2,"input_tokens_details":{"cached_tokens":4}}}`
	for _, c := range []struct {
		name, body string
		want       transcript
	}{
		{"a reply", done, transcript{Text: "hi", Stop: StopEndTurn}},
		{"in progress", strings.Replace(done, "completed", "queued", 1), transcript{Code: CodeUnavailable, Type: "no_stop_reason"}},
		{"an error", `{"error":{"code":"server_is_overloaded"}}`, transcript{Code: CodeOverloaded, Type: "server_is_overloaded"}},
		{"another document", `{"hello":1}`, transcript{Code: CodeUnavailable, Type: "not_an_event_stream"}},
		{"a list", `[]`, transcript{Code: CodeUnavailable, Type: "malformed_event"}},
		{"a page", `<html>`, transcript{Code: CodeUnavailable, Type: "not_an_event_stream"}},
	} {
		got := replayOpenAI(t, true, http.StatusOK, "application/json", strings.NewReader(c.body))
		if got.Text != c.want.Text || got.Stop != c.want.Stop || got.Code != c.want.Code || got.Type != c.want.Type {
			t.Errorf("%s: got %+v", c.name, got)
		}
		if c.name == "a reply" && usageText(got.Usage) != "5 2 4 -" {
			t.Errorf("got %s", usageText(got.Usage))
		}
	}
}

func TestEncodeResponses(t *testing.T) {
	reasoning := Block{Kind: BlockThinking, Text: "hm", Raw: json.RawMessage(`{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"e==","status":"completed"}`), Provider: "p", Model: "gpt-5.6-terra-2026-07-02"}
	plain := reasoning
	plain.Unfinished = true
	use := Block{Kind: BlockToolUse, CallID: "call_1", ToolName: "read", Input: json.RawMessage(`{"n":1.0}`), Raw: json.RawMessage(`{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"read","arguments":"{\"n\": 1.0}","namespace":"x"}`), Provider: "p", Model: "gpt-5.6-terra"}
	bad := Block{Kind: BlockToolUse, CallID: "call_2", ToolName: "read", BadInput: "{", Provider: "p", Model: "gpt-5.6-terra"}
	text := Block{Kind: BlockText, Text: "as shown", Provider: "p", Model: "gpt-5.6-terra"}
	other := Block{Kind: BlockOther, Raw: json.RawMessage(`{"type":"custom_tool_call","call_id":"c"}`), Provider: "p", Model: "gpt-5.6-terra"}
	from := func(provider, model string, blocks ...Block) []Block {
		list := append([]Block(nil), blocks...)
		for i := range list {
			list[i].Provider, list[i].Model = provider, model
		}
		return list
	}
	const (
		hi       = `{"type":"message","role":"user","content":[{"type":"input_text","text":"canary-prompt"}]}`
		rawUse   = `{"type":"function_call","call_id":"call_1","name":"read","arguments":"{\"n\": 1.0}","namespace":"x"}`
		ownUse   = `{"type":"function_call","call_id":"call_1","name":"read","arguments":"{\"n\":1.0}"}`
		ownBad   = `{"type":"function_call","call_id":"call_2","name":"read","arguments":"{}"}`
		thought  = `{"type":"reasoning","summary":[],"encrypted_content":"e=="}`
		shown    = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"as shown"}]}`
		twoShown = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"as shown"},{"type":"output_text","text":"as shown"}]}`
	)
	for _, c := range []struct {
		name, model string
		blocks      []Block
		want        []string
	}{
		{"as it came", "gpt-5.6-terra", []Block{reasoning, use, bad}, []string{thought, rawUse, ownBad}},
		{"its words as shown", "gpt-5.6-terra", []Block{reasoning, text, text, other, use}, []string{thought, twoShown, rawUse}},
		{"another model", "gpt-5.5", []Block{reasoning, text, use}, []string{shown, ownUse}},
		{"a model that does not reason", "gpt-4.1", from("p", "gpt-4.1", reasoning, text, use), []string{shown, rawUse}},
		{"another provider", "gpt-5.6-terra", from("openrouter", "gpt-5.6-terra", reasoning, text, use), []string{shown, ownUse}},
		{"reasoning at the end", "gpt-5.6-terra", []Block{text, reasoning}, []string{shown}},
		{"reasoning before what is not sent", "gpt-5.6-terra", []Block{text, reasoning, other, {Kind: BlockText, Text: " "}}, []string{shown}},
		{"reasoning alone", "gpt-5.6-terra", []Block{reasoning}, nil},
		{"reasoning that is not encrypted", "gpt-5.6-terra", []Block{plain, text}, []string{shown}},
	} {
		r, err := NewResponses(ResponsesConfig{Name: "p", Key: testKey})
		if err != nil {
			t.Fatal(err)
		}
		req := openAIRequest()
		req.Model = c.model
		req.Messages = append(req.Messages, Message{RoleAssistant, c.blocks})
		if got, want := messagesOf(t, r, req), "["+strings.Join(append([]string{hi}, c.want...), ",")+"]"; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

func TestEncodeResponsesWhole(t *testing.T) {
	req := Request{
		Model: "gpt-5.6-terra", Effort: EffortHigh, MaxOutputTokens: 16384,
		System: []SystemBlock{{Text: "You are it."}, {Text: "Org."}},
		Tools: []Tool{
			{Name: "a", Description: "Reads", Input: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`), Strict: true},
			{Name: "b"},
		},
		Messages: []Message{
			{Role: RoleUser, Blocks: []Block{{Kind: BlockText, Text: "Who?"}, {Kind: BlockText, Text: "Page."}}},
			{Role: RoleAssistant, Blocks: []Block{{Kind: BlockToolUse, CallID: "a", ToolName: "b"}}},
			{Role: RoleUser, Blocks: []Block{{Kind: BlockToolResult, CallID: "a", Text: "no", IsError: true}, {Kind: BlockText, Text: "And?"}}},
		},
	}
	want := `{"model":"gpt-5.6-terra","max_output_tokens":16384,"stream":true,"store":false,"include":["reasoning.encrypted_content"],"reasoning":{"effort":"high"},` +
		`"tools":[{"type":"function","name":"a","description":"Reads","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":true},` +
		`{"type":"function","name":"b","parameters":{"type":"object","properties":{}},"strict":false}],"instructions":"You are it.\n\nOrg.","input":[` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Who?"},{"type":"input_text","text":"Page."}]},` +
		`{"type":"function_call","call_id":"a","name":"b","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"Error: no"},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"And?"}]}]}`
	if got := bodyOf(t, testResponses(t, nil), req); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	req.Effort, req.Model = "", "gpt-4.1"
	if got := bodyOf(t, testResponses(t, nil), req); strings.Contains(got, "include") || strings.Contains(got, "reasoning") {
		t.Errorf("got %s", got)
	}
}
