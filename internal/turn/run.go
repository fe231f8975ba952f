package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// run is a turn whose lease this process holds. Everything but credential belongs to the goroutine of drive.
type run struct {
	e      *Engine
	ctx    context.Context //nolint:containedctx // the life of the turn: from the lease to the end, whatever becomes of a request
	cancel context.CancelCauseFunc
	over   chan struct{}
	log    *slog.Logger

	row     conversation.Row
	message *conversation.UserMessage
	by      principal.Principal
	name    string
	locale  string
	offer   *tool.Offer
	fence   tool.Fence
	// history is the log before the turn, turn the entries of the turn.
	history      []*conversation.Entry
	turn         []*conversation.Entry
	lacksHistory bool
	resumed      bool // taken up from the log
	hasDraft     bool

	mu         sync.Mutex
	credential tool.Credential

	missed int         // beats in a row that did not find the lease; of the goroutine of watch
	lost   atomic.Bool // the message could not be stored: there is no turn

	// ready is closed when the newest step is on disk and its events are published; nothing is told before that.
	ready     chan struct{}
	readyErr  error
	published int // counts the events since the newest entry
}

func (e *Engine) newRun(row conversation.Row, m *conversation.UserMessage, credential tool.Credential) *run {
	r := &run{
		e: e, row: row, message: m, locale: m.Locale, credential: credential, over: make(chan struct{}),
		fence: tool.Fence{Mark: row.Mark},
		by: principal.Principal{
			Member: row.Key.Member, Org: row.Key.Org, Roles: m.Asker.Roles, Scopes: m.Asker.Scopes,
			Features: m.Asker.Features, Plan: m.Asker.Plan, TimeZone: m.Asker.TimeZone, Locale: m.Locale,
		},
		log: e.cfg.Log.With("trace", m.TraceID, "turn", row.TurnID, "conversation", row.Ref),
	}
	r.ctx, r.cancel = context.WithCancelCause(e.ctx)
	closed := make(chan struct{})
	close(closed)
	r.ready = closed
	return r
}

// adopt makes the run known, so that it can be stopped and followed. false: the engine is closing.
func (e *Engine) adopt(r *run) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return false
	}
	e.runs[r.row.Ref] = r
	e.active.Add(1)
	return true
}

func (e *Engine) running(ref string) *run {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runs[ref]
}

func (e *Engine) drop(r *run) {
	e.mu.Lock()
	if e.runs[r.row.Ref] == r {
		delete(e.runs, r.row.Ref)
	}
	e.mu.Unlock()
	close(r.over)
	e.active.Done()
}

// drive takes steps until the turn ends, waits, or is not ours any more.
func (r *run) drive() {
	defer r.e.drop(r)
	defer r.cancel(nil)
	defer func() {
		if p := recover(); p != nil {
			r.log.ErrorContext(r.ctx, "turn panicked", "panic", fmt.Sprint(p))
			r.finish(event.OutcomeFailed, event.Internal)
		}
	}()
	err := r.advance()
	_ = r.await() // the last step's events
	switch {
	case err == nil:
		r.e.logs.put(r.row.Ref, r.row.Head, r.history, r.turn)
	case errors.Is(err, conversation.ErrFenced), errors.Is(err, errErased):
		r.log.InfoContext(r.ctx, "turn left to another worker")
	case errors.Is(err, errShutdown):
		r.leave()
	case r.readyErr != nil && r.unstored():
		r.log.ErrorContext(r.ctx, "message not stored", "error", err)
		r.lost.Store(true)
		r.publish(feed.Frame{Terminal: true}, event.RunError{
			Message: r.e.reader(r.locale, conversation.Resting).Sentence(event.Unavailable), Code: string(event.Unavailable),
			TraceID: r.message.TraceID, Action: event.ActionRetry,
			Result: event.Complete{
				TurnID: r.row.TurnID, MessageID: r.turn[0].MessageID, Messages: json.RawMessage("[]"), Answers: r.message.Answers,
				Outcome: event.OutcomeFailed, Code: event.Unavailable, TraceID: r.message.TraceID,
			},
		})
	default:
		r.log.ErrorContext(r.ctx, "turn failed", "error", err)
		r.finish(event.OutcomeFailed, event.Internal)
	}
}

// unstored reports whether the commit that failed was the one of the message itself, so that nothing of the turn exists.
func (r *run) unstored() bool { return !r.resumed && len(r.turn) == 2 }

// advance takes the turn's steps, each computed from the log.
func (r *run) advance() error {
	if r.lacksHistory {
		if err := r.loadHistory(); err != nil {
			return err
		}
	}
	for {
		if err := r.interrupted(); err != nil {
			return err
		}
		s := next(r.turn, r.e.cfg.Host.Turn.MaxRounds, r.e.cfg.Host.Tools.RetryBreaker)
		var done bool
		var err error
		switch s.action {
		case actionAsk:
			if r.message.Answers == answersGuide {
				done, err = r.askGuide()
			} else {
				done, err = r.askModel(s.last)
			}
		case actionRun:
			done, err = r.runCalls(s.open)
		case actionRest:
			return r.rest(s.open)
		case actionDeny:
			err = r.deny(s.open)
		case actionEnd:
			return r.end(s.outcome, s.code)
		case actionDone:
			return nil
		}
		if done || err != nil {
			return err
		}
	}
}

// interrupted tells why the run must not go on: the process ends, or the conversation was erased. A stop by the member
// ends the turn instead.
func (r *run) interrupted() error {
	if r.ctx.Err() == nil || r.stopped() {
		return nil
	}
	return context.Cause(r.ctx)
}

func (r *run) stopped() bool { return errors.Is(context.Cause(r.ctx), errStopped) }

func (r *run) loadHistory() error {
	return r.e.cfg.Store.Read(r.ctx, func(tx *store.Tx) error {
		log, err := conversation.Log(r.ctx, tx, r.row.Ref, 0, r.row.Head-int64(len(r.turn)))
		r.history = log
		return err
	})
}

// write appends entries as one step. It returns when the step is decided; then is called once it is on disk, and
// nothing else is published before that.
func (r *run) write(state conversation.State, waitsFor string, then func(), entries ...*conversation.Entry) error {
	return r.step(conversation.Step{State: state, WaitsFor: waitsFor, Entries: entries}, then)
}

// wait gives the lease back until what is waited for comes, or the time is over. Zero: no time ends it.
func (r *run) wait(waitsFor string, within time.Duration, then func(), entries ...*conversation.Entry) error {
	return r.step(conversation.Step{
		State: conversation.Waiting, WaitsFor: waitsFor, Within: within, Entries: entries,
	}, then)
}

func (r *run) step(s conversation.Step, then func()) error {
	if err := r.await(); err != nil {
		return err
	}
	if r.hasDraft {
		r.e.drafts.settle(r.row.Ref)
	}
	for _, e := range s.Entries {
		e.TurnID = r.row.TurnID
	}
	s.Ref, s.Worker, s.Fence, s.Head, s.DropDraft = r.row.Ref, r.e.worker, r.row.Fence, r.row.Head, r.hasDraft
	// A step that is begun is written whole, whatever becomes of the turn meanwhile.
	ctx := context.WithoutCancel(r.ctx)
	stop := false
	commit, err := r.e.cfg.Store.Write(ctx, func(tx *store.Tx) error {
		var err error
		stop, err = conversation.Append(ctx, tx, s, r.e.cfg.Now())
		return err
	})
	if err != nil {
		return err
	}
	if stop {
		r.cancel(errStopped)
	}
	r.hasDraft = false
	r.row.Head += int64(len(s.Entries))
	r.row.State, r.row.WaitsFor = s.State, s.WaitsFor
	r.turn = append(slices.Clip(r.turn), s.Entries...)
	if len(s.Entries) > 0 {
		r.published = 0
	}
	r.settle(commit, then)
	return nil
}

// settle publishes what a step tells once the step is on disk.
func (r *run) settle(commit *store.Commit, then func()) {
	ready := make(chan struct{})
	r.ready = ready
	go func() {
		defer close(ready)
		if err := commit.Wait(context.WithoutCancel(r.ctx)); err != nil {
			r.readyErr = fmt.Errorf("commit step: %w", err)
			return
		}
		if then != nil {
			then()
		}
		_ = r.e.cfg.Feed.Settle(r.ctx, r.row.Ref, r.row.Head) // the feed may forget later: the log holds what counts
	}()
}

// await waits until everything that was decided is on disk and published.
func (r *run) await() error {
	<-r.ready
	return r.readyErr
}

// tell publishes an event that the log holds.
func (r *run) tell(p event.Payload) { r.publish(feed.Frame{}, p) }

// publish gives an event its place. A frame that the feed does not take is found in the log by whoever misses it.
func (r *run) publish(f feed.Frame, p event.Payload) {
	r.published++
	f.ID = event.ID{Seq: r.row.Head, N: r.published}
	if f.Text == "" {
		data, err := event.Encode(p)
		if err != nil {
			r.log.ErrorContext(r.ctx, "event lost", "error", err)
			return
		}
		f.Data, f.Kind = data, event.KindOf(p)
	}
	if err := r.e.cfg.Feed.Publish(r.ctx, r.row.Ref, f); err != nil {
		r.log.WarnContext(r.ctx, "event not published", "error", err)
	}
}

// begin tells that the turn has started.
func (r *run) begin() {
	r.publish(feed.Frame{}, event.RunStarted{ThreadID: r.row.Key.ID, RunID: r.row.TurnID})
	r.tell(r.meta())
	if r.row.Head == int64(len(r.turn)) {
		r.tell(event.Title{Title: r.row.Title})
	}
}

func (r *run) meta() event.Meta {
	return metaOf(r.row, r.turn[0].MessageID, r.message)
}

func metaOf(row conversation.Row, messageID string, m *conversation.UserMessage) event.Meta {
	rail := "none"
	if m.Answers == answersModel {
		rail = "operator"
	}
	return event.Meta{
		TurnID: row.TurnID, ConversationID: row.Key.ID, MessageID: messageID, Answers: m.Answers,
		GuideReason: m.GuideReason, Provider: m.Provider, Model: m.Model, Rail: rail, Persona: row.Persona,
		PromptHash: m.PromptHash,
	}
}

// end stores and tells the turn's end.
func (r *run) end(outcome event.Outcome, code event.Code, before ...*conversation.Entry) error {
	entries := append(before, endOf(append(slices.Clone(r.turn), before...), outcome, code))
	if code != "" && code != event.Aborted {
		r.log.WarnContext(r.ctx, "turn ended", "code", code, "outcome", outcome, "org", r.row.Key.Org)
	}
	return r.write(conversation.Resting, "", func() {
		if c := lastReply(before); c != nil {
			r.closeText(c)
			if c.Reply.Round {
				r.tellUsage()
			}
		}
		r.terminal()
	}, entries...)
}

// endOf makes the entry that ends a turn.
func endOf(turn []*conversation.Entry, outcome event.Outcome, code event.Code) *conversation.Entry {
	end := &conversation.End{Outcome: outcome, Code: code, Usage: usageOf(turn)}
	if len(turn) > 0 && turn[0].Message != nil {
		end.TraceID = turn[0].Message.TraceID
	}
	return &conversation.Entry{Kind: conversation.KindEnd, End: end}
}

func usageOf(turn []*conversation.Entry) event.Usage {
	var u event.Usage
	for _, e := range turn {
		if e.Kind == conversation.KindReply && e.Reply.Round {
			u = conversation.AddUsage(u, e.Reply)
		}
	}
	return u
}

// finish ends a turn that cannot go on, as well as can be.
func (r *run) finish(outcome event.Outcome, code event.Code) {
	err := r.end(outcome, code)
	if err == nil {
		err = r.await()
	}
	if err != nil && !errors.Is(err, conversation.ErrFenced) {
		// The next beats give the lease back, and the turn is taken up from what is on disk.
		r.log.ErrorContext(r.ctx, "turn's end not stored", "error", err)
		r.e.orphan(r.row.Ref, r.row.Fence)
	}
}

// leave gives the lease back in mid-turn.
func (r *run) leave() {
	ctx := context.WithoutCancel(r.ctx)
	err := r.e.cfg.Store.Do(ctx, func(tx *store.Tx) error {
		return conversation.Release(ctx, tx, r.row.Ref, r.e.worker, r.row.Fence)
	})
	if err != nil {
		r.log.WarnContext(r.ctx, "lease not released", "error", err)
		r.e.orphan(r.row.Ref, r.row.Fence)
	}
}

// terminal tells that the turn has ended, with what is so.
func (r *run) terminal() {
	p := terminalOf(r.row, r.turn, r.e.reader(r.locale, r.row.State))
	r.publish(feed.Frame{Terminal: true}, p)
}
