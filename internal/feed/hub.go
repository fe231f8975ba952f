package feed

import (
	"context"
	"sync"
	"time"

	"github.com/steward-assistant/steward/internal/event"
)

const (
	// linger is how long a key is kept after its turn has ended and its last reader has left: long enough for a page
	// that is navigating to come back.
	linger = 10 * time.Second
	// abandoned is how long one is kept without a reader whose turn tells nothing, not even its end.
	abandoned = 30 * time.Minute
)

// Hub is the Feed of a single process. Readers hold a position, not a queue, so Publish costs the same however many
// there are and however slow they are. The zero value is ready to use; it has no goroutines.
type Hub struct {
	mu     sync.Mutex
	rooms  map[string]*room
	closed bool
}

var _ Feed = (*Hub)(nil)

// enter returns the room of key with its lock held, making it if asked to; nil if there is none.
func (h *Hub) enter(key string, create bool) (*room, error) {
	for {
		r, err := h.room(key, create)
		if r == nil || err != nil {
			return nil, err
		}
		r.mu.Lock() // not under the hub's lock: a room may be busy for a while
		if !r.closed {
			return r, nil
		}
		r.mu.Unlock() // it was dropped meanwhile
	}
}

func (h *Hub) room(key string, create bool) (*room, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrClosed
	}
	r := h.rooms[key]
	if r == nil && create {
		r = newRoom()
		if h.rooms == nil {
			h.rooms = map[string]*room{}
		}
		h.rooms[key] = r
	}
	return r, nil
}

// Publish implements Feed.
func (h *Hub) Publish(_ context.Context, key string, f Frame) error {
	if err := f.check(); err != nil {
		return err
	}
	r, err := h.enter(key, true)
	if err != nil {
		return err
	}
	defer r.mu.Unlock()
	wasRunning := r.running
	err = r.publish(f)
	if len(r.subs) == 0 && (r.expiry == nil || wasRunning != r.running) {
		h.expire(key, r)
	}
	return err
}

// Settle implements Feed.
func (h *Hub) Settle(_ context.Context, key string, seq int64) error {
	r, err := h.enter(key, false)
	if err != nil || r == nil {
		return err
	}
	defer r.mu.Unlock()
	r.settle(seq)
	return nil
}

// Subscribe implements Feed.
func (h *Hub) Subscribe(_ context.Context, key string, after event.ID) (Subscription, error) {
	r, err := h.enter(key, true)
	if err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	s := &subscription{hub: h, key: key, room: r}
	s.at, s.parts, s.lost = r.find(after)
	r.subs[s] = struct{}{}
	if r.expiry != nil {
		r.expiry.Stop()
		r.expiry = nil
	}
	return s, nil
}

// Forget implements Feed.
func (h *Hub) Forget(_ context.Context, key string) error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return ErrClosed
	}
	r := h.rooms[key]
	delete(h.rooms, key)
	h.mu.Unlock()
	if r != nil {
		r.mu.Lock()
		r.close()
		r.mu.Unlock()
	}
	return nil
}

// Close implements Feed. It returns nil.
func (h *Hub) Close() error {
	h.mu.Lock()
	rooms := h.rooms
	h.rooms, h.closed = nil, true
	h.mu.Unlock()
	for _, r := range rooms {
		r.mu.Lock()
		r.close()
		r.mu.Unlock()
	}
	return nil
}

func (h *Hub) leave(s *subscription) {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	delete(r.subs, s)
	r.signal() // its own Next, if one waits
	if len(r.subs) == 0 && !r.closed {
		h.expire(s.key, r)
	}
}

// expire begins to count the time after which a room without readers is dropped. The caller holds the room's lock.
func (h *Hub) expire(key string, r *room) {
	after := linger
	if r.running {
		after = abandoned
	}
	if r.expiry != nil {
		r.expiry.Stop()
	}
	frames := r.frames
	var timer *time.Timer
	timer = time.AfterFunc(after, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case r.expiry != timer: // a reader came, or another count began
		case r.frames != frames:
			h.expire(key, r)
		default:
			r.close()
			delete(h.rooms, key)
		}
	})
	r.expiry = timer
}
