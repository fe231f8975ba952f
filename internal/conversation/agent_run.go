package conversation

import (
	"context"
	"errors"
	"fmt"

	"github.com/steward-assistant/steward/internal/store"
)

// AgentRun is a run of a front end: the part of a turn from one of its requests to the next rest.
type AgentRun struct {
	// ID is the front end's own.
	ID     string
	TurnID string
	// Seq is the log's head when the run began: its events come after it.
	Seq int64
	// Newest says that no later run of the conversation began.
	Newest bool
}

// PutRun remembers where a run begins. A run that is there already is left as it is.
func PutRun(ctx context.Context, tx *store.Tx, ref string, r AgentRun) error {
	_, err := tx.Exec(ctx, `INSERT INTO runs (ref, run_id, turn_id, seq) VALUES ($1, $2, $3, $4)
		ON CONFLICT (ref, run_id) DO NOTHING`, ref, r.ID, r.TurnID, r.Seq)
	if err != nil {
		return fmt.Errorf("remember run: %w", err)
	}
	return nil
}

// FindRun gives a run by the front end's id of it. ErrNotFound: there was none.
func FindRun(ctx context.Context, tx *store.Tx, ref, runID string) (AgentRun, error) {
	r := AgentRun{ID: runID}
	var later int64
	err := tx.Row(ctx, `SELECT turn_id, seq, (SELECT COUNT(*) FROM runs AS later WHERE later.ref = runs.ref AND later.seq > runs.seq)
		FROM runs WHERE ref = $1 AND run_id = $2`, ref, runID).Scan(&r.TurnID, &r.Seq, &later)
	if errors.Is(err, store.ErrNotFound) {
		return AgentRun{}, ErrNotFound
	}
	r.Newest = later == 0
	return r, err
}
