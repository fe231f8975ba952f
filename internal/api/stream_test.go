package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/turn"
)

const (
	messagesPath = "/v1/conversations/" + ownID + "/messages"
	eventsPath   = "/v1/conversations/" + ownID + "/events"
)

func TestStream(t *testing.T) {
	b := serve(t, nil)
	s := shortTurn()
	s.closed = make(chan struct{})
	b.engine.follow = func(from event.ID) (follower, error) {
		if from.Seq != 4 {
			t.Errorf("followed from %v", from)
		}
		return s, nil
	}
	a := b.do(t, "POST", messagesPath, `{"text":"hello"}`, "Accept: text/event-stream")
	want := "id: 4.1\ndata: {\"type\":\"RUN_STARTED\"}\n\n" +
		"id: 4.2\ndata: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":\"a\"}\n\n" +
		"data: {\"type\":\"CUSTOM\"}\n\n" +
		"id: 5.0\ndata: {\"type\":\"RUN_FINISHED\"}\n\n"
	if a.body != want {
		t.Errorf("got %q", a.body)
	}
	for name, value := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
	} {
		if got := a.header.Get(name); got != value {
			t.Errorf("%s: %q", name, got)
		}
	}
	<-s.closed
}

func TestResume(t *testing.T) {
	b := serve(t, nil)
	b.engine.follow = func(from event.ID) (follower, error) {
		return &script{batches: [][]turn.Frame{{frame(0, 0, fmt.Sprintf(`{"from":%q}`, from), false)}}, end: io.EOF}, nil
	}
	for last, want := range map[string]string{"12.3": "12.3", "": "0.0"} {
		a := b.do(t, "GET", eventsPath, "", "Last-Event-ID: "+last, "Accept: text/event-stream")
		if a.status != 200 || a.body != fmt.Sprintf("data: {\"from\":%q}\n\n", want) {
			t.Errorf("%q: %d %q", last, a.status, a.body)
		}
	}
}

// TestBrokenFollow holds that a stream has its end also when the follower has not.
func TestBrokenFollow(t *testing.T) {
	for name, tt := range map[string]struct {
		method string
		end    error
		code   event.Code
		logged bool
	}{
		"fault":         {"POST", errors.New("disk full"), event.Internal, true},
		"fault later":   {"GET", errors.New("disk full"), event.Internal, true},
		"no end":        {"POST", io.EOF, event.Internal, true},
		"erased":        {"POST", &turn.Refusal{Code: event.NotFound}, event.NotFound, false},
		"foreign cause": {"POST", context.DeadlineExceeded, event.Internal, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := serve(t, nil)
			b.engine.follow = func(event.ID) (follower, error) {
				return &script{batches: [][]turn.Frame{{frame(4, 1, `{"type":"RUN_STARTED"}`, false)}}, end: tt.end}, nil
			}
			var a answer
			if tt.method == "POST" {
				a = b.do(t, "POST", messagesPath, `{"text":"hello"}`, "Accept: text/event-stream", "X-Locale: en")
			} else {
				a = b.do(t, "GET", eventsPath, "")
			}
			events := strings.Split(strings.TrimSpace(a.body), "\n\n")
			last, ok := strings.CutPrefix(events[len(events)-1], "data: ")
			var e struct {
				Type, Message, Code, TraceID, Action string
				Result                               struct{ Outcome string }
			}
			if err := json.Unmarshal([]byte(last), &e); err != nil || !ok || e.Type != "RUN_ERROR" || e.Code != string(tt.code) ||
				e.TraceID != a.header.Get("Steward-Trace") || e.Message == "" || e.Action == "" || strings.Contains(a.body, "disk") {
				t.Errorf("got %q", a.body)
			}
			if log := b.logged(); tt.logged != strings.Contains(log, "level=ERROR") {
				t.Errorf("log: %s", log)
			}
		})
	}
}

func TestPanicInStream(t *testing.T) {
	b := serve(t, nil)
	b.engine.follow = func(event.ID) (follower, error) { return panicker{}, nil }
	a := b.do(t, "GET", eventsPath, "")
	if a.status != 200 || !strings.Contains(a.body, `"RUN_ERROR"`) {
		t.Errorf("%d %q", a.status, a.body)
	}
}

type panicker struct{}

func (panicker) Next(context.Context) ([]turn.Frame, error) { panic(canary) }
func (panicker) Close()                                     {}

// TestKeepAlive follows for longer than a body may take to arrive and an answer to be taken: those deadlines must not
// end a stream that is quiet.
func TestKeepAlive(t *testing.T) {
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			c := testConfig(t, io.Discard)
			c.KeepAlive, c.ReadTimeout, c.WriteTimeout = 60*time.Millisecond, 30*time.Millisecond, 30*time.Millisecond
			s, err := build(c, &fakeEngine{follow: func(event.ID) (follower, error) {
				return &script{batches: [][]turn.Frame{{frame(4, 1, `{}`, false)}}}, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			srv := httptest.NewUnstartedServer(s)
			srv.EnableHTTP2 = protocol == "HTTP/2.0"
			srv.StartTLS()
			t.Cleanup(srv.Close)
			res := (&bench{Server: srv}).open(t, http.MethodPost, messagesPath, `{"text":"hello"}`)
			defer res.Body.Close()
			if res.Proto != protocol {
				t.Fatal(res.Proto)
			}
			lines, n := bufio.NewScanner(res.Body), 0
			for n < 3 && lines.Scan() {
				if lines.Text() == ": keep-alive" {
					n++
				}
			}
			if n < 3 {
				t.Errorf("ended after %d: %v", n, lines.Err())
			}
		})
	}
}

// open begins a stream, which lasts until the test ends or closes the body.
func (b *bench) open(t *testing.T, method, path, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token(t, "owner"))
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	res, err := b.Client().Transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestHangingUpDetaches(t *testing.T) {
	b := serve(t, nil)
	s := &script{closed: make(chan struct{})}
	b.engine.follow = func(event.ID) (follower, error) { return s, nil }
	res := b.open(t, http.MethodGet, eventsPath, "")
	_ = res.Body.Close()
	<-s.closed
	if log := b.logged(); strings.Contains(log, "ERROR") {
		t.Errorf("log: %s", log)
	}
}

// flood never runs dry.
type flood struct {
	data   []byte
	closed chan struct{}
}

func (f *flood) Next(ctx context.Context) ([]turn.Frame, error) {
	return []turn.Frame{{Data: f.data}}, ctx.Err()
}
func (f *flood) Close() { close(f.closed) }

// TestReaderThatNeverReads is cut.
func TestReaderThatNeverReads(t *testing.T) {
	b := serve(t, func(c *Config) { c.WriteTimeout = 100 * time.Millisecond })
	f := &flood{data: []byte(`"` + strings.Repeat("a", 32<<10) + `"`), closed: make(chan struct{})}
	b.engine.follow = func(event.ID) (follower, error) { return f, nil }
	conn, err := net.Dial("tcp", b.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", eventsPath, token(t, "owner")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-f.closed:
	case <-time.After(10 * time.Second):
		t.Fatal("it was not cut")
	}
}

// TestConnectionGoesOn asks another handler of the same server over the connection of a stream that has ended, when the
// stream's own deadlines are past.
func TestConnectionGoesOn(t *testing.T) {
	c := testConfig(t, io.Discard)
	c.WriteTimeout, c.ReadTimeout = 50*time.Millisecond, 50*time.Millisecond
	s, err := build(c, &fakeEngine{follow: func(event.ID) (follower, error) { return shortTurn(), nil }})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", s)
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the host's")) })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	for _, request := range []string{
		fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"text\":\"hello\"}",
			messagesPath, token(t, "owner")),
		"GET /page HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatalf("%.12q: %v", request, err)
		}
		if b, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%.12q: %d %v %s", request, res.StatusCode, err, b)
		}
		_ = res.Body.Close()
		<-time.After(100 * time.Millisecond) // the deadlines are the socket's, on the machine's clock
	}
}

func TestFrameStaysOneEvent(t *testing.T) {
	got := string(appendFrame(nil, turn.Frame{ID: event.ID{Seq: 1, N: 2}, Data: []byte("{\n\"a\":\r\n1}")}))
	if got != "id: 1.2\ndata: {\"a\":1}\n\n" {
		t.Errorf("got %q", got)
	}
}
