package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	openStreams = 2000
	// followed is how many of them follow one conversation: as many members do not look at one, but what is kept of the
	// conversation itself is measured by the second row.
	followed = 10
)

// streams measures what an open stream costs the Steward process, when its turn runs and is quiet.
func streams(ctx context.Context, b *bench, t *table) error {
	var bare, follow, own []float64
	for range b.runs {
		b.settle(ctx)
		kb, err := b.bareStreamKB(ctx)
		if err != nil {
			return err
		}
		bare = append(bare, kb)
		kb, err = b.streamKB(ctx, func(s *stand) (func(i int) (*eventStream, error), error) {
			conversations, err := s.hold(ctx, openStreams/followed)
			return func(i int) (*eventStream, error) {
				at := i % len(conversations)
				return s.follow(ctx, s.token(at), conversations[at])
			}, err
		})
		if err != nil {
			return err
		}
		follow = append(follow, kb)
		kb, err = b.streamKB(ctx, func(s *stand) (func(i int) (*eventStream, error), error) {
			return func(i int) (*eventStream, error) { return s.post(ctx, s.token(i), newID(), holdWords) }, nil
		})
		if err != nil {
			return err
		}
		own = append(own, kb)
	}
	t.add("2,000 bare Go streams, resident each", "KB", bare, none, "for scale")
	t.add("2,000 followed streams, resident each", "KB", follow, 60, fmt.Sprintf("%d to a running turn", followed))
	t.add("2,000 streams each of a running turn of its own, resident each", "KB", own, none,
		"with the turn, its log, and its call of the model")
	return nil
}

func (b *bench) bareStreamKB(ctx context.Context) (float64, error) {
	p, err := b.role(ctx, roleStream)
	if err != nil {
		return 0, err
	}
	defer p.stop()
	bare := &stand{steward: p, client: loadClient()}
	defer bare.client.CloseIdleConnections()
	return growth(ctx, p, func(int) (*eventStream, error) {
		return bare.open(ctx, http.MethodGet, p.url, "", nil)
	})
}

// streamKB starts Steward, makes it ready, and measures what its streams add.
func (b *bench) streamKB(ctx context.Context, ready func(*stand) (func(i int) (*eventStream, error), error)) (float64, error) {
	s, err := b.newStand(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer s.close()
	for i := range 20 { // what the first turns make once is no stream's
		if _, err := s.turn(ctx, i); err != nil {
			return 0, err
		}
	}
	open, err := ready(s)
	if err != nil {
		return 0, err
	}
	return growth(ctx, s.steward, open)
}

// growth opens the streams, each of which has told something by then, and gives by how much the process has grown, for
// each of them, in KB.
func growth(ctx context.Context, p *process, open func(i int) (*eventStream, error)) (float64, error) {
	before, err := p.settledKB(ctx)
	if err != nil {
		return 0, err
	}
	opened, err := openAll(openStreams, open)
	defer func() {
		for _, s := range opened {
			if s != nil {
				s.close()
			}
		}
	}()
	if err != nil {
		return 0, err
	}
	after, err := p.settledKB(ctx)
	return (after - before) / openStreams, err
}

// openAll opens streams, 32 at a time, and reads the first event of each.
func openAll(n int, open func(i int) (*eventStream, error)) ([]*eventStream, error) {
	opened, faults := make([]*eventStream, n), make([]error, n)
	turn := make(chan struct{}, 32)
	var opening sync.WaitGroup
	for i := range n {
		turn <- struct{}{}
		opening.Go(func() {
			defer func() { <-turn }()
			if opened[i], faults[i] = open(i); faults[i] == nil {
				_, faults[i] = opened[i].next()
			}
		})
	}
	opening.Wait()
	return opened, errors.Join(faults...)
}

// hold begins turns that the model holds, whose poster goes away, and gives their conversations: that of member i is at i.
func (s *stand) hold(ctx context.Context, n int) ([]string, error) {
	conversations := make([]string, n)
	for i := range n {
		conversations[i] = newID()
		stream, err := s.post(ctx, s.token(i), conversations[i], holdWords)
		if err != nil {
			return nil, err
		}
		err = stream.untilText()
		stream.close()
		if err != nil {
			return nil, err
		}
	}
	select {
	case <-time.After(200 * time.Millisecond): // the posters' own streams end meanwhile
	case <-ctx.Done():
	}
	return conversations, ctx.Err()
}

// untilText reads up to the first text.
func (s *eventStream) untilText() error {
	for {
		data, err := s.next()
		if err != nil || delta(data) != nil {
			return err
		}
	}
}
