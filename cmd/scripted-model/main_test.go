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
	go func() {
		done <- run(ctx, []string{"--script", script, "--words", "2", "--keyless", "--models", "claude-sonnet-5,gpt-5.6-terra,llama3.2"}, in, io.Discard)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(line)
	anthropic, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: address, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	responses, err := model.NewResponses(model.ResponsesConfig{BaseURL: address + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	chat, err := model.NewChat(model.ChatConfig{BaseURL: address + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, client := range map[string]model.Provider{"claude-sonnet-5": anthropic, "gpt-5.6-terra": responses, "llama3.2": chat} {
		for words, want := range map[string]string{"hello Ada": "good day Ada", "else": "the gym"} {
			if got, err := say(t.Context(), client, name, words); err != nil || got != want {
				t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
			}
		}
	}
	if _, err := say(t.Context(), chat, "qwen3", "hello Ada"); err == nil {
		t.Error("a model that is not one of them is accepted")
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// say asks one question and gives the text of the reply.
func say(ctx context.Context, client model.Provider, name, words string) (string, error) {
	text := ""
	for e, err := range client.Stream(ctx, model.Request{Model: name, MaxOutputTokens: 16, Messages: []model.Message{{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: words}}}}}) {
		if err != nil {
			return text, err
		}
		text += e.Text
	}
	return text, nil
}

func TestRunRefuses(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(bad, []byte(`{"wordz": 3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--nope"}, {"--script", "absent.json"}, {"--script", bad}, {"--addr", "nowhere:x"}, {"--key", "k", "--keyless"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
