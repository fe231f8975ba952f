package check

import (
	"errors"
	"fmt"
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
		s := fmt.Sprintf("%s %s of %s, wire %s", who, row.Model, row.Provider, p.Wire)
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
		if !lacks.can {
			out = append(out, m.Loop.Model+" "+lacks.what+".")
		}
	}
	if can.MaxTools > 0 {
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
