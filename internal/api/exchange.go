package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/tool"
)

// exchange is one request and its answer. It stands in for the ResponseWriter, so that its handlers and the log need no
// copy of the request.
type exchange struct {
	http.ResponseWriter
	s      *server
	r      *http.Request
	out    *http.ResponseController
	trace  string
	locale string
	// localeFault is what is wrong with X-Locale; nil: nothing.
	localeFault error
	by          turn.Asker
	rights      identity.Set
	query       map[string]string
	body        any
	// refused and refusedField are the code that the request was refused with, and the field or claim that it is about.
	refused      event.Code
	refusedField string
	// limited is when the write deadline was last moved; zero: there is none.
	limited time.Time
	// status is what was answered; zero: nothing yet.
	status int
	// turn is the turn that a stream tells of; streaming says that a stream was begun and needs its end.
	turn      turn.Started
	streaming bool
	// broken makes the end of a stream that broke off here, where that is not the engine's own event; such a stream also
	// ends with a fault when we cut it, because its reader does not take it up again.
	broken func(event.RunError) ([]byte, error)
	// extra are members that a problem document carries beside its own.
	extra map[string]any
}

// ServeHTTP answers one request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := s.Now()
	x := &exchange{ResponseWriter: w, s: s, r: r, out: http.NewResponseController(w), trace: id.New(), locale: s.Locales[0]}
	h := w.Header()
	h.Set("Steward-Trace", x.trace)
	h.Set("X-Content-Type-Options", "nosniff")
	if r.ContentLength != 0 {
		// Of every request with a body, also one that is refused before it is read: the server behind us reads what is
		// left of a body before it answers. It lifts the deadline by itself when the body is whole.
		_ = x.out.SetReadDeadline(begun.Add(s.ReadTimeout)) // a test's recorder has none
	}
	defer func() {
		if v := recover(); v != nil {
			x.failPanic(v)
		}
		s.logRequest(x, begun)
	}()
	x.localeFault = x.localise()
	if done, err := s.guard(x); err != nil {
		x.fail(err)
	} else if !done {
		s.mux.ServeHTTP(x, r)
	}
}

// guard is what stands before every route: where the request came to, from whose page, and that no token is in its
// address. It reports true when it has answered.
func (s *server) guard(x *exchange) (bool, error) {
	if err := s.checkHost(x); err != nil {
		return false, err
	}
	if done, err := s.share(x); done || err != nil {
		return done, err
	}
	if name, ok := identity.TokenInQuery(x.r.URL.RawQuery); ok {
		return false, &fault{field: name, want: "no token in an address: send it as Authorization: Bearer"}
	}
	// The mux would answer such a path with a redirect that repeats it.
	if p := x.r.URL.Path; p == "" || path.Clean(p) != strings.TrimSuffix(p, "/") && p != "/" {
		return false, notFound()
	}
	return false, nil
}

// identify finds out who asks.
func (x *exchange) identify() error {
	token, err := identity.Bearer(x.r.Header)
	if err != nil {
		return err
	}
	p, expires, err := x.s.Identity.Verify(x.r.Context(), token)
	if err != nil {
		return err
	}
	x.by = turn.Asker{Principal: p, Credential: tool.Credential{Token: token, Expires: expires}}
	x.rights = x.s.Identity.Rights(p)
	return nil
}

// id gives the conversation of the path in canonical form; what is no UUID is no conversation.
func (x *exchange) id() (string, error) {
	v := x.r.PathValue("id")
	if !id.IsUUID(v) {
		return "", notFound()
	}
	return strings.ToLower(v), nil
}

// number gives a query parameter that readQuery has checked.
func (x *exchange) number(name string, fallback int64) int64 {
	if n, err := strconv.ParseInt(x.query[name], 10, 64); err == nil {
		return n
	}
	return fallback
}

// WriteHeader notes the status.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write sends a part of an answer.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	return x.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// json answers with a value.
func (x *exchange) json(status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	return x.send(status, "application/json", b)
}

// send answers whole, and cuts a reader that does not take it.
func (x *exchange) send(status int, mediaType string, b []byte) error {
	h := x.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	x.WriteHeader(status)
	x.push(b)
	x.unlimit()
	return nil
}

// push writes and flushes under the write deadline, in place of whatever the server had set. It reports false when the
// reader is gone or takes nothing.
func (x *exchange) push(b []byte) bool {
	// A stream has many writes a second: its deadline is moved only when a quarter of the time has passed.
	now := x.s.Now()
	if now.Sub(x.limited) > x.s.WriteTimeout/4 {
		_ = x.out.SetWriteDeadline(now.Add(x.s.WriteTimeout)) // a test's recorder has none
		x.limited = now
	}
	_, err := x.Write(b)
	if err == nil {
		err = x.out.Flush()
	}
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return false
	}
	if x.s.KeepAlive > x.s.WriteTimeout/2 { // a deadline that passes ends a stream of HTTP/2 that is at rest, too
		x.unlimit()
	}
	return true
}

// unlimit takes the write deadline off, for what the connection does next.
func (x *exchange) unlimit() {
	_ = x.out.SetWriteDeadline(time.Time{})
	x.limited = time.Time{}
}

// failPanic answers for a defect of ours. What was thrown may hold a member's words, so that only its kind is logged,
// unless it is the runtime's.
func (x *exchange) failPanic(v any) {
	what := fmt.Sprintf("%T", v)
	if err, ok := v.(runtime.Error); ok {
		what = err.Error()
	}
	x.s.Log.LogAttrs(x.r.Context(), slog.LevelError, "panic",
		slog.String("trace", x.trace), slog.String("panic", what), slog.String("stack", string(debug.Stack())))
	if x.status == 0 {
		x.problem(&turn.Refusal{Code: event.Internal})
	} else if x.streaming {
		x.endBroken(event.Internal)
	}
}

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// logRequest writes one line: no value of the path, no query, no body.
func (s *server) logRequest(x *exchange, begun time.Time) {
	method := x.r.Method
	if !slices.Contains(methods, method) {
		method = "other"
	}
	_, route, _ := strings.Cut(x.r.Pattern, " ")
	if route == "" {
		route = x.r.Pattern
	}
	attrs := []slog.Attr{
		slog.String("method", method), slog.String("route", route), slog.Int("status", x.status),
		slog.Float64("ms", float64(s.Now().Sub(begun).Microseconds())/1000), slog.String("trace", x.trace),
	}
	if x.refused != "" {
		attrs = append(attrs, slog.String("code", string(x.refused)), slog.String("about", x.refusedField))
	}
	s.Log.LogAttrs(context.WithoutCancel(x.r.Context()), slog.LevelInfo, "request", attrs...)
}
