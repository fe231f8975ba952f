package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// The streams of the transit row: 200 of 50 words a second.
const (
	transitStreams = 200
	wordEvery      = 20 * time.Millisecond
	wordBytes      = 26
)

// transit compares when a word was sent with when it was read, through Steward and without.
func transit(ctx context.Context, b *bench, t *table) error {
	model, err := b.role(ctx, rolePacer)
	if err != nil {
		return err
	}
	s, err := b.newStand(ctx, model)
	if err != nil {
		return err
	}
	defer s.close()
	request, err := s.capture(ctx)
	if err != nil {
		return err
	}
	straight, err := s.direct(model.url, request)
	if err != nil {
		return err
	}
	var base50, base99, added50, added99, broken, cpu []float64
	for range b.runs {
		b.settle(ctx)
		without, err := together(ctx, transitStreams, 3*time.Second, func(words string, a *arrivals, _ int) error {
			return straight.saying(words).each(ctx, a.take)
		})
		if err != nil {
			return fmt.Errorf("direct: %w", err)
		}
		before, err := s.steward.cpuSeconds()
		if err != nil {
			return err
		}
		through, err := together(ctx, transitStreams, 10*time.Second, func(words string, a *arrivals, i int) error {
			return s.listen(ctx, i, words, a)
		})
		if err != nil {
			return fmt.Errorf("through Steward: %w", err)
		}
		after, err := s.steward.cpuSeconds()
		if err != nil {
			return err
		}
		cpu = append(cpu, (after-before)*1e6/(transitStreams*500))
		base50, base99 = append(base50, percentile(without.took, 50)), append(base99, percentile(without.took, 99))
		added50 = append(added50, percentile(through.took, 50)-percentile(without.took, 50))
		added99 = append(added99, percentile(through.took, 99)-percentile(without.took, 99))
		broken = append(broken, float64(through.broken))
	}
	t.add("a word's way, 200 streams of 50 words/s: the direct client itself, p50", "ms", base50, none, "")
	t.add("… p99", "ms", base99, none, "")
	t.add("a word's way, 200 streams of 50 words/s: added by Steward, p50", "ms", added50, 0.3, "")
	t.add("… p99", "ms", added99, 3, "")
	t.add("… Steward's processor time a word", "µs", cpu, none, "other work on the machine does not change it much")
	t.add("words lost, doubled or out of order", "words", broken, 0, fmt.Sprintf("of %d", transitStreams*500))
	return nil
}

// listen sends a message and takes the words of its answer as they come.
func (s *stand) listen(ctx context.Context, member int, words string, a *arrivals) error {
	stream, err := s.post(ctx, s.token(member), newID(), words)
	if err != nil {
		return err
	}
	return stream.each(func(d []byte) { a.take(string(d)) })
}

// together runs streams at the same time and puts what they found together. Words of a stream's first half second do
// not count: all streams open then.
func together(ctx context.Context, streams int, lasts time.Duration, run func(words string, a *arrivals, i int) error) (arrivals, error) {
	words := int(lasts / wordEvery)
	said := pacedWords(words, wordEvery, wordBytes)
	each, faults := make([]arrivals, streams), make([]error, streams)
	var running sync.WaitGroup
	for i := range streams {
		each[i] = arrivals{skip: int(500 * time.Millisecond / wordEvery), took: make([]time.Duration, 0, words)}
		running.Go(func() { faults[i] = run(said, &each[i], i) })
		time.Sleep(time.Millisecond) // they open one after the other
	}
	running.Wait()
	var all arrivals
	for i := range each {
		all.took = append(all.took, each[i].took...)
		all.broken += each[i].broken + max(0, words-each[i].next)
	}
	if err := errors.Join(faults...); err != nil {
		return all, err
	}
	return all, ctx.Err()
}
