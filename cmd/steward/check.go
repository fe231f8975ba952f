package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/check"
)

type checkCommand struct {
	Config string `help:"The host's file." default:"steward.yaml" env:"STEWARD_CONFIG"`
	Spec   string `help:"Instead of the host's file, look at an OpenAPI document and say what it would give: a file in JSON or YAML, gzipped or not, or - for standard input. Nothing else is needed." placeholder:"FILE"`
	All    bool   `help:"Print long lists whole."`
	JSON   bool   `help:"With --spec: print it as JSON."`
}

// Run prints every fault with its file and line, and what the file makes; with --spec, what a document would give.
func (c *checkCommand) Run(ctx context.Context, t *terminal) error {
	if c.Spec != "" {
		return c.spec(ctx, t)
	}
	report, err := check.Run(ctx, check.Options{
		Files: config.Dir(filepath.Dir(c.Config)), Name: filepath.Base(c.Config), Env: t.env, All: c.All,
	})
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	at(report.Faults, c.Config)
	at(report.Warnings, c.Config)
	if _, err := report.WriteTo(t.out); err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	if report.Failed() {
		return errFaults
	}
	return nil
}

func (c *checkCommand) spec(ctx context.Context, t *terminal) error {
	document, err := readSpec(ctx, c.Spec)
	if err != nil {
		return err
	}
	outline, err := check.Spec(ctx, document)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Spec, err)
	}
	if c.JSON {
		return outline.WriteJSON(t.out)
	}
	return outline.WriteText(t.out, c.Spec, c.All)
}

// readSpec reads a document of a bounded size from a file or, as "-", from standard input, until ctx ends. A pipe may give
// nothing for as long as it likes, to open it too, and neither can be broken off: what waits for it ends with the program.
func readSpec(ctx context.Context, name string) ([]byte, error) {
	type result struct {
		document []byte
		err      error
	}
	done := make(chan result, 1)
	go func() {
		document, err := readWhole(name)
		done <- result{document, err}
	}()
	select {
	case r := <-done:
		return r.document, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("--spec: stopped before %s was read: %w", name, context.Cause(ctx))
	}
}

func readWhole(name string) (_ []byte, err error) {
	var from io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name) //nolint:gosec // whoever runs the command names it
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil, fmt.Errorf("--spec: there is no file %s; of an address, fetch it first: curl -sL ADDRESS | steward check --spec -", name)
		case err != nil:
			return nil, fmt.Errorf("--spec: %w", err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		from = f
	}
	document, err := io.ReadAll(io.LimitReader(from, config.MaxDocumentBytes+1))
	if err != nil {
		return nil, fmt.Errorf("--spec: %w", err)
	}
	if len(document) > config.MaxDocumentBytes {
		return nil, fmt.Errorf("--spec: %s is larger than %d MB", name, config.MaxDocumentBytes>>20)
	}
	return document, nil
}
