package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
)

// direct asks the model without Steward: the same bytes that Steward would send, by the same client.
type direct struct {
	provider *model.Anthropic
	request  model.Request
}

// newDirect makes a client of the model at url; request is as captured.
func newDirect(url string, request model.Request) (*direct, error) {
	p, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: url, Key: "bench"})
	if err != nil {
		return nil, err
	}
	return &direct{p, request}, nil
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

// capture has Steward ask a model of this process's once, and gives what it asked, so that the direct client sends the
// same.
func (b *bench) capture(ctx context.Context) (model.Request, error) {
	scripted := modeltest.New(modeltest.Config{})
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return model.Request{}, err
	}
	server := &http.Server{Handler: scripted, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = server.Serve(listener) }()
	defer func() { _ = server.Close(); <-ended }()

	stewardOnly := *b
	stewardOnly.profile = ""
	s, err := stewardOnly.newStand(ctx, &process{url: "http://" + listener.Addr().String()})
	if err != nil {
		return model.Request{}, err
	}
	defer s.steward.stop()
	stream, err := s.post(ctx, s.token(0), newID(), usualWords)
	if err != nil {
		return model.Request{}, err
	}
	if _, err := stream.firstText(); err != nil {
		return model.Request{}, err
	}
	if len(scripted.Requests()) == 0 {
		return model.Request{}, errors.New("the model was not asked")
	}
	return requestOf(scripted.Requests()[0].Body)
}

// requestOf reads back what was written for the vendor.
func requestOf(body []byte) (model.Request, error) {
	type cached struct {
		Cache json.RawMessage `json:"cache_control"` //nolint:tagliatelle // the vendor's name
	}
	var wire struct {
		Model     string `json:"model"`
		MaxTokens int    `json:"max_tokens"` //nolint:tagliatelle // the vendor's name
		Output    struct {
			Effort string `json:"effort"`
		} `json:"output_config"` //nolint:tagliatelle // the vendor's name
		System []struct {
			Text string `json:"text"`
			cached
		} `json:"system"`
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Input       json.RawMessage `json:"input_schema"` //nolint:tagliatelle // the vendor's name
			Strict      bool            `json:"strict"`
		} `json:"tools"`
		Messages []struct {
			Role    string `json:"role"`
			Content []struct {
				Text string `json:"text"`
				cached
			} `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return model.Request{}, fmt.Errorf("read the captured request: %w", err)
	}
	req := model.Request{Model: wire.Model, Effort: model.Effort(wire.Output.Effort), MaxOutputTokens: wire.MaxTokens}
	for _, s := range wire.System {
		req.System = append(req.System, model.SystemBlock{Text: s.Text, Cache: len(s.Cache) > 0})
	}
	for _, t := range wire.Tools {
		req.Tools = append(req.Tools, model.Tool{Name: t.Name, Description: t.Description, Input: t.Input, Strict: t.Strict})
	}
	for _, m := range wire.Messages {
		message := model.Message{Role: model.Role(m.Role)}
		for _, c := range m.Content {
			message.Blocks = append(message.Blocks, model.Block{Kind: model.BlockText, Text: c.Text, Cache: len(c.Cache) > 0})
		}
		req.Messages = append(req.Messages, message)
	}
	return req, nil
}
