package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	longTurns = 1000 // two messages each
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
	for i := range longTurns {
		stream, err := s.post(ctx, s.token(0), conversation, usualWords)
		if err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		if _, err := stream.firstText(); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	var p50, most []float64
	messages := 0
	for range b.runs {
		settle()
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
