package config

import (
	"maps"
	"slices"
)

// builtin is a provider that is there without being written, and the models that are asked of it unless the file or
// the operator names others.
type builtin struct {
	name       string
	wire       string
	keyEnv     string
	baseURL    string // empty: the wire's own vendor
	baseURLEnv string
	loop       Model
	small      Model
}

// builtins are tried in this order where no provider is named.
var builtins = []builtin{
	{
		name: "anthropic", wire: WireAnthropic, keyEnv: "ANTHROPIC_API_KEY", baseURLEnv: "ANTHROPIC_BASE_URL",
		loop: Model{Model: DefaultLoopModel, Effort: "medium"}, small: Model{Model: "claude-haiku-4-5"},
	},
	{
		name: "openai", wire: WireOpenAI, keyEnv: "OPENAI_API_KEY", baseURLEnv: "OPENAI_BASE_URL",
		// GPT-5.6 Terra.
		loop: Model{Model: "gpt-5.6-terra", Effort: "medium"}, small: Model{Model: "gpt-5.6-terra"},
	},
	{
		name: "openrouter", wire: WireOpenAIChat, keyEnv: "OPENROUTER_API_KEY", baseURL: "https://openrouter.ai/api/v1",
		loop: Model{Model: "deepseek/deepseek-v4-flash"}, small: Model{Model: "deepseek/deepseek-v4-flash"},
	},
}

func builtinNamed(name string) (builtin, bool) {
	i := slices.IndexFunc(builtins, func(b builtin) bool { return b.name == name })
	if i < 0 {
		return builtin{}, false
	}
	return builtins[i], true
}

func isBuiltin(name string) bool {
	_, ok := builtinNamed(name)
	return ok
}

// vendor is the builtin whose address is that of the wire, where none is written.
func vendor(wire string) (builtin, bool) {
	switch wire {
	case WireAnthropic:
		return builtinNamed("anthropic")
	case WireOpenAI, WireOpenAIChat:
		return builtinNamed("openai")
	}
	return builtin{}, false
}

// providerDefaults adds the builtins and fills in what entries leave out.
func (l *loader) providerDefaults() {
	m := &l.c.Models
	written := m.Providers
	m.Providers = make(map[string]Provider, len(written)+len(builtins))
	for _, b := range builtins {
		m.Providers[b.name] = Provider{}
	}
	maps.Copy(m.Providers, written)
	for name, p := range m.Providers {
		b, ok := builtinNamed(name)
		if ok {
			or(&p.Wire, b.wire)
		} else if p.BaseURL == "" && p.BaseURLEnv == "" {
			// An entry that names no address is the vendor of its wire under another name, and takes that one's variables:
			// a gateway that they name is not passed by. Any other address is never given the vendor's key unasked.
			b, ok = vendor(p.Wire)
		}
		if ok {
			if p.KeyFile == "" && !p.Keyless {
				or(&p.KeyEnv, b.keyEnv)
			}
			or(&p.BaseURL, b.baseURL)
			or(&p.BaseURLEnv, b.baseURLEnv)
		}
		if p.Wire == WireAnthropic {
			or(&p.AuthHeader, "x-api-key")
		}
		m.Providers[name] = p
	}
}
