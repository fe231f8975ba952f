package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/steward-assistant/steward"
)

// elsewhere are variables of parts that this version does not have. One that is set would otherwise be silently
// without effect.
var elsewhere = []struct{ name, why string }{
	{"STEWARD_NATS_URL", "events are carried in process"},
	{"OPENAI_API_KEY", "only Anthropic's models are spoken to"},
	{"OPENAI_BASE_URL", "only Anthropic's models are spoken to"},
	{"OPENROUTER_API_KEY", "only Anthropic's models are spoken to"},
}

// warnElsewhere names each variable that is set for a part that does not exist.
func (t *terminal) warnElsewhere() {
	for _, e := range elsewhere {
		if v, ok := t.env(e.name); ok && v != "" {
			fmt.Fprintf(t.err, "%s is set and has no effect: %s in this version.\n", e.name, e.why)
		}
	}
}

// switches reads the kill switches. A value that is neither yes nor no stops the start: a switch must not be mistaken.
func (t *terminal) switches() ([]steward.Option, error) {
	var out []steward.Option
	disabled, err := t.flag("STEWARD_DISABLED", false)
	if err != nil {
		return nil, err
	}
	if disabled {
		out = append(out, steward.Disabled())
	}
	agent, err := t.flag("STEWARD_AGENT_ENABLED", true)
	if err != nil {
		return nil, err
	}
	if !agent {
		out = append(out, steward.AgentOff())
	}
	return out, nil
}

func (t *terminal) flag(name string, otherwise bool) (bool, error) {
	v, _ := t.env(name)
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "":
		return otherwise, nil
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%s: want 1 or 0", name)
}

// database gives STEWARD_DATABASE_URL, or otherwise.
func (t *terminal) database(otherwise string) string {
	if v, _ := t.env("STEWARD_DATABASE_URL"); v != "" {
		return v
	}
	return otherwise
}

func (t *terminal) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: level}))
}

// answering says in a sentence what answers.
func answering(answers, reason string) string {
	switch {
	case answers == "model":
		return "A model answers."
	case answers == "guide" && reason == "no_key":
		return "No ANTHROPIC_API_KEY is set: the guide answers, without a model."
	case answers == "guide" && reason == "agent_off":
		return "STEWARD_AGENT_ENABLED=0: the guide answers, without a model."
	}
	return strings.TrimSpace("The assistant is off. " + reason)
}
