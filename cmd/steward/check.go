package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/check"
)

type checkCommand struct {
	Config string `help:"The host's file." default:"steward.yaml" env:"STEWARD_CONFIG"`
}

// Run prints every fault with its file and line, and what the file makes.
func (c *checkCommand) Run(ctx context.Context, t *terminal) error {
	report, err := check.Run(ctx, check.Options{
		Files: config.Dir(filepath.Dir(c.Config)), Name: filepath.Base(c.Config), Env: t.env,
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
