package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
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

// awaitQuiet waits until others have left the machine alone for three seconds, or patience has passed.
func awaitQuiet(ctx context.Context, patience time.Duration, log io.Writer) {
	if patience <= 0 {
		return
	}
	begun := time.Now()
	for calm := 0; calm < 3 && time.Since(begun) < patience && ctx.Err() == nil; {
		o := watchOthers()
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
		if calm++; o.percent() > quietPercent {
			calm = 0
		}
	}
	if waited := time.Since(begun).Round(time.Second); waited > 3*time.Second {
		fmt.Fprintf(log, "(waited %v for a quiet machine) ", waited)
	}
}
