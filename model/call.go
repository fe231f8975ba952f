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
	"strings"
	"sync/atomic"
	"time"
)

// caller makes the calls of one provider: what the wires have in common.
type caller struct {
	name    string
	url     string
	header  http.Header
	key     string
	client  *http.Client
	idle    time.Duration
	timeout time.Duration
	log     *slog.Logger
	now     func() time.Time
	can     Capabilities
}

// wire is one vendor's API: what it makes of a request, of a reply and of an error.
type wire interface {
	// encode gives the body of a request, or what is wrong with the request. The same request gives the same bytes.
	encode(req *Request) ([]byte, error)
	// reply makes the reader of one reply.
	reply(req *Request, yield func(Event, error) bool) replyReader
	// fault reads the document of an answer that is not a 200: Type, RequestID and Err, and Code where the document
	// itself says what is wrong.
	fault(document []byte) Error
}

// replyReader reads one reply. Both methods end in errDone, errStopped, an *Error, or the body's own error.
type replyReader interface {
	// stream reads server-sent events.
	stream(body io.Reader) error
	// whole takes a reply that came in one piece.
	whole(body io.Reader) error
}

var (
	errTwice = errors.New("a stream can be ranged over once")
	// errStopped says that the consumer broke out of its range.
	errStopped = errors.New("the consumer has stopped")
	// errDone says that the reply is whole and EventStop was yielded.
	errDone = errors.New("the reply is whole")
)

// ask makes one call on a wire; see [Provider].
func (c *caller) ask(ctx context.Context, w wire, req Request) iter.Seq2[Event, error] {
	var used atomic.Bool
	return func(yield func(Event, error) bool) {
		err := errTwice
		if !used.Swap(true) {
			err = c.call(ctx, w, &req, yield)
		}
		if err == nil || errors.Is(err, errStopped) {
			return
		}
		var fault *Error
		if !errors.As(err, &fault) {
			fault = &Error{Code: CodeInvalidRequest, Err: err}
		}
		if c.holdsKey(fault.Type) {
			fault.Type = ""
		}
		if c.holdsKey(fault.RequestID) {
			fault.RequestID = ""
		}
		c.log.DebugContext(ctx, "model call failed",
			slog.String("provider", c.name), slog.String("model", modelName(req.Model)),
			slog.String("code", string(fault.Code)), slog.Int("status", fault.Status),
			slog.String("type", fault.Type), slog.String("requestId", fault.RequestID))
		yield(Event{}, fault)
	}
}

// holdsKey reports whether a vendor's word is the key, a part of it, or holds it.
func (c *caller) holdsKey(word string) bool {
	const least = 4 // what is shorter is found in any word
	return word != "" && (word == c.key || len(word) >= least && strings.Contains(c.key, word) ||
		len(c.key) >= least && strings.Contains(word, c.key))
}

// call makes the call. nil means that EventStop was yielded.
func (c *caller) call(parent context.Context, w wire, req *Request, yield func(Event, error) bool) error {
	body, err := w.encode(req)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	if c.timeout > 0 {
		defer time.AfterFunc(c.timeout, func() { cancel(errTotal) }).Stop()
	}
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, &spentBody{bytes.NewReader(body)})
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	post.ContentLength = int64(len(body))
	// An idle connection that the other side had closed makes the transport ask anew: the same request gives the same bytes.
	post.GetBody = func() (io.ReadCloser, error) {
		again, err := w.encode(req)
		return &spentBody{bytes.NewReader(again)}, err
	}
	post.Header = c.header.Clone()

	watch := newIdleWatch(c.idle, func() { cancel(errIdle) })
	defer watch.stop()
	watch.start()
	res, err := c.client.Do(post)
	watch.stop()
	if err != nil {
		return transportError(parent, ctx, connected.Load(), err)
	}
	defer func() { _ = res.Body.Close() }() // what there was to read is read
	in := &watchedReader{r: res.Body, watch: watch}
	if res.StatusCode != http.StatusOK {
		fault := c.responseError(w, res, in)
		if parent.Err() != nil {
			return transportError(parent, ctx, true, parent.Err())
		}
		return fault
	}
	err = readReply(w.reply(req, yield), res, in)
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

// readReply reads a 200: a stream of events, or a reply in one piece, from a provider that does not stream or from a
// gateway that does not.
func readReply(reply replyReader, res *http.Response, in io.Reader) error {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	switch kind {
	case "text/event-stream":
		return reply.stream(in)
	case "application/json":
		return reply.whole(in)
	}
	return &Error{Code: CodeUnavailable, Status: res.StatusCode, Type: "not_an_event_stream"}
}

// maxReplyBytes bounds the data of one reply: 128 thousand tokens, each in an event of its own, are about 20 MB.
const maxReplyBytes = 64 << 20

// eachEvent hands a stream's events to take until it gives an error, and asks end what the stream's end means.
func eachEvent(body io.Reader, take func(name, data []byte) error, end func() error) error {
	events := newSSEReader(body)
	defer events.close()
	total := 0
	for {
		name, data, err := events.next()
		if errors.Is(err, io.EOF) {
			return end()
		}
		if errors.Is(err, errEventTooLong) {
			return &Error{Code: CodeUnavailable, Type: "event_too_long", Err: err}
		}
		if err != nil {
			return err
		}
		if len(data) == 0 { // the standard's own rule: an event without data is none
			continue
		}
		if total += len(data); total > maxReplyBytes {
			return &Error{Code: CodeUnavailable, Type: "reply_too_long"}
		}
		if err := take(name, data); err != nil {
			return err
		}
	}
}

// readWhole reads a reply in one piece.
func readWhole(body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, maxEventBytes+1))
	if err != nil {
		return nil, err // the caller classifies it
	}
	if data = validUTF8(data); len(data) > maxEventBytes || !json.Valid(data) {
		return nil, &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	}
	return data, nil
}

// malformed is the fault of an event that cannot be read.
func malformed() error {
	return &Error{Code: CodeUnavailable, Type: "malformed_event", Err: errMalformed}
}
