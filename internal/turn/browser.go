package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

const waitsForBrowser = "browser"

// pageLacks tells a model that the front end did not bring a tool this time.
const pageLacks = "The page that the member has open does not have this tool now. Nothing ran."

// offer gives what a turn's message may use: the server's tools and, where a front end of its own sent it, those that it
// brought with the conversation's first message.
func (e *Engine) offer(by principal.Principal, surface string, m, first *conversation.UserMessage, fence tool.Fence) *tool.Offer {
	o := e.cfg.Registry.Offer(tool.Asker{Principal: by, Surface: surface, Capabilities: m.Capabilities})
	if m.Agent && first != nil {
		o = o.With(first.ClientTools, fence)
	}
	return o
}

// brings reports whether the front end brought a client tool with the turn's message.
func (r *run) brings(name string) bool { return slices.Contains(r.message.Brings, name) }

// rest leaves calls to the browser until their stored deadline.
func (r *run) rest(open []conversation.Asked) error {
	entry := &conversation.Entry{Kind: conversation.KindRest, Rest: &conversation.Rest{}}
	for _, c := range open {
		entry.Rest.Calls = append(entry.Rest.Calls, c.ID)
	}
	return r.wait(waitsForBrowser, r.e.cfg.Host.Tools.ClientTimeout.Std(), func() {
		r.announce(open)
		r.terminal()
	}, entry)
}

// pending gives the ids of the calls that the browser is to answer; none where the turn does not rest on any.
func pending(turn []*conversation.Entry) []string {
	var out []string
	for _, c := range unanswered(turn) {
		out = append(out, c.ID)
	}
	return out
}

// unanswered gives the calls that the browser is to answer, in call order.
func unanswered(turn []*conversation.Entry) []conversation.Asked {
	if len(turn) == 0 || turn[len(turn)-1].Kind == conversation.KindEnd {
		return nil
	}
	var out []conversation.Asked
	for _, e := range turn {
		switch e.Kind {
		case conversation.KindReply:
			out = nil
		case conversation.KindRest:
			for _, c := range lastReply(turn).Reply.Calls {
				if slices.Contains(e.Rest.Calls, c.ID) {
					out = append(out, c)
				}
			}
		case conversation.KindResult:
			out = slices.DeleteFunc(out, func(c conversation.Asked) bool { return c.ID == e.Result.CallID })
		case conversation.KindMessage, conversation.KindContext, conversation.KindHint, conversation.KindClaim, conversation.KindEnd:
		}
	}
	return out
}

// claimant gives the tab that has taken a call; empty: none has.
func claimant(turn []*conversation.Entry, callID string) string {
	for _, e := range turn {
		if e.Kind == conversation.KindClaim && e.Claim.CallID == callID {
			return e.Claim.ClientID
		}
	}
	return ""
}

// Answer is what a browser answered to one call.
type Answer struct {
	CallID string
	// ClientID is the tab that claimed the call; empty for a front end that answers what it alone was asked.
	ClientID string
	tool.ClientAnswer
}

// Claim takes a browser call for one tab: the one that sent the message, where that named itself. It is taken once.
func (e *Engine) Claim(ctx context.Context, by Asker, conversationID, callID, clientID string) error {
	if err := e.recheck(ctx, by); err != nil {
		return err
	}
	return e.cfg.Store.Do(ctx, func(tx *store.Tx) error {
		row, turn, err := e.resting(ctx, tx, by, conversationID, callID)
		if err != nil {
			return err
		}
		owner := turn[0].Message.ClientID
		if claimant(turn, callID) != "" || owner != "" && owner != clientID {
			return &Refusal{Code: event.ToolAlreadyResolved, Detail: "another tab has this call"}
		}
		_, err = conversation.Note(ctx, tx, row, []*conversation.Entry{{
			Kind: conversation.KindClaim, TurnID: row.TurnID, Claim: &conversation.Claim{CallID: callID, ClientID: clientID},
		}}, e.cfg.Now())
		return resolvedMeanwhile(err)
	})
}

// resting gives a conversation and its newest turn for a browser that answers a call of it. A call that nobody knows is
// not found; one that is answered, given up or replaced is resolved already.
func (e *Engine) resting(ctx context.Context, tx *store.Tx, by Asker, conversationID, callID string) (conversation.Row, []*conversation.Entry, error) {
	row, err := conversation.Get(ctx, tx, e.key(by, conversationID))
	if errors.Is(err, conversation.ErrNotFound) {
		return row, nil, &Refusal{Code: event.NotFound, Detail: "no such conversation"}
	}
	if err != nil {
		return row, nil, fmt.Errorf("find conversation: %w", err)
	}
	turn, err := conversation.Turn(ctx, tx, row.Ref, row.TurnID)
	if err != nil {
		return row, nil, err
	}
	for _, c := range unanswered(turn) {
		if c.ID == callID && row.State == conversation.Waiting {
			return row, turn, nil
		}
	}
	known, err := conversation.Log(ctx, tx, row.Ref, 0, row.Head)
	if err != nil {
		return row, nil, err
	}
	for _, entry := range known {
		if entry.Kind == conversation.KindReply && slices.ContainsFunc(entry.Reply.Calls, func(c conversation.Asked) bool { return c.ID == callID && c.Browser }) {
			return row, nil, &Refusal{Code: event.ToolAlreadyResolved, Detail: "this call does not wait for an answer any more"}
		}
	}
	return row, nil, &Refusal{Code: event.ToolExecutionNotFound, Detail: "no such call of the browser"}
}

func resolvedMeanwhile(err error) error {
	if errors.Is(err, conversation.ErrFenced) {
		return &Refusal{Code: event.ToolAlreadyResolved, Detail: "the call was resolved at the same moment"}
	}
	return err
}

// Answer answers a call that a tab has claimed. When it was the last one that the turn waits for, the turn goes on.
func (e *Engine) Answer(ctx context.Context, by Asker, conversationID string, a Answer) error {
	if err := e.recheck(ctx, by); err != nil {
		return err
	}
	err := e.cfg.Store.Read(ctx, func(tx *store.Tx) error {
		_, turn, err := e.resting(ctx, tx, by, conversationID, a.CallID)
		if err == nil && claimant(turn, a.CallID) != a.ClientID {
			err = &Refusal{Code: event.ToolAlreadyResolved, Detail: "the tab that claimed this call answers it"}
		}
		return err
	})
	if err != nil {
		return err
	}
	row, err := e.find(ctx, by, conversationID)
	if err != nil {
		return err
	}
	answered, err := e.answer(ctx, by, row, "", []Answer{a})
	if err == nil && len(answered.ids) == 0 {
		err = &Refusal{Code: event.ToolAlreadyResolved, Detail: "the call was resolved at the same moment"}
	}
	return err
}

// recheck is what a decision, a pick and a browser's answer pass: the kill switches, the member's rights, and the budget.
func (e *Engine) recheck(ctx context.Context, by Asker) error {
	switch {
	case e.cfg.Disabled:
		return &Refusal{Code: event.AgentDisabled, Detail: "the assistant is switched off"}
	case !e.may(by, config.RightSend):
		return &Refusal{Code: event.Forbidden, Detail: "this role may not send messages"}
	}
	return e.budget(ctx, &attempt{by: by})
}

// answered is what became of a browser's answers.
type answered struct {
	// ids are the calls that were answered now.
	ids []string
	// open is the turn's entries where calls still wait; nil: the turn goes on.
	open []*conversation.Entry
	row  conversation.Row
}

var errUnanswered = errors.New("nothing that waits was answered")

// answer stores what the browser answered, each call once, and goes on with the turn once none waits. runID names the
// front end's run that brought it; empty: none did. A call that another tab has claimed is left to it.
func (e *Engine) answer(
	ctx context.Context, by Asker, row conversation.Row, runID string, answers []Answer,
) (answered, error) {
	var out answered
	var entries []*conversation.Entry
	take := func(tx *store.Tx) (conversation.Row, error) {
		out, entries = answered{}, nil
		row, err := conversation.ByRef(ctx, tx, row.Ref)
		if err != nil {
			return row, err
		}
		turn, err := conversation.Turn(ctx, tx, row.Ref, row.TurnID)
		if err != nil {
			return row, err
		}
		for _, c := range unanswered(turn) {
			a := answerOf(turn, c, answers)
			if a == nil || row.State != conversation.Waiting {
				continue
			}
			entries = append(entries, e.answerEntry(row, turn[0].Message, *a))
			out.ids = append(out.ids, c.ID)
		}
		if len(entries) == 0 {
			out.open, out.row = turn, row
			return row, errUnanswered
		}
		if row, err = conversation.Note(ctx, tx, row, entries, e.cfg.Now()); err != nil {
			return row, err
		}
		turn = append(turn, entries...)
		if len(unanswered(turn)) > 0 {
			out.open, out.row = turn, row
			return row, errKept
		}
		if row, err = conversation.Wake(ctx, tx, row.Ref, e.worker, waitsForBrowser); err != nil {
			return row, err
		}
		out.row = row
		if runID == "" {
			return row, nil
		}
		return row, conversation.PutRun(ctx, tx, row.Ref, conversation.AgentRun{ID: runID, TurnID: row.TurnID, Seq: row.Head})
	}
	err := e.resume(ctx, take, by.Credential, &by.Principal, true, func(r *run) { r.goOn(entries) })
	if errors.Is(err, errUnanswered) || errors.Is(err, errKept) || errors.Is(err, conversation.ErrFenced) {
		return out, nil
	}
	return out, err
}

// answerOf gives the answer to a browser call; nil: there is none, or the call is another tab's.
func answerOf(turn []*conversation.Entry, c conversation.Asked, answers []Answer) *Answer {
	i := slices.IndexFunc(answers, func(a Answer) bool { return a.CallID == c.ID && c.Browser })
	if i < 0 {
		return nil
	}
	if tab := claimant(turn, c.ID); tab != "" && tab != answers[i].ClientID {
		return nil
	}
	return &answers[i]
}

// answerEntry makes the entry of a browser's answer.
func (e *Engine) answerEntry(row conversation.Row, m *conversation.UserMessage, a Answer) *conversation.Entry {
	result := tool.ClientResult(a.ClientAnswer, tool.Fence{Mark: row.Mark}, e.cfg.Host.Tools.ResultLimit, m.Locale)
	entry := storedResult(a.CallID, result)
	entry.TurnID = row.TurnID
	return entry
}

// goOn tells that a turn which waited goes on, and the results that it waited for.
func (r *run) goOn(results []*conversation.Entry) {
	r.publish(feed.Frame{}, event.RunStarted{ThreadID: r.row.Key.ID, RunID: r.row.TurnID})
	r.tell(r.meta())
	for _, e := range results {
		r.tellResult(e.Result)
	}
}

// giveUp goes on with turns whose browser did not answer before the deadline.
func (e *Engine) giveUp(ctx context.Context) {
	var overdue []string
	err := e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		overdue, err = conversation.Overdue(ctx, tx)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			e.cfg.Log.WarnContext(ctx, "overdue calls not looked for", "error", err)
		}
		return
	}
	for _, ref := range overdue {
		var entries []*conversation.Entry
		err := e.resume(ctx, func(tx *store.Tx) (conversation.Row, error) {
			row, err := conversation.ByRef(ctx, tx, ref)
			if err != nil {
				return row, err
			}
			turn, err := conversation.Turn(ctx, tx, ref, row.TurnID)
			if err != nil {
				return row, err
			}
			entries = nil
			for _, c := range unanswered(turn) {
				entry := failed(c.ID, event.PageDidNotAnswer, "The page did not answer in time. Whether it was done is unknown.")
				entry.TurnID = row.TurnID
				entry.Result.Sentence = words.For(turn[0].Message.Locale).Text("code."+string(event.PageDidNotAnswer)+".message", nil)
				entries = append(entries, entry)
			}
			if row, err = conversation.Note(ctx, tx, row, entries, e.cfg.Now()); err != nil {
				return row, err
			}
			return conversation.Wake(ctx, tx, ref, e.worker, waitsForBrowser)
		}, e.readers.credential(ref), nil, true, func(r *run) { r.goOn(entries) })
		if err != nil && !errors.Is(err, conversation.ErrFenced) && !errors.Is(err, conversation.ErrNotFound) && ctx.Err() == nil {
			e.cfg.Log.WarnContext(ctx, "overdue call not given up", "conversation", ref, "error", err)
		}
	}
}
