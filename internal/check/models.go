package check

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/model"
)

// openModels looks at the providers that would be asked, and says what the one that answers members can do. What a
// start would refuse of them is put into the report.
func openModels(cfg *config.Config, r *Report) model.Capabilities {
	var can model.Capabilities
	for _, row := range []struct {
		path string
		config.Model
	}{{"models.loop", cfg.Models.Loop}, {"models.small", cfg.Models.Small}} {
		p, err := model.Open(cfg, row.path, row.Model, model.OpenOptions{Unasked: true})
		var found config.Faults
		switch {
		case errors.As(err, &found):
			r.Faults = append(r.Faults, found...)
		case err != nil && len(r.Faults) == 0: // with others, it is what one of them comes to
			r.Faults = append(r.Faults, cfg.Fault(config.Path("models.providers", row.Provider), err.Error()))
		case err == nil && row.path == "models.loop":
			can = p.Capabilities()
		}
	}
	return can
}

// describeModels says which models answer, over which wire, and what they cannot do.
func describeModels(m config.Models, can model.Capabilities) []string {
	line := func(who string, row config.Model) string {
		p := m.Providers[row.Provider]
		name := row.Model
		if name == "" {
			name = "(none is named)"
		}
		s := fmt.Sprintf("%s %s of %s, wire %s", who, name, row.Provider, p.Wire)
		if row.Effort != "" {
			s += ", effort " + row.Effort
		}
		switch {
		case p.Keyless:
			s += ": it wants no key."
		case p.Configured():
			s += ": a key is set."
		default:
			s += ": no key is set, so it is not asked."
		}
		return s
	}
	out := []string{line("Model", m.Loop), line("Small model", m.Small)}
	p := m.Providers[m.Loop.Provider]
	if variables := m.KeyVariables(); !p.Configured() && len(variables) > 0 {
		out[0] = strings.TrimSuffix(out[0], ".") + "; any of these switches one on: " + strings.Join(variables, ", ") + "."
	}
	for _, lacks := range []struct {
		can  bool
		what string
	}{
		{can.Tools, "is given no tools, so it reads nothing of the product"},
		{can.Streams, "replies in one piece"},
		{can.Effort, "is not asked for an effort"},
		{can.MaxStrictTools > 0, "is not held to a tool's schema"},
	} {
		if !lacks.can && m.Loop.Model != "" {
			out = append(out, m.Loop.Model+" "+lacks.what+".")
		}
	}
	if can.MaxTools > 0 && m.Loop.Model != "" {
		out = append(out, fmt.Sprintf("%s is given at most %d tools.", m.Loop.Model, can.MaxTools))
	}
	return out
}

// models warns of what works by chance.
func (c *checker) models() {
	m := c.cfg.Models
	if c.cfg.Written("models.loop.model") && !c.cfg.Written("models.loop.provider") && !c.cfg.Written("models.providers") {
		c.warn("models.loop.model", "names no provider, so it is asked of the first that has its key, now %s; say with provider whose it is", m.Loop.Provider)
	}
}

// addresses warns of an address to which a wire's own path does not fit: the one wire wants the version in it, the other
// adds it.
func (c *checker) addresses() {
	m := c.cfg.Models
	for _, name := range []string{m.Loop.Provider, m.Small.Provider} {
		p := m.Providers[name]
		u, err := url.Parse(p.BaseURL)
		if err != nil || p.BaseURL == "" || !p.Configured() {
			continue
		}
		path, from := config.Path("models.providers", name)+".base_url", ""
		if !c.cfg.Written(path) {
			path, from = path+"_env", p.BaseURLEnv+" "
		}
		bare := strings.TrimSuffix(u.Path, "/")
		switch {
		case p.Wire == config.WireAnthropic && strings.HasSuffix(bare, "/v1"):
			c.warn(path, "%sends in /v1, which this wire adds itself, so %s/v1/messages is asked; leave it out", from, bare)
		case p.Wire != config.WireAnthropic && bare == "":
			c.warn(path, "%shas no path, so %s is asked; most servers have it under /v1, as %s/v1", from, wirePath(p.Wire), strings.TrimSuffix(origin(p.BaseURL), "/"))
		}
	}
}

// wirePath is what a wire of OpenAI's puts behind an address.
func wirePath(wire string) string {
	if wire == config.WireOpenAI {
		return "/responses"
	}
	return "/chat/completions"
}
