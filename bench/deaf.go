package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	deafReaders = 1000
	loudTurns   = 10
	earStreams  = 50
	// A loud turn says more than is kept of a conversation, 256 KB, within six seconds.
	loudWords     = 300
	loudEvery     = 20 * time.Millisecond
	loudWordBytes = 1000
)

// deaf has 1,000 readers follow ten loud conversations without ever reading, while 50 others read.
func deaf(ctx context.Context, b *bench, t *table) error {
	var alone, beside, grown, peak, broken []float64
	for range b.runs {
		f, err := b.deafOnce(ctx)
		if err != nil {
			return err
		}
		alone, beside = append(alone, f.alone99), append(beside, f.beside99)
		grown, peak = append(grown, (f.peakKB-f.beforeKB)/deafReaders), append(peak, f.peakKB/1024)
		broken = append(broken, f.broken)
	}
	t.add("1,000 readers that never read: memory at its highest", "MB", peak, none, "")
	t.add("… more than before them, each", "KB", grown, 60, "ten turns of 300 KB each among it; no more than a stream that reads")
	t.add("… a word's way to 50 others, p99", "ms", beside, none, "")
	added := make([]float64, len(alone))
	for i := range alone {
		added[i] = beside[i] - alone[i]
	}
	t.add("… more than without them", "ms", added, 3, "")
	t.add("… words of the 50 lost, doubled or out of order", "words", broken, 0, "")
	return nil
}

type deafFigures struct{ alone99, beside99, beforeKB, peakKB, broken float64 }

func (b *bench) deafOnce(ctx context.Context) (f deafFigures, err error) {
	model, err := b.role(ctx, rolePacer)
	if err != nil {
		return f, err
	}
	s, err := b.newStand(ctx, model)
	if err != nil {
		return f, err
	}
	defer s.close()
	ears := func(lasts time.Duration) (arrivals, error) {
		return together(ctx, earStreams, lasts, func(words string, a *arrivals, i int) error { return s.listen(ctx, i, words, a) })
	}
	// The loud turns are there both times, so that the difference is the deaf readers'.
	stop, err := s.loud(ctx, false)
	if err != nil {
		return f, err
	}
	quiet, err := ears(4 * time.Second)
	stop()
	if err != nil {
		return f, err
	}
	if f.beforeKB, err = s.steward.residentKB(); err != nil {
		return f, err
	}
	if stop, err = s.loud(ctx, true); err != nil {
		return f, err
	}
	defer stop()
	watched := make(chan float64)
	done := make(chan struct{})
	go func() { watched <- s.steward.peakKB(done) }()
	loudest, err := ears(6 * time.Second)
	close(done)
	f.peakKB = <-watched
	f.alone99, f.beside99 = percentile(quiet.took, 99), percentile(loudest.took, 99)
	f.broken = float64(quiet.broken + loudest.broken)
	return f, err
}

// loud begins the loud turns and, where asked to, the readers that never read. stop lets go of them.
func (s *stand) loud(ctx context.Context, readers bool) (stop func(), err error) {
	var mu sync.Mutex
	var open []net.Conn
	stop = func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			_ = c.Close() // nothing was to be read
		}
		open = nil
	}
	conversations := make([]string, loudTurns)
	for i := range conversations {
		conversations[i] = newID()
		stream, err := s.post(ctx, s.token(i), conversations[i], pacedWords(loudWords, loudEvery, loudWordBytes))
		if err != nil {
			return stop, err
		}
		stream.close() // the turn goes on
	}
	if !readers {
		return stop, nil
	}
	faults := make([]error, deafReaders)
	turn := make(chan struct{}, 32)
	var opening sync.WaitGroup
	for i := range deafReaders {
		turn <- struct{}{}
		opening.Go(func() {
			defer func() { <-turn }()
			c, err := s.deafReader(ctx, i%loudTurns, conversations[i%loudTurns])
			if faults[i] = err; err == nil {
				mu.Lock()
				open = append(open, c)
				mu.Unlock()
			}
		})
	}
	opening.Wait()
	if err := errors.Join(faults...); err != nil {
		stop()
		return stop, err
	}
	return stop, nil
}

// deafReader asks for a conversation's events over a connection that takes as little as the system lets it, and reads
// none of the answer.
func (s *stand) deafReader(ctx context.Context, member int, conversation string) (net.Conn, error) {
	at := strings.TrimPrefix(s.steward.url, "http://")
	c, err := new(net.Dialer).DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		err = tcp.SetReadBuffer(4 << 10)
	}
	if err == nil {
		_, err = fmt.Fprintf(c, "GET /v1/conversations/%s/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n",
			conversation, at, s.token(member))
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// peakKB is the most that the process had resident until done; zero where that cannot be read.
func (p *process) peakKB(done <-chan struct{}) float64 {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	most := 0.0
	for {
		if now, err := p.residentKB(); err == nil {
			most = max(most, now)
		}
		select {
		case <-tick.C:
		case <-done:
			return most
		}
	}
}
