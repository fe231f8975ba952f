package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/steward-assistant/steward/internal/store"
)

const (
	// A long conversation is written as a few turns and copies of them: 1,000 real ones would take longer than all the
	// rest, and stand in the log just so.
	realTurns = 10
	copies    = 99
	pageLoads = 100
)

// page measures how fast the end of a long conversation is read.
func page(ctx context.Context, b *bench, t *table) error {
	s, err := b.newStand(ctx, nil)
	if err != nil {
		return err
	}
	defer s.close()
	conversation := newID()
	for i := range realTurns {
		stream, err := s.post(ctx, s.token(0), conversation, usualWords)
		if err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		if _, err := stream.firstText(); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	s.steward.stop()
	if err := s.lengthen(ctx); err != nil {
		return fmt.Errorf("lengthen the conversation: %w", err)
	}
	if err := b.startSteward(ctx, s); err != nil {
		return err
	}
	var p50, most []float64
	messages := 0
	for range b.runs {
		b.settle(ctx)
		var took []time.Duration
		for range pageLoads {
			begun := time.Now()
			if messages, err = s.lastPage(ctx, conversation); err != nil {
				return err
			}
			took = append(took, time.Since(begun))
		}
		p50, most = append(p50, percentile(took, 50)), append(most, percentile(took, 100))
	}
	t.add("last page of a conversation of 2,000 messages, p50", "ms", p50, 20, fmt.Sprintf("a page has %d messages", messages))
	t.add("… the slowest of 100", "ms", most, 20, "")
	return nil
}

// lengthen repeats the log of the database's only conversation. Steward does not run meanwhile.
func (s *stand) lengthen(ctx context.Context) error {
	db, err := store.Open(ctx, s.database(), store.Options{})
	if err != nil {
		return err
	}
	err = db.Do(ctx, func(tx *store.Tx) error {
		var head int64
		if err := tx.Row(ctx, `SELECT head FROM conversations`).Scan(&head); err != nil {
			return err
		}
		for i := int64(1); i <= copies; i++ {
			_, err := tx.Exec(ctx, `INSERT INTO entries (ref, seq, kind, turn_id, message_id, body, created_at)
				SELECT ref, seq + $1, kind, turn_id || $2, CASE message_id WHEN '' THEN '' ELSE message_id || $2 END, body, created_at
				FROM entries WHERE seq <= $3`, i*head, fmt.Sprintf("-%d", i), head)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `UPDATE conversations SET head = $1`, head*(copies+1))
		return err
	})
	return errors.Join(err, db.Close())
}

// lastPage loads a conversation and counts the messages that came.
func (s *stand) lastPage(ctx context.Context, conversation string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.path(conversation, ""), nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+s.token(0))
	res, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%w: %s %.300s (%w)", errAnswer, res.Status, text, err)
	}
	var view struct {
		Messages []json.RawMessage `json:"messages"`
	}
	err = json.Unmarshal(text, &view)
	return len(view.Messages), err
}
