package turn

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/model"
)

// script makes a turn's entries from words, one an entry: "q" a message, "r" a whole reply, "r2" one with two calls,
// "cut2", "cut", "aside", "pause", "ok0" the result of call 0, "bad0" a failed one, "end".
func script(words ...string) []*conversation.Entry {
	var out []*conversation.Entry
	calls := 0
	reply := func(state conversation.ReplyState, n int) {
		r := &conversation.Reply{State: state, Answers: answersModel, Text: "x"}
		for range n {
			r.Calls = append(r.Calls, conversation.Asked{ID: strconv.Itoa(calls), Name: "a.b", Input: json.RawMessage("{}")})
			calls++
		}
		out = append(out, &conversation.Entry{Kind: conversation.KindReply, Reply: r})
	}
	for _, w := range words {
		switch {
		case w == "q":
			out = append(out, &conversation.Entry{Kind: conversation.KindMessage, Message: &conversation.UserMessage{}})
		case w == "r":
			reply(conversation.Whole, 0)
		case w == "pause":
			reply(conversation.Whole, 0)
			out[len(out)-1].Reply.Stop = model.StopPause
		case w == "cut":
			reply(conversation.Cut, 0)
		case w == "aside":
			reply(conversation.SetAside, 0)
		case w[0] == 'r':
			reply(conversation.Whole, int(w[1]-'0'))
		case len(w) == 4 && w[:3] == "cut":
			reply(conversation.Cut, int(w[3]-'0'))
			out[len(out)-1].Reply.Discarded = true
		case w == "end":
			out = append(out, &conversation.Entry{Kind: conversation.KindEnd, End: &conversation.End{}})
		case w[:2] == "ok":
			out = append(out, &conversation.Entry{Kind: conversation.KindResult, Result: &conversation.CallResult{CallID: w[2:], OK: true}})
		case w[:3] == "bad":
			out = append(out, &conversation.Entry{Kind: conversation.KindResult, Result: &conversation.CallResult{CallID: w[3:], Code: "unreadable"}})
		case w[:3] == "not":
			out = append(out, &conversation.Entry{Kind: conversation.KindResult, Result: &conversation.CallResult{CallID: w[3:], Code: string(event.NotRunTruncated)}})
		}
	}
	return out
}

func TestNext(t *testing.T) {
	tests := []struct {
		name   string
		turn   []string
		rounds int
		want   step
		open   int
	}{
		{"a message is asked", []string{"q"}, 6, step{action: actionAsk}, 0},
		{"the only round is the last", []string{"q"}, 1, step{action: actionAsk, last: true}, 0},
		{"words end the turn", []string{"q", "r"}, 6, step{action: actionEnd, outcome: event.OutcomeCompleted}, 0},
		{"calls run", []string{"q", "r2"}, 6, step{action: actionRun}, 2},
		{"a call with a result does not run again", []string{"q", "r2", "ok0"}, 6, step{action: actionRun}, 1},
		{"answered calls are told", []string{"q", "r2", "ok0", "ok1"}, 6, step{action: actionAsk}, 0},
		{"the round before the last says so", []string{"q", "r1", "ok0"}, 2, step{action: actionAsk, last: true}, 0},
		{"calls of the last round are denied", []string{"q", "r1", "ok0", "r1"}, 2, step{action: actionDeny}, 1},
		{"denied calls end the turn", []string{"q", "r1", "ok0", "r1", "bad1"}, 2, ended(event.MaxRoundsReached), 0},
		{"a set-aside reply does not count", []string{"q", "aside"}, 1, step{action: actionAsk, last: true}, 0},
		{"a cut batch is asked again", []string{"q", "cut1", "not0"}, 6, step{action: actionAsk}, 0},
		{"a second cut ends", []string{"q", "cut1", "not0", "cut1", "not1"}, 6, ended(event.ProviderOutputTruncated), 0},
		{"cut prose ends", []string{"q", "cut"}, 6, ended(event.ProviderOutputTruncated), 0},
		{"a paused reply goes on", []string{"q", "pause"}, 6, step{action: actionAsk}, 0},
		{"three failures of one call end", []string{"q", "r3", "bad0", "bad1", "bad2"}, 6, ended(event.ToolFailing), 0},
		{"two do not", []string{"q", "r3", "bad0", "ok1", "bad2"}, 6, step{action: actionAsk}, 0},
		{"an ended turn is done", []string{"q", "r", "end"}, 6, step{action: actionDone}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := next(script(tt.turn...), tt.rounds, 3)
			if len(got.open) != tt.open {
				t.Errorf("open calls = %d, want %d", len(got.open), tt.open)
			}
			got.open = nil
			if got.action != tt.want.action || got.last != tt.want.last || got.outcome != tt.want.outcome || got.code != tt.want.code {
				t.Errorf("next = %+v, want %+v", got, tt.want)
			}
		})
	}
}
