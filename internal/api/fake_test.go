package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/tool"
)

var testSecret = []byte("a secret of the host, 32 bytes at least")

const (
	ownID     = "0198f2aa-0000-7000-8000-00000000000a"
	foreignID = "0198f2aa-0000-7000-8000-00000000000b"
	messageID = "0198f2aa-0000-7000-8000-00000000000c"
)

// fakeEngine answers as the engine would, for one conversation that exists.
type fakeEngine struct {
	mu     sync.Mutex
	sent   []turn.Send
	askers []turn.Asker
	err    error
	follow func(from event.ID) (follower, error)
}

func (e *fakeEngine) note(by turn.Asker) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.askers = append(e.askers, by)
	return e.err
}

func (e *fakeEngine) find(by turn.Asker, id string) error {
	if err := e.note(by); err != nil {
		return err
	}
	if id != ownID {
		return notFound()
	}
	return nil
}

func (e *fakeEngine) Status() turn.Status { return turn.Status{Enabled: true, Answers: "model"} }

func (e *fakeEngine) Send(_ context.Context, by turn.Asker, s turn.Send) (turn.Started, error) {
	if err := e.find(by, s.ConversationID); err != nil {
		return turn.Started{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = append(e.sent, s)
	return turn.Started{ConversationID: s.ConversationID, TurnID: "t1", MessageID: s.MessageID, From: event.ID{Seq: 4}}, nil
}

func (e *fakeEngine) Complete(context.Context, turn.Asker, turn.Started) (event.Complete, error) {
	return event.Complete{TurnID: "t1", Text: "Hello.", Answers: "model", Outcome: event.OutcomeProviderError, Code: event.ProviderOverloaded, TraceID: "x"}, nil
}

func (e *fakeEngine) Follow(_ context.Context, by turn.Asker, id string, from event.ID) (follower, error) {
	if err := e.find(by, id); err != nil {
		return nil, err
	}
	return e.follow(from)
}

func (e *fakeEngine) FollowStarted(_ context.Context, _ turn.Asker, s turn.Started) (follower, error) {
	return e.follow(s.From)
}

func (e *fakeEngine) Cancel(_ context.Context, by turn.Asker, id, _ string) (bool, error) {
	return true, e.find(by, id)
}

func (e *fakeEngine) Create(_ context.Context, by turn.Asker, id, _ string) (conversation.Summary, error) {
	if id == "" {
		id = ownID
	}
	return conversation.Summary{ID: id, State: conversation.Resting}, e.note(by)
}

func (e *fakeEngine) List(_ context.Context, by turn.Asker, _ string, limit int) ([]conversation.Summary, string, error) {
	if limit == 1 {
		return []conversation.Summary{{ID: ownID, State: conversation.Resting}}, "next", e.note(by)
	}
	return nil, "", e.note(by)
}

func (e *fakeEngine) Load(_ context.Context, by turn.Asker, id string, _ int64, _ int) (conversation.View, error) {
	return conversation.View{Summary: conversation.Summary{ID: id}, Head: "4.0"}, e.find(by, id)
}

func (e *fakeEngine) Erase(_ context.Context, by turn.Asker, id string) error { return e.find(by, id) }

// script is a follower that gives one batch after another, then an error or, with none, waits.
type script struct {
	batches [][]turn.Frame
	end     error
	closed  chan struct{}
	asked   chan struct{}
}

func (s *script) Next(ctx context.Context) ([]turn.Frame, error) {
	if s.asked != nil {
		select {
		case s.asked <- struct{}{}:
		default:
		}
	}
	if len(s.batches) > 0 {
		b := s.batches[0]
		s.batches = s.batches[1:]
		return b, nil
	}
	if s.end != nil {
		return nil, s.end
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func (s *script) Close() {
	if s.closed != nil {
		close(s.closed)
	}
}

func frame(seq int64, n int, data string, terminal bool) turn.Frame {
	return turn.Frame{ID: event.ID{Seq: seq, N: n}, Data: []byte(data), Terminal: terminal}
}

func shortTurn() *script {
	return &script{batches: [][]turn.Frame{
		{frame(4, 1, `{"type":"RUN_STARTED"}`, false), frame(4, 2, `{"type":"TEXT_MESSAGE_CONTENT","delta":"a"}`, false)},
		{frame(0, 0, `{"type":"CUSTOM"}`, false)},
		{frame(5, 0, `{"type":"RUN_FINISHED"}`, true)},
	}, end: io.EOF}
}

// syncBuffer is a log that handlers write at once.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

type bench struct {
	*httptest.Server
	engine *fakeEngine
	log    *syncBuffer
}

func testConfig(tb testing.TB, log io.Writer) Config {
	tb.Helper()
	v, err := identity.New(identity.Config{
		Secret: testSecret, Audience: "steward", Now: time.Now,
		Roles: map[string][]identity.Right{
			"owner": {identity.Read, identity.Send}, "viewer": {identity.Read}, "nobody": {},
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return Config{
		Identity: v, Now: time.Now, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Contract: func(_ context.Context, by turn.Asker, rights []string) (any, error) {
			return map[string]any{"rights": rights, "locale": by.Locale}, nil
		},
		Product: Product{ID: "gym", Name: "Harbour Row"}, Locales: []string{"en", "he", "ru"}, Modes: []string{"kept"},
		Launcher: Launcher{Title: tool.Text{"en": "Ask", "he": "שאלו"}}, MaxText: 100, Version: "1",
		Origins: []string{"https://app.example"},
	}
}

// serve serves the routes over a real connection.
func serve(t *testing.T, change func(*Config)) *bench {
	t.Helper()
	b := &bench{engine: &fakeEngine{follow: func(event.ID) (follower, error) { return shortTurn(), nil }}, log: &syncBuffer{}}
	c := testConfig(t, b.log)
	if change != nil {
		change(&c)
	}
	s, err := build(c, b.engine)
	if err != nil {
		t.Fatal(err)
	}
	b.Server = httptest.NewServer(s)
	t.Cleanup(b.Close)
	return b
}

func token(tb testing.TB, role string) string {
	tb.Helper()
	s, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"sub": "m1", "aud": "steward", "roles": []string{role}, "exp": time.Now().Add(time.Hour).Unix(), "locale": "ru",
	}).SignedString(testSecret)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

type answer struct {
	status int
	header http.Header
	body   string
}

// logged waits for what runs and gives the log.
func (b *bench) logged() string {
	b.Close()
	return b.log.String()
}

// do sends a request as an owner; headers are "Name: value", an empty value takes one away.
func (b *bench) do(t *testing.T, method, target, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.URL+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token(t, "owner"))
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case name == "Host":
			req.Host = value
		case value == "":
			req.Header.Del(name)
		default:
			req.Header.Set(name, value)
		}
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return answer{res.StatusCode, res.Header, string(got)}
}

func (a answer) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("no problem document: %d %s %.200q", a.status, a.header.Get("Content-Type"), a.body)
	}
	if p.Status != a.status || p.TraceID == "" || p.TraceID != a.header.Get("Steward-Trace") || p.Title == "" || p.Detail == "" || p.Action == "" {
		t.Errorf("problem lacks something: %+v", p)
	}
	return p
}

func (e *fakeEngine) Run(context.Context, turn.Asker, turn.AgentRun) (turn.AgentStarted, error) {
	return turn.AgentStarted{}, e.err
}

func (e *fakeEngine) FollowRun(context.Context, turn.Asker, turn.AgentStarted) (follower, error) {
	return e.follow(event.ID{})
}

func (e *fakeEngine) Claim(context.Context, turn.Asker, string, string, string) error { return e.err }

func (e *fakeEngine) Answer(context.Context, turn.Asker, string, turn.Answer) error { return e.err }
