package config

import "time"

// The operator's variables that win over the file.
const (
	providerVariable = "STEWARD_PROVIDER"
	modelVariable    = "STEWARD_MODEL"
)

// chooseModels settles which provider and model each role asks. It needs the keys, because a provider that nobody
// named is found by its key.
func (l *loader) chooseModels() {
	m := &l.c.Models
	// The file's provider of a role is also whose the role's model and effort are.
	loop := m.Loop.Provider
	if loop == "" && m.Loop.Model != "" {
		loop = l.onlyProvider()
	}
	small := m.Small.Provider
	or(&small, loop)

	m.Loop.Provider, m.Small.Provider = loop, small
	if operator := l.setting(providerVariable, ""); operator != "" {
		if _, known := m.Providers[operator]; known {
			m.Loop.Provider, m.Small.Provider = operator, operator
		} else {
			// The value is not repeated: what stands in a variable by mistake may be a key.
			l.faults = append(l.faults, Fault{
				Position: Position{File: l.c.File}, Path: providerVariable,
				Message: "must be one of the providers there are: " + orList(m.order()),
			})
		}
	}
	m.named = m.Loop.Provider != ""
	if !m.named {
		m.Loop.Provider = m.first(l.setting(modelVariable, m.Loop.Model) != "")
	}
	or(&m.Small.Provider, m.Loop.Provider)

	l.settleLoop(loop)
	l.settleSmall(small)
	or(&m.CacheTTL, Duration(5*time.Minute))
}

// settleLoop fills in what the loop's row leaves out; owner is the provider that the file means by it, empty where it
// means none.
func (l *loader) settleLoop(owner string) {
	m := &l.c.Models.Loop
	gaveWay := giveWay(m, owner)
	m.Model = l.setting(modelVariable, m.Model)
	standard := l.standard(m.Provider)
	or(&m.Model, standard.loop.Model)
	if (gaveWay || !l.c.Written("models.loop.effort")) && m.Model == standard.loop.Model &&
		!l.c.Models.Providers[m.Provider].Cannot(WithoutEffort) {
		m.Effort = standard.loop.Effort
	}
	l.number("models.loop.output_cap", &m.OutputCap, 16_384)
	l.number("models.loop.ceiling", &m.Ceiling, 16_384)
}

func (l *loader) settleSmall(owner string) {
	m := &l.c.Models.Small
	giveWay(m, owner)
	standard := l.standard(m.Provider)
	or(&m.Model, standard.small.Model)
	if m.Provider == l.c.Models.Loop.Provider {
		or(&m.Model, l.c.Models.Loop.Model)
	}
	l.number("models.small.output_cap", &m.OutputCap, 1_024)
	l.number("models.small.ceiling", &m.Ceiling, 4_096)
}

// standard is the builtin whose default models a provider has: on another wire they may not do, as GPT-5.6 takes no
// tools over Chat Completions while it thinks.
func (l *loader) standard(provider string) builtin {
	b, ok := builtinNamed(provider)
	if !ok || l.c.Models.Providers[provider].Wire != b.wire {
		return builtin{}
	}
	return b
}

// giveWay takes the model and the effort out of a row that is another provider's.
func giveWay(m *Model, owner string) bool {
	if owner == "" || owner == m.Provider {
		return false
	}
	m.Model, m.Effort = "", ""
	return true
}

// onlyProvider is the one entry of providers in the file, or "".
func (l *loader) onlyProvider() string {
	if written := l.writtenProviders(); len(written) == 1 {
		return written[0]
	}
	return ""
}

// writtenProviders lists the entries of providers in the file, sorted.
func (l *loader) writtenProviders() []string {
	var out []string
	for _, name := range sortedKeys(l.c.Models.Providers) {
		if l.c.Written(join("models.providers", name)) {
			out = append(out, name)
		}
	}
	return out
}

// first is the first provider that can be asked, or the first of all where none can. One that wants no key counts only
// where a model is named: it has no default, and says nothing by being there.
func (m Models) first(named bool) string {
	order := m.order()
	for _, name := range order {
		if p := m.Providers[name]; !p.Key.IsZero() || named && p.Keyless {
			return name
		}
	}
	return order[0]
}
