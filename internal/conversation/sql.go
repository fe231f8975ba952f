package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/steward-assistant/steward/internal/store"
)

// Errors that callers look for with errors.Is.
var (
	// ErrNotFound: the member has no such conversation.
	ErrNotFound = errors.New("no such conversation")
	// ErrBusy: a turn of the conversation runs.
	ErrBusy = errors.New("a turn is running")
	// ErrFenced: another worker has taken the conversation, or it was erased; nothing was written.
	ErrFenced = errors.New("the lease was lost")
)

// Key is how a member names a conversation.
type Key struct{ Org, Member, ID string }

// Row is a conversation without its log.
type Row struct {
	Ref              string
	Key              Key
	Surface, Persona string
	Title            string
	// Mark fences others' text in this conversation.
	Mark     string
	State    State
	WaitsFor string
	TurnID   string
	// Head is the sequence of the newest entry; zero: there is none.
	Head                 int64
	Fence                int64
	Worker               string
	Cancel               bool
	CreatedAt, UpdatedAt time.Time
}

const columns = `ref, org, member, id, surface, persona, title, mark, state, waits_for, turn_id, head, fence, worker, cancel, created_at, updated_at`

type scanner interface{ Scan(dest ...any) error }

func scanRow(s scanner) (Row, error) {
	var r Row
	var cancel, created, updated int64
	err := s.Scan(&r.Ref, &r.Key.Org, &r.Key.Member, &r.Key.ID, &r.Surface, &r.Persona, &r.Title, &r.Mark, &r.State,
		&r.WaitsFor, &r.TurnID, &r.Head, &r.Fence, &r.Worker, &cancel, &created, &updated)
	r.Cancel = cancel != 0
	r.CreatedAt, r.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return r, err
}

// Get gives the member's conversation. ErrNotFound: there is none.
func Get(ctx context.Context, tx *store.Tx, key Key) (Row, error) {
	r, err := scanRow(tx.Row(ctx, `SELECT `+columns+` FROM conversations WHERE org = $1 AND member = $2 AND id = $3`,
		key.Org, key.Member, key.ID))
	if errors.Is(err, store.ErrNotFound) {
		return Row{}, ErrNotFound
	}
	return r, err
}

// ByRef gives a conversation by our own name of it. ErrNotFound: it was erased.
func ByRef(ctx context.Context, tx *store.Tx, ref string) (Row, error) {
	r, err := scanRow(tx.Row(ctx, `SELECT `+columns+` FROM conversations WHERE ref = $1`, ref))
	if errors.Is(err, store.ErrNotFound) {
		return Row{}, ErrNotFound
	}
	return r, err
}

// List gives the member's conversations that have a message, the newest first, older than the one named by (before,
// ref) where ref is not empty.
func List(ctx context.Context, tx *store.Tx, org, member string, before time.Time, ref string, limit int) ([]Row, error) {
	const order = ` ORDER BY updated_at DESC, ref DESC LIMIT $3`
	q := `SELECT ` + columns + ` FROM conversations WHERE org = $1 AND member = $2 AND head > 0`
	args := []any{org, member, limit}
	if ref != "" {
		q += ` AND (updated_at < $4 OR updated_at = $4 AND ref < $5)`
		args = append(args, before.UnixMicro(), ref)
	}
	rows, err := tx.Query(ctx, q+order, args...)
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err below tells of every fault
	var out []Row
	for rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, fmt.Errorf("list conversations: %w", err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Create makes a conversation at rest, or gives the one that has its key.
func Create(ctx context.Context, tx *store.Tx, r Row, now time.Time) (Row, error) {
	if _, err := tx.Exec(ctx, `INSERT INTO conversations (`+columns+`)
		VALUES ($1, $2, $3, $4, $5, $6, '', $7, 'resting', '', '', 0, 0, '', 0, $8, $8)
		ON CONFLICT (org, member, id) DO NOTHING`,
		r.Ref, r.Key.Org, r.Key.Member, r.Key.ID, r.Surface, r.Persona, r.Mark, now.UnixMicro()); err != nil {
		return Row{}, fmt.Errorf("create conversation: %w", err)
	}
	return Get(ctx, tx, r.Key)
}

// Begin takes the lease of the conversation named by r.Key for a new turn and appends its first entries, in one go;
// the conversation is made where it does not exist. fill is told the row before the entries are written and may set what
// depends on it. The entries get their sequences. It gives the row as it now is.
// ErrBusy: a turn runs, or waits. store.ErrUnique: an entry's message id is taken.
func Begin(ctx context.Context, tx *store.Tx, r Row, worker string, entries []*Entry, now time.Time,
	fill func(Row),
) (Row, error) {
	n := int64(len(entries))
	row := tx.Row(ctx, `INSERT INTO conversations (`+columns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'running', '', $9, $10, 1, $11, 0, $12, $12)
		ON CONFLICT (org, member, id) DO UPDATE SET state = 'running', waits_for = '', turn_id = excluded.turn_id,
			head = conversations.head + excluded.head, fence = conversations.fence + 1, worker = excluded.worker,
			cancel = 0, updated_at = excluded.updated_at,
			title = CASE WHEN conversations.title = '' THEN excluded.title ELSE conversations.title END
			WHERE conversations.state = 'resting'
		RETURNING ref, surface, persona, title, mark, head, fence, created_at`,
		r.Ref, r.Key.Org, r.Key.Member, r.Key.ID, r.Surface, r.Persona, r.Title, r.Mark, r.TurnID, n, worker,
		now.UnixMicro())
	var created int64
	err := row.Scan(&r.Ref, &r.Surface, &r.Persona, &r.Title, &r.Mark, &r.Head, &r.Fence, &created)
	if errors.Is(err, store.ErrNotFound) {
		return Row{}, ErrBusy
	}
	if err != nil {
		return Row{}, fmt.Errorf("begin turn: %w", err)
	}
	r.State, r.Worker, r.Cancel = Running, worker, false
	r.CreatedAt, r.UpdatedAt = time.UnixMicro(created).UTC(), now
	fill(r)
	return r, insert(ctx, tx, r.Ref, r.Head-n, entries, now)
}

// Step is what one step of a turn writes.
type Step struct {
	Ref    string
	Worker string
	Fence  int64
	// Head is the newest sequence that the holder knows.
	Head    int64
	Entries []*Entry
	// State is what the conversation does after the step; Running keeps the lease, anything else gives it back.
	State    State
	WaitsFor string
	// Within is how long a conversation that waits is waited for; zero: for ever.
	Within time.Duration
	// DropDraft removes the stored draft, where one was stored.
	DropDraft bool
}

// Append writes a step. cancel tells whether the turn is to stop. ErrFenced: nothing was written.
func Append(ctx context.Context, tx *store.Tx, s Step, now time.Time) (cancel bool, err error) {
	worker := s.Worker
	if s.State != Running {
		worker = ""
	}
	deadline := "0"
	if s.Within > 0 {
		deadline = tx.Clock() + " + " + strconv.FormatInt(s.Within.Microseconds(), 10)
	}
	row := tx.Row(ctx, `UPDATE conversations SET head = head + $1, state = $2, waits_for = $3, worker = $4, updated_at = $5,
		deadline = `+deadline+` WHERE ref = $6 AND fence = $7 AND worker = $8 AND head = $9 RETURNING cancel`,
		len(s.Entries), string(s.State), s.WaitsFor, worker, now.UnixMicro(), s.Ref, s.Fence, s.Worker, s.Head)
	var mark int64
	err = row.Scan(&mark)
	if errors.Is(err, store.ErrNotFound) {
		return false, ErrFenced
	}
	if err != nil {
		return false, fmt.Errorf("append step: %w", err)
	}
	if err := insert(ctx, tx, s.Ref, s.Head, s.Entries, now); err != nil {
		return false, err
	}
	if s.DropDraft {
		if _, err := tx.Exec(ctx, `DELETE FROM drafts WHERE ref = $1`, s.Ref); err != nil {
			return false, fmt.Errorf("drop draft: %w", err)
		}
	}
	return mark != 0, nil
}

// Note appends to the log of a conversation that waits and goes on waiting. ErrFenced: it does not wait any more, or
// another was faster; nothing was written.
func Note(ctx context.Context, tx *store.Tx, r Row, entries []*Entry, now time.Time) (Row, error) {
	err := tx.Row(ctx, `UPDATE conversations SET head = head + $1, updated_at = $2
		WHERE ref = $3 AND state = 'waiting' AND head = $4 RETURNING head`,
		len(entries), now.UnixMicro(), r.Ref, r.Head).Scan(&r.Head)
	if errors.Is(err, store.ErrNotFound) {
		return Row{}, ErrFenced
	}
	if err != nil {
		return Row{}, fmt.Errorf("append to what waits: %w", err)
	}
	return r, insert(ctx, tx, r.Ref, r.Head-int64(len(entries)), entries, now)
}

func insert(ctx context.Context, tx *store.Tx, ref string, head int64, entries []*Entry, now time.Time) error {
	for i, e := range entries {
		e.Seq, e.CreatedAt = head+int64(i)+1, now
		body, err := json.Marshal(e.body())
		if err != nil {
			return fmt.Errorf("encode %s: %w", e.Kind, err)
		}
		if _, err := tx.Exec(ctx, `INSERT INTO entries (ref, seq, kind, turn_id, message_id, body, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			ref, e.Seq, string(e.Kind), e.TurnID, e.MessageID, string(body), now.UnixMicro()); err != nil {
			return fmt.Errorf("append %s: %w", e.Kind, err)
		}
	}
	return nil
}

const entryColumns = `seq, kind, turn_id, message_id, body, created_at`

// Log gives the entries with after < seq ≤ upTo, in order.
func Log(ctx context.Context, tx *store.Tx, ref string, after, upTo int64) ([]*Entry, error) {
	return entries(ctx, tx, `SELECT `+entryColumns+` FROM entries WHERE ref = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`,
		ref, after, upTo)
}

// Tail gives the entries before a sequence (zero: from the end) that hold the newest limit messages and replies, and
// all entries of the turns in between, in order.
func Tail(ctx context.Context, tx *store.Tx, ref string, before int64, limit int) ([]*Entry, error) {
	if before <= 0 {
		before = 1 << 62
	}
	var from int64
	err := tx.Row(ctx, `SELECT COALESCE(MIN(seq), 0) FROM (SELECT seq FROM entries WHERE ref = $1 AND seq < $2
		AND kind = 'message' ORDER BY seq DESC LIMIT $3) AS newest`, ref, before, limit).Scan(&from)
	if err != nil {
		return nil, fmt.Errorf("find page: %w", err)
	}
	return entries(ctx, tx, `SELECT `+entryColumns+` FROM entries WHERE ref = $1 AND seq >= $2 AND seq < $3 ORDER BY seq`,
		ref, from, before)
}

// Since gives the entries from the beginning of the turn that a sequence belongs to, in order.
func Since(ctx context.Context, tx *store.Tx, ref string, seq int64) ([]*Entry, error) {
	return entries(ctx, tx, `SELECT `+entryColumns+` FROM entries WHERE ref = $1 AND seq >= (SELECT COALESCE(MAX(seq), 0)
		FROM entries WHERE ref = $1 AND seq <= $2 AND kind = 'message') ORDER BY seq`, ref, seq)
}

// Turn gives the entries of one turn, in order.
func Turn(ctx context.Context, tx *store.Tx, ref, turnID string) ([]*Entry, error) {
	return entries(ctx, tx, `SELECT `+entryColumns+` FROM entries WHERE ref = $1 AND turn_id = $2 ORDER BY seq`, ref, turnID)
}

// First gives a conversation's first message. ErrNotFound: it has none.
func First(ctx context.Context, tx *store.Tx, ref string) (*Entry, error) {
	return one(entries(ctx, tx, `SELECT `+entryColumns+` FROM entries WHERE ref = $1 AND seq = 1`, ref))
}

// ByMessage gives a member's message by the id that the client made. ErrNotFound: there is none.
func ByMessage(ctx context.Context, tx *store.Tx, ref, messageID string) (*Entry, error) {
	return one(entries(ctx, tx, `SELECT `+entryColumns+` FROM entries WHERE ref = $1 AND message_id = $2
		AND kind = 'message'`, ref, messageID))
}

// one gives the entry that was looked for. ErrNotFound: there is none.
func one(found []*Entry, err error) (*Entry, error) {
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, ErrNotFound
	}
	return found[0], nil
}

func entries(ctx context.Context, tx *store.Tx, query string, args ...any) ([]*Entry, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err below tells of every fault
	var out []*Entry
	for rows.Next() {
		e := new(Entry)
		var body string
		var created int64
		if err := rows.Scan(&e.Seq, &e.Kind, &e.TurnID, &e.MessageID, &body, &created); err != nil {
			return nil, fmt.Errorf("read log: %w", err)
		}
		e.CreatedAt = time.UnixMicro(created).UTC()
		if err := e.decode([]byte(body)); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

// Erase removes a conversation and everything of it. Whoever still works on it finds its lease lost. It tells the ref
// that it had. ErrNotFound: there is none.
func Erase(ctx context.Context, tx *store.Tx, key Key) (string, error) {
	var ref string
	err := tx.Row(ctx, `DELETE FROM conversations WHERE org = $1 AND member = $2 AND id = $3 RETURNING ref`,
		key.Org, key.Member, key.ID).Scan(&ref)
	if errors.Is(err, store.ErrNotFound) {
		return "", ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("erase conversation: %w", err)
	}
	return ref, nil
}
