package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// recordedAnswer is one recorded answer of OpenAI's wires: a stream, or a document.
type recordedAnswer struct {
	folder, name string
	text         string
	events       []string // the data of a stream
}

func (r recordedAnswer) responses() bool { return r.folder == "openai-responses" }

// answers reads the files of testdata and, where it is there, of the shared collection.
func answers(tb testing.TB, folders ...string) []recordedAnswer {
	tb.Helper()
	var list []recordedAnswer
	seen := map[string]bool{}
	for _, root := range []string{"testdata", "../../shared/data/wire"} {
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join(root, folder, "*"))
			if err != nil {
				tb.Fatal(err)
			}
			if len(files) == 0 {
				tb.Logf("%s/%s is not there: only testdata is replayed", root, folder)
			}
			for _, file := range files {
				raw, err := os.ReadFile(file)
				if err != nil {
					tb.Fatal(err)
				}
				r := recordedAnswer{folder: folder, name: folder + "/" + filepath.Base(file), text: string(raw)}
				if seen[r.text] { // the shared collection holds what was copied from it
					continue
				}
				seen[r.text] = true
				switch filepath.Ext(file) {
				case ".txt":
					r.events = strings.Split(strings.TrimSpace(r.text), "\n")
					r.text = dataStream(r.responses(), r.events...)
				case ".sse":
					for _, e := range referenceEvents(r.text) {
						if e.Data != "[DONE]" {
							r.events = append(r.events, e.Data)
						}
					}
				case ".md":
					continue
				}
				list = append(list, r)
			}
		}
	}
	return list
}

// dataStream is a stream of the given data lines as the one or the other of OpenAI's wires writes it.
func dataStream(responses bool, data ...string) string {
	if responses {
		return eventStream(data...)
	}
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\ndata: [DONE]\n\n"
}

func testChat(tb testing.TB, f roundTrip) *Chat {
	tb.Helper()
	c, err := NewChat(ChatConfig{Key: testKey, HTTPClient: &http.Client{Transport: f}})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func testResponses(tb testing.TB, f roundTrip) *Responses {
	tb.Helper()
	r, err := NewResponses(ResponsesConfig{Key: testKey, HTTPClient: &http.Client{Transport: f}})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// answering gives a body as the answer to every request.
func answering(status int, kind string, body io.Reader) roundTrip {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(body)}, nil
	}
}

// replayOpenAI feeds a body to one of the two clients, without a network.
func replayOpenAI(t *testing.T, responses bool, status int, kind string, body io.Reader) transcript {
	t.Helper()
	var p Provider = testChat(t, answering(status, kind, body))
	if responses {
		p = testResponses(t, answering(status, kind, body))
	}
	return collect(p.Stream(t.Context(), openAIRequest()))
}

func openAIRequest() Request {
	req := testRequest()
	req.Model = "gpt-5.6-terra"
	return req
}

// referenceChat reads chunks with maps only, as the vendors' documentation tells, and shares no code with the client.
func referenceChat(t *testing.T, events []string) transcript {
	t.Helper()
	var want transcript
	names, arguments, ids := map[float64]string{}, map[float64]string{}, map[float64]string{}
	var order []float64
	for _, data := range events {
		var chunk map[string]any
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			t.Fatal(err)
		}
		if usage, ok := chunk["usage"].(map[string]any); ok {
			want.Usage = referenceUsage(usage, "prompt_tokens", "completion_tokens")
		}
		choices, _ := chunk["choices"].([]any)
		for _, c := range choices {
			choice := c.(map[string]any)
			delta := choice["delta"].(map[string]any)
			word := func(key string) string { s, _ := delta[key].(string); return s }
			want.Text += word("content")
			want.Thinking += word("reasoning_content") + word("reasoning")
			calls, _ := delta["tool_calls"].([]any)
			for i, c := range calls {
				call := c.(map[string]any)
				index, ok := call["index"].(float64)
				if !ok {
					index = float64(i)
				}
				if !slices.Contains(order, index) {
					order = append(order, index)
				}
				function := call["function"].(map[string]any)
				id, _ := call["id"].(string)
				name, _ := function["name"].(string)
				ids[index] += id
				names[index] += name
				arguments[index] += function["arguments"].(string)
			}
			if reason, ok := choice["finish_reason"].(string); ok {
				want.Stop = map[string]StopReason{"stop": StopEndTurn, "tool_calls": StopToolUse}[reason]
			}
		}
	}
	for _, i := range order {
		want.Calls = append(want.Calls, ids[i]+" "+names[i]+" "+canonical(arguments[i]))
	}
	want.Deltas = want.Text
	if want.Stop == "" {
		return transcript{Code: CodeUnavailable, Type: "no_stop_reason", Deltas: want.Text}
	}
	return want
}

func referenceUsage(usage map[string]any, in, out string) Usage {
	number := func(m map[string]any, key string) *int64 {
		f, ok := m[key].(float64)
		if !ok {
			return nil
		}
		n := int64(f)
		return &n
	}
	u := Usage{InputTokens: number(usage, in), OutputTokens: number(usage, out)}
	details, _ := usage[strings.Replace(in, "tokens", "tokens_details", 1)].(map[string]any)
	u.CacheReadTokens, u.CacheWriteTokens = number(details, "cached_tokens"), number(details, "cache_write_tokens")
	for _, part := range []*int64{u.CacheReadTokens, u.CacheWriteTokens} {
		if part != nil {
			*u.InputTokens -= *part
		}
	}
	return u
}

// referenceResponses reads the items of the last event alone, which says everything again.
func referenceResponses(t *testing.T, events []string) transcript {
	t.Helper()
	var last struct{ Response map[string]any }
	if err := json.Unmarshal([]byte(events[len(events)-1]), &last); err != nil {
		t.Fatal(err)
	}
	want := transcript{Stop: StopEndTurn}
	if usage, ok := last.Response["usage"].(map[string]any); ok {
		want.Usage = referenceUsage(usage, "input_tokens", "output_tokens")
	}
	for _, o := range last.Response["output"].([]any) {
		item := o.(map[string]any)
		raw, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		switch item["type"] {
		case "message":
			for _, p := range item["content"].([]any) {
				want.Text += p.(map[string]any)["text"].(string)
				want.Raws = append(want.Raws, canonical(""))
			}
			continue
		case "reasoning":
			for _, s := range item["summary"].([]any) {
				want.Thinking += s.(map[string]any)["text"].(string)
			}
		case "function_call":
			want.Stop = StopToolUse
			want.Calls = append(want.Calls, fmt.Sprint(item["call_id"], " ", item["name"], " ", canonical(item["arguments"].(string))))
		}
		want.Raws = append(want.Raws, canonical(string(raw)))
	}
	want.Deltas = want.Text
	return want
}

func TestReplayOpenAI(t *testing.T) {
	list := answers(t, "openai-chat", "openai-compatible", "openai-responses", "openrouter")
	if len(list) < 18 {
		t.Fatalf("only %d recorded answers", len(list))
	}
	for _, r := range list {
		if r.events == nil {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			want := referenceChat(t, r.events)
			if r.responses() {
				want = referenceResponses(t, r.events)
			}
			random := rand.New(rand.NewPCG(2, uint64(len(r.events))))
			var raws []string
			for i := range min(201, 1+1_000_000/len(r.text)) {
				text := strings.ReplaceAll(r.text, "\n", []string{"\n", "\r\n", "\r"}[i%3])
				got := replayOpenAI(t, r.responses(), http.StatusOK, "text/event-stream", &pieces{text, randomSizes(random, len(text))})
				switch {
				case !r.responses(): // what is raw on this wire is ours to put together: it is only the same at each cut
					if i > 0 && !reflect.DeepEqual(got.Raws, raws) {
						t.Fatalf("cut %d:\ngot  %s\nwant %s", i, got.Raws, raws)
					}
					raws, got.Raws = got.Raws, nil
				case strings.Contains(r.name, "id-rotation"): // the ids of its last event are others
					got.Raws, want.Raws = nil, nil
				}
				if want.Code != "" && strings.HasSuffix(r.text, "}\n\n") {
					want.Type = "stream_cut"
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("cut %d:\ngot  %+v\nwant %+v", i, got, want)
				}
			}
		})
	}
}

// Facts about the recordings that stand here word for word, so that the references above cannot be wrong with the
// clients.
func TestReplayOpenAIFacts(t *testing.T) {
	count := func(n int64) *int64 { return &n }
	facts := map[string]transcript{
		"openai-compatible/anthropic-fallback-tool-call.sse":       {Stop: StopToolUse, Text: "Reading it.", Calls: []string{`toolu_sanitized read_file {"path":"a.txt"}`}},
		"openai-compatible/deepseek-tool-call.chunks.txt":          {Stop: StopToolUse, Calls: []string{`call_00_ioIn7yN9p1ZOMNpDLwd4MgAF weather {"location":"San Francisco"}`}, Usage: Usage{count(19), count(83), count(320), nil}},
		"openai-compatible/groq-tool-call.chunks.txt":              {Stop: StopToolUse, Calls: []string{`tk85n1k4m weather {}`}, Usage: Usage{InputTokens: count(210), OutputTokens: count(15)}},
		"openai-compatible/mistral-tool-call.chunks.txt":           {Stop: StopToolUse, Calls: []string{`gSIMJiOkT weather {"location":"San Francisco"}`}, Usage: Usage{InputTokens: count(124), OutputTokens: count(22)}},
		"openai-chat/openai-text.chunks.txt":                       {Stop: StopEndTurn, Usage: Usage{count(16), count(300), count(0), nil}},
		"openrouter/stream-encrypted-reasoning-cut-off.sse":        {Code: CodeUnavailable, Type: "stream_cut"},
		"openai-responses/github-copilot-id-rotation.1.chunks.txt": {Stop: StopEndTurn, Thinking: "**Counting character occurrences**", Usage: Usage{count(19), count(105), count(0), count(0)}},
		"openai-responses/openai-tool-search.1.chunks.txt":         {Stop: StopToolUse, Calls: []string{`call_pddfxhfOx4gY56zn4vIIEbFp get_weather {"location":"San Francisco, CA","unit":"fahrenheit"}`}},
		"openai-responses/openai-custom-tool.1.chunks.txt":         {Stop: StopEndTurn, Usage: Usage{count(50), count(20), count(0), nil}},
		"openai-responses/programmatic-tool-calling.2.chunks.txt":  {Stop: StopToolUse, Calls: []string{`call_8GZvm5Bs4q0YSJIFH8hZeIcp getDemand {"sku":"sku_123"}`}},
		"openrouter/tool-call-response.json":                       {Stop: StopToolUse, Calls: []string{`3sniiMddS divide {"denominator":456,"numerator":123,"on_inf":"infinity"}`}, Usage: Usage{InputTokens: count(134), OutputTokens: count(43)}},
		"openrouter/error-404.json":                                {Code: CodeInvalidRequest},
		"openai-responses/openai-error.1.json":                     {Code: CodeOutOfCredit, Type: "insufficient_quota"},
		"openai-responses/reasoning-model-temperature-error.json":  {Code: CodeInvalidRequest, Type: "invalid_request_error"},
		"openai-chat/reasoning-model-legacy-parameter-error.json":  {Code: CodeInvalidRequest, Type: "unsupported_parameter"},
	}
	seen := 0
	for _, r := range answers(t, "openai-chat", "openai-compatible", "openai-responses", "openrouter") {
		want, ok := facts[r.name]
		if !ok {
			continue
		}
		seen++
		status, kind, text := http.StatusOK, "text/event-stream", r.text
		if r.events == nil {
			kind = "application/json"
		}
		if strings.Contains(r.name, "error") {
			status = http.StatusBadRequest
			var doc struct {
				Status int
				Body   json.RawMessage
			}
			if json.Unmarshal([]byte(text), &doc) == nil && doc.Status != 0 {
				status, text = doc.Status, string(doc.Body)
			}
			if want.Code == CodeOutOfCredit {
				status = http.StatusTooManyRequests
			}
		}
		got := replayOpenAI(t, r.responses(), status, kind, strings.NewReader(text))
		if got.Stop != want.Stop || got.Code != want.Code || got.Type != want.Type || !reflect.DeepEqual(got.Calls, want.Calls) ||
			want.Text != "" && got.Text != want.Text || want.Thinking != "" && got.Thinking != want.Thinking ||
			want.Usage != (Usage{}) && !reflect.DeepEqual(got.Usage, want.Usage) {
			t.Errorf("%s: got %+v, want %+v", r.name, got, want)
		}
	}
	if seen < len(facts) {
		t.Errorf("%d of %d recordings were seen", seen, len(facts))
	}
}

// A reply that is cut at any byte is a fault, never a whole reply. On the older wire [DONE] alone may be missing.
func TestTruncatedOpenAIStreams(t *testing.T) {
	for _, r := range answers(t, "openai-chat", "openai-compatible", "openai-responses", "openrouter") {
		if r.events == nil {
			continue
		}
		end := len(r.text)
		for _, mark := range []string{`"tool_calls"`, `"stop"`} {
			if i := strings.LastIndex(r.text, `"finish_reason":`+mark); i >= 0 {
				end = i
			}
		}
		for n, step := 0, 1+len(r.text)/min(250, 1+3_000_000/len(r.text)); n < end; n += step {
			if n > end-40 {
				step = 1
			}
			var last Event
			yield := func(e Event, _ error) bool { last = e; return true }
			var reply replyReader = &chatReply{yield: yield}
			if r.responses() {
				reply = &responsesReply{yield: yield}
			}
			err := reply.stream(strings.NewReader(r.text[:n]))
			var fault *Error
			if !errors.As(err, &fault) || fault.Code != CodeUnavailable || last.Kind == EventStop {
				t.Fatalf("%s, the first %d of %d bytes: got %v, last event %d", r.name, n, len(r.text), err, last.Kind)
			}
		}
	}
}
