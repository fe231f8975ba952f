package model

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

func TestReplySizeFor(t *testing.T) {
	for tokens, want := range map[int]int{1: 1<<20 + 64, 16384: 2 << 20, 1 << 20: 16 << 20, 1 << 62: 16 << 20} {
		s := replySizeFor(tokens)
		if err := s.add(want); err != nil {
			t.Errorf("%d tokens: %d bytes are refused: %v", tokens, want, err)
		}
		if err := s.add(1); err == nil {
			t.Errorf("%d tokens: %d bytes are taken", tokens, want+1)
		}
	}
}

// repeated reads a head and then one piece over and over, without holding the whole.
type repeated struct {
	text, piece string
	times       int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.text == "" && r.times > 0 {
		r.times--
		r.text = r.piece
	}
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}

// A server that goes on and on is cut off before it fills the memory, whatever it says, on every wire.
func TestReplyTooLong(t *testing.T) {
	big := strings.Repeat("z", 100_000)
	chat := func(delta string) string { return "data: {\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}\n\n" }
	claude := func(delta string) string {
		return eventStream(`{"type":"content_block_delta","index":0,"delta":` + delta + `}`)
	}
	open := func(block string) string {
		return eventStream(evStart, `{"type":"content_block_start","index":0,"content_block":`+block+`}`)
	}
	whole := eventStream(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"`+big+`"}}`, `{"type":"content_block_stop","index":1}`)
	rsThinking := eventStream(rsCreated, rsItem("added", 0, `{"type":"reasoning"}`))
	rsCall := eventStream(rsCreated, rsItem("added", 0, `{"type":"function_call","call_id":"a","name":"read"}`))
	for _, c := range []struct {
		wire, name, head, piece string
	}{
		{"anthropic", "text", open(`{"type":"text","text":""}`), claude(`{"type":"text_delta","text":"` + big + `"}`)},
		{"anthropic", "text in another order", open(`{"type":"text","text":""}`), claude(`{"text":"` + big + `","type":"text_delta"}`)},
		{"anthropic", "thinking", open(`{"type":"thinking","thinking":""}`), claude(`{"type":"thinking_delta","thinking":"` + big + `"}`)},
		{"anthropic", "signature", open(`{"type":"thinking","thinking":""}`), claude(`{"type":"signature_delta","signature":"` + big + `"}`)},
		{"anthropic", "arguments", open(`{"type":"tool_use","id":"a","name":"read"}`), claude(`{"type":"input_json_delta","partial_json":"` + big + `"}`)},
		{"anthropic", "citations", open(`{"type":"text","text":""}`), claude(`{"type":"citations_delta","citation":"` + big + `"}`)},
		{"anthropic", "blocks", open(`{"type":"text","text":""}`), whole},
		{"chat", "text", "", chat(`{"content":"` + big + `"}`)},
		{"chat", "refusal", "", chat(`{"refusal":"` + big + `"}`)},
		{"chat", "thinking", "", chat(`{"reasoning_content":"` + big + `"}`)},
		{"chat", "details", "", chat(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"` + big + `"}]}`)},
		{"chat", "arguments", "", chat(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"` + big + `"}}]}`)},
		{"chat", "extra", "", chat(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read"},"extra_content":"` + big + `"}]}`)},
		{"responses", "text", eventStream(rsCreated, rsMessage), eventStream(`{"type":"response.output_text.delta","output_index":0,"delta":"` + big + `"}`)},
		{"responses", "thinking", rsThinking, eventStream(`{"type":"response.reasoning_text.delta","output_index":0,"delta":"` + big + `"}`)},
		{"responses", "arguments", rsCall, eventStream(`{"type":"response.function_call_arguments.delta","output_index":0,"delta":"` + big + `"}`)},
	} {
		t.Run(c.wire+" "+c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			body := &repeated{text: c.head, piece: c.piece, times: 600}
			stream := streamOf(t, c.wire, body)
			got := firstError(t, stream)
			runtime.ReadMemStats(&after)
			if got.Code != CodeUnavailable || got.Type != "reply_too_long" || body.times < 500 {
				t.Errorf("got %v, with %d of 600 pieces left", got, body.times)
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 64 {
				t.Errorf("%d MB were taken in all", used)
			}
		})
	}
}

// streamOf gives the events of a body on a wire.
func streamOf(t *testing.T, wire string, body *repeated) iter.Seq2[Event, error] {
	t.Helper()
	answer := answering(http.StatusOK, "text/event-stream", body)
	switch wire {
	case "anthropic":
		return testClient(t, answer).Stream(t.Context(), testRequest())
	case "chat":
		return testChat(t, answer).Stream(t.Context(), openAIRequest())
	}
	return testResponses(t, answer).Stream(t.Context(), openAIRequest())
}

// The arguments of one call and the calls of a reply have bounds of their own.
func TestTooLongCalls(t *testing.T) {
	var claude, chat, responses []string
	for i := range maxReplyCalls + 1 {
		claude = append(claude, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"a%d","name":"read"}}`, i, i), fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
		chat = append(chat, callDelta(fmt.Sprintf(`"index":%d,"id":"a%d","function":{"name":"read","arguments":"{}"}`, i, i)))
		responses = append(responses, rsItem("done", i, fmt.Sprintf(`{"type":"function_call","call_id":"a%d","name":"read","arguments":"{}"}`, i)))
	}
	huge := strings.Repeat("q", maxInputBytes)
	for name, stream := range map[string]struct {
		reply replyReader
		text  string
	}{
		"anthropic calls":     {&anthropicReply{}, eventStream(append([]string{evStart}, claude...)...)},
		"chat calls":          {&chatReply{}, dataStream(false, wrapChoices(chat)...)},
		"responses calls":     {&responsesReply{}, eventStream(append([]string{rsCreated}, responses...)...)},
		"anthropic arguments": {&anthropicReply{}, eventStream(evStart, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"read","input":{"q":"`+huge+`"}}}`)},
		"chat arguments":      {&chatReply{}, dataStream(false, wrapChoices([]string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":{"q":"` + huge + `"}}`)})...)},
		"responses arguments": {&responsesReply{}, eventStream(rsCreated, rsItem("done", 0, `{"type":"function_call","call_id":"a","name":"read","arguments":"`+huge+`q"}`))},
	} {
		yield := func(Event, error) bool { return true }
		switch r := stream.reply.(type) {
		case *anthropicReply:
			r.yield = yield
		case *chatReply:
			r.yield = yield
		case *responsesReply:
			r.yield = yield
		}
		var fault *Error
		if err := stream.reply.stream(strings.NewReader(stream.text)); !errors.As(err, &fault) || fault.Type != "reply_too_long" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A name of a model that is none is not the block's.
func TestSaidModel(t *testing.T) {
	for said, want := range map[string]string{"": "asked", "vendor/m:free": "vendor/m:free", "m\x00m": "asked", strings.Repeat("m/", 200): "asked"} {
		if got := saidModel(said, "asked"); got != want {
			t.Errorf("%q: got %q", said, got)
		}
	}
}
