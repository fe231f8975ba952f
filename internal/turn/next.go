package turn

import (
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/model"
)

// action is what a turn does next.
type action int

const (
	actionAsk  action = iota + 1 // ask the model, or the guide
	actionRun                    // run the open calls
	actionRest                   // leave the open calls to the browser
	actionDeny                   // answer the open calls without running them: the rounds are used up
	actionEnd                    // end the turn
	actionDone                   // it has ended, or rests on the open calls
)

// step is the next step of a turn.
type step struct {
	action action
	// open are the calls of the last reply without a result, in call order.
	open []conversation.Asked
	// last says that the round to ask is the last one.
	last bool
	// outcome and code are the turn's, where it ends.
	outcome event.Outcome
	code    event.Code
}

// next decides the next step from a turn's entries alone, so that any process decides the same.
func next(turn []*conversation.Entry, maxRounds, breaker int) step {
	var reply *conversation.Reply
	rested := false // since that reply
	rounds, cut := 0, 0
	results := map[string]bool{}
	failed := newFailures()
	tripped := false
	for _, e := range turn {
		switch e.Kind {
		case conversation.KindReply:
			if e.Reply.State == conversation.SetAside {
				continue
			}
			reply, rested = e.Reply, false
			rounds++
			if e.Reply.State == conversation.Cut {
				cut++
			}
			failed.ask(e.Reply.Calls)
		case conversation.KindResult:
			results[e.Result.CallID] = true
			tripped = failed.settle(e.Result, breaker) || tripped
		case conversation.KindEnd:
			return step{action: actionDone}
		case conversation.KindRest:
			rested = true
		case conversation.KindMessage, conversation.KindContext, conversation.KindHint, conversation.KindClaim:
		}
	}
	if reply == nil {
		return step{action: actionAsk, last: maxRounds == 1}
	}
	var open, here []conversation.Asked
	for _, c := range reply.Calls {
		if results[c.ID] {
			continue
		}
		open = append(open, c)
		if !c.Browser {
			here = append(here, c)
		}
	}
	switch {
	case len(open) > 0 && !rested && reply.Answers == answersModel && rounds >= maxRounds:
		return step{action: actionDeny, open: open}
	case len(here) > 0: // the browser is asked once all else is known
		return step{action: actionRun, open: here}
	case len(open) > 0 && rested:
		return step{action: actionDone, open: open}
	case len(open) > 0:
		return step{action: actionRest, open: open}
	case reply.State == conversation.Cut && (cut >= 2 || !reply.Discarded):
		return ended(event.ProviderOutputTruncated)
	case tripped:
		return ended(event.ToolFailing)
	case (len(reply.Calls) > 0 || reply.Discarded) && rounds >= maxRounds:
		return ended(event.MaxRoundsReached)
	case len(reply.Calls) > 0, reply.Discarded, reply.Stop == model.StopPause && rounds < maxRounds:
		return step{action: actionAsk, last: rounds+1 == maxRounds}
	}
	return step{action: actionEnd, outcome: event.OutcomeCompleted}
}

func ended(code event.Code) step {
	return step{action: actionEnd, code: code, outcome: event.FactOf(code).Outcome}
}

// failures counts how often the same call failed with the same code.
type failures struct {
	asked  map[string]string // call id → name and input
	counts map[string]int
}

func newFailures() failures {
	return failures{asked: map[string]string{}, counts: map[string]int{}}
}

func (f failures) ask(calls []conversation.Asked) {
	for _, c := range calls {
		f.asked[c.ID] = c.Name + "\x00" + string(c.Input)
	}
}

// settle reports whether this failure is the one too many. A call that never ran says nothing of the tool.
func (f failures) settle(r *conversation.CallResult, breaker int) bool {
	code := event.Code(r.Code)
	if code == event.NotRunRoundLimit || code == event.NotRunTruncated || code == event.Aborted {
		return false
	}
	if r.OK || breaker <= 0 {
		return false
	}
	key := f.asked[r.CallID] + "\x00" + r.Code
	f.counts[key]++
	return f.counts[key] >= breaker
}
