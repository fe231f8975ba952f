package feed

import (
	"context"
)

// subscription is a cursor into a room; nothing is queued for it.
type subscription struct {
	hub   *Hub
	key   string
	room  *room
	at    int64 // number of the item where reading goes on
	parts int   // how many of its parts are read
	lost  bool  // to be told
	skip  int64 // leave out what Skip says; 0: nothing
	muted map[string]struct{}
	ended bool
}

var _ Subscription = (*subscription)(nil)

// Next implements Subscription.
func (s *subscription) Next(ctx context.Context) (Batch, error) {
	for {
		b, wake, err := s.take()
		if err != nil || wake == nil {
			return b, err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return Batch{}, context.Cause(ctx)
		}
	}
}

// take returns what there is, or the channel that is closed when there is more.
func (s *subscription) take() (Batch, chan struct{}, error) {
	frames, wake, lost, err := s.collect()
	if err != nil || wake != nil || lost {
		return Batch{Lost: lost}, wake, err
	}
	for i := range frames { // outside of the lock: encoding a long text takes a while
		if frames[i], err = encode(frames[i]); err != nil {
			return Batch{}, nil, err
		}
	}
	return Batch{Frames: frames}, nil, nil
}

func (s *subscription) collect() (frames []Frame, wake chan struct{}, lost bool, err error) {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.ended || r.closed {
		return nil, nil, false, ErrClosed
	}
	if at, parts, slow := r.locate(s.at, s.parts); !s.lost {
		s.at, s.parts, s.lost = at, parts, slow
	}
	if s.lost {
		s.lost = false
		s.at, s.parts = r.first, 0
		s.muted = r.tornNow()
		return nil, nil, true, nil
	}
	for {
		i := int(s.at - r.first)
		if i >= len(r.items) {
			break
		}
		it := r.items[i]
		s.parts = it.firstNotBefore(s.skip, s.parts)
		if s.parts < it.parts() {
			if f := it.rest(s.parts); s.wants(f) {
				frames = merge(frames, f)
			}
			s.parts = it.parts()
		}
		if i == len(r.items)-1 { // it may still grow
			break
		}
		s.at++
		s.parts = 0
	}
	if len(frames) > 0 {
		return frames, nil, false, nil
	}
	if r.wake == nil {
		r.wake = make(chan struct{})
	}
	return nil, r.wake, false, nil
}

func (s *subscription) wants(f Frame) bool {
	if !f.Draft {
		return f.ID.Seq > s.skip
	}
	_, muted := s.muted[f.MessageID]
	return !muted
}

// merge adds f, as part of the last frame if both are deltas of one text.
func merge(frames []Frame, f Frame) []Frame {
	if n := len(frames); n > 0 && f.Text != "" {
		last := &frames[n-1]
		if last.Text != "" && last.Kind == f.Kind && last.MessageID == f.MessageID {
			last.ID, last.Text, last.Data = f.ID, last.Text+f.Text, nil
			return frames
		}
	}
	return append(frames, f)
}

// Skip implements Subscription.
func (s *subscription) Skip(seq int64) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.skip = max(s.skip, seq)
}

// Close implements Subscription.
func (s *subscription) Close() { s.hub.leave(s) }
