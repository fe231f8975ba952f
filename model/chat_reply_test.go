package model

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// chatBlocks reads a stream of the given chunks, each the inside of its first choice, and gives its blocks and its
// stop.
func chatBlocks(t *testing.T, chunks ...string) ([]Block, transcript) {
	t.Helper()
	var list []Block
	var got transcript
	reply := &chatReply{provider: "p", model: "m"}
	got = collect(func(yield func(Event, error) bool) {
		reply.yield = func(e Event, err error) bool {
			if e.Kind == EventBlockEnd {
				list = append(list, e.Block)
			}
			return yield(e, err)
		}
		for i, c := range chunks {
			if !strings.HasPrefix(c, "{") {
				chunks[i] = `{"choices":[{"index":0,` + c + `}]}`
			}
		}
		if err := reply.stream(strings.NewReader(dataStream(false, chunks...))); err != errDone { //nolint:errorlint // the sentinel itself
			yield(Event{}, err)
		}
	})
	return list, got
}

func callDelta(fields string) string { return `"delta":{"tool_calls":[{` + fields + `}]}` }

const (
	chatStop  = `"delta":{},"finish_reason":"stop"`
	chatCalls = `"delta":{},"finish_reason":"tool_calls"`
)

func TestChatCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks []string
		want   []string // id name input, or what was bad
	}{
		{"in pieces", []string{
			callDelta(`"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}`),
			callDelta(`"index":0,"function":{"arguments":"{\"q\":"}`), callDelta(`"index":0,"function":{"arguments":"1.0}"}`), chatCalls,
		}, []string{`a read {"q":1.0}`}},
		{"two, their pieces mixed", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"q\""}`),
			callDelta(`"index":1,"id":"b","function":{"name":"list","arguments":"{"}`),
			callDelta(`"index":0,"function":{"arguments":":1}"}`), callDelta(`"index":1,"function":{"arguments":"}"}`), chatCalls,
		}, []string{`a read {"q":1}`, `b list {}`}},
		{"no arguments", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), chatCalls}, []string{`a read {}`}},
		{"null arguments", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":null}`), chatCalls}, []string{`a read {}`}},
		{"arguments that are an object", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":{"q":1.0}}`), chatCalls}, []string{`a read {"q":1.0}`}},
		{"whole in one chunk, without an index", []string{
			`"delta":{"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{}"}},{"id":"b","function":{"name":"list","arguments":"{}"}}]},"finish_reason":"tool_calls"`,
		}, []string{`a read {}`, `b list {}`}},
		{"pieces without an index", []string{
			callDelta(`"id":"a","function":{"name":"read","arguments":"{\"q\""}`), callDelta(`"function":{"arguments":":1}"}`),
			callDelta(`"id":"b","function":{"name":"list","arguments":""}`), callDelta(`"id":"b","function":{"arguments":"{}"}`), chatCalls,
		}, []string{`a read {"q":1}`, `b list {}`}},
		{"one id for all", []string{
			callDelta(`"index":0,"id":"call_0","function":{"name":"read","arguments":"{}"}`),
			callDelta(`"index":1,"id":"call_0","function":{"name":"list","arguments":"{}"}`), chatCalls,
		}, []string{`call_0 read {}`, `call_0-2 list {}`}},
		{"one id for all, no index", []string{
			callDelta(`"id":"call_0","function":{"name":"read","arguments":"{}"}`),
			callDelta(`"id":"call_0","function":{"name":"list","arguments":"{\"a\""}`), callDelta(`"id":"call_0","function":{"arguments":":1}"}`), chatCalls,
		}, []string{`call_0 read {}`, `call_0-2 list {"a":1}`}},
		{"one index for all", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`),
			callDelta(`"index":0,"id":"b","function":{"name":"read","arguments":"{\"q\":2}"}`), chatCalls,
		}, []string{`a read {}`, `b read {"q":2}`}},
		{"one index for all, and no arguments", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), callDelta(`"index":0,"id":"b","function":{"name":"list","arguments":""}`), chatCalls,
		}, []string{`a read {}`, `b list {}`}},
		{"one index and one id for all", []string{
			callDelta(`"index":0,"id":"call_0","function":{"name":"read","arguments":"{}"}`),
			callDelta(`"index":0,"id":"call_0","function":{"name":"read","arguments":"{\"q\":2}"}`), chatCalls,
		}, []string{`call_0 read {}`, `call_0-2 read {"q":2}`}},
		{"the name with each piece", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"q\":"}`), callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"\"}\"}"}`), chatCalls,
		}, []string{`a read {"q":"}"}`}},
		{"the name with each piece, and a quote", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"q\":\"a\\\"}"}`), callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"\"}"}`), chatCalls,
		}, []string{`a read {"q":"a\"}"}`}},
		{"the name in pieces", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"re"}`), callDelta(`"index":0,"function":{"name":"ad"}`), callDelta(`"index":0,"function":{"arguments":"{}"}`), chatCalls,
		}, []string{`a read {}`}},
		{"the id late", []string{
			callDelta(`"index":0,"function":{"name":"read","arguments":"{}"}`), callDelta(`"index":0,"id":"late"`), chatCalls,
		}, []string{`late read {}`}},
		{"the id late, no index", []string{
			callDelta(`"function":{"name":"read","arguments":"{}"}`), callDelta(`"id":"late"`), chatCalls,
		}, []string{`late read {}`}},
		{"the id never", []string{
			callDelta(`"index":0,"function":{"name":"read","arguments":"{}"}`), callDelta(`"index":1,"id":"","function":{"name":"list","arguments":"{}"}`), chatCalls,
		}, []string{`call_0 read {}`, `call_1 list {}`}},
		{"an id that changes", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{"}`), callDelta(`"index":0,"id":"b","function":{"arguments":"}"}`), chatCalls,
		}, []string{`a read {}`}},
		{"a number that begins at one", []string{callDelta(`"index":1,"id":"a","function":{"name":"read","arguments":"{}"}`), chatCalls}, []string{`a read {}`}},
		{"the older form", []string{
			`"delta":{"function_call":{"name":"read","arguments":"{\"q\""}}`, `"delta":{"function_call":{"arguments":":1}"}}`, `"delta":{},"finish_reason":"function_call"`,
		}, []string{`call_0 read {"q":1}`}},
		{"no JSON", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"q=1"}`), chatCalls}, []string{`a read bad q=1`}},
		{"cut JSON", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"q\":"}`), chatCalls}, []string{`a read bad {"q": cut`}},
		{"a list", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"[1]"}`), chatCalls}, []string{`a read bad [1]`}},
		{"stop beside a call", []string{callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`), chatStop}, []string{`a read {}`}},
		{"its cap", []string{
			callDelta(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`),
			callDelta(`"index":1,"id":"b","function":{"name":"list","arguments":"{}"}`), `"delta":{},"finish_reason":"length"`,
		}, []string{`a read {}`, `b list {} cut`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, got := chatBlocks(t, c.chunks...)
			var have []string
			for _, b := range blocks {
				if b.Kind != BlockToolUse || b.Provider != "p" || b.Model != "m" || b.Raw != nil {
					t.Errorf("got %+v", b)
				}
				text := b.CallID + " " + b.ToolName + " " + string(b.Input)
				if b.BadInput != "" {
					text += "bad " + b.BadInput
				}
				if b.Unfinished {
					text += " cut"
				}
				have = append(have, text)
			}
			want := StopToolUse
			if c.name == "its cap" {
				want = StopMaxTokens
			}
			if !reflect.DeepEqual(have, c.want) || got.Stop != want || got.Code != "" {
				t.Errorf("got %q, %+v; want %q", have, got, c.want)
			}
		})
	}
}

func TestChatWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks []string
		want   string // the blocks
		stop   StopReason
	}{
		{"text", []string{`"delta":{"role":"assistant","content":""}`, `"delta":{"content":"a"}`, `"delta":{"content":"b"}`, chatStop}, "text ab", StopEndTurn},
		{"a pair cut in two", []string{`"delta":{"content":"\ud83d"}`, `"delta":{"content":"\ude00"}`, chatStop}, "text 😀", StopEndTurn},
		{"a refusal", []string{`"delta":{"refusal":"I can"}`, `"delta":{"refusal":"not."}`, chatStop}, "text I cannot.", StopRefusal},
		{"filtered", []string{`"delta":{"content":"a"}`, `"delta":{},"finish_reason":"content_filter"`}, "text a", StopRefusal},
		{"its cap", []string{`"delta":{"content":"a"}`, `"delta":{},"finish_reason":"length"`}, "text a cut", StopMaxTokens},
		{"reasoning_content", []string{`"delta":{"reasoning_content":"hm","content":null}`, `"delta":{"reasoning_content":"\n"}`, `"delta":{"content":"a"}`, chatStop}, "thinking hm\n\ntext a", StopEndTurn},
		{"reasoning", []string{`"delta":{"reasoning":"hm","content":""}`, `"delta":{"content":"a","reasoning":null}`, chatStop}, "thinking hm\ntext a", StopEndTurn},
		{"both at once", []string{`"delta":{"reasoning":"hm","reasoning_content":"hm"}`, `"delta":{"content":"a"}`, chatStop}, "thinking hm\ntext a", StopEndTurn},
		{"after the text", []string{`"delta":{"content":"a"}`, `"delta":{"reasoning":"hm"}`, `"delta":{"content":"b"}`, chatStop}, "thinking hm\ntext ab", StopEndTurn},
		{"details", []string{`"delta":{"reasoning_details":[{"type":"reasoning.text","text":"h","index":0}]}`, `"delta":{"reasoning_details":[{"type":"reasoning.text","text":"m","index":0}]}`, `"delta":{"content":"a"}`, chatStop}, "thinking hm\ntext a", StopEndTurn},
		{"parts", []string{`"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}`, `"delta":{"content":[{"type":"text","text":"a"},{"type":"novel","x":1}]}`, `"delta":{"content":"b"}`, chatStop}, "thinking hm\ntext ab", StopEndTurn},
		{"another choice", []string{`"delta":{"content":"a"}`, `{"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"length"}]}`, chatStop}, "text a", StopEndTurn},
		{"nothing", []string{`"delta":{"content":""}`, chatStop}, "", StopEndTurn},
		{"what is not UTF-8", []string{"\"delta\":{\"content\":\"a\x80b\"}", chatStop}, "text a\ufffdb", StopEndTurn},
		{"a prompt's filter first", []string{`{"model":"","choices":[],"prompt_filter_results":[{}]}`, `"delta":{"content":"a"}`, chatStop}, "text a", StopEndTurn},
		{"others' words for the end", []string{`"delta":{"content":"a"}`, `"delta":{},"finish_reason":"eos"`}, "text a", StopEndTurn},
	} {
		t.Run(c.name, func(t *testing.T) {
			blocks, got := chatBlocks(t, c.chunks...)
			var have []string
			for _, b := range blocks {
				text := string(b.Kind) + " " + b.Text
				if b.Unfinished {
					text += " cut"
				}
				have = append(have, text)
			}
			if text := strings.Join(have, "\n"); text != c.want || got.Stop != c.stop || got.Code != "" {
				t.Errorf("got %q, %+v; want %q, %s", text, got, c.want, c.stop)
			}
			if c.name != "a pair cut in two" && got.Deltas != got.Text {
				t.Errorf("%q was yielded of %q", got.Deltas, got.Text)
			}
		})
	}
}

func TestChatFaults(t *testing.T) {
	const word = `"delta":{"content":"canary-reply"}`
	for _, c := range []struct {
		name   string
		chunks []string
		want   Code
		kind   string
	}{
		{"an error", []string{word, `{"error":{"code":502,"message":"canary-prompt"}}`}, CodeUnavailable, ""},
		{"an error beside a choice", []string{word, `{"error":{"code":"server_error","message":"canary-prompt"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`}, CodeUnavailable, "server_error"},
		{"an error in a choice", []string{word, `"delta":{},"finish_reason":"error","error":{"code":429,"message":"slow"}`}, CodeRateLimited, ""},
		{"an error as a word", []string{`{"error":"canary-prompt"}`}, CodeUnavailable, ""},
		{"no credit", []string{`{"error":{"code":402,"message":"Insufficient credits"}}`}, CodeOutOfCredit, ""},
		{"no credit by type", []string{`{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}`}, CodeOutOfCredit, "insufficient_quota"},
		{"overloaded", []string{word, `{"error":{"type":"overloaded_error","code":null}}`}, CodeOverloaded, "overloaded_error"},
		{"too long", []string{`{"error":{"type":"invalid_request_error","code":"context_length_exceeded","param":"messages"}}`}, CodeInvalidRequest, "context_length_exceeded"},
		{"an error behind the end", []string{word, chatStop, `{"error":{"code":500}}`}, CodeUnavailable, ""},
		{"the end is an error", []string{word, `"delta":{},"finish_reason":"error"`}, CodeUnavailable, "error"},
		{"no room", []string{word, `"delta":{},"finish_reason":"insufficient_system_resource"`}, CodeOverloaded, "insufficient_system_resource"},
		{"no end", []string{word}, CodeUnavailable, "no_stop_reason"},
		{"nothing", nil, CodeUnavailable, "no_stop_reason"},
		{"an end that nobody knows", []string{word, `"delta":{},"finish_reason":"canary"`}, CodeUnavailable, "unknown_stop_reason"},
		{"calls that were lost", []string{word, chatCalls}, CodeUnavailable, "no_tool_calls"},
		{"a call without a name", []string{callDelta(`"index":0,"id":"a","function":{"arguments":"{}"}`), chatCalls}, CodeUnavailable, "malformed_event"},
		{"an endless name", []string{callDelta(`"index":0,"id":"a","function":{"name":"` + strings.Repeat("x", 300) + `"}`), chatCalls}, CodeUnavailable, "malformed_event"},
		{"no JSON", []string{word, `{canary`}, CodeUnavailable, "malformed_event"},
		{"another type", []string{`"delta":{"content":"a"},"finish_reason":7`}, CodeUnavailable, "malformed_event"},
		{"a bad escape", []string{`"delta":{"content":"\xcanary"}`}, CodeUnavailable, "malformed_event"},
		{"details that are none", []string{`"delta":{"reasoning_details":[7]}`}, CodeUnavailable, "malformed_event"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := strings.NewReader(dataStream(false, wrapChoices(c.chunks)...))
			client := testChat(t, answering(http.StatusOK, "text/event-stream", body))
			got := firstError(t, client.Stream(t.Context(), openAIRequest()))
			if got.Code != c.want || got.Type != c.kind || strings.Contains(got.Error(), "canary") {
				t.Errorf("got %v, want %s %s", got, c.want, c.kind)
			}
		})
	}
	t.Run("an event of that name", func(t *testing.T) {
		body := strings.NewReader("event: error\ndata: {\"message\":\"canary\",\"code\":429}\n\n")
		got := firstError(t, testChat(t, answering(http.StatusOK, "text/event-stream", body)).Stream(t.Context(), openAIRequest()))
		if got.Code != CodeRateLimited || strings.Contains(got.Error(), "canary") {
			t.Errorf("got %v", got)
		}
	})
}

func wrapChoices(chunks []string) []string {
	var list []string
	for _, c := range chunks {
		if !strings.HasPrefix(c, "{") {
			c = `{"choices":[{"index":0,` + c + `}]}`
		}
		list = append(list, c)
	}
	return list
}

func TestChatUsage(t *testing.T) {
	for _, c := range []struct{ name, usage, more, want string }{
		{"in a chunk of its own", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":80}}}`, "", "20 7 80 -"},
		{"never", `{"choices":[],"usage":null}`, "", "- - - -"},
		{"without what was cached", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":null}}`, "", "100 7 - -"},
		{"DeepSeek's cache", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":64}}`, "", "36 7 64 -"},
		{"OpenRouter's writes", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":20,"cache_write_tokens":30}}}`, "", "50 7 20 30"},
		{"more cached than there is", `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":80}}}`, "", "0 7 80 -"},
		{"twice", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":1}}`, `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":9}}`, "100 9 - -"},
		{"reasoning is output", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"total_tokens":107,"completion_tokens_details":{"reasoning_tokens":5}}}`, "", "100 7 - -"},
		{"reasoning left out of the output", `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"total_tokens":112,"completion_tokens_details":{"reasoning_tokens":5}}}`, "", "100 12 - -"},
		{"Groq's place", `{"choices":[],"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":4}}}`, "", "3 4 - -"},
	} {
		chunks := []string{`"delta":{"content":"a"}`, chatStop, c.usage}
		if c.more != "" {
			chunks = append(chunks, c.more)
		}
		_, got := chatBlocks(t, chunks...)
		if text := usageText(got.Usage); text != c.want || got.Stop != StopEndTurn {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
	}
}

func usageText(u Usage) string {
	var list []string
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens} {
		if n == nil {
			list = append(list, "-")
			continue
		}
		list = append(list, fmt.Sprint(*n))
	}
	return strings.Join(list, " ")
}

// Thinking keeps the members that it came in, put together from their pieces.
func TestChatThinkingRaw(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks []string
		want   string
	}{
		{"a text", []string{`"delta":{"reasoning_content":"a\n"}`, `"delta":{"reasoning_content":"\u00e9"}`}, `{"reasoning_content":"a\n\u00e9"}`},
		{"details in pieces", []string{
			`"delta":{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","format":"f","index":0}]}`,
			`"delta":{"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b","index":0}]}`,
			`"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"s==","index":0}]}`,
			`"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"x","id":"rs_1","index":1}]}`,
			`"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"y","id":"rs_2","index":1}]}`,
			`"delta":{"reasoning":"c","reasoning_details":[{"type":"reasoning.summary","summary":"c","index":2}]}`,
		}, `{"reasoning":"abc","reasoning_details":[{"type":"reasoning.text","text":"ab","format":"f","index":0,"signature":"s=="},` +
			`{"type":"reasoning.encrypted","data":"x","id":"rs_1","index":1},{"type":"reasoning.encrypted","data":"y","id":"rs_2","index":1},` +
			`{"type":"reasoning.summary","summary":"c","index":2}]}`},
		{"what is not UTF-8", []string{"\"delta\":{\"reasoning_content\":\"a\x80b\"}"}, "{\"reasoning_content\":\"a\ufffdb\"}"},
		{"nothing to send back", []string{`"delta":{"content":[{"type":"thinking","thinking":"hm"}]}`}, ""},
	} {
		blocks, _ := chatBlocks(t, append(c.chunks, `"delta":{"content":"x"}`, chatStop)...)
		if len(blocks) != 2 || blocks[0].Kind != BlockThinking || string(blocks[0].Raw) != c.want {
			t.Errorf("%s: got %+v\n%s", c.name, blocks, blocks[0].Raw)
		}
	}
}
