package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/model"
)

// capture has a Steward in this process answer the usual words once, and gives what it asks its model, so that a direct
// client sends the same.
func (s *stand) capture(ctx context.Context) (req model.Request, err error) {
	asked, err := s.direct(s.model.url, model.Request{})
	if err != nil {
		return req, err
	}
	r := &recorder{Provider: asked.provider, asked: make(chan model.Request, 1)}
	err = s.within(ctx, r, func(here *stand) error {
		_, err := here.turn(ctx, 0)
		return err
	})
	if err != nil {
		return req, fmt.Errorf("capture what Steward asks: %w", err)
	}
	return <-r.asked, nil
}

// within runs the stand's host in this process, before a provider, for as long as use is at work with it.
func (s *stand) within(ctx context.Context, provider model.Provider, use func(here *stand) error) (err error) {
	cfg, err := s.config(s.model.url)
	if err != nil {
		return err
	}
	server, err := steward.New(ctx, cfg, steward.WithProvider(provider), steward.OnLoopback(),
		steward.WithDatabase("sqlite:"+filepath.Join(s.folder, "within.db")))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close(context.WithoutCancel(ctx))) }()
	serving, stop := context.WithCancel(ctx)
	address, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serve(serving, out, server)
		_ = out.CloseWithError(err) // never fails
		ended <- err
	}()
	defer func() { stop(); err = errors.Join(err, <-ended) }()
	url, err := bufio.NewReader(address).ReadString('\n')
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	here := *s
	here.steward, here.client = &process{url: strings.TrimSpace(url)}, loadClient()
	defer here.client.CloseIdleConnections()
	return use(&here)
}

// recorder is a provider that keeps the first request and answers each with two words of its own.
type recorder struct {
	model.Provider

	asked chan model.Request
}

// Stream keeps a copy of the request: its messages are the asker's again when the answer has ended.
func (r *recorder) Stream(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		req.Messages[i].Blocks = slices.Clone(req.Messages[i].Blocks)
	}
	select {
	case r.asked <- req:
	default: // a later one
	}
	const words = "At once."
	return func(yield func(model.Event, error) bool) {
		for _, ev := range []model.Event{
			{Kind: model.EventStart, Model: req.Model},
			{Kind: model.EventTextDelta, Text: words},
			{Kind: model.EventBlockEnd, Block: model.Block{Kind: model.BlockText, Text: words, Provider: r.Name(), Model: req.Model}},
			{Kind: model.EventStop, Stop: model.StopEndTurn, Model: req.Model},
		} {
			if !yield(ev, nil) {
				return
			}
		}
	}
}
