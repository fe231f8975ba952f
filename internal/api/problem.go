package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/internal/words"
)

// problem is a problem document (RFC 9457). It never holds a value that was sent.
type problem struct {
	Type   string     `json:"type" doc:"Names the kind of problem; one for each code."`
	Title  string     `json:"title" doc:"A short sentence in the request's language."`
	Status int        `json:"status" doc:"The HTTP status."`
	Detail string     `json:"detail" doc:"A sentence for a person, in the request's language; where something that was sent is wrong, followed by what would be right, in English."`
	Code   event.Code `json:"code" doc:"One of the closed list of codes."`
	// TraceID is in the log too.
	TraceID string       `json:"traceId" doc:"What to quote to whoever runs the assistant."`
	Action  event.Action `json:"action" doc:"What a person can do next."`
	Field   string       `json:"field,omitempty" doc:"The field, parameter or header that was wrong, as page.viewport.width."`
	Scope   string       `json:"scope,omitempty" doc:"Whose budget is spent: conversation, member, org or all."`
}

// fault is something wrong with a request, found here.
type fault struct {
	code event.Code // empty: bad_request
	// field names what was wrong; want says what would be right, and never what came.
	field, want string
}

func (f *fault) Error() string { return f.field + ": " + f.want }

func notFound() error { return &turn.Refusal{Code: event.NotFound} }

const authorization = "Authorization"

// How long to wait where the engine does not know better.
const (
	retrySoon  = 5 * time.Second
	retryLater = time.Minute
)

// fail answers with the problem that an error is. One that nobody here knows is internal: logged, never sent.
func (x *exchange) fail(err error) {
	if x.status != 0 { // the answer has begun; a stream ends by itself
		x.logFault("answer broke off", err)
		return
	}
	if f := (*fault)(nil); errors.As(err, &f) {
		code := f.code
		if code == "" {
			code = event.BadRequest
		}
		x.problem(&turn.Refusal{Code: code, Field: f.field, Detail: f.want})
		return
	}
	if r := (*turn.Refusal)(nil); errors.As(err, &r) {
		fact := event.FactOf(r.Code)
		if fact.Code == r.Code && fact.Status != 0 && r.Code != event.Internal {
			x.problem(r)
			return
		}
	}
	if t := (*identity.TokenError)(nil); errors.As(err, &t) {
		x.Header().Set("WWW-Authenticate", "Bearer")
		right := t.Want
		if t.Claim != authorization {
			right = t.Claim + ": " + right
		}
		x.problem(&turn.Refusal{Code: event.Unauthorized, Field: authorization, Detail: right})
		x.refusedField = right // what is wrong with a token is for the operator to mend, and names a claim, no value
		return
	}
	if errors.Is(err, identity.ErrUnavailable) {
		x.logFault("tokens cannot be verified", err)
		x.problem(&turn.Refusal{Code: event.Unavailable})
		return
	}
	if x.r.Context().Err() != nil { // nobody is there to be told
		x.status = statusGone
		return
	}
	if errors.Is(err, context.DeadlineExceeded) {
		x.logFault("request took too long", err)
		x.problem(&turn.Refusal{Code: event.Unavailable})
		return
	}
	x.logFault("request failed", err)
	x.problem(&turn.Refusal{Code: event.Internal})
}

// statusGone is logged for a request whose sender hung up (nginx's number; it is never sent).
const statusGone = 499

func (x *exchange) logFault(message string, err error) {
	x.s.Log.LogAttrs(x.r.Context(), slog.LevelError, message, slog.String("trace", x.trace), slog.Any("error", err)) //nolint:sloglint // a constant of ours at each call
}

func (x *exchange) problem(r *turn.Refusal) {
	x.refused, x.refusedField = r.Code, r.Field
	fact := event.FactOf(r.Code)
	c := words.For(x.locale)
	p := problem{
		Type: "urn:steward:problem:" + string(fact.Code), Title: c.Text("code."+string(fact.Code)+".title", nil), Status: fact.Status,
		Detail: c.Text("code."+string(fact.Code)+".message", nil), Code: fact.Code, TraceID: x.trace, Action: fact.Action,
		Field: r.Field, Scope: r.Scope,
	}
	if r.Detail != "" {
		right := r.Detail
		if r.Field != "" {
			right = r.Field + ": " + right
		}
		if c.Language != words.Languages[0] { // English within another language, perhaps one written from the right
			right = "\u2066" + right + "\u2069"
		}
		p.Detail += " " + right
	}
	b, err := json.Marshal(p)
	if err == nil && len(x.extra) > 0 {
		var more []byte
		if more, err = json.Marshal(x.extra); err == nil {
			b = append(append(b[:len(b)-1], ','), more[1:]...)
		}
	}
	if err != nil {
		x.logFault("encode problem", err)
		b = nil
	}
	if wait := r.RetryAfter; fact.Status == http.StatusTooManyRequests || fact.Status == http.StatusServiceUnavailable {
		switch {
		case wait > 0:
		case fact.Code == event.Overloaded || fact.Code == event.Unavailable:
			wait = retrySoon
		default:
			wait = retryLater
		}
		x.Header().Set("Retry-After", strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10))
	}
	_ = x.send(fact.Status, "application/problem+json", b) // it has no error of its own
}
