package conversation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/steward-assistant/steward/internal/store"
)

// Renew tells that a worker lives and gives the conversations of its leases, each with whether it is to stop. A worker's
// leases are free once its last renewal is older than the lease's time by the database's clock.
func Renew(ctx context.Context, tx *store.Tx, worker string) (held map[string]bool, err error) {
	if _, err := tx.Exec(ctx, `INSERT INTO workers (id, renewed_at) VALUES ($1, `+tx.Clock()+`)
		ON CONFLICT (id) DO UPDATE SET renewed_at = excluded.renewed_at`, worker); err != nil {
		return nil, fmt.Errorf("renew worker: %w", err)
	}
	rows, err := tx.Query(ctx, `SELECT ref, cancel FROM conversations WHERE worker = $1 AND state = 'running'`, worker)
	if err != nil {
		return nil, fmt.Errorf("read leases: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err below tells of every fault
	held = map[string]bool{}
	for rows.Next() {
		var ref string
		var cancel int64
		if err := rows.Scan(&ref, &cancel); err != nil {
			return nil, fmt.Errorf("read leases: %w", err)
		}
		held[ref] = cancel != 0
	}
	return held, rows.Err()
}

// Retire removes a worker, so that its leases are free at once, and those workers that have been silent for an hour.
func Retire(ctx context.Context, tx *store.Tx, worker string) error {
	_, err := tx.Exec(ctx, `DELETE FROM workers WHERE id = $1 OR renewed_at < `+tx.Clock()+` - 3600000000`, worker)
	if err != nil {
		return fmt.Errorf("retire worker: %w", err)
	}
	return nil
}

func free(tx *store.Tx) string {
	return `state = 'running' AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.id = conversations.worker
		AND workers.renewed_at > ` + tx.Clock() + ` - CAST($1 AS BIGINT))`
}

// Abandoned gives running conversations whose lease is free: whose worker has not renewed for ttl. At most 50.
func Abandoned(ctx context.Context, tx *store.Tx, ttl time.Duration) ([]string, error) {
	return refs(ctx, tx, `SELECT ref FROM conversations WHERE `+free(tx)+` LIMIT 50`, ttl.Microseconds())
}

// Take takes the lease of an abandoned conversation under a newer fence. ErrFenced: it is not abandoned any more.
func Take(ctx context.Context, tx *store.Tx, ref, worker string, ttl time.Duration) (Row, error) {
	r, err := scanRow(tx.Row(ctx, `UPDATE conversations SET worker = $2, fence = fence + 1 WHERE ref = $3 AND `+free(tx)+
		` RETURNING `+columns, ttl.Microseconds(), worker, ref))
	if errors.Is(err, store.ErrNotFound) {
		return Row{}, ErrFenced
	}
	return r, err
}

// Wake takes the lease of a conversation that waits for what the caller now has. ErrFenced: it does not wait for that.
func Wake(ctx context.Context, tx *store.Tx, ref, worker, waitsFor string) (Row, error) {
	r, err := scanRow(tx.Row(ctx, `UPDATE conversations SET state = 'running', waits_for = '', deadline = 0, worker = $1,
		fence = fence + 1 WHERE ref = $2 AND state = 'waiting' AND waits_for = $3 RETURNING `+columns, worker, ref, waitsFor))
	if errors.Is(err, store.ErrNotFound) {
		return Row{}, ErrFenced
	}
	return r, err
}

// Overdue gives conversations that have waited until their deadline. At most 50.
func Overdue(ctx context.Context, tx *store.Tx) ([]string, error) {
	return refs(ctx, tx, `SELECT ref FROM conversations WHERE deadline > 0 AND deadline <= `+tx.Clock()+` LIMIT 50`)
}

func refs(ctx context.Context, tx *store.Tx, query string, args ...any) ([]string, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("look for conversations: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err below tells of every fault
	var out []string
	for rows.Next() {
		var ref string
		if err := rows.Scan(&ref); err != nil {
			return nil, fmt.Errorf("look for conversations: %w", err)
		}
		out = append(out, ref)
	}
	return out, rows.Err()
}

// Release gives a lease back in mid-turn, so that any process may go on at once.
func Release(ctx context.Context, tx *store.Tx, ref, worker string, fence int64) error {
	_, err := tx.Exec(ctx, `UPDATE conversations SET worker = '' WHERE ref = $1 AND worker = $2 AND fence = $3`,
		ref, worker, fence)
	if err != nil {
		return fmt.Errorf("release lease: %w", err)
	}
	return nil
}

// MarkCancel asks the running turn of a conversation to stop: that turn only, where turnID is not empty. false: it does
// not run.
func MarkCancel(ctx context.Context, tx *store.Tx, key Key, turnID string) (ref string, ok bool, err error) {
	err = tx.Row(ctx, `UPDATE conversations SET cancel = 1 WHERE org = $1 AND member = $2 AND id = $3
		AND state = 'running' AND (CAST($4 AS TEXT) = '' OR turn_id = $4) RETURNING ref`,
		key.Org, key.Member, key.ID, turnID).Scan(&ref)
	if errors.Is(err, store.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("mark cancel: %w", err)
	}
	return ref, true, nil
}

// SaveDraft stores what of a reply has streamed so far. It writes nothing where the lease was lost.
func SaveDraft(ctx context.Context, tx *store.Tx, ref, worker string, fence int64, messageID, body string, now time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO drafts (ref, message_id, fence, body, updated_at)
		SELECT ref, $1, fence, $2, $3 FROM conversations WHERE ref = $4 AND worker = $5 AND fence = $6
		ON CONFLICT (ref) DO UPDATE SET message_id = excluded.message_id, fence = excluded.fence, body = excluded.body,
			updated_at = excluded.updated_at`,
		messageID, body, now.UnixMicro(), ref, worker, fence)
	if err != nil {
		return fmt.Errorf("save draft: %w", err)
	}
	return nil
}

// Draft gives the stored draft of a conversation; the empty message id where there is none.
func Draft(ctx context.Context, tx *store.Tx, ref string) (messageID, body string, err error) {
	err = tx.Row(ctx, `SELECT message_id, body FROM drafts WHERE ref = $1`, ref).Scan(&messageID, &body)
	if errors.Is(err, store.ErrNotFound) {
		return "", "", nil
	}
	return messageID, body, err
}
