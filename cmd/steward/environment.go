package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/steward-assistant/steward"
)

// elsewhere are variables of parts that this version does not have. One that is set would otherwise be silently
// without effect.
var elsewhere = map[string]string{
	"STEWARD_NATS_URL":   "events are carried in process",
	"OPENAI_API_KEY":     "only Anthropic's models are spoken to",
	"OPENAI_BASE_URL":    "only Anthropic's models are spoken to",
	"OPENROUTER_API_KEY": "only Anthropic's models are spoken to",
}

// warnElsewhere names each variable that is set for a part that does not exist.
func (t *terminal) warnElsewhere() {
	for _, name := range []string{"STEWARD_NATS_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENROUTER_API_KEY"} {
		if v, ok := t.env(name); ok && v != "" {
			fmt.Fprintf(t.err, "%s is set and has no effect: %s in this version.\n", name, elsewhere[name])
		}
	}
}

// switches reads the kill switches.
func (t *terminal) switches() []steward.Option {
	var out []steward.Option
	if v, _ := t.env("STEWARD_DISABLED"); v != "" && v != "0" {
		out = append(out, steward.Disabled())
	}
	if v, ok := t.env("STEWARD_AGENT_ENABLED"); ok && v == "0" {
		out = append(out, steward.AgentOff())
	}
	return out
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
