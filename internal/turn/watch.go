package turn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// watch renews this worker's leases and takes up what others have abandoned, until the engine closes. Nothing else does.
func (e *Engine) watch() {
	tick := time.NewTicker(e.cfg.Beat)
	defer tick.Stop()
	e.takeUp(e.ctx)
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		}
		// A worker without leases has nothing to renew: an idle process writes nothing.
		if e.busy() {
			if err := e.beat(e.ctx); err != nil && e.ctx.Err() == nil {
				e.cfg.Log.WarnContext(e.ctx, "leases not renewed", "error", err)
			}
		}
		e.takeUp(e.ctx)
	}
}

// beat renews the worker, stops the turns that another process was asked to stop, leaves those whose lease is gone (taken
// over, or erased), and gives back leases that a fault of the database left behind.
func (e *Engine) beat(ctx context.Context) error {
	var held map[string]bool
	before := e.snapshot()
	orphans := e.orphaned()
	now := e.cfg.Now()
	err := e.cfg.Store.Do(ctx, func(tx *store.Tx) (err error) {
		for ref, fence := range orphans {
			if err := conversation.Release(ctx, tx, ref, e.worker, fence); err != nil {
				return err
			}
		}
		held, err = conversation.Renew(ctx, tx, e.worker)
		return err
	})
	if err != nil {
		return err
	}
	e.renewed.Store(now.UnixMicro())
	e.adopted(orphans)
	for _, r := range before {
		cancel, ours := held[r.row.Ref]
		switch {
		case cancel:
			r.cancel(errStopped)
		case ours:
			r.missed = 0
		default:
			// Once may be a turn that ended just now.
			if r.missed++; r.missed > 1 {
				r.cancel(conversation.ErrFenced)
			}
		}
	}
	return nil
}

// snapshot gives the turns of this process as they now are.
func (e *Engine) snapshot() []*run {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]*run, 0, len(e.runs))
	for _, r := range e.runs {
		out = append(out, r)
	}
	return out
}

// orphan remembers a lease that could not be given back, because the database could not be reached.
func (e *Engine) orphan(ref string, fence int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.orphans == nil {
		e.orphans = map[string]int64{}
	}
	e.orphans[ref] = fence
}

func (e *Engine) orphaned() map[string]int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.orphans)
}

// adopted forgets leases that were given back.
func (e *Engine) adopted(given map[string]int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for ref, fence := range given {
		if e.orphans[ref] == fence {
			delete(e.orphans, ref)
		}
	}
}

// keep renews the worker in the transaction that takes a lease, where it was idle before: a lease of a worker that is
// not known to live would be free at once.
func (e *Engine) keep(ctx context.Context, tx *store.Tx) error {
	now := e.cfg.Now().UnixMicro()
	if now-e.renewed.Load() < e.cfg.Beat.Microseconds() {
		return nil
	}
	if _, err := conversation.Renew(ctx, tx, e.worker); err != nil {
		return err
	}
	e.renewed.Store(now)
	return nil
}

func (e *Engine) busy() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.runs) > 0 || len(e.orphans) > 0
}

func (e *Engine) retire(ctx context.Context) error {
	return e.cfg.Store.Do(ctx, func(tx *store.Tx) error { return conversation.Retire(ctx, tx, e.worker) })
}

// takeUp goes on with turns whose worker has died.
func (e *Engine) takeUp(ctx context.Context) {
	var refs []string
	err := e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		refs, err = conversation.Abandoned(ctx, tx, e.cfg.LeaseTTL)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			e.cfg.Log.WarnContext(ctx, "abandoned turns not looked for", "error", err)
		}
		return
	}
	for _, ref := range refs {
		err := e.resume(ctx, func(tx *store.Tx) (conversation.Row, error) {
			return conversation.Take(ctx, tx, ref, e.worker, e.cfg.LeaseTTL)
		}, e.readers.credential(ref), nil, false, nil)
		if err != nil && !errors.Is(err, conversation.ErrFenced) && ctx.Err() == nil {
			e.cfg.Log.WarnContext(ctx, "turn not taken up", "conversation", ref, "error", err)
		}
	}
	e.giveUp(ctx)
}

// errKept is what a take returns whose writing holds although the turn is not to go on yet.
var errKept = errors.New("the turn still waits")

// resume takes a lease and goes on with the turn from its log. by is the member who asks for it now, with the rights that
// they have now; nil: nobody does, and the message's own hold. waited says that the turn rested, so that no model call of it
// can have been lost. then, where it is not nil, is run once the turn is ours
// and before it goes on, and may tell what take has written.
func (e *Engine) resume(ctx context.Context, take func(*store.Tx) (conversation.Row, error), credential tool.Credential,
	by *principal.Principal, waited bool, then func(*run),
) error {
	var row conversation.Row
	var log []*conversation.Entry
	var draftID, draftText string
	kept := false
	err := e.cfg.Store.Do(ctx, func(tx *store.Tx) (err error) {
		if err := e.keep(ctx, tx); err != nil {
			return err
		}
		if row, err = take(tx); err != nil {
			if kept = errors.Is(err, errKept); kept {
				return nil
			}
			return err
		}
		if log, err = conversation.Log(ctx, tx, row.Ref, 0, row.Head); err != nil {
			return err
		}
		draftID, draftText, err = conversation.Draft(ctx, tx, row.Ref)
		return err
	})
	if err != nil {
		e.renewed.Store(0) // what was renewed was rolled back with it
		return err
	}
	if kept {
		return errKept
	}
	turn := lastTurn(log)
	if turn == nil {
		return fmt.Errorf("conversation %q runs without a message", row.Ref)
	}
	r := e.newRun(row, turn[0].Message, credential)
	if by != nil {
		r.by, r.name = *by, by.Name
	}
	r.turn = turn
	r.history = log[:len(log)-len(turn)]
	r.hasDraft, r.resumed = draftID != "", true
	// A step that wrote no entry left the head where it was: a later holder counts on from higher up, so that its
	// events come after those of the one before.
	r.published = int(row.Fence) << 20
	r.offer = e.offer(r.by, row.Surface, turn[0].Message, log[0].Message, r.fence)
	if !e.adopt(r) {
		return nil
	}
	if row.Cancel {
		r.cancel(errStopped)
	}
	r.log.InfoContext(ctx, "turn taken up", "fence", row.Fence)
	if then != nil {
		then(r)
	}
	go func() {
		var err error
		if !waited {
			err = r.setAside(draftID, draftText)
		}
		if err != nil {
			defer e.drop(r)
			if !errors.Is(err, conversation.ErrFenced) {
				r.log.ErrorContext(r.ctx, "interrupted reply not kept", "error", err)
				e.orphan(r.row.Ref, r.row.Fence)
			}
			return
		}
		r.drive()
	}()
	return nil
}

// setAsideBefore reports whether the round that is to be asked was lost before.
func setAsideBefore(turn []*conversation.Entry) bool {
	for _, e := range slices.Backward(turn) {
		switch {
		case e.Kind == conversation.KindHint:
		case e.Kind == conversation.KindReply && e.Reply.State == conversation.SetAside:
			return true
		default:
			return false
		}
	}
	return false
}

// setAside keeps what a dead worker's model call had said. Where the round was lost for the first time it is asked
// again and the browser sets its draft aside; a second time the turn ends and says so.
func (r *run) setAside(draftID, draftText string) error {
	s := next(r.turn, r.e.cfg.Host.Turn.MaxRounds, r.e.cfg.Host.Tools.RetryBreaker)
	if s.action != actionAsk || r.message.Answers == answersGuide {
		return nil
	}
	if draftID == "" {
		draftID = r.e.cfg.NewID()
	}
	reply := &conversation.Reply{
		State: conversation.SetAside, Text: draftText, Answers: answersModel, Provider: r.message.Provider,
		Model: r.message.Model, Round: true,
	}
	entry := &conversation.Entry{Kind: conversation.KindReply, MessageID: draftID, Reply: reply}
	again := !setAsideBefore(r.turn)
	switch {
	case r.stopped():
		reply.State = conversation.Stopped
		return r.end(event.OutcomeCancelled, event.Aborted, entry)
	case !again:
		reply.State = conversation.Interrupted
		return r.end(event.OutcomeInterrupted, event.Interrupted, entry)
	}
	return r.write(conversation.Running, "", func() { r.tell(event.Reset{MessageID: draftID}) }, entry)
}
