package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// streamBlocks reads a stream of the given events and gives its blocks.
func streamBlocks(t *testing.T, data ...string) ([]Block, error) {
	t.Helper()
	var list []Block
	reply := &anthropicReply{provider: anthropicName, yield: func(e Event, _ error) bool {
		if e.Kind == EventBlockEnd {
			list = append(list, e.Block)
		}
		return true
	}}
	err := reply.stream(strings.NewReader(eventStream(data...)))
	if errors.Is(err, errDone) {
		err = nil
	}
	return list, err
}

// Gateways are known to send message_start twice. The same message again is nothing; another one is a fault.
func TestMessageStartTwice(t *testing.T) {
	other := strings.Replace(evStart, `"id":"m"`, `"id":"n"`, 1)
	if got, err := streamBlocks(t, evStart, evText, evStart, evWord, evBlockStop, evEnd, evStop); err != nil || len(got) != 1 || got[0].Text != "canary-reply" {
		t.Errorf("got %+v, %v", got, err)
	}
	var fault *Error
	if _, err := streamBlocks(t, evStart, evText, other, evWord, evBlockStop, evEnd, evStop); !errors.As(err, &fault) || fault.Type != "spliced_reply" {
		t.Errorf("got %v", err)
	}
}

// FuzzReply reads any stream whole and in pieces: both say the same, and neither takes the process down.
func FuzzReply(f *testing.F) {
	for _, r := range recordings(f) {
		if len(r.events) < 40 {
			f.Add(r.stream("\n"), uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		checkStream(t, text, seed, func(yield func(Event, error) bool) replyReader {
			return &anthropicReply{provider: anthropicName, yield: yield}
		})
	})
}

func TestBlocks(t *testing.T) {
	start := func(block string) string {
		return `{"type":"content_block_start","index":0,"content_block":` + block + `}`
	}
	delta := func(d string) string { return `{"type":"content_block_delta","index":0,"delta":` + d + `}` }
	partial := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return delta(`{"type":"input_json_delta","partial_json":` + string(text) + `}`)
	}
	tool := `{"type":"tool_use","id":"toolu_1","name":"read","input":{}}`
	for _, c := range []struct {
		name   string
		events []string
		open   bool // no content_block_stop
		want   Block
	}{
		{
			"big numbers stay",
			[]string{start(tool), partial(`{"id":1234567890`), partial(`1234567890,"x":1.10}`)},
			false,
			Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", Input: json.RawMessage(`{"id":12345678901234567890,"x":1.10}`), Raw: json.RawMessage(`{"type":"tool_use","id":"toolu_1","name":"read","input":{"id":12345678901234567890,"x":1.10}}`)},
		},
		{
			"input in the start",
			[]string{start(`{"type":"tool_use","id":"a","name":"b","input":{"n":1e3},"caller":{"type":"direct"}}`), partial("")},
			false,
			Block{Kind: BlockToolUse, CallID: "a", ToolName: "b", Input: json.RawMessage(`{"n":1e3}`), Raw: json.RawMessage(`{"type":"tool_use","id":"a","name":"b","input":{"n":1e3},"caller":{"type":"direct"}}`)},
		},
		{
			"no arguments",
			[]string{start(tool)},
			false,
			Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", Input: json.RawMessage(`{}`), Raw: json.RawMessage(tool)},
		},
		{
			"cut arguments",
			[]string{start(tool), partial(`{"q":"a`)},
			false,
			Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", BadInput: `{"q":"a`, Unfinished: true},
		},
		{
			"wrong arguments",
			[]string{start(tool), partial(`{"q":a}`)},
			false,
			Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", BadInput: `{"q":a}`},
		},
		{
			"arguments of another type",
			[]string{start(tool), partial(`[1]`)},
			false,
			Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", BadInput: `[1]`},
		},
		{
			"no end",
			[]string{start(tool), partial(`{"q":1}`)},
			true,
			Block{Kind: BlockToolUse, CallID: "toolu_1", ToolName: "read", Input: json.RawMessage(`{"q":1}`), Raw: json.RawMessage(`{"type":"tool_use","id":"toolu_1","name":"read","input":{"q":1}}`), Unfinished: true},
		},
		{
			"thinking",
			[]string{start(`{"type":"thinking","thinking":"","signature":""}`), delta(`{"type":"thinking_delta","thinking":"a\n\u00e9"}`), delta(`{"type":"signature_delta","signature":"s=="}`)},
			false,
			Block{Kind: BlockThinking, Text: "a\né", Raw: json.RawMessage(`{"type":"thinking","thinking":"a\n\u00e9","signature":"s=="}`)},
		},
		{
			"thinking without signature",
			[]string{start(`{"type":"thinking","thinking":""}`), delta(`{"type":"thinking_delta","thinking":"a"}`)},
			false,
			Block{Kind: BlockThinking, Text: "a", Raw: json.RawMessage(`{"type":"thinking","thinking":"a"}`), Unfinished: true},
		},
		{
			"text begun in the start",
			[]string{start(`{"type":"text","text":"a\""}`), delta(`{"text":"b","type":"text_delta"}`), delta(`{"type":"text_delta","text":"c"}`)},
			false,
			Block{Kind: BlockText, Text: `a"bc`, Raw: json.RawMessage(`{"type":"text","text":"a\"bc"}`)},
		},
		{
			"a pair cut in two",
			[]string{start(`{"type":"text","text":""}`), delta(`{"type":"text_delta","text":"\ud83d"}`), delta(`{"type":"text_delta","text":"\ude00"}`)},
			false,
			Block{Kind: BlockText, Text: "😀", Raw: json.RawMessage(`{"type":"text","text":"\ud83d\ude00"}`)},
		},
		{
			"citations",
			[]string{start(`{"type":"text","text":"","citations":[]}`), delta(`{"type":"citations_delta","citation":{"n":1.0}}`), delta(`{"type":"citations_delta","citation":{"n":2}}`)},
			false,
			Block{Kind: BlockText, Raw: json.RawMessage(`{"type":"text","text":"","citations":[{"n":1.0},{"n":2}]}`)},
		},
		{
			"a vendor's own",
			[]string{start(`{"type":"server_tool_use","id":"s","name":"web","input":{}}`), partial(`{"q":`), partial(`2}`)},
			false,
			Block{Kind: BlockOther, Raw: json.RawMessage(`{"type":"server_tool_use","id":"s","name":"web","input":{"q":2}}`)},
		},
		{
			"a vendor's own, not understood",
			[]string{start(`{"type":"novel","content":7}`), delta(`{"type":"novel_delta","x":1}`)},
			false,
			Block{Kind: BlockOther},
		},
		{
			"unknown delta of a text",
			[]string{start(`{"type":"text","text":""}`), delta(`{"type":"novel_delta","x":1}`), delta(`{"type":"text_delta","text":"a"}`)},
			false,
			Block{Kind: BlockText, Text: "a", Raw: json.RawMessage(`{"type":"text","text":"a"}`)},
		},
		{
			"what is not UTF-8",
			[]string{start(`{"type":"text","text":""}`), delta("{\"type\":\"text_delta\",\"text\":\"a\x80b\"}")},
			false,
			Block{Kind: BlockText, Text: "a\ufffdb", Raw: json.RawMessage("{\"type\":\"text\",\"text\":\"a\ufffdb\"}")},
		},
		{
			"redacted",
			[]string{start(`{"type":"redacted_thinking","data":"zz"}`)},
			false,
			Block{Kind: BlockThinking, Raw: json.RawMessage(`{"type":"redacted_thinking","data":"zz"}`)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := append([]string{evStart, `{"type":"novel_event","index":9}`}, c.events...)
			if !c.open {
				events = append(events, evBlockStop)
			}
			got, err := streamBlocks(t, append(events, evEnd, evStop)...)
			c.want.Provider, c.want.Model = "anthropic", "claude-sonnet-5"
			if err != nil || len(got) != 1 || fmt.Sprintf("%+v %s %s", got[0], got[0].Raw, got[0].Input) != fmt.Sprintf("%+v %s %s", c.want, c.want.Raw, c.want.Input) {
				t.Errorf("%v\ngot  %+v\n%s\nwant %+v\n%s", err, got, got[0].Raw, c.want, c.want.Raw)
			}
		})
	}
}

// The fast way and the full decoder agree on every delta, however odd.
func FuzzDelta(f *testing.F) {
	for _, seed := range []string{`a`, `\n`, `\u00e9`, `\ud83d`, `é`, "\x80", "\x01", `"`, `\"`, `\x`, `a"}} `, `a","text":"b`, `\`} {
		f.Add(seed, 0)
	}
	f.Fuzz(func(t *testing.T, content string, kind int) {
		starts := []string{`{"type":"text","text":""}`, `{"type":"thinking","thinking":"","signature":"s"}`, `{"type":"tool_use","id":"a","name":"b","input":{}}`}
		keys := []string{`"type":"text_delta","text"`, `"type":"thinking_delta","thinking"`, `"type":"input_json_delta","partial_json"`}
		i := ((kind % 3) + 3) % 3
		run := func(space string) (string, bool) {
			var out strings.Builder
			r := &anthropicReply{provider: anthropicName, yield: func(e Event, _ error) bool {
				shown, err := json.Marshal(e)
				if err != nil {
					t.Errorf("%v: %+v", err, e)
				}
				out.Write(shown)
				return true
			}}
			for _, data := range []string{
				evStart,
				`{"type":"content_block_start","index":0,"content_block":` + starts[i] + `}`,
				`{"type":"content_block_delta",` + space + `"index":0,"delta":{` + keys[i] + `:"` + content + `"}}`,
				evBlockStop, evEnd, evStop,
			} {
				if err := r.event(nil, []byte(data)); errors.Is(err, errDone) {
					return out.String(), true
				} else if err != nil {
					return "", false
				}
			}
			return "", false
		}
		fast, ok := run("")
		slow, okSlow := run(" ")
		if ok != okSlow || fast != slow {
			t.Fatalf("fast %q %v\nslow %q %v", fast, ok, slow, okSlow)
		}
	})
}
