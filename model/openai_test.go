package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestNewOpenAI(t *testing.T) {
	for _, c := range []struct {
		cfg  ChatConfig
		want string // of the error, or the address without its route
	}{
		{ChatConfig{Key: "k"}, "https://api.openai.com/v1"},
		{ChatConfig{Key: "k", BaseURL: "https://openrouter.ai/api/v1/"}, "https://openrouter.ai/api/v1"},
		{ChatConfig{BaseURL: "http://127.0.0.1:11434/v1"}, "http://127.0.0.1:11434/v1"},
		{ChatConfig{BaseURL: "https://api.deepseek.com"}, "https://api.deepseek.com"},
		{ChatConfig{}, "Key must be set"},
		{ChatConfig{Key: "a\nb", BaseURL: "http://127.0.0.1/v1"}, "Key must be set"},
		{ChatConfig{Key: "k", BaseURL: "ftp://x"}, "BaseURL must be"},
		{ChatConfig{Key: "k", BaseURL: "https://user:pw@x"}, "BaseURL must have no user"},
		{ChatConfig{Key: "k", Name: "a b"}, "Name must be"},
		{ChatConfig{Key: "k", Without: []string{"images"}}, "Without must hold only tools, streams, effort, strict"},
		{ChatConfig{Key: "k", HTTPClient: &http.Client{Timeout: 1}}, "HTTPClient.Timeout must be zero"},
	} {
		chat, err := NewChat(c.cfg)
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && chat.url != c.want+"/chat/completions" {
			t.Errorf("%+v: got %v, %v; want %q", c.cfg, chat, err, c.want)
		}
		responses, err := NewResponses(ResponsesConfig(c.cfg))
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && responses.url != c.want+"/responses" {
			t.Errorf("%+v: got %v, %v; want %q", c.cfg, responses, err, c.want)
		}
	}
}

func TestOpenAIHeaders(t *testing.T) {
	for _, c := range []struct {
		cfg            ChatConfig
		bearer, accept string
		name           string
	}{
		{ChatConfig{Key: testKey}, "Bearer " + testKey, "text/event-stream", "openai"},
		{ChatConfig{BaseURL: "http://127.0.0.1:1/v1", Name: "ollama", Without: []string{CapabilityStreams}}, "", "application/json", "ollama"},
	} {
		var got *http.Request
		c.cfg.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			got = r
			return nil, io.ErrUnexpectedEOF
		})}
		chat, err := NewChat(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		responses, err := NewResponses(ResponsesConfig(c.cfg))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []Provider{chat, responses} {
			collect(p.Stream(t.Context(), openAIRequest()))
			if got.Header.Get("Authorization") != c.bearer || got.Header.Get("Accept") != c.accept || got.Header.Get("Content-Type") != "application/json" ||
				got.Header.Get("Anthropic-Version") != "" || p.Name() != c.name || p.Capabilities().Streams != (c.accept == "text/event-stream") {
				t.Errorf("got %v, %q, %+v", got.Header, p.Name(), p.Capabilities())
			}
		}
	}
}

func TestOpenAIErrors(t *testing.T) {
	const sse, doc = "text/event-stream", "application/json"
	fault := func(kind, code, param string) string {
		return fmt.Sprintf(`{"error":{"message":"canary-prompt %s","type":%q,"param":%s,"code":%s}}`, testKey, kind, param, code)
	}
	for _, c := range []struct {
		name       string
		status     int
		kind, body string
		want       Code
		wantType   string
		wantText   string
	}{
		{"400", 400, doc, fault("invalid_request_error", "null", `"messages[3].tool_calls[0].id"`), CodeInvalidRequest, "invalid_request_error", "refused at messages[3].tool_calls[0].id"},
		{"400 quoting", 400, doc, fault("invalid_request_error", `"invalid_value"`, `"input[2].canary"`), CodeInvalidRequest, "invalid_value", ""},
		{"400 too long", 400, doc, fault("invalid_request_error", `"context_length_exceeded"`, `"messages"`), CodeInvalidRequest, "context_length_exceeded", "refused at messages"},
		{"401", 401, doc, fault("invalid_request_error", `"invalid_api_key"`, "null"), CodeUnauthorized, "invalid_api_key", ""},
		{"402", 402, doc, `{"error":{"code":402,"message":"canary"},"user_id":"u"}`, CodeOutOfCredit, "", ""},
		{"403", 403, doc, fault("permission_error", "null", "null"), CodeUnauthorized, "permission_error", ""},
		{"404", 404, doc, fault("invalid_request_error", `"model_not_found"`, `"model"`), CodeInvalidRequest, "model_not_found", "refused at model"},
		{"408", 408, doc, `{"error":{"code":408}}`, CodeUnavailable, "", ""},
		{"429", 429, doc, fault("tokens", `"rate_limit_exceeded"`, "null"), CodeRateLimited, "rate_limit_exceeded", ""},
		{"429 quota", 429, doc, fault("insufficient_quota", `"insufficient_quota"`, "null"), CodeOutOfCredit, "insufficient_quota", ""},
		{"429 billing", 429, doc, fault("invalid_request_error", `"billing_hard_limit_reached"`, "null"), CodeOutOfCredit, "billing_hard_limit_reached", ""},
		{"403 in words", 403, doc, `{"error":{"code":"forbidden","message":"Insufficient credits"}}`, CodeOutOfCredit, "forbidden", ""},
		{"500", 500, doc, fault("server_error", "null", "null"), CodeUnavailable, "server_error", ""},
		{"503 overloaded", 503, doc, fault("server_error", `"server_is_overloaded"`, "null"), CodeOverloaded, "server_is_overloaded", ""},
		{"503 slow down", 503, doc, fault("slow_down", "null", "null"), CodeOverloaded, "slow_down", ""},
		{"502 page", 502, "text/html", "<html>canary</html>", CodeUnavailable, "", ""},
		{"members of other types", 400, doc, `{"error":{"message":["canary"],"type":7,"param":[],"code":{"a":1}}}`, CodeInvalidRequest, "", ""},
		{"no object around", 400, doc, `{"object":"error","message":"canary","type":"BadRequestError","param":null,"code":400}`, CodeInvalidRequest, "BadRequestError", ""},
		{"a bare word", 404, doc, `{"error":"canary"}`, CodeInvalidRequest, "", ""},
		{"a list", 422, doc, `{"detail":[{"msg":"canary"}]}`, CodeInvalidRequest, "", ""},
		{"redirect", 307, "text/html", "", CodeUnavailable, "redirect", ""},
		{"200 page", 200, "text/html", "<html>canary</html>", CodeUnavailable, "not_an_event_stream", ""},
		{"200 error document", 200, doc, `{"error":{"code":429,"message":"canary"}}`, CodeRateLimited, "", ""},
		{"200 cut document", 200, doc, `{"choices":[{"canary`, CodeUnavailable, "not_an_event_stream", ""},
		{"200 nothing", 200, sse, "", CodeUnavailable, "empty_stream", ""},
	} {
		for _, responses := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, responses), func(t *testing.T) {
				var log bytes.Buffer
				answer := func(*http.Request) (*http.Response, error) {
					header := http.Header{"Content-Type": {c.kind}, "X-Request-Id": {"req_head"}, "Location": {"https://elsewhere.example/"}, "Retry-After-Ms": {"1500"}}
					return &http.Response{StatusCode: c.status, Header: header, Body: io.NopCloser(strings.NewReader(c.body))}, nil
				}
				logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				chat, other := testChat(t, answer), testResponses(t, answer)
				chat.log, other.log = logger, logger
				var p Provider = chat
				if responses {
					p = other
				}
				got := firstError(t, p.Stream(t.Context(), openAIRequest()))
				text := ""
				if got.Err != nil {
					text = got.Err.Error()
				}
				if got.Code != c.want || got.Type != c.wantType || c.wantText != "" && text != c.wantText || got.RequestID != "req_head" {
					t.Errorf("got %+v (%v)", got, got)
				}
				if c.status != 200 && (got.Status != c.status || got.RetryAfter != 1500*time.Millisecond) {
					t.Errorf("got status %d, retry after %v", got.Status, got.RetryAfter)
				}
				for _, secret := range []string{"canary", testKey} {
					if log.Len() == 0 || strings.Contains(got.Error(), secret) || strings.Contains(log.String(), secret) {
						t.Errorf("%q is in %q or %q", secret, got.Error(), log.String())
					}
				}
			})
		}
	}
}

func TestRetryDelay(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		ms, seconds string
		want        time.Duration
	}{
		{"", "", 0},
		{"250", "9", 250 * time.Millisecond},
		{"", "9", 9 * time.Second},
		{"soon", "9", 9 * time.Second},
		{"-1", "", 0},
		{"1e300", "", maxRetryAfter},
		{"0.5", "", 500 * time.Microsecond},
	} {
		if got := retryDelay(http.Header{"Retry-After-Ms": {c.ms}, "Retry-After": {c.seconds}}, now); got != c.want {
			t.Errorf("%q, %q: got %v", c.ms, c.seconds, got)
		}
	}
}

// chatServer writes what it is given piece by piece, each when the channel lets it, and waits until the client leaves.
func pieceServer(t *testing.T, kind string, pieces []string, next <-chan struct{}) (address string, left chan struct{}) {
	t.Helper()
	left = make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(left)
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", kind)
		for _, piece := range pieces {
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
			_, _ = io.WriteString(w, piece)
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, left
}

// A comment is a sign of life: a server that says it is still at work is not cut.
func TestCommentsAreNoSilence(t *testing.T) {
	pieces := []string{": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n", dataStream(false, wrapChoices([]string{`"delta":{"content":"hi"}`, chatStop})...)}
	ticks := time.NewTicker(60 * time.Millisecond) // what is tested is the passing of time itself
	defer ticks.Stop()
	next := make(chan struct{})
	go func() {
		defer close(next)
		for range pieces {
			<-ticks.C
			next <- struct{}{}
		}
	}()
	address, _ := pieceServer(t, "text/event-stream", pieces, next)
	chat, err := NewChat(ChatConfig{BaseURL: address, IdleTimeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if got := collect(chat.Stream(t.Context(), openAIRequest())); got.Text != "hi" || got.Code != "" {
		t.Errorf("got %+v", got)
	}
}

// A provider without streams is silent until it answers, and its one piece yields the events of a stream.
func TestWithoutStreams(t *testing.T) {
	next := make(chan struct{})
	go func() {
		<-time.After(80 * time.Millisecond) // longer than the idle time-out
		close(next)
	}()
	body := `{"object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","reasoning":"hm","tool_calls":[{"id":"a","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`
	address, _ := pieceServer(t, "application/json", []string{body}, next)
	chat, err := NewChat(ChatConfig{BaseURL: address, IdleTimeout: 20 * time.Millisecond, Without: []string{CapabilityStreams}})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []EventKind
	for e, err := range chat.Stream(t.Context(), openAIRequest()) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
	}
	want := []EventKind{EventStart, EventThinkingDelta, EventTextDelta, EventToolStart, EventBlockEnd, EventBlockEnd, EventBlockEnd, EventStop}
	if fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
}

// A range that is left, or whose context ends, ends the call upstream; nothing of it stays.
func TestOpenAICancelAndBreak(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, responses := range []bool{false, true} {
		for _, name := range []string{"cancel", "break"} {
			t.Run(fmt.Sprint(name, responses), func(t *testing.T) {
				data := "data: " + wrapChoices([]string{`"delta":{"content":"a"}`})[0] + "\n\n"
				if responses {
					data = eventStream(rsCreated, rsMessage, rsWord)
				}
				address, left := stallServer(t, "text/event-stream", data)
				client := streamClient()
				defer client.CloseIdleConnections()
				cfg := ChatConfig{BaseURL: address, HTTPClient: client}
				chat, err := NewChat(cfg)
				if err != nil {
					t.Fatal(err)
				}
				other, err := NewResponses(ResponsesConfig(cfg))
				if err != nil {
					t.Fatal(err)
				}
				var p Provider = chat
				if responses {
					p = other
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var last error
				for e, err := range p.Stream(ctx, openAIRequest()) {
					last = err
					if e.Kind != EventTextDelta {
						continue
					}
					if name == "break" {
						break
					}
					cancel()
				}
				if name == "cancel" && !errors.Is(last, context.Canceled) || name == "break" && last != nil {
					t.Errorf("got %v", last)
				}
				<-left // the upstream call is over as soon as the range is
			})
		}
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}

// checkStream reads a stream whole and in pieces: both say the same, a fault is the last word, and a whole reply has a
// stop and only blocks that can be stored.
func checkStream(t *testing.T, text string, seed uint64, start func(yield func(Event, error) bool) replyReader) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	run := func(sizes []int) string {
		var out strings.Builder
		var last Event
		yield := func(e Event, err error) bool {
			if last.Kind == EventStop || err != nil {
				t.Errorf("after the stop, or with an error: %+v, %v", e, err)
			}
			if raw := e.Block.Raw; len(raw) > 0 && !json.Valid(raw) || len(e.Block.Input) > 0 && !json.Valid(e.Block.Input) {
				t.Errorf("no JSON in %+v", e.Block)
			}
			last = e
			shown, err := json.Marshal(e)
			if err != nil {
				t.Errorf("%v: %+v", err, e)
			}
			out.Write(shown)
			return true
		}
		err := start(yield).stream(&pieces{text, sizes})
		whole := errors.Is(err, errDone)
		if whole != (last.Kind == EventStop) || whole && last.Stop == "" || !whole && err == nil {
			t.Errorf("%v after event %d with stop %q", err, last.Kind, last.Stop)
		}
		fmt.Fprint(&out, err)
		return out.String()
	}
	if whole, cut := run([]int{1 << 20}), run(randomSizes(random, len(text))); whole != cut {
		t.Fatalf("whole: %s\nin pieces: %s", whole, cut)
	}
}

func FuzzChatStream(f *testing.F) {
	for _, r := range answers(f, "openai-chat", "openai-compatible", "openrouter") {
		if r.events != nil && len(r.text) < 20_000 {
			f.Add(r.text, uint64(1))
		}
	}
	f.Add(dataStream(false, wrapChoices([]string{callDelta(`"id":"a","function":{"name":"b","arguments":"{"}`), callDelta(`"function":{"arguments":"}"}`), chatCalls})...), uint64(1))
	f.Add(dataStream(false, wrapChoices([]string{`"delta":{"reasoning_details":[{"type":"reasoning.text","text":"a","index":0},{"type":"reasoning.text","signature":"b","index":0}]}`, chatStop})...), uint64(1))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		checkStream(t, text, seed, func(yield func(Event, error) bool) replyReader {
			return &chatReply{provider: "p", model: "m", yield: yield}
		})
	})
}

func FuzzResponsesStream(f *testing.F) {
	for _, r := range answers(f, "openai-responses") {
		if r.events != nil && len(r.text) < 20_000 {
			f.Add(r.text, uint64(1))
		}
	}
	f.Add(eventStream(rsCreated, rsMessage, rsPart, rsWord, rsDone, rsCompleted), uint64(1))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		checkStream(t, text, seed, func(yield func(Event, error) bool) replyReader {
			return &responsesReply{provider: "p", model: "m", yield: yield}
		})
	})
}
