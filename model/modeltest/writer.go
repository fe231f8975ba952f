package modeltest

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// writer sends one answer.
type writer struct {
	w        http.ResponseWriter
	flush    *http.ResponseController
	ctx      context.Context //nolint:containedctx // a writer lives for one request
	protocol protocol
	answer   *answer

	buf   []byte
	timer *time.Timer
}

// errEnded says that the stream was ended as the script wants, or that the client has left.
var errEnded = errors.New("the stream has ended")

func (w *writer) write() {
	defer func() {
		if w.timer != nil {
			w.timer.Stop()
		}
	}()
	if w.sleep(w.answer.reply.Wait) != nil {
		return
	}
	encoder := w.protocol.encoder(w.answer)
	if w.answer.reply.Fault != nil {
		fault := w.protocol.local(*w.answer.reply.Fault)
		writeFault(w.w, fault, encoder.fault(fault))
		return
	}
	if !w.answer.req.Stream {
		w.w.Header().Set("Content-Type", "application/json")
		_, _ = w.w.Write(encoder.whole()) // the client may have left
		return
	}
	w.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.w.Header().Set("Cache-Control", "no-cache")
	err := w.stream(encoder)
	if err == nil || w.ctx.Err() == nil {
		w.send()
	}
	if errors.Is(err, http.ErrAbortHandler) {
		// The one way that net/http offers to break a connection in the middle of a reply.
		panic(http.ErrAbortHandler)
	}
}

func (w *writer) stream(encoder encoder) error {
	frames := encoder.frames()
	reply := w.answer.reply
	for i, f := range frames {
		if f.piece && reply.Pace > 0 {
			w.send()
			if err := w.sleep(reply.Pace); err != nil {
				return err
			}
		}
		if until, ok := reply.Hold[i]; ok {
			w.send()
			select {
			case <-until:
			case <-w.ctx.Done():
				return errEnded
			}
		}
		if end := reply.End; end.Way != Whole && (end.After > 0 && i == end.After || i == len(frames)-1) {
			return w.end(end, encoder, frames[:i])
		}
		w.buf = append(w.buf, f.text...)
	}
	return nil
}

func (w *writer) end(end End, encoder encoder, sent []frame) error {
	switch end.Way {
	case Cut:
		w.send()
		return http.ErrAbortHandler
	case Stall:
		w.send()
		<-w.ctx.Done()
	case Whole, Close:
	case Fail:
		fault := Overloaded
		if end.Fault != nil {
			fault = *end.Fault
		}
		w.buf = append(w.buf, encoder.failure(w.protocol.local(fault), sent)...)
	}
	return errEnded
}

// send puts what was written on the wire.
func (w *writer) send() {
	_, _ = w.w.Write(w.buf) // a client that has left is seen by its context
	w.buf = w.buf[:0]
	_ = w.flush.Flush() // as above
}

func (w *writer) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	select {
	case <-w.timer.C:
		return nil
	case <-w.ctx.Done():
		return errEnded
	}
}
