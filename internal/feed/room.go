package feed

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/steward-assistant/steward/internal/event"
)

// room is what is kept of one key. Items are counted from the first ever, so that a position stays good when older ones
// are forgotten.
type room struct {
	mu        sync.Mutex
	items     []*item
	first     int64               // number of items[0]
	forgotten int                 // parts of item first-1, whose end may be some reader's position
	start     event.ID            // id just before items[0]; meaningful when started
	last      event.ID            // id of the newest frame; meaningful when started
	started   bool                // a frame was ever published
	bytes     int                 // sum of the items' sizes
	torn      map[string]struct{} // drafts whose beginning is forgotten
	subs      map[*subscription]struct{}
	wake      chan struct{} // closed at the next change; nil: nobody waits
	running   bool          // the last frame was not terminal
	closed    bool
	frames    int64       // ever published
	expiry    *time.Timer // runs while there is no reader
}

func newRoom() *room { return &room{subs: map[*subscription]struct{}{}} }

// publish adds f. The caller holds mu.
func (r *room) publish(f Frame) error {
	if r.started && !f.ID.After(r.last) {
		return ErrOrder
	}
	if !r.started && f.Text != "" {
		r.tear(f.MessageID)
	}
	if n := len(r.items); n > 0 && r.items[n-1].takes(f) {
		r.bytes -= r.items[n-1].size()
		r.items[n-1].grow(f)
		r.bytes += r.items[n-1].size()
	} else {
		it := newItem(f)
		r.items = append(r.items, it)
		r.bytes += it.size()
	}
	r.started = true
	r.last = f.ID
	r.frames++
	r.running = !f.Terminal
	for r.bytes > MaxBytes && len(r.items) > 1 {
		r.forgetFirst()
	}
	r.signal()
	return nil
}

// settle forgets what follows from entries before seq, as far as every reader has read it. The caller holds mu.
func (r *room) settle(seq int64) {
	needed := r.first + int64(len(r.items))
	for s := range r.subs {
		if at, _, lost := r.locate(s.at, s.parts); !lost {
			needed = min(needed, at)
		}
	}
	for len(r.items) > 0 && r.first < needed && r.items[0].lastID().Seq < seq {
		r.forgetFirst()
	}
	clear(r.torn)
	for _, it := range r.items {
		if it.frame.Draft && r.isTorn(it) {
			r.tear(it.frame.MessageID)
		}
	}
}

// isTorn reports whether it is a stretch of text whose message does not begin among the items kept.
func (r *room) isTorn(it *item) bool {
	if it.marks == nil {
		return false
	}
	for _, other := range r.items {
		if other == it {
			return true
		}
		if other.marks == nil && other.frame.Draft && other.frame.MessageID == it.frame.MessageID {
			return false
		}
	}
	return true
}

func (r *room) forgetFirst() {
	it := r.items[0]
	if it.frame.Draft {
		r.tear(it.frame.MessageID)
	}
	r.start = it.lastID()
	r.forgotten = it.parts()
	r.bytes -= it.size()
	r.items[0] = nil
	r.items = r.items[1:]
	r.first++
}

func (r *room) tear(messageID string) {
	if r.torn == nil {
		r.torn = map[string]struct{}{}
	}
	r.torn[messageID] = struct{}{}
}

func (r *room) signal() {
	if r.wake != nil {
		close(r.wake)
		r.wake = nil
	}
}

// locate brings a position up to date: the item where reading goes on, and how many of its parts are read. The caller
// holds mu.
func (r *room) locate(at int64, parts int) (int64, int, bool) {
	switch {
	case at >= r.first:
		return at, parts, false
	case at == r.first-1 && parts == r.forgotten:
		return r.first, 0, false
	}
	return r.first, 0, true
}

// find is the position after id, or lost. The caller holds mu.
func (r *room) find(after event.ID) (at int64, parts int, lost bool) {
	end := r.first + int64(len(r.items))
	switch {
	case after == Now:
		if len(r.items) > 0 { // the newest stretch may still grow
			return end - 1, r.items[len(r.items)-1].parts(), false
		}
		return end, 0, false
	case !r.started:
		return end, 0, true
	case after == r.start && r.first > 0:
		return r.first, 0, false
	}
	i, _ := slices.BinarySearchFunc(r.items, after, func(it *item, id event.ID) int {
		if id.After(it.lastID()) {
			return -1
		}
		return 1
	})
	if i == len(r.items) {
		return r.first, 0, true
	}
	it := r.items[i]
	if it.marks == nil {
		if it.frame.ID == after {
			return r.first + int64(i), 1, false
		}
		return r.first, 0, true
	}
	for n, m := range it.marks {
		if m.id == after {
			return r.first + int64(i), n + 1, false
		}
	}
	return r.first, 0, true
}

// close ends every subscription. The caller holds mu.
func (r *room) close() {
	r.closed = true
	r.items, r.bytes = nil, 0
	if r.expiry != nil {
		r.expiry.Stop()
	}
	r.signal()
}

// tornNow is the drafts that a reader who is lost now must not be shown. The caller holds mu.
func (r *room) tornNow() map[string]struct{} {
	if len(r.torn) == 0 {
		return nil
	}
	return maps.Clone(r.torn)
}
