package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/steward-assistant/steward/internal/store"
)

// turnsPerSecond arrive whether or not earlier ones are answered.
const turnsPerSecond = 200

// load measures the first text at 200 turns a second, beside what a bare commit takes on the same disk.
func load(ctx context.Context, b *bench, t *table) error {
	w, err := b.newThreeWays(ctx, "")
	if err != nil {
		return err
	}
	defer w.close()
	asDirect := func(int) (time.Duration, error) { return w.direct.firstText(ctx) }
	asSteward := func(i int) (time.Duration, error) { return w.stand.turn(ctx, i) }
	for _, way := range []func(int) (time.Duration, error){asDirect, asSteward} { // as many connections as are needed
		if _, err := openLoop(ctx, turnsPerSecond, time.Second, way); err != nil {
			return err
		}
	}
	var base50, base99, commit50, commit99, added50, added99, cpu []float64
	for range b.runs {
		b.settle(ctx)
		commits, err := b.bareCommits(ctx)
		if err != nil {
			return err
		}
		straight, err := openLoop(ctx, turnsPerSecond, 3*time.Second, asDirect)
		if err != nil {
			return fmt.Errorf("direct: %w", err)
		}
		before, err := w.stand.steward.cpuSeconds()
		if err != nil {
			return err
		}
		steward, err := openLoop(ctx, turnsPerSecond, 10*time.Second, asSteward)
		if err != nil {
			return fmt.Errorf("through Steward: %w", err)
		}
		after, err := w.stand.steward.cpuSeconds()
		if err != nil {
			return err
		}
		cpu = append(cpu, (after-before)*1000/float64(len(steward)))
		base50, base99 = append(base50, percentile(straight, 50)), append(base99, percentile(straight, 99))
		commit50, commit99 = append(commit50, percentile(commits, 50)), append(commit99, percentile(commits, 99))
		added50 = append(added50, percentile(steward, 50)-percentile(straight, 50))
		added99 = append(added99, percentile(steward, 99)-percentile(straight, 99))
	}
	t.add("first text at 200 turns/s: the direct client itself, p50", "ms", base50, none, "")
	t.add("… p99", "ms", base99, none, "")
	t.add("first text at 200 turns/s: added by Steward, p50", "ms", added50, 1.5, "two durable commits a turn")
	t.add("… p99", "ms", added99, 8, "")
	t.add("… Steward's processor time a turn", "ms", cpu, none, "other work on the machine does not change it much")
	t.add("a bare synchronous commit on this disk, p50", "ms", commit50, none, "one at a time, 200 a second")
	t.add("… p99", "ms", commit99, none, "")
	return nil
}

// openLoop begins a call at each tick, whatever has become of those before, and waits for all of them. A call's time
// counts from when it began.
func openLoop(ctx context.Context, rate int, lasts time.Duration, call func(i int) (time.Duration, error)) ([]time.Duration, error) {
	n := int(lasts.Seconds() * float64(rate))
	took, faults := make([]time.Duration, n), make([]error, n)
	every := time.Second / time.Duration(rate)
	begun := time.Now()
	var calls sync.WaitGroup
	for i := range n {
		if wait := time.Until(begun.Add(time.Duration(i) * every)); wait > 0 {
			time.Sleep(wait)
		}
		if ctx.Err() != nil {
			faults[i] = context.Cause(ctx)
			break
		}
		calls.Go(func() { took[i], faults[i] = call(i) })
	}
	calls.Wait()
	failed := 0
	var first error
	for _, err := range faults {
		if err != nil {
			failed++
			if first == nil {
				first = err
			}
		}
	}
	if first != nil {
		return nil, fmt.Errorf("%d of %d calls failed, the first: %w", failed, n, first)
	}
	return took, nil
}

//go:embed schema
var schema embed.FS

// bareCommits makes durable writes of one small row, for two seconds, one at a time.
func (b *bench) bareCommits(ctx context.Context) (took []time.Duration, err error) {
	migrations, err := fs.Sub(schema, "schema")
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, "sqlite:"+filepath.Join(b.folder, "commits.db"), store.Options{Migrations: migrations})
	if err != nil {
		return nil, err
	}
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
	}()
	const n = 2 * turnsPerSecond
	begun := time.Now()
	for i := range n {
		if wait := time.Until(begun.Add(time.Duration(i) * time.Second / turnsPerSecond)); wait > 0 {
			time.Sleep(wait)
		}
		at := time.Now()
		err := db.Do(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO marks (id, at) VALUES ($1, $2)`, newID(), at.UnixMicro())
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("bare commit: %w", err)
		}
		took = append(took, time.Since(at))
	}
	return took, nil
}
