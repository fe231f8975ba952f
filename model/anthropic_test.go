package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// testKey is the key of every test; it must never be seen in an error or a log.
const testKey = "sk-ant-canary-5f0e"

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func testClient(tb testing.TB, f roundTrip) *Anthropic {
	tb.Helper()
	a, err := NewAnthropic(AnthropicConfig{Key: testKey, HTTPClient: &http.Client{Transport: f}})
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func testRequest() Request {
	return Request{
		Model:           "claude-sonnet-5",
		MaxOutputTokens: 1024,
		Messages:        []Message{{Role: RoleUser, Blocks: []Block{{Kind: BlockText, Text: "canary-prompt"}}}},
	}
}

// eventStream is a stream of the given data lines.
func eventStream(data ...string) string {
	return recordedReply{events: data}.stream("\n")
}

const (
	evStart     = `{"type":"message_start","message":{"id":"m","model":"claude-sonnet-5","content":[],"usage":{"input_tokens":1}}}`
	evText      = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	evWord      = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"canary-reply"}}`
	evBlockStop = `{"type":"content_block_stop","index":0}`
	evEnd       = `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`
	evStop      = `{"type":"message_stop"}`
)

func TestNewAnthropic(t *testing.T) {
	for _, c := range []struct {
		cfg  AnthropicConfig
		want string // of the error, or the address
	}{
		{AnthropicConfig{Key: "k"}, "https://api.anthropic.com/v1/messages"},
		{AnthropicConfig{Key: "k", BaseURL: "http://127.0.0.1:9/"}, "http://127.0.0.1:9/v1/messages"},
		{AnthropicConfig{Key: "k", BaseURL: "https://gw.example/anthropic/v1/"}, "https://gw.example/anthropic/v1/messages"},
		{AnthropicConfig{}, "Key must be set"},
		{AnthropicConfig{Key: "a\nb"}, "Key must be set"},
		{AnthropicConfig{Key: "k", BaseURL: "ftp://x"}, "BaseURL must be"},
		{AnthropicConfig{Key: "k", BaseURL: "https://user:pw@x"}, "BaseURL must have no user"},
		{AnthropicConfig{Key: "k", AuthHeader: "cookie"}, "AuthHeader must be"},
		{AnthropicConfig{Key: "k", Version: "a b"}, "Version must look like"},
		{AnthropicConfig{Key: "k", HTTPClient: &http.Client{Timeout: 1}}, "HTTPClient.Timeout must be zero"},
	} {
		a, err := NewAnthropic(c.cfg)
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && a.url != c.want {
			t.Errorf("%+v: got %v, %v; want %q", c.cfg, a, err, c.want)
		}
	}
}

func TestAnthropicHeaders(t *testing.T) {
	for _, c := range []struct{ auth, name, want string }{
		{"", "X-Api-Key", testKey}, {AuthAPIKey, "X-Api-Key", testKey}, {AuthBearer, "Authorization", "Bearer " + testKey},
	} {
		var got *http.Request
		a, err := NewAnthropic(AnthropicConfig{Key: testKey, AuthHeader: c.auth, HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			got = r
			return nil, io.ErrUnexpectedEOF
		})}})
		if err != nil {
			t.Fatal(err)
		}
		collect(a.Stream(t.Context(), testRequest()))
		if got.Header.Get(c.name) != c.want || got.Header.Get("Anthropic-Version") != AnthropicVersion ||
			(got.Header.Get("Authorization") != "") != (c.auth == AuthBearer) {
			t.Errorf("auth %q: got %v", c.auth, got.Header)
		}
	}
}

// firstError ranges over a stream and gives its error.
func firstError(t *testing.T, seq func(func(Event, error) bool)) *Error {
	t.Helper()
	var fault *Error
	seq(func(_ Event, err error) bool {
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%v is no *Error", err)
		}
		return true
	})
	if fault == nil {
		t.Fatal("the stream had no error")
	}
	return fault
}

func TestAnthropicErrors(t *testing.T) {
	fault := func(kind, message string) string {
		return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_body"}`, kind, message)
	}
	const sse = "text/event-stream"
	for _, c := range []struct {
		name       string
		status     int
		kind, body string
		want       Code
		wantType   string
		wantText   string
	}{
		{"400", 400, "application/json", fault("invalid_request_error", "messages.1.content.0.tool_use_id: canary-prompt"), CodeInvalidRequest, "invalid_request_error", "refused at messages.1.content.0.tool_use_id"},
		{"400 quoting", 400, "application/json", fault("invalid_request_error", "canary-prompt: no"), CodeInvalidRequest, "invalid_request_error", ""},
		{"400 low credit", 400, "application/json", fault("invalid_request_error", "Your credit balance is too low to access the API"), CodeOutOfCredit, "invalid_request_error", ""},
		{"400 spend limit", 400, "application/json", fault("invalid_request_error", "You have reached your specified API usage limits."), CodeOutOfCredit, "invalid_request_error", ""},
		{"401", 401, "application/json", fault("authentication_error", "invalid x-api-key "+testKey), CodeUnauthorized, "authentication_error", ""},
		{"402", 402, "application/json", fault("billing_error", "pay"), CodeOutOfCredit, "billing_error", ""},
		{"403", 403, "application/json", fault("permission_error", ""), CodeUnauthorized, "permission_error", ""},
		{"404", 404, "application/json", fault("not_found_error", "model: canary-prompt"), CodeInvalidRequest, "not_found_error", "refused at model"},
		{"408", 408, "", "", CodeUnavailable, "", ""},
		{"413", 413, "application/json", fault("request_too_large", ""), CodeInvalidRequest, "request_too_large", ""},
		{"429", 429, "application/json", fault("rate_limit_error", ""), CodeRateLimited, "rate_limit_error", ""},
		{"500", 500, "application/json", fault("api_error", ""), CodeUnavailable, "api_error", ""},
		{"500 overloaded", 500, "application/json", fault("overloaded_error", ""), CodeOverloaded, "overloaded_error", ""},
		{"529", 529, "text/html", "<html>canary-reply</html>", CodeOverloaded, "", ""},
		{"502 page", 502, "text/html", "<html>" + strings.Repeat("canary-reply", 20_000), CodeUnavailable, "", ""},
		{"type with words", 500, "application/json", fault("canary prompt", ""), CodeUnavailable, "", ""},
		{"redirect", 307, "text/html", "", CodeUnavailable, "redirect", ""},
		{"200 page", 200, "text/html", "<html>canary-reply</html>", CodeUnavailable, "not_an_event_stream", ""},
		{"200 without a type", 200, "", "canary-reply", CodeUnavailable, "not_an_event_stream", ""},
		{"200 error document", 200, "application/json", fault("overloaded_error", "x"), CodeOverloaded, "overloaded_error", ""},
		{"200 other document", 200, "application/json", `{"canary-reply":1}`, CodeUnavailable, "not_an_event_stream", ""},
		{"200 cut document", 200, "application/json", `{"type":"message","canary-reply`, CodeUnavailable, "not_an_event_stream", ""},
		{"200 document without stop", 200, "application/json", `{"type":"message","content":[]}`, CodeUnavailable, "no_stop_reason", ""},
		{"first event", 200, sse, eventStream(fault("overloaded_error", "Overloaded")), CodeOverloaded, "overloaded_error", ""},
		{"first event by name", 200, sse, "event: error\ndata: {\"error\":{\"type\":\"rate_limit_error\"}}\n\n", CodeRateLimited, "rate_limit_error", ""},
		{"mid-stream", 200, sse, eventStream(evStart, evText, evWord, fault("api_error", "canary-prompt")), CodeUnavailable, "api_error", ""},
		{"mid-stream overloaded", 200, sse, eventStream(evStart, evText, evWord, fault("overloaded_error", "")), CodeOverloaded, "overloaded_error", ""},
		{"mid-stream unknown", 200, sse, eventStream(evStart, fault("novel_error", "")), CodeUnavailable, "", ""},
		{"mid-stream auth", 200, sse, eventStream(evStart, fault("authentication_error", "")), CodeUnauthorized, "authentication_error", ""},
		{"nothing", 200, sse, "", CodeUnavailable, "empty_stream", ""},
		{"cut", 200, sse, eventStream(evStart, evText, evWord), CodeUnavailable, "stream_cut", ""},
		{"stop reason and no message_stop", 200, sse, eventStream(evStart, evText, evWord, evBlockStop, evEnd), CodeUnavailable, "stream_cut", ""},
		{"message_stop and no stop reason", 200, sse, eventStream(evStart, evText, evWord, evBlockStop, evStop), CodeUnavailable, "no_stop_reason", ""},
		{"unknown stop reason", 200, sse, eventStream(evStart, `{"type":"message_delta","delta":{"stop_reason":"canary"}}`, evStop), CodeUnavailable, "unknown_stop_reason", ""},
		{"not JSON", 200, sse, eventStream(evStart, "canary-reply"), CodeUnavailable, "malformed_event", ""},
		{"wrong types", 200, sse, eventStream(evStart, `{"type":"content_block_start","index":"canary-reply"}`), CodeUnavailable, "malformed_event", ""},
		{"no start", 200, sse, eventStream(evText), CodeUnavailable, "no_message_start", ""},
		{"words of no block", 200, sse, eventStream(evStart, evWord), CodeUnavailable, "block_order", ""},
		{"bad escape", 200, sse, eventStream(evStart, evText, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\xcanary"}}`), CodeUnavailable, "malformed_event", ""},
		{"block twice", 200, sse, eventStream(evStart, evText, evText), CodeUnavailable, "block_order", ""},
		{"end twice", 200, sse, eventStream(evStart, evText, evBlockStop, evBlockStop), CodeUnavailable, "block_order", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			a := testClient(t, func(*http.Request) (*http.Response, error) {
				header := http.Header{"Content-Type": {c.kind}, "Request-Id": {"req_head"}, "Location": {"https://elsewhere.example/"}}
				return &http.Response{StatusCode: c.status, Header: header, Body: io.NopCloser(strings.NewReader(c.body))}, nil
			})
			a.log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			got := firstError(t, a.Stream(t.Context(), testRequest()))
			text := ""
			if got.Err != nil {
				text = got.Err.Error()
			}
			if got.Code != c.want || got.Type != c.wantType || c.wantText != "" && text != c.wantText || got.RequestID != "req_head" {
				t.Errorf("got %+v (%v)", got, got)
			}
			if c.status != 200 && got.Status != c.status {
				t.Errorf("got status %d", got.Status)
			}
			if log.Len() == 0 {
				t.Error("nothing was logged")
			}
			for _, secret := range []string{"canary", testKey} {
				if strings.Contains(got.Error(), secret) || strings.Contains(log.String(), secret) {
					t.Errorf("%q is in %q or %q", secret, got.Error(), log.String())
				}
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "1.5": 1500 * time.Millisecond, "-3": 0, "NaN": 0, "soon": 0, "1e300": maxRetryAfter, "Inf": maxRetryAfter,
		"Mon, 30 Nov 2026 12:00:30 GMT": 30 * time.Second, "Mon, 30 Nov 2020 12:00:30 GMT": 0,
	} {
		if got := retryAfter(header, func() time.Time { return now }); got != want {
			t.Errorf("%q: got %v, want %v", header, got, want)
		}
	}
}

func TestUnreachable(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := NewAnthropic(AnthropicConfig{Key: testKey, BaseURL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	if got := firstError(t, a.Stream(t.Context(), testRequest())); got.Code != CodeUnreachable || strings.Contains(got.Error(), testKey) {
		t.Errorf("got %v", got)
	}
}

// stallServer sends what it is given, then nothing, until the client leaves; left is closed then.
func stallServer(t *testing.T, kind string, data string) (address string, left chan struct{}) {
	t.Helper()
	left = make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if data != "" {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, data)
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
		close(left)
	}))
	t.Cleanup(server.Close)
	return server.URL, left
}

func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		name, data  string
		idle, total time.Duration
		want        string
	}{
		{"silent from the start", "", 30 * time.Millisecond, -1, "idle_timeout"},
		{"silent in the middle", eventStream(evStart, evText, evWord), 30 * time.Millisecond, -1, "idle_timeout"},
		{"too long in all", eventStream(evStart), -1, 30 * time.Millisecond, "timeout"},
		{"too long before the answer", "", -1, 30 * time.Millisecond, "timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, left := stallServer(t, "text/event-stream", c.data)
			a, err := NewAnthropic(AnthropicConfig{Key: testKey, BaseURL: address, IdleTimeout: c.idle, Timeout: c.total})
			if err != nil {
				t.Fatal(err)
			}
			if got := firstError(t, a.Stream(t.Context(), testRequest())); got.Code != CodeUnavailable || got.Type != c.want {
				t.Errorf("got %v", got)
			}
			<-left
		})
	}
}

// A consumer that takes its time is no silent provider.
func TestSlowConsumer(t *testing.T) {
	goOn := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, eventStream(evStart))
		_ = http.NewResponseController(w).Flush()
		<-goOn
		_, _ = io.WriteString(w, eventStream(evText, evWord, evBlockStop, evEnd, evStop))
	}))
	defer server.Close()
	a, err := NewAnthropic(AnthropicConfig{Key: testKey, BaseURL: server.URL, IdleTimeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range a.Stream(t.Context(), testRequest()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == EventStart {
			<-time.After(150 * time.Millisecond) // what is tested is the passing of time itself
			close(goOn)
		}
	}
}

func TestCancelAndBreak(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, name := range []string{"cancel", "cancel with cause", "break", "deadline"} {
		t.Run(name, func(t *testing.T) {
			address, left := stallServer(t, "text/event-stream", eventStream(evStart, evText, evWord))
			client := streamClient()
			defer client.CloseIdleConnections()
			a, err := NewAnthropic(AnthropicConfig{Key: testKey, BaseURL: address, HTTPClient: client})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			want := context.Canceled
			if name == "deadline" {
				limited, stop := context.WithTimeout(ctx, 50*time.Millisecond)
				defer stop()
				ctx, want = limited, context.DeadlineExceeded
			}
			var last error
			for e, err := range a.Stream(ctx, testRequest()) {
				last = err
				if e.Kind != EventTextDelta {
					continue
				}
				if name == "break" {
					break
				}
				if name == "cancel" {
					cancel(nil)
				}
				if name == "cancel with cause" {
					cancel(errors.New("the member stopped"))
				}
			}
			if name == "break" {
				if last != nil {
					t.Errorf("got %v", last)
				}
			} else if !errors.Is(last, want) {
				t.Errorf("got %v, want %v", last, want)
			}
			<-left // the upstream call is over as soon as the range is
		})
	}
	// The servers are closed; what is left of this test would be ours.
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}

// A connection whose reply was read to its end serves the next call.
func TestConnectionIsUsedAgain(t *testing.T) {
	seen := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, eventStream(evStart, evText, evWord, evBlockStop, evEnd, evStop))
		_ = http.NewResponseController(w).Flush()
		<-seen // the end of the body comes after message_stop was told
	}))
	opened := make(chan struct{}, 10)
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	a, err := NewAnthropic(AnthropicConfig{Key: testKey, BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for e, err := range a.Stream(t.Context(), testRequest()) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == EventStop {
				seen <- struct{}{}
			}
		}
	}
	if len(opened) != 1 {
		t.Errorf("%d connections were opened", len(opened))
	}
}

func TestStreamIsUsedOnce(t *testing.T) {
	a := testClient(t, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(eventStream(evStart, evEnd, evStop)))}, nil
	})
	seq := a.Stream(t.Context(), testRequest())
	if got := collect(seq); got.Stop != StopEndTurn {
		t.Errorf("got %+v", got)
	}
	if got := firstError(t, seq); !errors.Is(got, errTwice) {
		t.Errorf("got %v", got)
	}
}
