package model

import (
	"io"
	"time"
)

// drain reads the end of a body that has said everything, so that its connection can be used again. It waits only a
// moment: a server that keeps the line open after the reply's end loses the connection, not our time.
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
