package tool

import "slices"

// strictKeywords are what a provider's strict mode takes in a schema; with any other keyword in the list it refuses the
// whole request, so a list is strict altogether or not at all.
var strictKeywords = []string{
	"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description", "format", "$ref", "$defs",
}

// strictCount is what a list of tools needs of a provider's limits.
type strictCount struct {
	optional, unions int
	fits             bool
}

func strictFits(tools []*wireTool, limits StrictLimits) bool {
	if limits.Tools == 0 || len(tools) == 0 || len(tools) > limits.Tools {
		return false
	}
	c := strictCount{fits: true}
	for _, t := range tools {
		c.schema(t.schema)
	}
	return c.fits && c.optional <= limits.Optional && c.unions <= limits.Unions
}

func (c *strictCount) schema(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		c.fits = false
		return
	}
	for k := range m {
		if !slices.Contains(strictKeywords, k) {
			c.fits = false
		}
	}
	if types, ok := m["type"].([]any); ok && len(types) > 1 {
		c.unions++
	}
	if variants := list(m["anyOf"]); len(variants) > 0 {
		c.unions++
		for _, v := range variants {
			c.schema(v)
		}
	}
	for _, d := range object(m["$defs"]) {
		c.schema(d)
	}
	if m["items"] != nil {
		c.schema(m["items"])
	}
	properties := object(m["properties"])
	if (m["type"] == "object" || properties != nil) && m["additionalProperties"] != false {
		c.fits = false
	}
	c.optional += len(properties) - len(list(m["required"]))
	for _, p := range properties {
		c.schema(p)
	}
}
