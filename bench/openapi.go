package main

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// largeAPI starts Steward on a large OpenAPI document and measures the start, its memory, and what is resident once a
// member's question has brought the model the tools of it.
func largeAPI(ctx context.Context, b *bench, t *table) error {
	document, err := readGzip(b.document)
	if err != nil {
		return err
	}
	config, err := host.ReadFile("host/github.yaml")
	if err != nil {
		return err
	}
	var seconds, peak, resident, asked []float64
	for range b.runs {
		b.settle(ctx)
		s, err := b.largeStand(ctx, config, document)
		if err != nil {
			return err
		}
		kb, err := s.steward.memory("VmHWM")
		seconds, peak = append(seconds, s.steward.took.Seconds()), append(peak, kb/1024)
		if err == nil {
			kb, err = s.steward.settledKB(ctx)
			resident = append(resident, kb/1024)
		}
		if err == nil {
			err = s.ask(ctx)
		}
		if err == nil {
			kb, err = s.steward.settledKB(ctx)
			asked = append(asked, kb/1024)
		}
		s.close()
		if err != nil {
			return err
		}
	}
	t.add("GitHub's API, 1,223 operations: from exec to listening", "s", seconds, 3, "its database is made")
	t.add("… memory at its highest until then", "MB", peak, 400, "")
	t.add("… resident after the start", "MB", resident, 60, "")
	t.add("… resident after a question, with all its reads before the model", "MB", asked, 60, "")
	return nil
}

func (b *bench) largeStand(ctx context.Context, config, document []byte) (s *stand, err error) {
	s = &stand{client: loadClient(), secret: rand.Text() + rand.Text()}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.folder, err = os.MkdirTemp(b.folder, "github-"); err != nil {
		return s, err
	}
	for name, text := range map[string][]byte{"steward.yaml": config, "github.json": document} {
		if err := os.WriteFile(filepath.Join(s.folder, name), text, 0o600); err != nil {
			return s, err
		}
	}
	token, err := memberToken([]byte(s.secret), 0)
	if err != nil {
		return s, err
	}
	s.tokens = []string{token}
	if s.model, err = b.scriptedModel(ctx); err != nil {
		return s, err
	}
	return s, b.startSteward(ctx, s)
}

// ask sends one question and reads its answer to the end.
func (s *stand) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	answer, err := s.post(ctx, s.token(0), newID(), usualWords)
	if err != nil {
		return err
	}
	defer answer.close()
	for {
		switch _, err := answer.next(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the answer: %w", err)
		}
	}
}

func readGzip(name string) (_ []byte, err error) {
	f, err := os.Open(name) //nolint:gosec // whoever measures names it
	if err != nil {
		return nil, fmt.Errorf("-document: GitHub's description of its API, as JSON with gzip: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("-document: %w", err)
	}
	defer func() { err = errors.Join(err, z.Close()) }()
	return io.ReadAll(io.LimitReader(z, 64<<20))
}
