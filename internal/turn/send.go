package turn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/store"
)

// Send takes a message and begins its turn; it returns when the turn is decided, before any of it is published. The
// same message id with the same words gives the turn that is there. Every refusal is a *Refusal.
func (e *Engine) Send(ctx context.Context, by Asker, s Send) (Started, error) {
	seen := false
	for {
		if seen {
			// A conversation that was erased meanwhile is not made again by a message that was meant to go on with it.
			if _, err := e.find(ctx, by, s.ConversationID); err != nil {
				return Started{}, err
			}
		}
		a := &attempt{by: by, send: s}
		err := e.admit(ctx, a)
		var refused *Refusal
		switch {
		case err == nil, errors.Is(err, errKnown):
			return a.started, nil
		case s.Queue && errors.As(err, &refused) && refused.Code == event.TurnInProgress:
			found, err := e.waitIdle(ctx, by, s.ConversationID)
			if err != nil {
				return Started{}, err
			}
			seen = seen || found
		default:
			return Started{}, err
		}
	}
}

// admit lets a message through the gates.
func (e *Engine) admit(ctx context.Context, a *attempt) error {
	for i := 0; i < len(e.gates); i++ {
		err := e.gates[i].pass(ctx, a)
		if errors.Is(err, errWaits) {
			i = e.gateIndex("stale_claims") - 1
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) gateIndex(name string) int {
	for i, g := range e.gates {
		if g.name == name {
			return i
		}
	}
	return 0
}

// rounds begins the turn's rounds, which go on after Send has returned and whatever becomes of its connection.
func (e *Engine) rounds(ctx context.Context, a *attempt) error {
	// The reader of this answer must not miss the first events: it subscribes before anything is published.
	sub, err := e.cfg.Feed.Subscribe(ctx, a.row.Ref, feed.Now)
	if err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}
	r := e.newRun(a.row, a.message.Message, a.by.Credential)
	r.offer = a.offer
	r.name = a.by.Principal.Name
	r.turn = a.entries
	if a.row.Head > int64(len(a.entries)) {
		r.history = e.logs.get(a.row.Ref, a.row.Head-int64(len(a.entries)))
		r.lacksHistory = r.history == nil
	}
	if !e.adopt(r) {
		sub.Close()
		return &Refusal{Code: event.Overloaded, Detail: "the server is shutting down"}
	}
	a.started.sub, a.started.run, a.started.ref = sub, r, a.row.Ref
	r.settle(a.commit, func() { r.begin() })
	go r.drive()
	return nil
}

// waitIdle waits until no turn of the conversation runs, and tells whether it saw the conversation: one whose first
// message is still on its way to the disk cannot be seen yet.
func (e *Engine) waitIdle(ctx context.Context, by Asker, conversationID string) (seen bool, err error) {
	for {
		var row conversation.Row
		err := e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
			row, err = conversation.Get(ctx, tx, e.key(by, conversationID))
			return err
		})
		if errors.Is(err, conversation.ErrNotFound) || err == nil && row.State != conversation.Running {
			return seen || err == nil, nil
		}
		if err != nil {
			return seen, fmt.Errorf("wait for turn: %w", err)
		}
		seen = true
		wait := time.NewTimer(e.cfg.Beat)
		var over <-chan struct{}
		if r := e.running(row.Ref); r != nil {
			over = r.over
		}
		select {
		case <-ctx.Done():
			wait.Stop()
			return seen, context.Cause(ctx)
		case <-over:
			wait.Stop()
		case <-wait.C:
		}
	}
}

// supersede ends the turn of a conversation that waits: its calls are answered with errors of that code, but for those
// that the browser answers with the same request.
func (e *Engine) supersede(ctx context.Context, key conversation.Key, code event.Code, reason string, answers []Answer) error {
	now := e.cfg.Now()
	return e.cfg.Store.Do(ctx, func(tx *store.Tx) error {
		row, err := conversation.Get(ctx, tx, key)
		if err != nil {
			return err
		}
		if row, err = conversation.Wake(ctx, tx, row.Ref, e.worker, row.WaitsFor); err != nil {
			return err
		}
		turn, err := conversation.Turn(ctx, tx, row.Ref, row.TurnID)
		if err != nil {
			return err
		}
		end := endOf(turn, event.OutcomeCancelled, event.Aborted)
		entries := make([]*conversation.Entry, 0, 2)
		for _, c := range next(turn, e.cfg.Host.Turn.MaxRounds, 0).open {
			if a := answerOf(turn, c, answers); a != nil {
				entries = append(entries, e.answerEntry(row, turn[0].Message, *a))
				continue
			}
			entries = append(entries, failed(c.ID, code, reason))
		}
		entries = append(entries, end)
		for _, entry := range entries {
			entry.TurnID = row.TurnID
		}
		_, err = conversation.Append(ctx, tx, conversation.Step{
			Ref: row.Ref, Worker: e.worker, Fence: row.Fence, Head: row.Head, Entries: entries, State: conversation.Resting,
		}, now)
		return err
	})
}
