package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// finish puts definitions where they are used once or small, and the others under "$defs" of root.
func (s *slimmer) finish(root map[string]any) (json.RawMessage, error) {
	s.readReferred()
	p := &placing{slimmer: s, keep: map[string]bool{}, sizes: map[string]int{}, heights: map[string]int{}, used: map[string]any{}}
	g := &refGraph{defs: s.defs}
	for _, group := range g.groups() {
		if err := p.decide(group, g.edges); err != nil {
			return nil, err
		}
	}
	out := object(p.place(root))
	for len(p.waiting) > 0 {
		last := p.waiting[len(p.waiting)-1]
		p.waiting = p.waiting[:len(p.waiting)-1]
		p.used[last] = p.place(p.defs[last])
	}
	if len(p.used) > 0 {
		out["$defs"] = p.used
	}
	return canonical(out)
}

// maxHeight bounds how many definitions are written out one within another.
const maxHeight = 16

// placing decides which definitions stay definitions, and puts the others in their places.
type placing struct {
	*slimmer
	keep map[string]bool
	// sizes are the bytes of definitions where they are referred to, with what they refer to themselves; one that is kept is
	// a reference, of no size. heights are how many stand one within another there.
	sizes, heights map[string]int
	used           map[string]any
	waiting        []string // those of used that are not placed yet
}

// decide decides on definitions that lead to each other, after all that they lead to, so that small definitions of small
// definitions cannot add up.
func (p *placing) decide(group []string, edges map[string][]string) error {
	for _, name := range group {
		if len(group) > 1 || slices.Contains(edges[name], name) {
			p.keep[name] = true
			continue
		}
		b, err := canonical(p.defs[name])
		if err != nil {
			return fmt.Errorf("encode schema %q: %w", name, err)
		}
		size, height := len(b), 0
		for _, to := range edges[name] {
			size += p.sizes[to]
			height = max(height, p.heights[to])
		}
		if p.uses[name] > 1 && size > inlineBytes || height >= maxHeight {
			p.keep[name] = true
		} else {
			p.sizes[name], p.heights[name] = size, height+1
		}
	}
	return nil
}

// refsIn appends the names of the definitions that a schema refers to, as often as it does.
func refsIn(v any, out []string) []string {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			out = refsIn(one, out)
		}
	case map[string]any:
		if to, ok := strings.CutPrefix(text(v["$ref"]), "#/$defs/"); ok {
			return append(out, to)
		}
		for _, key := range sortedKeys(v) {
			if key == "properties" {
				for _, p := range object(v[key]) {
					out = refsIn(p, out)
				}
			} else if isSchemaKeyword(key) {
				out = refsIn(v[key], out)
			}
		}
	}
	return out
}

// place replaces references by what they refer to, but for those that are kept, which it collects in used.
func (p *placing) place(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = p.place(v[i])
		}
		return out
	case map[string]any:
		name, isRef := strings.CutPrefix(text(v["$ref"]), "#/$defs/")
		if isRef && p.keep[name] {
			if _, done := p.used[name]; !done {
				p.used[name] = nil
				p.waiting = append(p.waiting, name)
			}
			return v
		}
		if isRef {
			placed := p.place(p.defs[name])
			if m, ok := placed.(map[string]any); ok && v["description"] != nil {
				m = maps.Clone(m)
				m["description"] = v["description"]
				return m
			}
			return placed
		}
		out := make(map[string]any, len(v))
		for k, one := range v {
			switch {
			case k == "properties":
				properties := map[string]any{}
				for name, property := range object(one) {
					properties[name] = p.place(property)
				}
				out[k] = properties
			case isSchemaKeyword(k):
				out[k] = p.place(one)
			default:
				out[k] = one
			}
		}
		return out
	default:
		return v
	}
}

// isSchemaKeyword reports whether a keyword's value is a schema or a list of them.
func isSchemaKeyword(k string) bool {
	switch k {
	case "items", "additionalProperties", "not", "anyOf", "allOf", "prefixItems":
		return true
	}
	return false
}
