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
	"github.com/steward-assistant/steward/model/modeltest"
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

// TestHelp asks for help, which is no fault, and finds the format of a script in it; the script that it shows is one.
func TestHelp(t *testing.T) {
	var told strings.Builder
	if err := run(t.Context(), []string{"--help"}, io.Discard, &told); err != nil {
		t.Error(err)
	}
	for _, part := range []string{"-script file", `"match"`, "{results}", "call loans-list"} {
		if !strings.Contains(told.String(), part) {
			t.Errorf("the help lacks %q:\n%s", part, told.String())
		}
	}
	_, example, _ := strings.Cut(format, "\n\n    {")
	example, _, _ = strings.Cut(example, "\n    }\n")
	if rules, err := modeltest.ParseRules([]byte("{" + example + "}")); err != nil || len(rules.Rules) != 3 {
		t.Errorf("%d rules: %v", len(rules.Rules), err)
	}
}

// TestMisspeltTool has a script call what is not offered: told once, with what was meant.
func TestMisspeltTool(t *testing.T) {
	rules, err := modeltest.ParseRules([]byte(`{"rules": [{"match": "loans", "calls": [{"tool": "loans-lst"}, {"tool": "tools-list"}]}, {"match": "", "calls": [{"tool": "x"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	script := newMisspelt(rules.Rules, &told).script(rules.Script())
	offered := []modeltest.Tool{{Name: "tools-list"}, {Name: "loans-list"}}
	for _, words := range []string{"the loans", "the loans", "else"} {
		script(modeltest.Request{Words: words, Tools: offered})
		script(modeltest.Request{Words: words})
	}
	want := `scripted-model: rule 1 calls "loans-lst", which is not offered; did you mean loans-list?
scripted-model: rule 2 calls "x", which is not offered; offered are loans-list, tools-list
`
	if told.String() != want {
		t.Errorf("told\n%swant\n%s", told.String(), want)
	}
	told.Reset()
	hand := newMisspelt(nil, &told)
	hand.script(modeltest.Rules{}.Script())(modeltest.Request{Words: `call loans_list {"a": 1}`, Tools: offered})
	if got := told.String(); !strings.Contains(got, `the member calls "loans_list", which is not offered; did you mean loans-list?`) {
		t.Error(got)
	}
}
