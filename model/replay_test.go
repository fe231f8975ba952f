package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// transcript is what a reply comes to.
type transcript struct {
	Text, Thinking string
	Deltas         string // the text deltas alone, joined
	Calls          []string
	Raws           []string
	Stop           StopReason
	Usage          Usage
	Code           Code
	Type           string
}

// recordedReply is one reply of a recorded file: the data of its events.
type recordedReply struct {
	name   string
	events []string
	whole  string // an answer in one piece
}

func (r recordedReply) stream(end string) string {
	var b strings.Builder
	for _, data := range r.events {
		var head struct{ Type string }
		if json.Unmarshal([]byte(data), &head) == nil {
			fmt.Fprintf(&b, "event: %s%s", head.Type, end)
		}
		fmt.Fprintf(&b, "data: %s%s%s", data, end, end)
	}
	return b.String()
}

// recordings reads the files of testdata and, where it is there, of the shared collection.
func recordings(tb testing.TB) []recordedReply {
	tb.Helper()
	var list []recordedReply
	seen := map[string]bool{}
	for _, folder := range []string{"testdata/anthropic", "../../shared/data/wire/anthropic"} {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			tb.Fatal(err)
		}
		if len(files) == 0 {
			tb.Logf("%s is not there: only testdata is replayed", folder)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			name := filepath.Base(file)
			if seen[string(text)] { // the shared collection holds what was copied from it
				continue
			}
			seen[string(text)] = true
			var events []string
			switch filepath.Ext(file) {
			case ".txt":
				events = strings.Split(strings.TrimSpace(string(text)), "\n")
			case ".sse":
				for _, e := range referenceEvents(string(text)) {
					events = append(events, e.Data)
				}
			case ".json":
				list = append(list, recordedReply{name: name, whole: string(text)})
			}
			for i, reply := range splitReplies(events) {
				list = append(list, recordedReply{name: fmt.Sprintf("%s#%d", name, i+1), events: reply})
			}
		}
	}
	if len(list) < 17 {
		tb.Fatalf("only %d recorded replies", len(list))
	}
	return list
}

func splitReplies(events []string) [][]string {
	var list [][]string
	var reply []string
	for _, e := range events {
		reply = append(reply, e)
		if strings.Contains(e, `"message_stop"`) {
			list, reply = append(list, reply), nil
		}
	}
	if reply != nil {
		list = append(list, reply)
	}
	return list
}

// collect makes a transcript of what a stream yields.
func collect(seq func(func(Event, error) bool)) transcript {
	var got transcript
	seq(func(e Event, err error) bool {
		if fault, ok := errors.AsType[*Error](err); ok {
			got.Code, got.Type = fault.Code, fault.Type
			return true
		}
		switch e.Kind {
		case EventTextDelta:
			got.Deltas += e.Text
		case EventBlockEnd:
			got.add(e.Block)
		case EventStop:
			got.Stop, got.Usage = e.Stop, e.Usage
		default:
		}
		return true
	})
	return got
}

func (got *transcript) add(b Block) {
	switch b.Kind {
	case BlockText:
		got.Text += b.Text
	case BlockThinking:
		got.Thinking += b.Text
	case BlockToolUse:
		got.Calls = append(got.Calls, b.CallID+" "+b.ToolName+" "+canonical(string(b.Input)))
	default:
	}
	got.Raws = append(got.Raws, canonical(string(b.Raw)))
}

// canonical makes equal JSON equal text, numbers as they stand.
func canonical(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "not JSON: " + text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// referenceTranscript reads the events with maps only, as the vendor's documentation tells, and shares no code with the
// client.
func referenceTranscript(t *testing.T, events []string) transcript {
	t.Helper()
	var want transcript
	var ids []string
	blocks := map[float64]map[string]any{}
	inputs := map[float64]string{}
	usage := map[string]*int64{}
	count := func(v any) {
		m, _ := v.(map[string]any)
		for k, n := range m {
			if f, ok := n.(float64); ok {
				i := int64(f)
				usage[k] = &i
			}
		}
	}
	end := func(b map[string]any) {
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		switch b["type"] {
		case "text":
			want.Text += b["text"].(string)
		case "thinking":
			want.Thinking += b["thinking"].(string)
		case "tool_use":
			input, _ := json.Marshal(b["input"])
			want.Calls = append(want.Calls, fmt.Sprint(b["id"], " ", b["name"], " ", canonical(string(input))))
		}
		want.Raws = append(want.Raws, canonical(string(raw)))
	}
	stop := ""
	for _, data := range events {
		var e map[string]any
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		index, _ := e["index"].(float64)
		delta, _ := e["delta"].(map[string]any)
		switch e["type"] {
		case "message_start":
			m := e["message"].(map[string]any)
			ids = append(ids, m["id"].(string))
			count(m["usage"])
			stop, _ = m["stop_reason"].(string)
			content, _ := m["content"].([]any)
			for _, b := range content {
				end(b.(map[string]any))
			}
		case "content_block_start":
			blocks[index] = e["content_block"].(map[string]any)
			inputs[index] = ""
		case "content_block_delta":
			b := blocks[index]
			switch delta["type"] {
			case "text_delta":
				b["text"] = b["text"].(string) + delta["text"].(string)
			case "thinking_delta":
				b["thinking"] = b["thinking"].(string) + delta["thinking"].(string)
			case "signature_delta":
				b["signature"] = delta["signature"]
			case "input_json_delta":
				inputs[index] += delta["partial_json"].(string)
			case "citations_delta":
				list, _ := b["citations"].([]any)
				b["citations"] = append(list, delta["citation"])
			}
		case "content_block_stop":
			if inputs[index] != "" {
				var v any
				if err := json.Unmarshal([]byte(inputs[index]), &v); err != nil {
					t.Fatal(err)
				}
				blocks[index]["input"] = v
			}
			end(blocks[index])
		case "message_delta":
			stop, _ = delta["stop_reason"].(string)
			count(e["usage"])
		case "error":
			return transcript{Code: CodeOverloaded, Type: "overloaded_error"}
		}
	}
	if len(ids) > 1 && ids[0] != ids[1] {
		return transcript{Code: CodeUnavailable, Type: "spliced_reply"}
	}
	want.Stop = StopReason(stop)
	want.Deltas = want.Text
	want.Usage = Usage{
		InputTokens: usage["input_tokens"], OutputTokens: usage["output_tokens"],
		CacheReadTokens: usage["cache_read_input_tokens"], CacheWriteTokens: usage["cache_creation_input_tokens"],
	}
	return want
}

// replay feeds a body to the client in pieces, without a network.
func replay(t *testing.T, kind string, body io.Reader) transcript {
	t.Helper()
	a := testClient(t, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(body)}, nil
	})
	return collect(a.Stream(t.Context(), testRequest()))
}

func TestReplayRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			if r.whole != "" {
				got := replay(t, "application/json", &pieces{r.whole, []int{7}})
				if got.Stop != StopEndTurn || got.Text == "" || len(got.Raws) < 3 || got.Code != "" {
					t.Errorf("got %+v", got)
				}
				return
			}
			want := referenceTranscript(t, r.events)
			random := rand.New(rand.NewPCG(1, uint64(len(r.events))))
			for i := range 201 {
				end := []string{"\n", "\r\n", "\r"}[i%3]
				text := r.stream(end)
				got := replay(t, "text/event-stream; charset=utf-8", &pieces{text, randomSizes(random, len(text))})
				if want.Code != "" { // what was said before the fault was said
					got = transcript{Code: got.Code, Type: got.Type}
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("cut %d:\ngot  %+v\nwant %+v", i, got, want)
				}
			}
		})
	}
}

// Facts about the recordings that stand here word for word, so that the reference above cannot be wrong with the client.
func TestReplayFacts(t *testing.T) {
	facts := map[string]transcript{
		"anthropic-refusal.chunks.txt#1":                    {Stop: StopRefusal},
		"anthropic-tool-no-args.chunks.txt#1":               {Stop: StopToolUse, Calls: []string{"toolu_01QE1WLsSVp5hy5Q3GmGTmjP updateIssueList {}"}},
		"inline-overloaded-first-event.sse#1":               {Code: CodeOverloaded, Type: "overloaded_error"},
		"spliced-message-start.chunks.txt#1":                {Code: CodeUnavailable, Type: "spliced_reply"},
		"inline-redacted-thinking.sse#1":                    {Stop: StopEndTurn, Text: "Hello, World!"},
		"inline-tool-use-padded-json.sse#1":                 {Stop: StopToolUse, Text: "Okay!"},
		"anthropic-message-delta-input-tokens.chunks.txt#1": {Stop: StopEndTurn, Text: "pong"},
	}
	seen := 0
	for _, r := range recordings(t) {
		want, ok := facts[r.name]
		if !ok {
			continue
		}
		seen++
		got := replay(t, "text/event-stream", strings.NewReader(r.stream("\n")))
		if got.Stop != want.Stop || got.Code != want.Code || got.Type != want.Type ||
			want.Text != "" && got.Text != want.Text || want.Calls != nil && !reflect.DeepEqual(got.Calls, want.Calls) {
			t.Errorf("%s: got %+v, want %+v", r.name, got, want)
		}
	}
	if seen < len(facts) {
		t.Errorf("%d of %d recordings were seen", seen, len(facts))
	}
}

// A reply that is cut at any byte is a fault, never a whole reply.
func TestTruncatedStreams(t *testing.T) {
	done := map[string]bool{}
	for _, r := range recordings(t) {
		if r.whole != "" || done[r.name] || strings.Contains(r.name, "overloaded") {
			continue
		}
		done[r.name] = true
		for _, end := range []string{"\n", "\r\n"} {
			text := []byte(r.stream(end))
			step := 1 + len(text)/1_500
			start := 0
			if end != "\n" { // what differs is the end
				start = max(0, len(text)-400)
			}
			for n := start; n < len(text); n += step {
				if n > len(text)-400 {
					step = 1
				}
				// With CRLF the last LF adds nothing: the event ends with its CR.
				if end == "\r\n" && n == len(text)-1 {
					break
				}
				var last Event
				reply := &anthropicReply{provider: anthropicName, yield: func(e Event, _ error) bool { last = e; return true }}
				err := reply.stream(bytes.NewReader(text[:n]))
				var fault *Error
				if !errors.As(err, &fault) || fault.Code != CodeUnavailable || last.Kind == EventStop {
					t.Fatalf("%s, the first %d of %d bytes: got %v, last event %d", r.name, n, len(text), err, last.Kind)
				}
			}
		}
	}
}
