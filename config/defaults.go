package config

import "time"

// Defaults that other packages name too.
const (
	DefaultLoopModel     = "claude-sonnet-5" // of the first provider that is tried
	DefaultSurface       = "app"
	DefaultTimeout       = Duration(30 * time.Second)
	DefaultClientTimeout = Duration(10 * time.Minute)
	DefaultResultLimit   = 50_000
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
	l.providerDefaults()
	for name, s := range c.Sources {
		if s.MCP == nil {
			or(&s.Authority, AuthorityForward)
			c.Sources[name] = s
		}
	}
	or(&c.Tools.Timeout, DefaultTimeout)
	or(&c.Tools.ClientTimeout, DefaultClientTimeout)
	l.number("tools.result_limit", &c.Tools.ResultLimit, DefaultResultLimit)
	l.number("tools.parallel", &c.Tools.Parallel, 4)
	l.number("tools.retry_breaker", &c.Tools.RetryBreaker, 3)
	for _, a := range c.Tools.Actions {
		if a.Preview != nil && a.Preview.Precondition != nil {
			or(&a.Preview.Precondition.Header, "If-Match")
		}
	}
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
