package main

import (
	"context"
	"fmt"
	"time"
)

// Turns of one run of each of the three ways, and before the first run.
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

func (b *bench) newThreeWays(ctx context.Context) (w *threeWays, err error) {
	request, err := b.capture(ctx)
	if err != nil {
		return nil, fmt.Errorf("capture what Steward asks: %w", err)
	}
	w = &threeWays{}
	if w.stand, err = b.newStand(ctx, nil); err != nil {
		return nil, err
	}
	if w.proxy, err = b.role(ctx, roleProxy, "-to", w.stand.model.url); err == nil {
		if w.direct, err = newDirect(w.stand.model.url, request); err == nil {
			w.proxied, err = newDirect(w.proxy.url, request)
		}
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *threeWays) close() {
	if w.proxy != nil {
		w.proxy.stop()
	}
	w.stand.close()
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

// firstText measures the three ways in turns, so that what the machine does meanwhile hits all alike.
func firstText(ctx context.Context, b *bench, t *table) error {
	w, err := b.newThreeWays(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	ways := []func(int) (time.Duration, error){
		func(int) (time.Duration, error) { return w.direct.firstText(ctx) },
		func(int) (time.Duration, error) { return w.proxied.firstText(ctx) },
		func(i int) (time.Duration, error) { return w.stand.turn(ctx, i) },
	}
	measure := func(turns int) ([3][]time.Duration, error) {
		var took [3][]time.Duration
		for i := range turns {
			for k := range ways {
				way := (i + k) % len(ways)
				d, err := ways[way](i)
				if err != nil {
					return took, err
				}
				took[way] = append(took[way], d)
			}
		}
		return took, nil
	}
	if _, err := measure(turnsToWarm); err != nil {
		return err
	}
	var base, proxy50, proxy99, steward50, steward99, apart50 []float64
	for range b.runs {
		b.settle(ctx)
		took, err := measure(turnsOneAtATime)
		if err != nil {
			return err
		}
		p50 := [3]float64{percentile(took[0], 50), percentile(took[1], 50), percentile(took[2], 50)}
		p99 := [3]float64{percentile(took[0], 99), percentile(took[1], 99), percentile(took[2], 99)}
		base = append(base, p50[0])
		proxy50, proxy99 = append(proxy50, p50[1]-p50[0]), append(proxy99, p99[1]-p99[0])
		steward50, steward99 = append(steward50, p50[2]-p50[0]), append(steward99, p99[2]-p99[0])
		apart50 = append(apart50, p50[2]-p50[1])
	}
	t.add("first text, one at a time: the direct client itself, p50", "ms", base, none, "20 words, unpaced")
	t.add("first text, one at a time: added by a bare proxy, p50", "ms", proxy50, none, "")
	t.add("… p99", "ms", proxy99, none, "")
	t.add("first text, one at a time: added by Steward, p50", "ms", steward50, 1.2, "")
	t.add("… p99", "ms", steward99, none, "")
	t.add("first text, one at a time: Steward beyond the bare proxy, p50", "ms", apart50, 0.8, "aim 0.4")
	return nil
}
