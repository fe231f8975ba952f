package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model"
)

func TestRun(t *testing.T) {
	script := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(script, []byte(`{"words": 3, "rules": [{"match": "hello (\\w+)", "say": "good day $1"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(ctx, []string{"--script", script, "--words", "2"}, in, io.Discard) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	client, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: strings.TrimSpace(line), Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{"hello Ada": "good day Ada", "else": "the gym"} {
		got := ""
		for e, err := range client.Stream(t.Context(), model.Request{Model: "claude-sonnet-5", MaxOutputTokens: 10, Messages: []model.Message{{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: words}}}}}) {
			if err != nil {
				t.Fatal(err)
			}
			got += e.Text
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestRunRefuses(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(bad, []byte(`{"wordz": 3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--nope"}, {"--script", "absent.json"}, {"--script", bad}, {"--addr", "nowhere:x"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
