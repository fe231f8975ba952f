package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// idleFor is how long the demo stands before its memory is read.
const idleFor = 5 * time.Second

// demo are the arguments that start the demo; with no key in its environment the guide answers.
func demo(data string) []string {
	return []string{"demo", "gym", "--addr", "127.0.0.1:0", "--data", data}
}

// withoutKey takes what this shell may hold out of the demo's environment.
var withoutKey = []string{
	"ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "OPENROUTER_API_KEY=", "STEWARD_PROVIDER=", "STEWARD_MODEL=",
	"STEWARD_DATABASE_URL=", "STEWARD_DISABLED=", "STEWARD_AGENT_ENABLED=",
}

// startAndIdle measures the demo's start, its database being made, and what it holds when nobody asks.
func startAndIdle(ctx context.Context, b *bench, t *table) error {
	var idle, seconds []float64
	for i := range b.runs {
		b.settle(ctx)
		p, err := launch(ctx, b.folder, withoutKey, b.steward, demo(filepath.Join(b.folder, fmt.Sprintf("demo-%d", i)))...)
		if err != nil {
			return err
		}
		begun := time.Now()
		err = answers(ctx, p.url)
		seconds = append(seconds, (p.took + time.Since(begun)).Seconds())
		if err == nil {
			select {
			case <-time.After(idleFor):
			case <-ctx.Done():
			}
			var kb float64
			kb, err = p.residentKB()
			idle = append(idle, kb/1024)
		}
		p.stop()
		if err != nil {
			return err
		}
	}
	t.add("from exec to the demo's first answer", "s", seconds, 2, "its data is made")
	t.add("the demo, idle for 5 s", "MB", idle, 60, "the gym's own backend and database in the same process")
	return nil
}

func answers(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/status", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // only its status counts
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: %s", errAnswer, res.Status)
	}
	return nil
}

// binarySize is not repeated: the same source gives the same binary.
func binarySize(_ context.Context, b *bench, t *table) error {
	info, err := os.Stat(b.steward)
	if err != nil {
		return err
	}
	t.add("the binary, stripped", "MB", []float64{float64(info.Size()) / (1 << 20)}, 45, "")
	return nil
}

// coldStart times `make run` as after a fresh checkout whose modules are there and whose build cache is empty. Once:
// it takes minutes.
func coldStart(ctx context.Context, b *bench, t *table) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	// go run leaves the program that it built to its caller, so that is built as go run would and started here.
	program := filepath.Join(b.folder, "cold")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/steward") //nolint:gosec // our own folders
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOCACHE="+filepath.Join(b.folder, "cold-cache"))
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build with an empty cache: %w\n%s", err, out)
	}
	p, err := launch(ctx, b.folder, withoutKey, program, demo(filepath.Join(b.folder, "demo-cold"))...)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := answers(ctx, p.url); err != nil {
		return err
	}
	t.add("make run, modules fetched, build cache empty: to the first answer", "s", []float64{time.Since(begun).Seconds()}, 240, "once")
	return nil
}
