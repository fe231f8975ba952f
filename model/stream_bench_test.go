package model

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func benchStream(deltas int) string {
	var b strings.Builder
	b.WriteString("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-5\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}}\n\n")
	b.WriteString("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n")
	for i := range deltas {
		fmt.Fprintf(&b, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" word%d\"}}\n\n", i%10)
	}
	b.WriteString("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n")
	b.WriteString("event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":30}}\n\n")
	b.WriteString("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
	return b.String()
}

// BenchmarkStream is the cost of one text delta, the rest of a reply of 1,000 deltas shared among them.
func BenchmarkStream(b *testing.B) {
	const deltas = 1000
	text := benchStream(deltas)
	b.ReportAllocs()
	b.SetBytes(int64(len(text) / deltas))
	for n := 0; n < b.N; n += deltas {
		reply := &anthropicReply{provider: anthropicName, yield: func(Event, error) bool { return true }}
		if err := reply.stream(strings.NewReader(text)); err != errDone { //nolint:errorlint // the sentinel itself
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenAIStream is the same on OpenAI's two wires.
func BenchmarkOpenAIStream(b *testing.B) {
	const deltas = 1000
	var chunks, events []string
	events = append(events, rsCreated, rsMessage, rsPart)
	for i := range deltas {
		chunks = append(chunks, fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1770933892,"model":"m","service_tier":"default","choices":[{"index":0,"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null}],"usage":null}`, i%10))
		events = append(events, fmt.Sprintf(`{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":" word%d","logprobs":[],"sequence_number":%d}`, i%10, i))
	}
	chunks = append(chunks, wrapChoices([]string{chatStop})...)
	events = append(events, `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[]}}`, rsCompleted)
	discard := func(Event, error) bool { return true }
	for _, c := range []struct {
		name, text string
		start      func() replyReader
	}{
		{"chat", dataStream(false, chunks...), func() replyReader { return &chatReply{yield: discard} }},
		{"responses", dataStream(true, events...), func() replyReader { return &responsesReply{yield: discard} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text) / deltas))
			for n := 0; n < b.N; n += deltas {
				if err := c.start().stream(strings.NewReader(c.text)); err != errDone { //nolint:errorlint // the sentinel itself
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCall is the cost of one whole call of a 20-word reply, without a network.
func BenchmarkCall(b *testing.B) {
	text := benchStream(20)
	a := testClient(b, func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(text))}, nil
	})
	req := testRequest()
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range a.Stream(b.Context(), req) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkEncode is the cost of a long conversation's body: 40 turns with tool uses and results, 30 tools.
func BenchmarkEncode(b *testing.B) {
	req := testRequest()
	for i := range 40 {
		raw := fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":"read","input":{"q":%q}}`, i, strings.Repeat("x", 100))
		req.Messages = append(req.Messages,
			Message{RoleAssistant, []Block{
				{Kind: BlockText, Text: strings.Repeat("Some words of the reply. ", 20)},
				{Kind: BlockToolUse, CallID: fmt.Sprint("toolu_", i), ToolName: "read", Raw: []byte(raw), Provider: "anthropic", Model: "claude-sonnet-5"},
			}},
			Message{RoleUser, []Block{{Kind: BlockToolResult, CallID: fmt.Sprint("toolu_", i), Text: strings.Repeat(`{"name":"Ada","n":1},`, 100)}}})
	}
	for i := range 30 {
		req.Tools = append(req.Tools, Tool{Name: fmt.Sprint("tool", i), Description: strings.Repeat("words ", 30), Input: []byte(`{"type":"object","properties":{"q":{"type":"string"}}}`)})
	}
	body := encodeAnthropic(&req, anthropicName, true)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		encodeAnthropic(&req, anthropicName, true)
	}
}
