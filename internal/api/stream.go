package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/internal/words"
)

// buffers hold one batch while it is written. They are shared, because a stream is quiet almost always.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 2<<10); return &b }}

// maxPooled is the largest buffer that is kept, in bytes.
const maxPooled = 64 << 10

var keepAlive = []byte(": keep-alive\n\n")

// stream tells a follower's events until its turn ends or its reader is gone, which leaves the turn to go on. A batch
// is one write. Nothing is kept for a reader that takes nothing: its write blocks, and after the write timeout it is
// cut. With early set, the headers go out before the first event.
func (x *exchange) stream(f follower, early bool) error {
	defer f.Close()
	defer x.unlimit()
	x.streaming = true
	h := x.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold the events back
	x.WriteHeader(http.StatusOK)
	if early && !x.push(nil) {
		return nil
	}
	for wait := x.s.KeepAlive; wait > 0; {
		wait = x.follow(f, wait)
	}
	return nil
}

// follow tells events until the line has been quiet for a while, and gives how long to wait next; zero when the stream
// is over. One context serves for all batches of the while, because a stream has many.
func (x *exchange) follow(f follower, wait time.Duration) time.Duration {
	request := x.r.Context()
	quiet, cancel := context.WithTimeout(request, wait)
	defer cancel()
	written := x.s.Now().Add(wait - x.s.KeepAlive)
	for {
		frames, err := f.Next(quiet)
		if len(frames) > 0 {
			if !x.frames(frames) || frames[len(frames)-1].Terminal {
				return 0
			}
			written = x.s.Now()
		}
		if err == nil {
			continue
		}
		if request.Err() != nil {
			return 0
		}
		if quiet.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
			if rest := x.s.KeepAlive - x.s.Now().Sub(written); rest > 0 {
				return rest
			}
			if !x.push(keepAlive) {
				return 0
			}
			return x.s.KeepAlive
		}
		if errors.Is(err, io.EOF) && x.turn.TurnID == "" { // at rest nothing needs an end
			return 0
		}
		if errors.Is(err, turn.ErrClosing) && x.broken != nil {
			x.endBroken(event.Unavailable)
			return 0
		}
		if errors.Is(err, turn.ErrClosing) { // a cut line, which its reader takes up again
			return 0
		}
		code := event.Internal
		if r := (*turn.Refusal)(nil); errors.As(err, &r) { // as of a conversation that was erased meanwhile
			code = r.Code
		} else {
			x.logFault("follow broke off", err)
		}
		x.endBroken(code)
		return 0
	}
}

func (x *exchange) frames(frames []turn.Frame) bool {
	p, ok := buffers.Get().(*[]byte)
	if !ok {
		p = new([]byte)
	}
	b := (*p)[:0]
	for _, f := range frames {
		b = appendFrame(b, f)
	}
	sent := x.push(b)
	if cap(b) <= maxPooled {
		*p = b
		buffers.Put(p)
	}
	return sent
}

// appendFrame writes one event (HTML Living Standard, section 9.2.5).
func appendFrame(b []byte, f turn.Frame) []byte {
	if f.ID != (event.ID{}) {
		b = append(b, "id: "...)
		b = f.ID.Append(b)
		b = append(b, '\n')
	}
	data := f.Data
	if bytes.IndexByte(data, '\n') >= 0 || bytes.IndexByte(data, '\r') >= 0 { // in JSON a line break is only space; here it would end the event
		var one bytes.Buffer
		if json.Compact(&one, data) == nil {
			data = one.Bytes()
		}
	}
	b = append(b, "data: "...)
	b = append(b, data...)
	return append(b, '\n', '\n')
}

// endBroken ends a stream whose follower failed, so that it is not taken for a line that was cut.
func (x *exchange) endBroken(code event.Code) {
	fact := event.FactOf(code)
	end := func(e event.RunError) ([]byte, error) { return event.Encode(e) }
	if x.broken != nil {
		end = x.broken
	}
	data, err := end(event.RunError{
		Message: words.For(x.locale).Text("code."+string(fact.Code)+".message", nil),
		Code:    string(fact.Code), TraceID: x.trace, Action: fact.Action,
		Result: event.Complete{
			TurnID: x.turn.TurnID, MessageID: x.turn.MessageID, Messages: json.RawMessage("[]"),
			Outcome: fact.Outcome, Code: fact.Code, TraceID: x.trace,
		},
	})
	if err != nil {
		x.logFault("encode the end of a stream", err)
		return
	}
	x.frames([]turn.Frame{{Data: data, Terminal: true}})
}
