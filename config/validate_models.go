package config

import (
	"fmt"
	"regexp"
	"strings"
)

var providerPattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)

func (l *loader) models() {
	m := l.c.Models
	written := l.writtenProviders()
	for _, name := range written {
		l.provider(name, m.Providers[name])
	}
	if len(written) > 1 && l.c.Written("models.loop.model") && !l.c.Written("models.loop.provider") {
		l.fault("models.loop.model", "could be of "+orList(written)+"; say with provider whose it is")
	}
	l.model("models.loop", m.Loop)
	l.model("models.small", m.Small)
	l.used(m.Loop.Provider)
	if m.Small.Provider != m.Loop.Provider {
		l.used(m.Small.Provider)
	}
	if m.CacheTTL.String() != "5m0s" && m.CacheTTL.String() != "1h0m0s" {
		l.fault("models.cache_ttl", "must be 5m or 1h")
	}
}

// provider checks an entry of the file by itself.
func (l *loader) provider(name string, p Provider) {
	path := join("models.providers", name)
	if !providerPattern.MatchString(name) {
		l.fault(path, "must be named with lower-case letters, digits, hyphens and underscores, beginning with a letter, at most 40, as ollama")
	}
	wires := []string{WireAnthropic, WireOpenAI, WireOpenAIChat}
	if p.Wire == "" {
		l.fault(path, "must say with wire what it speaks: "+orList(wires)+"; most servers that are like OpenAI's speak openai_chat")
	} else {
		l.oneOf(path+".wire", p.Wire, wires...)
	}
	l.envName(path+".key_env", p.KeyEnv)
	l.envName(path+".base_url_env", p.BaseURLEnv)
	switch {
	case p.Keyless && (p.KeyEnv != "" || p.KeyFile != ""):
		l.fault(path+".keyless", "is for a server that wants no key, and this entry names one; leave out either")
	case p.Keyless && p.Wire == WireAnthropic:
		l.fault(path+".keyless", "is not for wire anthropic, which always carries a key; name a key_env, whose variable may hold any word where the server does not look at it")
	case p.Keyless && !l.c.Written(path+".base_url") && !l.c.Written(path+".base_url_env"):
		l.fault(path+".keyless", "is for a server of your own; say with base_url where it is, as http://127.0.0.1:11434/v1")
	case !p.Keyless && p.KeyEnv == "" && p.KeyFile == "":
		l.fault(path, "must say with key_env or key_file where its key is, or keyless: true where it wants none")
	}
	if p.Wire == WireAnthropic {
		l.oneOf(path+".auth_header", p.AuthHeader, "x-api-key", "authorization")
	} else if p.AuthHeader != "" {
		l.fault(path+".auth_header", "is for wire anthropic alone; the others carry the key as a bearer")
	}
	if theirs, ok := vendor(p.Wire); ok && p.BaseURL == "" && isBuiltin(name) && theirs.name != name {
		// Without an address the wire's own vendor would be sent another vendor's key.
		l.fault(path+".wire", "is another vendor's; say with base_url where "+name+" speaks "+p.Wire)
	}
	for i, what := range p.Without {
		l.oneOf(fmt.Sprintf("%s.without[%d]", path, i), what, WithoutTools, WithoutStreams, WithoutEffort, WithoutStrict)
	}
	if p.BaseURL != "" && !l.fromVariable(p) {
		l.address(path+".base_url", p.BaseURL)
	}
}

// used checks what the environment gives to a provider that is asked; what it gives to others does not stop a start.
func (l *loader) used(name string) {
	p, ok := l.c.Models.Providers[name]
	if !ok {
		return
	}
	path := join("models.providers", name)
	if l.fromVariable(p) {
		l.address(path+".base_url_env ("+p.BaseURLEnv+")", p.BaseURL)
	}
	if theirs, ok := vendor(p.Wire); ok && p.BaseURL == "" && p.BaseURLEnv != theirs.baseURLEnv && !isBuiltin(name) {
		l.fault(path+".base_url_env", p.BaseURLEnv+" is not set in the environment; it says where the models are, as https://models.example.com/v1")
	}
	if strings.ContainsFunc(p.Key.Reveal(), func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		at, from := path+".key_file", "the file"
		if v, ok := l.env(p.KeyEnv); ok && v == p.Key.Reveal() {
			at, from = path+".key_env", p.KeyEnv
		}
		l.fault(at, from+" holds no key: a key is visible ASCII, without spaces and line ends")
	}
}

// fromVariable reports whether a provider's address came from the environment.
func (l *loader) fromVariable(p Provider) bool {
	v, ok := l.env(p.BaseURLEnv)
	return ok && v != "" && v == p.BaseURL
}

func (l *loader) model(path string, m Model) {
	p, known := l.c.Models.Providers[m.Provider]
	switch {
	case !known:
		l.fault(path+".provider", "must be one of models.providers: "+orList(l.c.Models.order()))
	case m.Model != "":
	case path == "models.small" && m.Provider == l.c.Models.Loop.Provider: // has the loop's model, which lacks too
	case l.setting(providerVariable, "") == m.Provider:
		l.fault(path+".model", providerVariable+" names "+m.Provider+", for which no model stands here; set "+modelVariable+" too")
	default:
		l.fault(path+".model", "must name a model of "+m.Provider+", which has no default over wire "+p.Wire)
	}
	if m.Effort != "" {
		l.oneOf(path+".effort", m.Effort, "low", "medium", "high")
		if p.Cannot(WithoutEffort) {
			l.fault(path+".effort", m.Provider+" is said to be without effort; leave it out here")
		}
	}
	l.between(path+".output_cap", m.OutputCap, 1, 1_000_000)
	if m.OutputCap > m.Ceiling {
		l.fault(path+".output_cap", fmt.Sprintf("must not be above its ceiling of %d", m.Ceiling))
	}
}
