package model

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPlainJSONTakes(t *testing.T) {
	for _, c := range []struct {
		event, chunk bool
		data         string
	}{
		{true, false, `{"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":" a\n\u00e9","logprobs":[],"obfuscation":"zX"}`},
		{true, false, `{"type": "a", "delta": "b", "more": [1, {"a": null}, true]}`},
		{false, true, `{"id":"c","created":1770933892,"model":"m","service_tier":null,"choices":[{"index":0,"delta":{"role":"assistant","content":" w","refusal":null,"reasoning":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"zX"}`},
		{false, true, `{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm"}}]}`},
		{false, false, `{"type":"a","Delta":"b"}`},
		{false, false, `{"type":"a","type":"b"}`},
		{false, false, `{"type":"a","item":{}}`},
		{false, false, `{"type":"a","output_index":1.5}`},
		{false, false, `{"type":"a","output_index":01}`},
		{false, false, `{"type":"a","output_index":-1}`},
		{false, false, `{"type":"a","x":1234567890123456}`},
		{false, false, `{"type":"a","x":"\n"}`},
		{false, false, `{"type":"a","x":truth}`},
		{false, false, `{"type":"a"}}`},
		{false, false, `{"type":"a",}`},
		{false, false, `{"type":"a""delta":"b"}`},
		{false, false, `{"type":"a","x":[1"a"]}`},
		{false, false, `{"type":"a"`},
		{false, false, "{\"delta\":\"\x80\"}"},
		{false, false, `{"x":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`},
		{false, false, `{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}],"error":{}}`},
		{false, false, `{"choices":[{"index":1,"delta":{"content":"a"}}],"error":{}}`},
		{false, false, `{"choices":[],"usage":{"prompt_tokens":1},"error":{}}`},
	} {
		_, event := plainResponsesEvent([]byte(c.data))
		_, chunk := plainChunk([]byte(c.data))
		if c.event && !event || c.chunk && !chunk || !c.event && !c.chunk && (event || chunk) {
			t.Errorf("%s: taken as an event %v, as a chunk %v", c.data, event, chunk)
		}
	}
}

// The short way and the full decoder agree on every event that is JSON, however odd.
func FuzzPlainEvent(f *testing.F) {
	for _, r := range answers(f, "openai-chat", "openai-compatible", "openai-responses") {
		for i, e := range r.events {
			if i < 5 && len(e) < 2000 {
				f.Add(e, i%2)
			}
		}
	}
	for _, data := range []string{
		rsWord, rsPart, rsDone,
		`{"choices":[{"index":0,"delta":{"content":"a","content":null,"Content":"b"}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"a","content":null}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"a"}}],"choices":[{"index":0}]}`,
		`{"choices":[{"index":0,"delta":{"content":"a"},"delta":{"refusal":"b"}}]}`,
		`{"choices":[{"index":0,"delta":{"reasoning":"a","reasoning_content":"\ud83d"}}],"model":"x","choices":[]}`,
		`{"type":"response.output_text.delta","output_index":0,"delta":"a","delta":"\/","output_index":0}`,
		`{"type":"error","code":"rate_limit_error","message":"m"}`,
	} {
		f.Add(data, 0)
		f.Add(data, 1)
	}
	f.Fuzz(func(t *testing.T, data string, kind int) {
		run := func(space string) string {
			var out strings.Builder
			yield := func(e Event, _ error) bool {
				shown, err := json.Marshal(e)
				if err != nil {
					t.Errorf("%v: %+v", err, e)
				}
				out.Write(shown)
				return true
			}
			chat, responses := &chatReply{yield: yield}, &responsesReply{yield: yield}
			take, events := chat.event, []string{wrapChoices([]string{`"delta":{"content":"a"}`})[0], space + data, wrapChoices([]string{chatStop})[0], "[DONE]"}
			if kind%2 == 0 {
				take, events = responses.event, []string{rsCreated, rsMessage, space + data, rsDone, rsCompleted}
			}
			for _, e := range events {
				if err := take(nil, []byte(e)); err != nil {
					return out.String() + err.Error()
				}
			}
			return out.String()
		}
		if short, full := run(""), run(" "); short != full && json.Valid([]byte(data)) {
			t.Fatalf("short %s\nfull  %s", short, full)
		}
	})
}
