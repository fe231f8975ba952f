package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// anthropicName is the provider's name in configuration and in stored blocks.
const anthropicName = "anthropic"

// AnthropicVersion is the API version that is sent unless the configuration names another. Nothing is sent that
// 2026-10-21 refuses (temperature, top_p and top_k above all), but servers that speak this wire without being
// Anthropic's know the older version alone.
const AnthropicVersion = "2023-06-01"

// AnthropicURL is the vendor's own address.
const AnthropicURL = "https://api.anthropic.com"

// The headers that can carry the key.
const (
	AuthAPIKey = "x-api-key" // the header of that name
	AuthBearer = "bearer"    // Authorization: Bearer
)

// AnthropicConfig says how Anthropic's Messages API is reached. Key is required; the zero values of the rest work.
type AnthropicConfig struct {
	// BaseURL is the address without /v1. Defaults to AnthropicURL. http is accepted: a gateway may stand beside the
	// process.
	BaseURL string
	// Key is the API key. It is in no error and no log.
	Key string
	// AuthHeader is AuthAPIKey or AuthBearer. Defaults to AuthAPIKey.
	AuthHeader string
	// Version is the anthropic-version header. Defaults to AnthropicVersion.
	Version string
	// HTTPClient sends the requests; its Timeout must be zero, because it would cut long replies, and where it has no
	// CheckRedirect no redirect is followed. Defaults to a client of the provider's own that uses no proxy, whatever
	// the environment says; a host behind a proxy passes its own client.
	HTTPClient *http.Client
	// IdleTimeout cuts a call of which no byte has come for so long. Defaults to 60 s; negative: never.
	IdleTimeout time.Duration
	// Timeout cuts a call after so long in all. Defaults to 10 min; negative: never.
	Timeout time.Duration
	// Log gets a debug line for each call that failed: codes and ids, no words. Defaults to none.
	Log *slog.Logger
	// Now is the clock for dates in Retry-After. Defaults to the system's.
	Now func() time.Time
}

// Anthropic asks models over Anthropic's Messages API. Safe for concurrent use.
type Anthropic struct {
	url     string
	header  http.Header
	client  *http.Client
	idle    time.Duration
	timeout time.Duration
	log     *slog.Logger
	now     func() time.Time
}

var _ Provider = (*Anthropic)(nil)

// NewAnthropic checks the configuration; its errors name the field. It sends nothing.
func NewAnthropic(cfg AnthropicConfig) (*Anthropic, error) {
	address, err := anthropicAddress(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if cfg.Key == "" || strings.ContainsFunc(cfg.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("anthropic: Key must be set, in visible ASCII without spaces")
	}
	if cfg.Version == "" {
		cfg.Version = AnthropicVersion
	}
	if cleanName(cfg.Version, 40) == "" {
		return nil, fmt.Errorf("anthropic: Version must look like %q", AnthropicVersion)
	}
	header := http.Header{
		"Content-Type":      {"application/json"},
		"Accept":            {"text/event-stream"},
		"Anthropic-Version": {cfg.Version},
		"User-Agent":        {"steward"},
	}
	switch cfg.AuthHeader {
	case "", AuthAPIKey:
		header["X-Api-Key"] = []string{cfg.Key}
	case AuthBearer:
		header["Authorization"] = []string{"Bearer " + cfg.Key}
	default:
		return nil, fmt.Errorf("anthropic: AuthHeader must be %q or %q", AuthAPIKey, AuthBearer)
	}
	a := &Anthropic{
		url:     address,
		header:  header,
		client:  cfg.HTTPClient,
		idle:    orDefault(cfg.IdleTimeout, time.Minute),
		timeout: orDefault(cfg.Timeout, 10*time.Minute),
		log:     cfg.Log,
		now:     cfg.Now,
	}
	switch {
	case a.client == nil:
		a.client = streamClient()
	case a.client.Timeout != 0:
		return nil, errors.New("anthropic: HTTPClient.Timeout must be zero; Timeout bounds a call")
	case a.client.CheckRedirect == nil:
		own := *a.client
		own.CheckRedirect = noRedirect
		a.client = &own
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now //nolint:forbidigo // the default of the seam itself
	}
	return a, nil
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// anthropicAddress gives the address of the one route that is used.
func anthropicAddress(base string) (string, error) {
	if base == "" {
		base = AnthropicURL
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", errors.New("anthropic: BaseURL must be an http or https address")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("anthropic: BaseURL must have no user, query or fragment")
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/v1")
	return u.JoinPath("v1", "messages").String(), nil
}

// streamClient is made for hundreds of streams at a time to one host.
func streamClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 512,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
			// A stream holds its buffers for minutes and reads a few hundred bytes at a time.
			ReadBufferSize:     2 << 10,
			WriteBufferSize:    2 << 10,
			DisableCompression: true, // a compressor on the way holds deltas back
			// A connection that died without a word is found by its pings, not by the next hundred calls.
			HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
		},
		CheckRedirect: noRedirect,
	}
}

// noRedirect makes a redirect the answer: following it would carry the key to another host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Name is "anthropic".
func (a *Anthropic) Name() string { return anthropicName }

// Capabilities are the vendor's documented limits.
func (a *Anthropic) Capabilities() Capabilities {
	return Capabilities{
		Tools:             true,
		Thinking:          true,
		MaxStrictTools:    20,
		MaxStrictOptional: 24,
		MaxStrictUnions:   16,
		CacheMarks:        maxCacheMarks,
	}
}

// Stream asks for one reply; see [Provider]. A call that ctx ended yields an error for which errors.Is with ctx.Err()
// holds. Nothing is retried: a call that failed may have been billed, and its words may have been shown.
func (a *Anthropic) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	var used atomic.Bool
	return func(yield func(Event, error) bool) {
		err := errTwice
		if !used.Swap(true) {
			err = a.stream(ctx, &req, yield)
		}
		if err == nil || errors.Is(err, errStopped) {
			return
		}
		var fault *Error
		if !errors.As(err, &fault) {
			fault = &Error{Code: CodeInvalidRequest, Err: err}
		}
		a.log.DebugContext(ctx, "model call failed",
			slog.String("provider", anthropicName), slog.String("model", cleanName(req.Model, 80)),
			slog.String("code", string(fault.Code)), slog.Int("status", fault.Status),
			slog.String("type", fault.Type), slog.String("requestId", fault.RequestID))
		yield(Event{}, fault)
	}
}

var errTwice = errors.New("a stream can be ranged over once")

// stream makes the call. nil means that EventStop was yielded.
func (a *Anthropic) stream(parent context.Context, req *Request, yield func(Event, error) bool) error {
	body, err := encodeAnthropic(req)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	if a.timeout > 0 {
		defer time.AfterFunc(a.timeout, func() { cancel(errTotal) }).Stop()
	}
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url, &spentBody{bytes.NewReader(body)})
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	post.ContentLength = int64(len(body))
	// An idle connection that the other side had closed makes the transport ask anew: the same request gives the same bytes.
	post.GetBody = func() (io.ReadCloser, error) {
		again, err := encodeAnthropic(req)
		return &spentBody{bytes.NewReader(again)}, err
	}
	post.Header = a.header.Clone()

	watch := newIdleWatch(a.idle, func() { cancel(errIdle) })
	defer watch.stop()
	watch.start()
	res, err := a.client.Do(post)
	watch.stop()
	if err != nil {
		return transportError(parent, ctx, connected.Load(), err)
	}
	defer func() { _ = res.Body.Close() }() // what there was to read is read
	in := &watchedReader{r: res.Body, watch: watch}
	if res.StatusCode != http.StatusOK {
		fault := a.responseError(res, in)
		if parent.Err() != nil {
			return transportError(parent, ctx, true, parent.Err())
		}
		return fault
	}
	err = a.readReply(res, in, req.Model, yield)
	if errors.Is(err, errDone) {
		drain(in, watch)
		return nil
	}
	var fault *Error
	if errors.Is(err, errStopped) {
		return err
	}
	if !errors.As(err, &fault) || parent.Err() != nil || context.Cause(ctx) != nil {
		fault = transportError(parent, ctx, true, err)
	}
	fault.RequestID = requestID(res.Header)
	return fault
}

// readReply reads a 200: a stream of events, or, from gateways that do not stream, a message in one piece.
func (a *Anthropic) readReply(res *http.Response, in io.Reader, model string, yield func(Event, error) bool) error {
	reply := &anthropicReply{yield: yield, model: model}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	switch kind {
	case "text/event-stream":
		return reply.read(in)
	case "application/json":
		return reply.whole(in)
	}
	return &Error{Code: CodeUnavailable, Status: res.StatusCode, Type: "not_an_event_stream"}
}

// whole takes a message that came in one piece; it carries its stop reason itself.
func (r *anthropicReply) whole(body io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(body, maxEventBytes+1))
	if err != nil {
		return err // the caller classifies it
	}
	data = validUTF8(data)
	var doc struct {
		Type  string         `json:"type"`
		Error anthropicFault `json:"error"`
	}
	var message anthropicMessage
	if len(data) > maxEventBytes || json.Unmarshal(data, &doc) != nil {
		return &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	}
	switch doc.Type {
	case "error":
		return streamFault(doc.Error)
	case "message":
		if json.Unmarshal(data, &message) != nil {
			return &Error{Code: CodeUnavailable, Type: "malformed_event", Err: errMalformed}
		}
	default:
		return &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	}
	if err := r.start(&message); err != nil {
		return err
	}
	return r.messageStop()
}

// drain reads the end of a body that has said everything, so that its connection can be used again. It waits only a
// moment: a server that keeps the line open after message_stop loses the connection, not our time.
func drain(in *watchedReader, watch *idleWatch) {
	const patience, most = 50 * time.Millisecond, 16 << 10
	watch.limit(patience)
	_, _ = io.CopyN(io.Discard, in, most) // an error means that the connection is not used again
}

// idleWatch cuts a call that stays silent. It runs only while a read waits, so that a slow consumer is no silence.
type idleWatch struct {
	after time.Duration
	timer *time.Timer
}

func newIdleWatch(after time.Duration, cut func()) *idleWatch {
	w := &idleWatch{after: after}
	w.timer = time.AfterFunc(time.Hour, cut)
	w.timer.Stop()
	return w
}

func (w *idleWatch) limit(after time.Duration) { w.after = after }

func (w *idleWatch) start() {
	if w.after > 0 {
		w.timer.Reset(w.after)
	}
}

func (w *idleWatch) stop() { w.timer.Stop() }

type watchedReader struct {
	r     io.Reader
	watch *idleWatch
}

func (r *watchedReader) Read(p []byte) (int, error) {
	r.watch.start()
	n, err := r.r.Read(p)
	r.watch.stop()
	return n, err
}
