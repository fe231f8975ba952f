package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// finish puts definitions where they are used once or small, and the others under "$defs" of root.
func (s *slimmer) finish(root map[string]any) (json.RawMessage, error) {
	p := &placing{slimmer: s, keep: map[string]bool{}, sizes: map[string]int{}, used: map[string]any{}}
	for _, name := range sortedKeys(s.defs) {
		if _, err := p.size(name); err != nil {
			return nil, err
		}
	}
	out := object(p.place(root))
	if len(p.used) > 0 {
		out["$defs"] = p.used
	}
	return canonical(out)
}

// placing decides which definitions stay definitions, and puts the others in their places.
type placing struct {
	*slimmer
	keep  map[string]bool
	sizes map[string]int
	used  map[string]any
}

// size is the bytes of a definition where it is referred to, with what it refers to itself; one that is kept is a
// reference. It decides what is kept on the way, so that small definitions of small definitions cannot add up.
func (p *placing) size(name string) (int, error) {
	if n, known := p.sizes[name]; known {
		return n, nil
	}
	p.sizes[name] = 0
	b, err := canonical(p.defs[name])
	if err != nil {
		return 0, fmt.Errorf("encode schema %q: %w", name, err)
	}
	n := len(b)
	if p.reaches(p.defs[name], name, map[string]bool{}) {
		p.keep[name] = true
	} else {
		for _, ref := range refsIn(p.defs[name], nil) {
			below, err := p.size(ref)
			if err != nil {
				return 0, err
			}
			n += below
		}
		p.keep[name] = p.uses[name] > 1 && n > inlineBytes
	}
	if p.keep[name] {
		n = 0
	}
	p.sizes[name] = n
	return n, nil
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
				p.used[name] = p.place(p.defs[name])
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

// reaches reports whether a reference to name stands in v or in what it refers to.
func (s *slimmer) reaches(v any, name string, seen map[string]bool) bool {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if s.reaches(one, name, seen) {
				return true
			}
		}
	case map[string]any:
		if to, ok := strings.CutPrefix(text(v["$ref"]), "#/$defs/"); ok {
			if to == name {
				return true
			}
			if !seen[to] {
				seen[to] = true
				return s.reaches(s.defs[to], name, seen)
			}
			return false
		}
		for k, one := range v {
			if k == "properties" {
				for _, p := range object(one) {
					if s.reaches(p, name, seen) {
						return true
					}
				}
			} else if isSchemaKeyword(k) && s.reaches(one, name, seen) {
				return true
			}
		}
	}
	return false
}

// isSchemaKeyword reports whether a keyword's value is a schema or a list of them.
func isSchemaKeyword(k string) bool {
	switch k {
	case "items", "additionalProperties", "not", "anyOf", "allOf", "prefixItems":
		return true
	}
	return false
}
