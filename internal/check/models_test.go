package check_test

import (
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model"
)

// TestModels holds what a check says of the models: what a start would refuse, what works by chance, and what the
// chosen provider cannot do.
func TestModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		models                  string
		faults, warnings, lines string
	}{
		"an effort that the model does not take": {
			models: "{loop: {provider: anthropic, model: claude-haiku-4-5, effort: low}}",
			faults: "steward.yaml:5:63: models.loop.effort: claude-haiku-4-5 of anthropic takes no effort; leave it out",
		},
		"no key for the vendor itself": {
			models: `{providers: {gpt: {wire: openai_chat, keyless: true, base_url: "https://api.openai.com/v1"}}, loop: {model: gpt-5.6-terra}}`,
			faults: `steward.yaml:5:22: models.providers.gpt: provider "gpt": chat: Key must be set, in visible ASCII without spaces; it may be empty only where BaseURL is a server that asks for none`,
		},
		"an effort of the small model": {
			models: "{small: {effort: low}}",
			faults: "steward.yaml:5:18: models.small.effort: claude-haiku-4-5 of anthropic takes no effort; leave it out",
		},
		"a model of nobody's": {
			models:   "{loop: {model: claude-opus-5}}",
			warnings: "steward.yaml:5:17: models.loop.model: names no provider, so it is asked of the first that has its key, now anthropic; say with provider whose it is",
			lines:    "Model claude-opus-5 of anthropic, wire anthropic: no key is set, so it is not asked; any of these",
		},
		"a model of the only provider": {
			models: "{providers: {anthropic: {}}, loop: {model: claude-opus-5}}",
			lines:  "any of these switches one on: ANTHROPIC_API_KEY.",
		},
		"a server's address without the version": {
			models:   `{providers: {local: {wire: openai_chat, keyless: true, base_url: "http://127.0.0.1:11434"}}, loop: {provider: local, model: qwen3}}`,
			warnings: "steward.yaml:5:64: models.providers.local.base_url: has no path, so /chat/completions is asked; most servers have it under /v1, as http://127.0.0.1:11434/v1",
		},
		"a gateway's address with it": {
			models:   `{providers: {anthropic: {key_env: SECRET, base_url: "https://gateway.example/v1"}}}`,
			warnings: "steward.yaml:5:51: models.providers.anthropic.base_url: ends in /v1, which this wire adds itself, so /v1/v1/messages is asked; leave it out",
		},
		"no model is named": {
			models: `{providers: {ollama: {wire: openai_chat, keyless: true, base_url: "http://127.0.0.1:11434/v1"}}, loop: {provider: ollama}}`,
			faults: "steward.yaml:5:106: models.loop.model: must name a model of ollama, which has no default over wire openai_chat",
			lines:  "Model (none is named) of ollama, wire openai_chat: it wants no key.",
		},
		"what cannot be done": {
			models: "{providers: {anthropic: {key_env: SECRET, without: [" + strings.Join(model.CapabilityNames(), ", ") + "]}}}",
			lines: "Model claude-sonnet-5 of anthropic, wire anthropic: a key is set.|claude-sonnet-5 is given no tools, so it reads nothing of the product.|" +
				"claude-sonnet-5 replies in one piece.|claude-sonnet-5 is not asked for an effort.|claude-sonnet-5 is not held to a tool's schema.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, strings.Replace(head, "locales: [en, he]", "locales: [en]", 1)+"models: "+c.models+"\n")
			if got := r.Faults.Error(); got != c.faults {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
			if got := r.Warnings.Error(); got != c.warnings {
				t.Errorf("warnings %q, want %q", got, c.warnings)
			}
			all := strings.Join(r.Lines, "\n")
			for want := range strings.SplitSeq(c.lines, "|") {
				if !strings.Contains(all, want) {
					t.Errorf("lacks %q:\n%s", want, all)
				}
			}
		})
	}
}
