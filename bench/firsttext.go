package main

import (
	"context"
	"fmt"
	"time"
)

// Turns of one run of each of the ways, and before the first run.
const (
	turnsOneAtATime = 200
	turnsToWarm     = 100
)

// threeWays are the ways to the same model that are compared.
type threeWays struct {
	direct, proxied *direct
	proxy           *process
	stand           *stand
}

// newThreeWays starts them before a scripted model; provider is the host's that is asked, empty for its usual one.
func (b *bench) newThreeWays(ctx context.Context, provider string) (w *threeWays, err error) {
	w = &threeWays{}
	if w.stand, err = b.start(ctx, &stand{provider: provider}); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	request, err := w.stand.capture(ctx)
	if err != nil {
		return nil, err
	}
	if w.proxy, err = b.role(ctx, roleProxy, "-to", w.stand.model.url); err != nil {
		return nil, err
	}
	if w.direct, err = w.stand.direct(w.stand.model.url, request); err != nil {
		return nil, err
	}
	w.proxied, err = w.stand.direct(w.proxy.url, request)
	return w, err
}

func (w *threeWays) close() {
	if w.proxy != nil {
		w.proxy.stop()
	}
	w.stand.close()
}

// way is one way to a model: turn takes the i-th turn there and gives the time to its first text.
type way struct {
	name string
	turn func(i int) (time.Duration, error)
}

// ways are direct, bare proxy and Steward, in this order.
func (w *threeWays) ways(ctx context.Context) []way {
	return []way{
		{"direct", func(int) (time.Duration, error) { return w.direct.firstText(ctx) }},
		{"through the proxy", func(int) (time.Duration, error) { return w.proxied.firstText(ctx) }},
		{"through Steward", func(i int) (time.Duration, error) { return w.stand.turn(ctx, i) }},
	}
}

// inTurns measures ways in turns, so that what the machine does meanwhile hits all alike. It adds so many times of each
// way to took, which has as many places as there are ways.
func inTurns(ways []way, turns int, took [][]time.Duration) error {
	for range turns {
		i := len(took[0])
		for k := range ways {
			at := (i + k) % len(ways)
			d, err := ways[at].turn(i)
			if err != nil {
				return fmt.Errorf("%s: %w", ways[at].name, err)
			}
			took[at] = append(took[at], d)
		}
	}
	return nil
}

// turn sends one message of a member in a new conversation, reads the whole answer, and gives the time to the first
// text.
func (s *stand) turn(ctx context.Context, member int) (time.Duration, error) {
	token, conversation := s.token(member), newID()
	begun := time.Now()
	stream, err := s.post(ctx, token, conversation, usualWords)
	if err != nil {
		return 0, err
	}
	first, err := stream.firstText()
	return first.Sub(begun), err
}

// firstText measures the three ways in turns.
func firstText(ctx context.Context, b *bench, t *table) error {
	w, err := b.newThreeWays(ctx, "")
	if err != nil {
		return err
	}
	defer w.close()
	ways := w.ways(ctx)
	if err := inTurns(ways, turnsToWarm, make([][]time.Duration, len(ways))); err != nil {
		return err
	}
	var added firstTexts
	for range b.runs {
		b.settle(ctx)
		took := make([][]time.Duration, len(ways))
		if err := inTurns(ways, turnsOneAtATime, took); err != nil {
			return err
		}
		added.take(took[0], took[1], took[2])
	}
	added.addBase(t, "first text, one at a time", "20 words, unpaced")
	added.addSteward(t, "first text, one at a time")
	return nil
}

// firstTexts are the figures of the three ways, a value of each run.
type firstTexts struct {
	base, proxy50, proxy99, steward50, steward99, apart50 []float64
}

// take adds a run.
func (f *firstTexts) take(direct, proxied, steward []time.Duration) {
	base50, base99 := percentile(direct, 50), percentile(direct, 99)
	proxy50, steward50 := percentile(proxied, 50), percentile(steward, 50)
	f.base = append(f.base, base50)
	f.proxy50, f.proxy99 = append(f.proxy50, proxy50-base50), append(f.proxy99, percentile(proxied, 99)-base99)
	f.steward50, f.steward99 = append(f.steward50, steward50-base50), append(f.steward99, percentile(steward, 99)-base99)
	f.apart50 = append(f.apart50, steward50-proxy50)
}

// addBase adds what the ways without Steward take.
func (f *firstTexts) addBase(t *table, what, note string) {
	t.add(what+": the direct client itself, p50", "ms", f.base, none, note)
	t.add(what+": added by a bare proxy, p50", "ms", f.proxy50, none, "")
	t.add("… p99", "ms", f.proxy99, none, "")
}

// addSteward adds what Steward takes beyond them.
func (f *firstTexts) addSteward(t *table, what string) {
	t.add(what+": added by Steward, p50", "ms", f.steward50, 1.2, "")
	t.add("… p99", "ms", f.steward99, none, "")
	t.add(what+": Steward beyond the bare proxy, p50", "ms", f.apart50, 0.8, "aim 0.4")
}
