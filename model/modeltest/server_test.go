package modeltest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
)

// start serves a scripted model and gives a client of it.
func start(tb testing.TB, cfg modeltest.Config) (*modeltest.Server, *model.Anthropic) {
	tb.Helper()
	s := modeltest.New(cfg)
	server := httptest.NewServer(s)
	tb.Cleanup(server.Close)
	a, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: server.URL, Key: "k"})
	if err != nil {
		tb.Fatal(err)
	}
	return s, a
}

func request(words string) model.Request {
	return model.Request{
		Model: "claude-sonnet-5", Effort: model.EffortMedium, MaxOutputTokens: 1000,
		Tools:    []model.Tool{{Name: "read", Description: "Reads.", Input: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`)}},
		Messages: []model.Message{{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: words}}}},
	}
}

// reply is what a call came to.
type reply struct {
	text   string
	blocks []model.Block
	stop   model.StopReason
	usage  model.Usage
}

func call(ctx context.Context, p model.Provider, req model.Request) (reply, error) {
	var got reply
	for e, err := range p.Stream(ctx, req) {
		if err != nil {
			return got, err
		}
		switch e.Kind {
		case model.EventTextDelta:
			got.text += e.Text
		case model.EventBlockEnd:
			got.blocks = append(got.blocks, e.Block)
		case model.EventStop:
			got.stop, got.usage = e.Stop, e.Usage
		default:
		}
	}
	return got, nil
}

// answer adds a reply and the results of its calls to a request.
func answer(req model.Request, got reply, text string) model.Request {
	var results []model.Block
	for _, b := range got.blocks {
		if b.Kind == model.BlockToolUse {
			results = append(results, model.Block{Kind: model.BlockToolResult, CallID: b.CallID, Text: text})
		}
	}
	req.Messages = append(slices.Clip(req.Messages),
		model.Message{Role: model.RoleAssistant, Blocks: got.blocks}, model.Message{Role: model.RoleUser, Blocks: results})
	return req
}

func TestToolRound(t *testing.T) {
	s, a := start(t, modeltest.Config{Script: modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{
			modeltest.Think("Let me", " look."), modeltest.Redacted(), modeltest.Say("A ", "moment. 😀"),
			modeltest.Call("read", json.RawMessage(`{"q":"שלום","n":12345678901234567890}`)), modeltest.Call("read", nil),
		}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Done.")}},
	)})
	req := request("who?")
	got, err := call(t.Context(), a, req)
	if err != nil || got.stop != model.StopToolUse || got.text != "A moment. 😀" || len(got.blocks) != 5 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if string(got.blocks[3].Input) != `{"q":"שלום","n":12345678901234567890}` || string(got.blocks[4].Input) != `{}` || got.blocks[3].CallID == got.blocks[4].CallID {
		t.Errorf("got %+v", got.blocks[3:])
	}
	next := answer(req, got, "two")
	if got, err = call(t.Context(), a, next); err != nil || got.text != "Done." || got.stop != model.StopEndTurn {
		t.Fatalf("got %+v, %v", got, err)
	}
	seen := s.Requests()
	if len(seen) != 2 || seen[1].Words != "who?" || seen[1].Round() != 1 || len(seen[1].Results()) != 2 || seen[1].Results()[0].Text != "two" || !seen[1].Thinks || seen[1].Effort != "medium" {
		t.Errorf("got %+v", seen)
	}
	if seen[0].Header.Get("X-Api-Key") != "" {
		t.Error("the key is kept")
	}
	if _, err = call(t.Context(), a, req); err == nil {
		t.Error("the script did not end")
	}
}

// A changed thought, one that is gone, or one that another model had, is refused.
func TestThinkingIsHeld(t *testing.T) {
	s, a := start(t, modeltest.Config{Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Think("hm"), modeltest.Call("read", nil)}})})
	req := request("who?")
	got, err := call(t.Context(), a, req)
	if err != nil {
		t.Fatal(err)
	}
	for rule, change := range map[string]func(*model.Request, *reply){
		"": func(*model.Request, *reply) {},
		"thinking_changed": func(_ *model.Request, r *reply) {
			r.blocks[0].Raw = json.RawMessage(strings.Replace(string(r.blocks[0].Raw), "hm", "ha", 1))
		},
		"thinking_missing": func(_ *model.Request, r *reply) { r.blocks = r.blocks[1:] },
	} {
		next, changed := req, got
		changed.blocks = append([]model.Block(nil), got.blocks...)
		change(&next, &changed)
		_, err := call(t.Context(), a, answer(next, changed, "x"))
		if (err != nil) != (rule != "") || rule != "" && s.Rejected()[rule] != 1 {
			t.Errorf("%q: got %v, rejected %v", rule, err, s.Rejected())
		}
	}
	other := answer(req, got, "x")
	other.Model = "claude-opus-5" // the client leaves the thought out, and another model's rule does not ask for it
	if _, err := call(t.Context(), a, other); err != nil {
		t.Error(err)
	}
	// A server that was started anew knows what the one before it signed.
	_, again := start(t, modeltest.Config{})
	if _, err := call(t.Context(), again, answer(req, got, "x")); err != nil {
		t.Error(err)
	}
}

func TestEnds(t *testing.T) {
	text := []modeltest.Block{modeltest.Words(10)}
	credit := modeltest.Fault{Status: 400, Type: "invalid_request_error", Message: "Your credit balance is too low"}
	for name, c := range map[string]struct {
		reply modeltest.Reply
		code  model.Code
		kind  string
		text  string
		stop  model.StopReason
	}{
		"whole":          {modeltest.Reply{Blocks: text[:1], Pace: time.Millisecond}, "", "", "the gym opens at six and the first class of", model.StopEndTurn},
		"overloaded":     {modeltest.Reply{Fault: &modeltest.Overloaded}, model.CodeOverloaded, "overloaded_error", "", ""},
		"limited":        {modeltest.Reply{Fault: &modeltest.RateLimited}, model.CodeRateLimited, "rate_limit_error", "", ""},
		"broken":         {modeltest.Reply{Fault: &modeltest.Broken}, model.CodeUnavailable, "api_error", "", ""},
		"no credit":      {modeltest.Reply{Fault: &credit}, model.CodeOutOfCredit, "invalid_request_error", "", ""},
		"cut":            {modeltest.Reply{Blocks: text, End: modeltest.End{Way: modeltest.Cut, After: 4}}, model.CodeUnavailable, "connection_broken", "the gym", ""},
		"cut late":       {modeltest.Reply{Blocks: text, End: modeltest.End{Way: modeltest.Cut}}, model.CodeUnavailable, "connection_broken", "the gym opens at six and the first class of", ""},
		"closed":         {modeltest.Reply{Blocks: text, End: modeltest.End{Way: modeltest.Close, After: 3}}, model.CodeUnavailable, "stream_cut", "the", ""},
		"failed":         {modeltest.Reply{Blocks: text, End: modeltest.End{Way: modeltest.Fail, After: 3}}, model.CodeOverloaded, "overloaded_error", "the", ""},
		"failed at once": {modeltest.Reply{End: modeltest.End{Way: modeltest.Fail, Fault: &modeltest.Broken}}, model.CodeUnavailable, "api_error", "", ""},
		"refusal":        {modeltest.Reply{Stop: "refusal"}, "", "", "", model.StopRefusal},
		"pause":          {modeltest.Reply{Blocks: text, Stop: "pause_turn"}, "", "", "the gym opens at six and the first class of", model.StopPause},
		"max_tokens":     {modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("read", `{"q":"a`)}, Stop: "max_tokens"}, "", "", "", model.StopMaxTokens},
		"context":        {modeltest.Reply{Stop: "model_context_window_exceeded"}, "", "", "", model.StopMaxTokens},
	} {
		t.Run(name, func(t *testing.T) {
			s, a := start(t, modeltest.Config{Script: modeltest.Always(c.reply)})
			got, err := call(t.Context(), a, request("hi"))
			if fault, ok := errors.AsType[*model.Error](err); ok {
				if fault.Code != c.code || fault.Type != c.kind || fault.RequestID == "" {
					t.Errorf("got %+v", fault)
				}
			} else if c.code != "" {
				t.Errorf("got %v", err)
			}
			if got.text != c.text || got.stop != c.stop {
				t.Errorf("got %+v", got)
			}
			if err := s.Until(t.Context(), func(s *modeltest.Server) bool { return s.Active() == 0 }); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestHoldAndStall(t *testing.T) {
	gate := make(chan struct{})
	s, a := start(t, modeltest.Config{Script: modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(3)}, Hold: map[int]<-chan struct{}{4: gate}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(3)}, End: modeltest.End{Way: modeltest.Stall, After: 4}},
	)})
	text := ""
	for e, err := range a.Stream(t.Context(), request("hi")) {
		if err != nil {
			t.Fatal(err)
		}
		text += e.Text
		if text == "the gym" && e.Kind == model.EventTextDelta {
			close(gate) // what was before the gate came through
		}
	}
	if text != "the gym opens" {
		t.Errorf("got %q", text)
	}
	text = ""
	for e, err := range a.Stream(t.Context(), request("hi")) {
		if err != nil {
			t.Fatal(err)
		}
		if text += e.Text; text == "the gym" {
			break
		}
	}
	if err := s.Until(t.Context(), func(s *modeltest.Server) bool { return s.Active() == 0 && s.Accepted() == 2 }); err != nil {
		t.Error(err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Until(ended, func(*modeltest.Server) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A paused reply goes back as it came and is gone on with; any other end in the assistant's words is refused.
func TestPausedReplyGoesOn(t *testing.T) {
	s, a := start(t, modeltest.Config{Script: modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("One", " moment.")}, Stop: "pause_turn"},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say(" And", " one more.")}, Stop: "pause_turn"},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Done.")}},
	)})
	req := request("who?")
	for _, want := range []model.StopReason{model.StopPause, model.StopPause, model.StopEndTurn} {
		got, err := call(t.Context(), a, req)
		if err != nil || got.stop != want {
			t.Fatalf("got %+v, %v; want %q", got, err, want)
		}
		req.Messages = append(req.Messages, model.Message{Role: model.RoleAssistant, Blocks: got.blocks})
	}
	if _, err := call(t.Context(), a, req); err == nil || s.Rejected()["prefill"] != 1 {
		t.Errorf("got %v, rejected %v", err, s.Rejected())
	}
}

// Usage follows the marks: a prefix is written once, read while it lives, and starts anew when it changes.
func TestCacheUsage(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	_, a := start(t, modeltest.Config{CacheMinimumTokens: 100, Now: func() time.Time { return now }})
	req := request("hello there")
	req.System = []model.SystemBlock{{Text: strings.Repeat("s", 4000), Cache: true}, {Text: strings.Repeat("o", 400), Cache: true}}
	usage := func(req model.Request) [3]int64 {
		t.Helper()
		got, err := call(t.Context(), a, req)
		if err != nil {
			t.Fatal(err)
		}
		return [3]int64{*got.usage.InputTokens, *got.usage.CacheReadTokens, *got.usage.CacheWriteTokens}
	}
	first := usage(req)
	if first[0] < 2 || first[1] != 0 || first[2] < 1100 {
		t.Errorf("first: got %v", first)
	}
	if got := usage(req); got != [3]int64{first[0], first[2], 0} {
		t.Errorf("again: got %v after %v", got, first)
	}
	// The org's block changes: the static prefix is read, the rest written.
	other := req
	other.System = []model.SystemBlock{req.System[0], {Text: strings.Repeat("p", 400), Cache: true}}
	if got := usage(other); got[1] < 1000 || got[1] >= first[2] || got[2] == 0 {
		t.Errorf("other org: got %v after %v", got, first)
	}
	// The tail of the conversation is marked: the next turn reads it.
	tail := req
	tail.Messages = []model.Message{{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: strings.Repeat("w", 400), Cache: true}}}}
	written := usage(tail)
	if written[1] != first[2] || written[2] < 100 || written[2] > 110 || written[0] != 0 {
		t.Errorf("tail: got %v", written)
	}
	grown := tail
	grown.Messages = append([]model.Message{}, tail.Messages...)
	grown.Messages[0].Blocks = []model.Block{{Kind: model.BlockText, Text: strings.Repeat("w", 400)}}
	grown.Messages = append(grown.Messages, model.Message{Role: model.RoleAssistant, Blocks: []model.Block{{Kind: model.BlockText, Text: "yes"}}},
		model.Message{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: "more", Cache: true}}})
	if got := usage(grown); got[1] != first[2]+written[2] || got[2] == 0 || got[0] != 0 {
		t.Errorf("grown: got %v", got)
	}
	// A mark looks back 20 blocks and no further.
	far := tail
	blocks := []model.Block{{Kind: model.BlockText, Text: strings.Repeat("w", 400)}}
	for range 25 {
		blocks = append(blocks, model.Block{Kind: model.BlockText, Text: "four"})
	}
	blocks[25].Cache = true
	far.System = []model.SystemBlock{{Text: req.System[0].Text}, {Text: req.System[1].Text}}
	far.Messages = []model.Message{{Role: model.RoleUser, Blocks: blocks}}
	if got := usage(far); got[1] != 0 {
		t.Errorf("far: got %v", got)
	}
	now = now.Add(6 * time.Minute)
	if got := usage(req); got != first {
		t.Errorf("later: got %v, want %v", got, first)
	}
	short := request("hello")
	short.System = []model.SystemBlock{{Text: "short", Cache: true}}
	if got := usage(short); got[1] != 0 || got[2] != 0 {
		t.Errorf("short: got %v", got)
	}
}

func TestNotStreaming(t *testing.T) {
	s := modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a", "b"), modeltest.Redacted(), modeltest.Call("read", `{"q":1}`)}})})
	status, text := post(t, s, ask(hi))
	var doc struct {
		Content    []map[string]any
		StopReason string `json:"stop_reason"`
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || status != http.StatusOK || doc.StopReason != "tool_use" || len(doc.Content) != 3 || doc.Content[0]["text"] != "ab" {
		t.Errorf("got %d %s, %v", status, text, err)
	}
}

func TestRules(t *testing.T) {
	rules, err := modeltest.ParseRules([]byte(`{"words": 4, "rules": [
		{"match": "(?i)find (?P<who>\\w+)", "think": "hm", "say": "Looking for ${who}.", "calls": [{"tool": "read", "input": {"q": "$1", "l": ["$1", 2]}}, {"tool": "absent"}], "then": "Found: {results}"},
		{"match": "^no$", "stop": "refusal"},
		{"match": "^busy$", "fault": {"status": 529, "type": "overloaded_error"}},
		{"match": "^break$", "say": "a b c", "end": {"way": "cut", "after": 4}}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, a := start(t, modeltest.Config{Script: rules.Script()})
	req := request("Find Ada")
	got, err := call(t.Context(), a, req)
	if err != nil || got.text != "Looking for Ada." || len(got.blocks) != 3 || string(got.blocks[2].Input) != `{"l":["Ada",2],"q":"Ada"}` {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got, err = call(t.Context(), a, answer(req, got, "Ada Lovelace")); err != nil || got.text != "Found: Ada Lovelace" {
		t.Errorf("got %+v, %v", got, err)
	}
	for words, want := range map[string]string{"else": "the gym opens at", "call absent {}": "the gym opens at", "no": "", "break": "a b"} {
		if got, err := call(t.Context(), a, request(words)); got.text != want || (err != nil) != (words == "break") {
			t.Errorf("%q: got %+v, %v", words, got, err)
		}
	}
	req = request(`call read {"q": "x"}`)
	if got, err = call(t.Context(), a, req); err != nil || len(got.blocks) != 1 || string(got.blocks[0].Input) != `{"q": "x"}` {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got, err = call(t.Context(), a, answer(req, got, "result")); err != nil || got.text != "Here is what I found: result" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{`{`, `{"x":1}`, `{"rules":[{"match":"("}]}`, `{"rules":[{"match":"a","end":{"way":"sideways"}}]}`} {
		if _, err := modeltest.ParseRules([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// BenchmarkTurn is a whole turn over HTTP with the client beside the server: a 20-word reply, unpaced.
func BenchmarkTurn(b *testing.B) {
	_, a := start(b, modeltest.Config{Keep: -1})
	req := request("who is booked tomorrow?")
	req.System = []model.SystemBlock{{Text: strings.Repeat("You are an assistant. ", 300), Cache: true}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := call(b.Context(), a, req); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPaced is the cost of a word of a paced reply, both ends together.
func BenchmarkPaced(b *testing.B) {
	_, a := start(b, modeltest.Config{Keep: -1, Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(200)}, Pace: time.Nanosecond})})
	b.ReportAllocs()
	for n := 0; n < b.N; n += 200 {
		if _, err := call(b.Context(), a, request("hi")); err != nil {
			b.Fatal(err)
		}
	}
}
