package main

import (
	"context"
	"strings"
	"time"

	"github.com/steward-assistant/steward/model"
)

// direct asks the model without Steward: the same bytes that Steward would send, by the same client.
type direct struct {
	provider model.Provider
	request  model.Request
}

// direct makes a client of the model at url as the stand's Steward makes its own; request is as captured.
func (s *stand) direct(url string, request model.Request) (*direct, error) {
	cfg, err := s.config(url)
	if err != nil {
		return nil, err
	}
	provider, err := model.Open(cfg, "models.loop", cfg.Models.Loop, model.OpenOptions{})
	if err != nil {
		return nil, err
	}
	return &direct{provider, request}, nil
}

// saying gives the client with other words of the member.
func (d *direct) saying(words string) *direct {
	out := *d
	out.request.Messages = nil
	for _, m := range d.request.Messages {
		blocks := append([]model.Block(nil), m.Blocks...)
		for i := range blocks {
			blocks[i].Text = strings.ReplaceAll(blocks[i].Text, usualWords, words)
		}
		out.request.Messages = append(out.request.Messages, model.Message{Role: m.Role, Blocks: blocks})
	}
	return &out
}

// firstText asks once, reads the whole reply, and gives the time to its first text.
func (d *direct) firstText(ctx context.Context) (time.Duration, error) {
	begun := time.Now()
	var first time.Duration
	err := d.each(ctx, func(string) {
		if first == 0 {
			first = time.Since(begun)
		}
	})
	return first, err
}

// each asks once and hands out the reply's texts as they come.
func (d *direct) each(ctx context.Context, text func(string)) error {
	for ev, err := range d.provider.Stream(ctx, d.request) {
		if err != nil {
			return err
		}
		if ev.Kind == model.EventTextDelta {
			text(ev.Text)
		}
	}
	return nil
}
