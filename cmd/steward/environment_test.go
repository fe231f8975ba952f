package main

import (
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/examples/gym"
)

// TestSentence holds what the demo says of who answers, environment by environment.
func TestSentence(t *testing.T) {
	t.Parallel()
	const none = "No model's key is set: the guide answers, without a model. Set "
	for _, c := range []struct{ env, answers, reason, want string }{
		{"", "guide", "no_key", none + "ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY and a model does."},
		{"STEWARD_PROVIDER=openai", "guide", "no_key", none + "OPENAI_API_KEY and a model does."},
		{"", "none", "no_key", "No model's key is set: the assistant is off. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY and a model does."},
		{"ANTHROPIC_API_KEY=k", "model", "", "claude-sonnet-5 of anthropic answers."},
		{"OPENAI_API_KEY=k", "model", "", "gpt-5.6-terra of openai answers."},
		{"OPENROUTER_API_KEY=k", "model", "", "deepseek/deepseek-v4-flash of openrouter answers."},
		{"OPENROUTER_API_KEY=k STEWARD_MODEL=x/y", "model", "", "x/y of openrouter answers."},
		{"ANTHROPIC_API_KEY=k", "guide", "agent_off", "STEWARD_AGENT_ENABLED=0: the guide answers, without a model."},
		{"ANTHROPIC_API_KEY=k", "none", "", "The assistant is off."},
	} {
		env := map[string]string{"GYM_TOKEN_SECRET": strings.Repeat("s", 40), "GYM_URL": "http://127.0.0.1:1"}
		for word := range strings.FieldsSeq(c.env) {
			name, value, _ := strings.Cut(word, "=")
			env[name] = value
		}
		cfg, faults := config.Load(gym.Files, "steward.yaml", func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		if got := sentence(cfg.Models, c.answers, c.reason); got != c.want {
			t.Errorf("%s: got %q, want %q", c.env, got, c.want)
		}
	}
}
