package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/turn"
)

// canary stands in every value that a test sends and in no name.
const canary = "canary7f3a91"

func TestBadInput(t *testing.T) {
	const (
		all      = "/v1/conversations"
		one      = all + "/" + ownID
		messages = one + "/messages"
		events   = one + "/events"
	)
	text := func(more string) string { return `{"text":"` + canary + `"` + more + `}` }
	for _, tt := range []struct {
		name, method, target, body string
		headers                    []string
		status                     int
		code                       event.Code
		field                      string
	}{
		{name: "no token", method: "GET", target: all, headers: []string{"Authorization: "}, status: 401, code: event.Unauthorized, field: "Authorization"},
		{name: "bad token", method: "GET", target: all, headers: []string{"Authorization: Bearer " + canary}, status: 401, code: event.Unauthorized, field: "Authorization"},
		{name: "long token", method: "GET", target: all, headers: []string{"Authorization: Bearer " + strings.Repeat(canary, 800)}, status: 401, code: event.Unauthorized, field: "Authorization"},
		{name: "basic", method: "GET", target: all, headers: []string{"Authorization: Basic " + canary}, status: 401, code: event.Unauthorized, field: "Authorization"},
		{name: "token in query", method: "GET", target: all + "?access_token=" + canary, status: 400, code: event.BadRequest, field: "access_token"},
		{name: "token in query of status", method: "GET", target: "/v1/status?token=" + canary, status: 400, code: event.BadRequest, field: "token"},
		{name: "unknown query", method: "GET", target: all + "?page=" + canary, status: 400, code: event.BadRequest, field: "page"},
		{name: "unknown query of the contract", method: "GET", target: "/v1/contract?a=" + canary, status: 400, code: event.BadRequest, field: "a"},
		{name: "unknown query of status", method: "GET", target: "/v1/status?a=" + canary, status: 400, code: event.BadRequest, field: "a"},
		{name: "unknown query of messages", method: "POST", target: messages + "?a=" + canary, body: text(""), status: 400, code: event.BadRequest, field: "a"},
		{name: "unknown query of events", method: "GET", target: events + "?a=" + canary, status: 400, code: event.BadRequest, field: "a"},
		{name: "query name made up of a value", method: "GET", target: all + "?" + canary + "%20" + canary + "=1", status: 400, code: event.BadRequest, field: "*"},
		{name: "query in another case", method: "GET", target: all + "?Limit=1", status: 400, code: event.BadRequest, field: "Limit"},
		{name: "query twice", method: "GET", target: all + "?limit=1&limit=2", status: 400, code: event.BadRequest, field: "limit"},
		{name: "query badly encoded", method: "GET", target: all + "?limit=%zz" + canary, status: 400, code: event.BadRequest, field: "query"},
		{name: "limit of zero", method: "GET", target: all + "?limit=0", status: 400, code: event.BadRequest, field: "limit"},
		{name: "limit too high", method: "GET", target: all + "?limit=101", status: 400, code: event.BadRequest, field: "limit"},
		{name: "limit as text", method: "GET", target: all + "?limit=" + canary, status: 400, code: event.BadRequest, field: "limit"},
		{name: "limit beyond numbers", method: "GET", target: one + "?limit=99999999999999999999", status: 400, code: event.BadRequest, field: "limit"},
		{name: "before below one", method: "GET", target: one + "?before=-1", status: 400, code: event.BadRequest, field: "before"},
		{name: "long cursor", method: "GET", target: all + "?cursor=" + strings.Repeat(canary, 30), status: 400, code: event.BadRequest, field: "cursor"},
		{name: "cursor with a control character", method: "GET", target: all + "?cursor=%00", status: 400, code: event.BadRequest, field: "cursor"},
		{name: "empty cursor", method: "GET", target: all + "?cursor=", status: 400, code: event.BadRequest, field: "cursor"},
		{name: "locale", method: "GET", target: all, headers: []string{"X-Locale: !" + canary}, status: 400, code: event.BadRequest, field: "X-Locale"},
		{name: "locale of status", method: "GET", target: "/v1/status", headers: []string{"X-Locale: " + strings.Repeat("en-", 30)}, status: 400, code: event.BadRequest, field: "X-Locale"},
		{name: "method", method: "PUT", target: all, status: 400, code: event.BadRequest, field: "method"},
		{name: "method of status", method: "POST", target: "/v1/status", status: 400, code: event.BadRequest, field: "method"},
		{name: "made up method", method: "BREW", target: messages, status: 400, code: event.BadRequest, field: "method"},
		{name: "body where none is", method: "GET", target: all, body: text(""), status: 400, code: event.BadRequest, field: "body"},
		{name: "body of a deletion", method: "DELETE", target: one, body: text(""), status: 400, code: event.BadRequest, field: "body"},

		{name: "load no UUID", method: "GET", target: all + "/" + canary, status: 404, code: event.NotFound},
		{name: "load dots", method: "GET", target: all + "/..%2f" + canary, status: 404, code: event.NotFound},
		{name: "double slash", method: "GET", target: "//v1/" + canary, status: 404, code: event.NotFound},
		{name: "no such route", method: "GET", target: "/v1/" + canary, status: 404, code: event.NotFound},
		{name: "erase no UUID", method: "DELETE", target: all + "/" + canary, status: 404, code: event.NotFound},
		{name: "cancel no UUID", method: "POST", target: all + "/" + canary + "/cancel", body: "{}", status: 404, code: event.NotFound},
		{name: "events of no UUID", method: "GET", target: all + "/" + canary + "/events", status: 404, code: event.NotFound},
		{name: "message to no UUID", method: "POST", target: all + "/" + canary + "/messages", body: text(""), status: 400, code: event.BadRequest, field: "id"},

		{name: "Last-Event-ID", method: "GET", target: events, headers: []string{"Last-Event-ID: " + canary}, status: 400, code: event.BadRequest, field: "Last-Event-ID"},
		{name: "Last-Event-ID with a sign", method: "GET", target: events, headers: []string{"Last-Event-ID: +1.2"}, status: 400, code: event.BadRequest, field: "Last-Event-ID"},
		{name: "Last-Event-ID negative", method: "GET", target: events, headers: []string{"Last-Event-ID: -1.0"}, status: 400, code: event.BadRequest, field: "Last-Event-ID"},
		{name: "Last-Event-ID too long", method: "GET", target: events, headers: []string{"Last-Event-ID: " + strings.Repeat("1", 50) + ".1"}, status: 400, code: event.BadRequest, field: "Last-Event-ID"},
		{name: "Accept of events", method: "GET", target: events, headers: []string{"Accept: application/json"}, status: 400, code: event.BadRequest, field: "Accept"},
		{name: "Accept of messages", method: "POST", target: messages, body: text(""), headers: []string{"Accept: text/" + canary}, status: 400, code: event.BadRequest, field: "Accept"},
		{name: "Accept of weight nothing", method: "POST", target: messages, body: text(""), headers: []string{"Accept: text/event-stream;q=0"}, status: 400, code: event.BadRequest, field: "Accept"},
		{name: "Content-Type", method: "POST", target: messages, body: text(""), headers: []string{"Content-Type: text/" + canary}, status: 400, code: event.BadRequest, field: "Content-Type"},
		{name: "no Content-Type", method: "POST", target: messages, body: text(""), headers: []string{"Content-Type: "}, status: 400, code: event.BadRequest, field: "Content-Type"},
		{name: "charset", method: "POST", target: messages, body: text(""), headers: []string{"Content-Type: application/json; charset=latin1"}, status: 400, code: event.BadRequest, field: "Content-Type"},
		{name: "compressed", method: "POST", target: messages, body: text(""), headers: []string{"Content-Encoding: gzip"}, status: 400, code: event.BadRequest, field: "Content-Encoding"},

		{name: "no body", method: "POST", target: messages, headers: []string{"Content-Type: application/json"}, status: 400, code: event.BadRequest, field: "body"},
		{name: "too large", method: "POST", target: messages, body: text(`,"x":"` + strings.Repeat("a", MaxBodyBytes) + `"`), status: 413, code: event.BodyTooLarge, field: "body"},
		{name: "not JSON", method: "POST", target: messages, body: canary, status: 400, code: event.BadRequest, field: "body"},
		{name: "cut", method: "POST", target: messages, body: `{"text":"` + canary, status: 400, code: event.BadRequest, field: "body"},
		{name: "more behind it", method: "POST", target: messages, body: text("") + text(""), status: 400, code: event.BadRequest, field: "body"},
		{name: "no object", method: "POST", target: messages, body: `["` + canary + `"]`, status: 400, code: event.BadRequest, field: "body"},
		{name: "null", method: "POST", target: messages, body: `null`, status: 400, code: event.BadRequest, field: "body"},
		{name: "invalid UTF-8", method: "POST", target: messages, body: "{\"text\":\"" + canary + "\xff\"}", status: 400, code: event.BadRequest, field: "body"},
		{name: "no text", method: "POST", target: messages, body: `{}`, status: 400, code: event.BadRequest, field: "text"},
		{name: "blank text", method: "POST", target: messages, body: `{"text":" \n\t"}`, status: 400, code: event.BadRequest, field: "text"},
		{name: "long text", method: "POST", target: messages, body: `{"text":"` + strings.Repeat("я", 101) + `"}`, status: 400, code: event.BadRequest, field: "text"},
		{name: "text of a wrong type", method: "POST", target: messages, body: `{"text":["` + canary + `"]}`, status: 400, code: event.BadRequest, field: "text"},
		{name: "text null", method: "POST", target: messages, body: `{"text":null}`, status: 400, code: event.BadRequest, field: "text"},
		{name: "NUL", method: "POST", target: messages, body: `{"text":"` + canary + `\u0000"}`, status: 400, code: event.BadRequest, field: "text"},
		{name: "unknown key", method: "POST", target: messages, body: text(`,"mood":"` + canary + `"`), status: 400, code: event.BadRequest, field: "mood"},
		{name: "key that is no name", method: "POST", target: messages, body: text(`,"` + canary + ` ` + canary + `":1`), status: 400, code: event.BadRequest, field: "*"},
		{name: "wrong case", method: "POST", target: messages, body: text(`,"clientID":"` + canary + `"`), status: 400, code: event.BadRequest, field: "clientID"},
		{name: "duplicate", method: "POST", target: messages, body: text(`,"text":"` + canary + `"`), status: 400, code: event.BadRequest, field: "text"},
		{name: "duplicate in another writing", method: "POST", target: messages, body: text(`,"t\u0065xt":"` + canary + `"`), status: 400, code: event.BadRequest, field: "text"},
		{name: "duplicate within", method: "POST", target: messages, body: text(`,"page":{"route":"/","route":"/` + canary + `"}`), status: 400, code: event.BadRequest, field: "page.route"},
		{name: "duplicate in free JSON", method: "POST", target: messages, body: text(`,"page":{"route":"/","selection":{"a":1,"a":"` + canary + `"}}`), status: 400, code: event.BadRequest, field: "page.selection.a"},
		{name: "too deep", method: "POST", target: messages, body: text(`,"page":{"route":"/","selection":` + strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40) + `}`), status: 400, code: event.BadRequest, field: "page.selection" + strings.Repeat("[0]", 30)},
		{name: "capability of a wrong type", method: "POST", target: messages, body: text(`,"capabilities":["navigate",{"a":"` + canary + `"}]`), status: 400, code: event.BadRequest, field: "capabilities[1]"},
		{name: "too many capabilities", method: "POST", target: messages, body: text(`,"capabilities":["a"` + strings.Repeat(`,"a"`, 40) + `]`), status: 400, code: event.BadRequest, field: "capabilities"},
		{name: "id", method: "POST", target: messages, body: text(`,"id":"` + canary + `"`), status: 400, code: event.BadRequest, field: "id"},
		{name: "retryOf", method: "POST", target: messages, body: text(`,"retryOf":"{` + ownID + `}"`), status: 400, code: event.BadRequest, field: "retryOf"},
		{name: "engine", method: "POST", target: messages, body: text(`,"engine":"` + canary + `"`), status: 400, code: event.BadRequest, field: "engine"},
		{name: "queue", method: "POST", target: messages, body: text(`,"queue":"` + canary + `"`), status: 400, code: event.BadRequest, field: "queue"},
		{name: "clientId", method: "POST", target: messages, body: text(`,"clientId":"` + strings.Repeat(canary, 9) + `"`), status: 400, code: event.BadRequest, field: "clientId"},
		{name: "create id", method: "POST", target: all, body: `{"id":"` + canary + `"}`, status: 400, code: event.BadRequest, field: "id"},
		{name: "create unknown key", method: "POST", target: all, body: `{"title":"` + canary + `"}`, status: 400, code: event.BadRequest, field: "title"},
		{name: "cancel unknown key", method: "POST", target: one + "/cancel", body: `{"why":"` + canary + `"}`, status: 400, code: event.BadRequest, field: "why"},
		{name: "cancel no object", method: "POST", target: one + "/cancel", body: `"` + canary + `"`, status: 400, code: event.BadRequest, field: "body"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := serve(t, nil)
			a := b.do(t, tt.method, tt.target, tt.body, tt.headers...)
			p := a.problem(t)
			if a.status != tt.status || p.Code != tt.code || p.Field != tt.field {
				t.Errorf("got %d %s %q, want %d %s %q: %s", a.status, p.Code, p.Field, tt.status, tt.code, tt.field, a.body)
			}
			if strings.Contains(a.body, canary) || strings.Contains(fmt.Sprint(a.header), canary) {
				t.Errorf("the answer repeats what was sent: %s %v", a.body, a.header)
			}
			if log := b.logged(); strings.Contains(log, canary) || !strings.Contains(log, p.TraceID) {
				t.Errorf("log: %s", log)
			}
			if len(b.engine.sent) > 0 {
				t.Error("it reached the engine")
			}
		})
	}
}

func TestLimitIsNamed(t *testing.T) {
	b := serve(t, nil)
	a := b.do(t, "POST", "/v1/conversations", `{"id":"`+strings.Repeat("a", MaxBodyBytes)+`"}`)
	if p := a.problem(t); a.status != http.StatusRequestEntityTooLarge || !strings.Contains(p.Detail, "262144") {
		t.Errorf("%d %s", a.status, p.Detail)
	}
}

func TestEndlessBody(t *testing.T) {
	b := serve(t, nil)
	r, w := io.Pipe()
	go func() {
		for {
			if _, err := w.Write([]byte(strings.Repeat(" ", 4096))); err != nil {
				return
			}
		}
	}()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/v1/conversations", r)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token(t, "owner"))
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", res.StatusCode)
	}
}

// TestHalfSent announces a body and sends a part of it, with a sound token and with none.
func TestHalfSent(t *testing.T) {
	for name, tt := range map[string]struct {
		authorization string
		status        int
	}{"member": {"Bearer " + token(t, "owner"), 400}, "nobody": {"Bearer x", 401}} {
		t.Run(name, func(t *testing.T) {
			b := serve(t, func(c *Config) { c.ReadTimeout = 50 * time.Millisecond })
			conn, err := net.Dial("tcp", b.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_, err = fmt.Fprintf(conn, "POST /v1/conversations/%s/messages HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"text\":", ownID, tt.authorization)
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(conn) // until the server closes it
			if err != nil || !strings.HasPrefix(string(got), fmt.Sprintf("HTTP/1.1 %d", tt.status)) {
				t.Errorf("%v: %s", err, got)
			}
		})
	}
}

func TestEngineErrors(t *testing.T) {
	for _, tt := range []struct {
		err    error
		status int
		code   event.Code
		retry  string
	}{
		{&turn.Refusal{Code: event.TurnInProgress}, 409, event.TurnInProgress, ""},
		{&turn.Refusal{Code: event.BudgetExhausted, Scope: "org", RetryAfter: 1500 * time.Millisecond}, 429, event.BudgetExhausted, "2"},
		{fmt.Errorf("send: %w", &turn.Refusal{Code: event.AgentDisabled}), 503, event.AgentDisabled, "60"},
		{&turn.Refusal{Code: event.Overloaded}, 503, event.Overloaded, "5"},
		{&turn.Refusal{Code: "no_such_code"}, 500, event.Internal, ""},
		{&turn.Refusal{Code: event.Aborted}, 500, event.Internal, ""}, // a code that is never an answer
		{errors.New("disk full"), 500, event.Internal, ""},
	} {
		b := serve(t, nil)
		b.engine.err = tt.err
		a := b.do(t, "POST", "/v1/conversations/"+ownID+"/messages", `{"text":"hello"}`, "Accept: text/event-stream")
		p := a.problem(t)
		if a.status != tt.status || p.Code != tt.code || a.header.Get("Retry-After") != tt.retry {
			t.Errorf("%v: got %d %s, retry after %q", tt.err, a.status, p.Code, a.header.Get("Retry-After"))
		}
		if strings.Contains(a.body, "disk") {
			t.Error("an internal error was sent")
		}
		if log := b.logged(); tt.status == 500 && (!strings.Contains(log, p.TraceID) || !strings.Contains(log, "ERROR")) {
			t.Errorf("not logged: %s", log)
		}
	}
}

// TestEveryCodeHasWords reads each code's problem in each language.
func TestEveryCodeHasWords(t *testing.T) {
	for _, fact := range event.Facts {
		if fact.Status == 0 {
			continue
		}
		for _, locale := range []string{"en", "he", "ru"} {
			b := serve(t, nil)
			b.engine.err = &turn.Refusal{Code: fact.Code}
			a := b.do(t, "GET", "/v1/conversations", "", "X-Locale: "+locale)
			p := a.problem(t)
			if p.Code != fact.Code || p.Action != fact.Action || a.status != fact.Status || strings.HasPrefix(p.Title, "code.") || strings.HasPrefix(p.Detail, "code.") {
				t.Errorf("%s in %s: %s", fact.Code, locale, a.body)
			}
		}
	}
}

func TestPanic(t *testing.T) {
	b := serve(t, func(c *Config) { c.MaxText = 20 })
	b.engine.follow = func(event.ID) (follower, error) { panic("words of " + canary) }
	a := b.do(t, "GET", "/v1/conversations/"+ownID+"/events", "")
	p := a.problem(t)
	if a.status != 500 || p.Code != event.Internal {
		t.Errorf("%d %s", a.status, a.body)
	}
	if log := b.logged(); strings.Contains(log, canary) || !strings.Contains(log, "level=ERROR msg=panic trace="+p.TraceID) {
		t.Errorf("log: %s", log)
	}
}

// TestSameBody holds that another's conversation looks like one that never was.
func TestSameBody(t *testing.T) {
	b := serve(t, nil)
	for _, tt := range []struct{ method, path, body string }{
		{"GET", "", ""},
		{"DELETE", "", ""},
		{"GET", "/events", ""},
		{"POST", "/cancel", "{}"},
	} {
		var bodies []string
		for _, id := range []string{foreignID, "0198f2aa-0000-7000-8000-0000000000ff", "no-uuid"} {
			a := b.do(t, tt.method, "/v1/conversations/"+id+tt.path, tt.body)
			var p map[string]any
			if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.status != 404 {
				t.Fatalf("%s: %d %s", id, a.status, a.body)
			}
			bodies = append(bodies, strings.ReplaceAll(a.body, fmt.Sprint(p["traceId"]), ""))
		}
		if bodies[0] != bodies[1] || bodies[1] != bodies[2] {
			t.Errorf("%s %s: %q", tt.method, tt.path, bodies)
		}
	}
}
