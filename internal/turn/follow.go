package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/store"
)

// Follower reads the events of one conversation. For one goroutine.
type Follower struct {
	e      *Engine
	ref    string
	locale string
	sub    feed.Subscription
	// from is what the reader has seen; opening says that it reads the answer to its own post.
	from    event.ID
	opening bool
	lost    bool // the reader must be told from the log
	done    bool
	seen    int64 // the newest log sequence that the reader knows of
	leave   func()
	turnID  string // the turn that is opened, where it was begun before
	// quiet is the context that ends when it is time to hold the line against the log; it serves for many waits.
	quiet, parent context.Context //nolint:containedctx // of the caller of Next, kept so that a wait costs no timer of its own
	unquiet       context.CancelFunc
}

// Follow follows a conversation from an event on; it ends when its running turn does. At rest it tells what came after
// that event and ends. A turn that waits for the member's own token goes on with the one of this request.
func (e *Engine) Follow(ctx context.Context, by Asker, conversationID string, from event.ID) (*Follower, error) {
	row, err := e.find(ctx, by, conversationID)
	if err != nil {
		return nil, err
	}
	if row.State == conversation.Waiting && row.WaitsFor == waitsForCredential && e.may(by, config.RightSend) {
		err := e.resume(ctx, func(tx *store.Tx) (conversation.Row, error) {
			return conversation.Wake(ctx, tx, row.Ref, e.worker, waitsForCredential)
		}, by.Credential, &by.Principal, true, nil)
		if err != nil && !errors.Is(err, conversation.ErrFenced) {
			return nil, fmt.Errorf("go on with turn: %w", err)
		}
	} else if r := e.running(row.Ref); r != nil {
		r.renew(by.Credential)
	}
	f, err := e.follow(ctx, by, row.Ref, from, nil)
	if err == nil && e.may(by, config.RightSend) {
		f.leave = e.readers.enter(row.Ref, by.Credential)
	}
	return f, err
}

// FollowStarted follows a turn from its beginning, as the answer to the message that began it.
func (e *Engine) FollowStarted(ctx context.Context, by Asker, s Started) (*Follower, error) {
	if s.sub != nil {
		return e.follow(ctx, by, s.ref, s.From, s.sub)
	}
	row, err := e.find(ctx, by, s.ConversationID)
	if err != nil {
		return nil, err
	}
	f, err := e.follow(ctx, by, row.Ref, s.From, nil)
	if err == nil {
		f.opening, f.lost, f.turnID = true, true, s.TurnID
	}
	return f, err
}

func (e *Engine) follow(ctx context.Context, by Asker, ref string, from event.ID, sub feed.Subscription) (*Follower, error) {
	if sub == nil {
		var err error
		if sub, err = e.cfg.Feed.Subscribe(ctx, ref, from); err != nil {
			return nil, fmt.Errorf("follow: %w", err)
		}
	}
	e.readers.arrive(ref)
	return &Follower{
		e: e, ref: ref, sub: sub, from: from, seen: from.Seq, locale: contract.Locale(e.cfg.Host, by.Locale),
	}, nil
}

// Close lets go of the feed.
func (f *Follower) Close() {
	f.sub.Close()
	if f.ref != "" {
		f.e.readers.depart(f.ref)
		f.ref = ""
	}
	if f.unquiet != nil {
		f.unquiet()
	}
	if f.leave != nil {
		f.leave()
	}
}

// Next gives the next frames, in order, and waits for the first. After a frame that is Terminal it returns io.EOF.
func (f *Follower) Next(ctx context.Context) ([]Frame, error) {
	if f.done {
		return nil, io.EOF
	}
	if f.lost {
		return f.fromLog(ctx)
	}
	for {
		batch, err := f.wait(ctx)
		switch {
		case errors.Is(err, errQuiet):
			behind, err := f.behind(ctx)
			var gone *Refusal
			switch {
			case errors.As(err, &gone):
				return nil, err
			case err != nil: // the database cannot be read now; the line stays and looks again
				f.e.cfg.Log.WarnContext(ctx, "follower could not look at the log", "error", err)
				continue
			}
			if behind {
				f.lost = true
				return f.fromLog(ctx)
			}
			continue
		case errors.Is(err, feed.ErrClosed):
			return nil, f.closed(ctx)
		case err != nil:
			return nil, err
		case batch.Lost:
			f.lost = true
			return f.fromLog(ctx)
		}
		out := make([]Frame, 0, len(batch.Frames))
		for _, fr := range batch.Frames {
			out = append(out, Frame{ID: fr.ID, Kind: fr.Kind, Data: fr.Data, Terminal: fr.Terminal})
			f.seen = max(f.seen, fr.ID.Seq)
			if fr.Terminal {
				f.done = true
				break
			}
		}
		return out, nil
	}
}

var errQuiet = errors.New("nothing was told for a while")

// wait waits for the feed. Where another process runs the turn, an event may be lost on its way, so a line that is quiet
// is held against the log.
func (f *Follower) wait(ctx context.Context) (feed.Batch, error) {
	if f.parent != ctx || f.quiet.Err() != nil {
		if f.unquiet != nil {
			f.unquiet()
		}
		f.parent = ctx
		f.quiet, f.unquiet = context.WithTimeoutCause(ctx, f.e.cfg.Quiet, errQuiet)
	}
	return f.sub.Next(f.quiet)
}

// closed says why the feed ended: the process is closing, and the turn goes on elsewhere, or the conversation is gone.
func (f *Follower) closed(ctx context.Context) error {
	if f.e.ctx.Err() != nil {
		return ErrClosing
	}
	if _, err := f.head(ctx); err != nil {
		return err
	}
	return feed.ErrClosed
}

// head reads the conversation's row.
func (f *Follower) head(ctx context.Context) (row conversation.Row, err error) {
	err = f.e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		row, err = conversation.ByRef(ctx, tx, f.ref)
		return err
	})
	if errors.Is(err, conversation.ErrNotFound) {
		return row, &Refusal{Code: event.NotFound, Detail: "the conversation was erased"}
	}
	return row, err
}

// behind reports whether the log holds more than the reader has seen.
func (f *Follower) behind(ctx context.Context) (bool, error) {
	if f.e.running(f.ref) != nil {
		return false, nil // this process tells everything itself
	}
	row, err := f.head(ctx)
	return row.Head > f.seen || row.State != conversation.Running, err
}

// fromLog tells a reader whose place is not kept what the log holds: the draft is set aside, every message of the turns
// since, and, at rest, the end of the newest turn.
func (f *Follower) fromLog(ctx context.Context) ([]Frame, error) {
	var row conversation.Row
	var log []*conversation.Entry
	err := f.e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if row, err = conversation.ByRef(ctx, tx, f.ref); err != nil {
			return err
		}
		if f.turnID != "" {
			log, err = conversation.Turn(ctx, tx, row.Ref, f.turnID)
			return err
		}
		log, err = conversation.Since(ctx, tx, row.Ref, f.seen)
		return err
	})
	if errors.Is(err, conversation.ErrNotFound) {
		return nil, &Refusal{Code: event.NotFound, Detail: "the conversation was erased"}
	}
	if err != nil {
		return nil, fmt.Errorf("read what was missed: %w", err)
	}
	reader := f.e.reader(f.locale, row.State)
	var out []Frame
	tell := func(id event.ID, terminal bool, p event.Payload) error {
		data, err := event.Encode(p)
		out = append(out, Frame{ID: id, Kind: event.KindOf(p), Data: data, Terminal: terminal})
		return err
	}
	head := event.ID{Seq: row.Head}
	if turn := lastTurn(log); turn != nil && (row.State == conversation.Running || f.opening) {
		row := row
		row.TurnID = turn[0].TurnID
		err = errors.Join(tell(event.ID{}, false, event.RunStarted{ThreadID: row.Key.ID, RunID: turn[0].TurnID}),
			tell(event.ID{}, false, metaOf(row, turn[0].MessageID, turn[0].Message)))
	}
	err = errors.Join(err, tell(head, false, event.Reset{}))
	for _, m := range conversation.Messages(log, reader) {
		b, encodeErr := json.Marshal(m)
		err = errors.Join(err, encodeErr, tell(event.ID{}, false, event.Message{Message: b}))
	}
	err = errors.Join(err, tell(head, false, event.CaughtUp{}))
	if past := f.turnID != "" && f.turnID != row.TurnID; past || row.State != conversation.Running {
		f.done = true
		if past { // its end stands in the log, whatever the conversation does now
			row.State = conversation.Resting
		}
		if turn := lastTurn(log); turn != nil {
			p := terminalOf(row, turn, reader)
			if row.State == conversation.Waiting && row.WaitsFor == waitsForCredential {
				err = errors.Join(err, tell(event.ID{}, false, event.Reauth{}))
			}
			err = errors.Join(err, tell(event.ID{}, true, p))
		} else if len(out) > 0 {
			out[len(out)-1].Terminal = true
		}
	}
	if err != nil {
		return nil, fmt.Errorf("tell what was missed: %w", err)
	}
	f.opening, f.lost, f.turnID = false, false, ""
	f.seen = row.Head
	f.sub.Skip(row.Head)
	return out, nil
}

// Complete waits for a turn to rest or end and gives its terminal payload.
func (e *Engine) Complete(ctx context.Context, by Asker, s Started) (event.Complete, error) {
	f, err := e.FollowStarted(ctx, by, s)
	if err != nil {
		return event.Complete{}, err
	}
	defer f.Close()
	for {
		_, err := f.Next(ctx)
		if s.run != nil && s.run.lost.Load() {
			return event.Complete{}, &Refusal{Code: event.Unavailable, Detail: "the message could not be stored"}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return event.Complete{}, err
		}
	}
	var row conversation.Row
	var log []*conversation.Entry
	err = e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if row, err = conversation.Get(ctx, tx, e.key(by, s.ConversationID)); err != nil {
			return err
		}
		log, err = conversation.Turn(ctx, tx, row.Ref, s.TurnID)
		return err
	})
	if err != nil {
		return event.Complete{}, fmt.Errorf("read turn: %w", err)
	}
	return completeOf(log, e.reader(contract.Locale(e.cfg.Host, by.Locale), row.State)), nil
}
