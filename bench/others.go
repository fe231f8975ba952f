package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"
)

// others tells how much of the processors' time processes of others take: what they do is measured too.
type others struct {
	begun        time.Time
	machine, own float64
	known        bool
}

// watchOthers begins to count. All children that count must have ended when percent is asked.
func watchOthers() others {
	machine, own, err := busy()
	return others{time.Now(), machine, own, err == nil}
}

// percent is the share of all processors' time since; zero where the system does not tell.
func (o others) percent() float64 {
	machine, own, err := busy()
	all := time.Since(o.begun).Seconds() * float64(runtime.NumCPU())
	if !o.known || err != nil || all == 0 {
		return 0
	}
	return max(0, 100*((machine-o.machine)-(own-o.own))/all)
}

// quietPercent is what others may take of a machine that counts as quiet.
const quietPercent = 10

// settle stands before each run: it gives back what an earlier one left, so that its collection falls into no
// measurement, and waits until others have left the machine alone for three seconds, or patience has passed.
func (b *bench) settle(ctx context.Context) {
	debug.FreeOSMemory()
	waiting := watchOthers()
	for calm := 0; calm < 3 && time.Since(waiting.begun) < b.patience && ctx.Err() == nil; {
		second := watchOthers()
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
		if calm++; second.percent() > quietPercent {
			calm = 0
		}
	}
	// What happened while it waited is no part of the row.
	now := watchOthers()
	b.others.begun = b.others.begun.Add(now.begun.Sub(waiting.begun))
	b.others.machine += now.machine - waiting.machine
	b.others.own += now.own - waiting.own
}
