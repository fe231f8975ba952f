package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	deafReaders = 1000
	loudTurns   = 10
	earStreams  = 50
	// A loud turn goes on for as long as anything is measured. Its pieces are few and long: the thousand are to be deaf,
	// not to be many deliveries.
	loudWords     = 30
	loudEvery     = 500 * time.Millisecond
	loudWordBytes = 4000
)

// deaf has 1,000 readers follow ten loud conversations without ever reading, while 50 others read theirs; and the same
// without the thousand, in a process of its own, so that the difference is theirs.
func deaf(ctx context.Context, b *bench, t *table) error {
	var peak, grown, kernel, beside, added, broken []float64
	for range b.runs {
		b.settle(ctx)
		without, err := b.beside(ctx, false)
		if err != nil {
			return err
		}
		with, err := b.beside(ctx, true)
		if err != nil {
			return err
		}
		peak, grown = append(peak, with.peakKB/1024), append(grown, (with.peakKB-without.peakKB)/deafReaders)
		kernel = append(kernel, (with.kernelKB-without.kernelKB)/deafReaders)
		beside, added = append(beside, with.p99), append(added, with.p99-without.p99)
		broken = append(broken, with.broken)
	}
	t.add("1,000 readers that never read: Steward's memory at its highest", "MB", peak, none, "following ten turns of 8 KB a second")
	t.add("… more than without them, each", "KB", grown, 60, "no more than a stream that reads")
	t.add("… the system's buffers of their connections, each", "KB", kernel, none, "not Steward's memory, but the machine's")
	t.add("… a word's way to 50 others, p99", "ms", beside, none, "")
	t.add("… more than without them", "ms", added, 3, "")
	t.add("… words of the 50 lost, doubled or out of order", "words", broken, 0, "")
	return nil
}

type deafFigures struct{ p99, peakKB, kernelKB, broken float64 }

// beside measures the 50 that read and the memory of Steward meanwhile.
func (b *bench) beside(ctx context.Context, readers bool) (f deafFigures, err error) {
	model, err := b.role(ctx, rolePacer)
	if err != nil {
		return f, err
	}
	s, err := b.newStand(ctx, model)
	if err != nil {
		return f, err
	}
	defer s.close()
	kernel := socketKB()
	stop, err := s.loud(ctx, readers)
	if err != nil {
		return f, err
	}
	defer stop()
	done, peak := make(chan struct{}), make(chan float64, 1)
	go func() { peak <- s.steward.peakKB(done) }()
	heard, err := together(ctx, earStreams, 6*time.Second, func(words string, a *arrivals, i int) error {
		return s.listen(ctx, i, words, a)
	})
	close(done)
	f.peakKB, f.kernelKB = <-peak, socketKB()-kernel
	f.p99, f.broken = percentile(heard.took, 99), float64(heard.broken)
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
	if err == nil {
		// That the answer has begun says that its stream is open; what follows is left where it is.
		_, err = io.ReadFull(c, make([]byte, len("HTTP/1.1 200")))
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

// socketKB is what the system holds in TCP buffers; zero where it does not tell.
func socketKB() float64 {
	text, err := os.ReadFile("/proc/net/sockstat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "TCP: ")
	_, rest, _ = strings.Cut(rest, " mem ")
	pages, _ := strconv.Atoi(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0])) // zero where it is not told
	return float64(pages*os.Getpagesize()) / 1024
}
