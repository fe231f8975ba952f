package model

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// A usage that is none, or holds what is no count, is unknown for that count, and the reply is whole.
func TestOddUsage(t *testing.T) {
	count := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		input, output string // the values of the counts
		want          Usage
	}{
		{`5`, `7`, Usage{InputTokens: count(5), OutputTokens: count(7)}},
		{`0`, `null`, Usage{InputTokens: count(0)}},
		{`1.5`, `7`, Usage{OutputTokens: count(7)}},
		{`5`, `"12"`, Usage{InputTokens: count(5)}},
		{`-3`, `-9`, Usage{}},
		{`[]`, `{}`, Usage{}},
		{`99999999999999999999`, `9223372036854775807`, Usage{}},
		{`1e2`, `true`, Usage{}},
	} {
		for wire, usage := range map[string]string{
			"anthropic": `{"input_tokens":%s,"output_tokens":%s}`,
			"chat":      `{"prompt_tokens":%s,"completion_tokens":%s,"total_tokens":[],"prompt_tokens_details":"x","completion_tokens_details":7}`,
			"responses": `{"input_tokens":%s,"output_tokens":%s,"input_tokens_details":[]}`,
		} {
			checkUsage(t, wire, fmt.Sprintf(usage, c.input, c.output), c.want)
		}
	}
	for _, usage := range []string{`[]`, `true`, `"x"`, `7`, `1.5`, `null`} {
		for _, wire := range []string{"anthropic", "chat", "responses"} {
			checkUsage(t, wire, usage, Usage{})
		}
	}
	checkUsage(t, "chat", `{"prompt_tokens":5,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":-100,"cache_write_tokens":4611686018427387904}}`, Usage{InputTokens: count(5), OutputTokens: count(1)})
}

// What is no count does not take the place of one that was told before.
func TestOddUsageKeepsCount(t *testing.T) {
	var got Usage
	reply := &anthropicReply{provider: anthropicName, yield: func(e Event, _ error) bool { got = e.Usage; return true }}
	_ = reply.stream(strings.NewReader(eventStream(evStart, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":-1}}`, evStop)))
	if got.InputTokens == nil || *got.InputTokens != 1 {
		t.Errorf("got %v", got.InputTokens)
	}
}

func checkUsage(t *testing.T, wire, usage string, want Usage) {
	t.Helper()
	var got transcript
	const kind = "text/event-stream"
	switch wire {
	case "anthropic":
		got = replay(t, kind, strings.NewReader(eventStream(
			`{"type":"message_start","message":{"id":"m","content":[],"usage":`+usage+`}}`,
			evText, evWord, evBlockStop, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":`+usage+`}`, evStop)))
	case "chat":
		chunks := wrapChoices([]string{`"delta":{"content":"canary-reply"}`, chatStop})
		got = replayOpenAI(t, false, http.StatusOK, kind, strings.NewReader(dataStream(false, append(chunks, `{"choices":[],"x_groq":`+usage+`,"usage":`+usage+`}`)...)))
	case "responses":
		got = replayOpenAI(t, true, http.StatusOK, kind, strings.NewReader(eventStream(rsCreated, rsMessage, rsWord, rsDone, rsEnd("completed", `,"usage":`+usage))))
	}
	if got.Code != "" || got.Text != "canary-reply" || got.Stop != StopEndTurn || !reflect.DeepEqual(got.Usage, want) {
		t.Errorf("%s, %s: got %+v, want %+v", wire, usage, got, want)
	}
}
