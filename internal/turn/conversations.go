package turn

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/tool"
)

// find gives the member's conversation. Another's is unknown, as one that does not exist.
func (e *Engine) find(ctx context.Context, by Asker, conversationID string) (conversation.Row, error) {
	var row conversation.Row
	err := e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		row, err = conversation.Get(ctx, tx, e.key(by, conversationID))
		return err
	})
	if errors.Is(err, conversation.ErrNotFound) {
		return row, &Refusal{Code: event.NotFound, Detail: "no such conversation"}
	}
	if err != nil {
		return row, fmt.Errorf("find conversation: %w", err)
	}
	return row, nil
}

// Cancel stops the turn that runs or waits; it reports false when there is none. Where turnID is not empty only that
// turn is stopped, so that a late stop does not hit the next one.
func (e *Engine) Cancel(ctx context.Context, by Asker, conversationID, turnID string) (bool, error) {
	row, err := e.find(ctx, by, conversationID)
	if err != nil {
		return false, err
	}
	if row.State == conversation.Waiting && (turnID == "" || turnID == row.TurnID) {
		err := e.supersede(ctx, row.Key, event.Aborted, "The member stopped before this had a result.", nil)
		if err == nil || !errors.Is(err, conversation.ErrFenced) {
			return err == nil, err
		}
	}
	var ref string
	var ok bool
	err = e.cfg.Store.Do(ctx, func(tx *store.Tx) (err error) {
		ref, ok, err = conversation.MarkCancel(ctx, tx, row.Key, turnID)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("cancel turn: %w", err)
	}
	// A turn of another process learns of it when it next renews its lease.
	if r := e.running(ref); ok && r != nil {
		r.cancel(errStopped)
	}
	return ok, nil
}

// Create makes a conversation; the same id again gives the one that exists. An empty id makes one.
func (e *Engine) Create(ctx context.Context, by Asker, conversationID, surface string) (conversation.Summary, error) {
	name, s, ok := e.surface(surface)
	switch {
	case !ok:
		return conversation.Summary{}, &Refusal{Code: event.BadRequest, Field: "surface", Detail: "a surface of the host's file"}
	case conversationID == "":
		conversationID = e.cfg.NewID()
	case !id.IsUUID(conversationID):
		return conversation.Summary{}, &Refusal{Code: event.BadRequest, Field: "id", Detail: "a UUID"}
	}
	var row conversation.Row
	err := e.cfg.Store.Do(ctx, func(tx *store.Tx) (err error) {
		row, err = conversation.Create(ctx, tx, conversation.Row{
			Ref: e.cfg.NewID(), Key: e.key(by, conversationID), Surface: name, Persona: s.Persona.Name,
			Mark: tool.NewFence().Mark,
		}, e.cfg.Now())
		return err
	})
	if err != nil {
		return conversation.Summary{}, fmt.Errorf("create conversation: %w", err)
	}
	return summary(row), nil
}

func summary(row conversation.Row) conversation.Summary {
	return conversation.Summary{
		ID: row.Key.ID, Title: row.Title, State: row.State, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// List gives the member's conversations, the newest first, at most limit (1–100), and the cursor of the next page.
func (e *Engine) List(ctx context.Context, by Asker, cursor string, limit int) ([]conversation.Summary, string, error) {
	before, ref, err := readCursor(cursor)
	if err != nil {
		return nil, "", &Refusal{Code: event.BadRequest, Field: "cursor", Detail: "a nextCursor that this route gave"}
	}
	limit = min(max(limit, 1), 100)
	var rows []conversation.Row
	err = e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		rows, err = conversation.List(ctx, tx, by.Principal.Org, by.Principal.Member, before, ref, limit+1)
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("list conversations: %w", err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		next = base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(last.UpdatedAt.UnixMicro(), 10) + "." + last.Ref))
	}
	out := make([]conversation.Summary, 0, len(rows))
	for _, r := range rows {
		out = append(out, summary(r))
	}
	return out, next, nil
}

func readCursor(cursor string) (time.Time, string, error) {
	if cursor == "" {
		return time.Time{}, "", nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return time.Time{}, "", err
	}
	at, ref, ok := strings.Cut(string(b), ".")
	micro, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !ok || !id.IsUUID(ref) {
		return time.Time{}, "", errors.New("malformed cursor")
	}
	return time.UnixMicro(micro), ref, nil
}

// Load gives a conversation with its newest limit (1–200) turns before a sequence (zero: from the end).
func (e *Engine) Load(ctx context.Context, by Asker, conversationID string, before int64, limit int) (conversation.View, error) {
	var row conversation.Row
	var log []*conversation.Entry
	err := e.cfg.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if row, err = conversation.Get(ctx, tx, e.key(by, conversationID)); err != nil {
			return err
		}
		log, err = conversation.Tail(ctx, tx, row.Ref, before, min(max(limit, 1), 200))
		return err
	})
	if errors.Is(err, conversation.ErrNotFound) {
		return conversation.View{}, &Refusal{Code: event.NotFound, Detail: "no such conversation"}
	}
	if err != nil {
		return conversation.View{}, fmt.Errorf("load conversation: %w", err)
	}
	view := conversation.View{
		Summary:  summary(row),
		Messages: conversation.Messages(log, e.reader(contract.Locale(e.cfg.Host, by.Locale), row.State)),
		Head:     event.ID{Seq: row.Head}.String(),
	}
	if view.Messages == nil {
		view.Messages = []conversation.Message{}
	}
	if len(log) > 0 && log[0].Seq > 1 {
		view.Before = log[0].Seq
	}
	return view, nil
}

// Erase removes a conversation and all that is stored of it. A running turn of it ends, and cannot be written back.
func (e *Engine) Erase(ctx context.Context, by Asker, conversationID string) error {
	var ref string
	err := e.cfg.Store.Do(ctx, func(tx *store.Tx) (err error) {
		ref, err = conversation.Erase(ctx, tx, e.key(by, conversationID))
		return err
	})
	if errors.Is(err, conversation.ErrNotFound) {
		return &Refusal{Code: event.NotFound, Detail: "no such conversation"}
	}
	if err != nil {
		return fmt.Errorf("erase conversation: %w", err)
	}
	if r := e.running(ref); r != nil {
		r.cancel(errErased)
	}
	e.logs.forget(ref)
	if err := e.cfg.Feed.Forget(ctx, ref); err != nil {
		e.cfg.Log.WarnContext(ctx, "feed not forgotten", "error", err)
	}
	return nil
}
