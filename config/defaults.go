package config

import "time"

// Defaults that other packages name too.
const (
	DefaultSurface     = "app"
	DefaultLoopModel   = "claude-sonnet-5"
	DefaultSmallModel  = "claude-haiku-4-5"
	DefaultTimeout     = Duration(30 * time.Second)
	DefaultResultLimit = 50_000
)

// MaxTimeout is the longest that one tool may take.
const MaxTimeout = Duration(10 * time.Minute)

func or[T comparable](v *T, standard T) {
	var zero T
	if *v == zero {
		*v = standard
	}
}

func (l *loader) defaults() {
	c := l.c
	if c.Locales == nil {
		c.Locales = []string{"en"}
	}
	if c.Modes == nil {
		c.Modes = []string{"kept"}
	}
	or(&c.OptIn, "none")
	or(&c.WithoutModel, "guide")
	if c.GuideOn == nil {
		c.GuideOn = []string{"no_key", "unavailable", "budget", "agent_off"}
	}
	l.modelDefaults()
	for name, s := range c.Sources {
		or(&s.Authority, AuthorityForward)
		c.Sources[name] = s
	}
	or(&c.Tools.Timeout, DefaultTimeout)
	l.number("tools.result_limit", &c.Tools.ResultLimit, DefaultResultLimit)
	l.number("tools.parallel", &c.Tools.Parallel, 4)
	l.number("tools.retry_breaker", &c.Tools.RetryBreaker, 3)
	if len(c.Surfaces) == 0 {
		c.Surfaces = map[string]Surface{DefaultSurface: {}}
	}
	for name, s := range c.Surfaces {
		or(&s.Persona.Name, c.Product.Name.In(c.fallback()))
		if s.Persona.Title == nil && s.Persona.Name != "" {
			s.Persona.Title = Text{"": s.Persona.Name}
		}
		if c.Product.Name != nil {
			or(&s.Persona.Identity, "You help the people who use "+c.Product.Name.In(c.fallback())+".")
		}
		c.Surfaces[name] = s
	}
	or(&c.Statement.Issuer, "steward")
	or(&c.Widget.Layout, "dock")
	or(&c.Widget.Shortcut, "mod+k")
	l.number("turn.max_rounds", &c.Turn.MaxRounds, 6)
	l.number("turn.max_text", &c.Turn.MaxText, 20_000)
	or(&c.Turn.IdleTimeout, Duration(time.Minute))
	or(&c.Turn.Lease, Duration(3*time.Second))
	or(&c.Turn.Timeout, Duration(10*time.Minute))
}

// number sets a default only where the file says nothing: a zero that somebody wrote is theirs, and is checked.
func (l *loader) number(path string, v *int, standard int) {
	if _, written := l.c.at[path]; !written {
		*v = standard
	}
}

func (c *Config) fallback() string {
	if len(c.Locales) == 0 {
		return "en"
	}
	return c.Locales[0]
}

func (l *loader) modelDefaults() {
	m := &l.c.Models
	if len(m.Providers) == 0 {
		m.Providers = map[string]Provider{"anthropic": {KeyEnv: "ANTHROPIC_API_KEY", BaseURLEnv: "ANTHROPIC_BASE_URL"}}
	}
	for name, p := range m.Providers {
		or(&p.Wire, name)
		or(&p.AuthHeader, "x-api-key")
		if p.Wire == "anthropic" {
			// The vendor's own variables hold for every host: a gateway that one names is not passed by.
			if p.KeyFile == "" {
				or(&p.KeyEnv, "ANTHROPIC_API_KEY")
			}
			or(&p.BaseURLEnv, "ANTHROPIC_BASE_URL")
		}
		m.Providers[name] = p
	}
	if provider, ok := l.env("STEWARD_PROVIDER"); ok && provider != "" {
		m.Loop.Provider = provider
	}
	if model, ok := l.env("STEWARD_MODEL"); ok && model != "" {
		m.Loop.Model = model
	}
	if names := sortedKeys(m.Providers); len(names) == 1 {
		or(&m.Loop.Provider, names[0])
		or(&m.Small.Provider, names[0])
	}
	anthropic := m.Providers[m.Loop.Provider].Wire == "anthropic"
	if anthropic {
		or(&m.Loop.Model, DefaultLoopModel)
	}
	if m.Small.Model == "" && m.Providers[m.Small.Provider].Wire == "anthropic" {
		m.Small.Model = DefaultSmallModel
	}
	or(&m.Small.Provider, m.Loop.Provider)
	or(&m.Small.Model, m.Loop.Model)
	l.number("models.loop.output_cap", &m.Loop.OutputCap, 16_384)
	l.number("models.loop.ceiling", &m.Loop.Ceiling, 16_384)
	l.number("models.small.output_cap", &m.Small.OutputCap, 1_024)
	l.number("models.small.ceiling", &m.Small.Ceiling, 4_096)
	or(&m.CacheTTL, Duration(5*time.Minute))
}
