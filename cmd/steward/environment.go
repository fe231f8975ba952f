package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
)

// elsewhere are variables of parts that this version does not have. One that is set would otherwise be silently
// without effect.
var elsewhere = []struct{ name, why string }{
	{"STEWARD_NATS_URL", "events are carried in process"},
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

// answering says in a sentence or two what answers, and where that is no model, what would have one answer.
func answering(m config.Models, server *steward.Server) string {
	answers, reason := server.Answers()
	return sentence(m, answers, reason)
}

func sentence(m config.Models, answers, reason string) string {
	instead := "the assistant is off."
	if answers == "guide" {
		instead = "the guide answers, without a model."
	}
	switch {
	case answers == "model":
		return fmt.Sprintf("%s of %s answers.", m.Loop.Model, m.Loop.Provider)
	case reason == "no_key":
		return "No model's key is set: " + instead + switchOn(m.KeyVariables())
	case reason == "agent_off":
		return "STEWARD_AGENT_ENABLED=0: " + instead
	}
	return "The assistant is off."
}

// switchOn says which variables would have a model answer.
func switchOn(variables []string) string {
	switch n := len(variables); n {
	case 0:
		return ""
	case 1:
		return " Set " + variables[0] + " and a model does."
	default:
		return " Set " + strings.Join(variables[:n-1], ", ") + " or " + variables[n-1] + " and a model does."
	}
}
