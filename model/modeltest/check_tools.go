package modeltest

import (
	"slices"
	"strconv"
)

// The vendor's limits on the strict tools of a request, all together (Anthropic, "Structured outputs").
const (
	maxStrictTools    = 20
	maxStrictOptional = 24
	maxStrictUnions   = 16
)

func (c *checker) tools(body map[string]any) error {
	tools, err := list("", body, "tools")
	if err != nil {
		return err
	}
	var strict, optional, unions int
	for i, v := range tools {
		path := "tools." + strconv.Itoa(i)
		t, err := c.tool(path, v)
		if err != nil {
			return err
		}
		if n := len(c.req.Tools); n > 0 {
			switch before := c.req.Tools[n-1].Name; {
			case slices.ContainsFunc(c.req.Tools, func(o Tool) bool { return o.Name == t.Name }):
				return refuse("tool_names", "tools: Tool names must be unique.")
			case before > t.Name && !c.anyOrder:
				// The vendor would take it; but a list whose order may change is a cache that is never read.
				return refuse("tool_order", "tools: %s comes after %s: this server wants tools sorted by name", t.Name, before)
			}
		}
		if t.Strict {
			strict++
			if err := countStrict(path+".custom.input_schema", t.Schema, &optional, &unions); err != nil {
				return err
			}
		}
		c.req.Tools = append(c.req.Tools, t)
	}
	switch {
	case strict > maxStrictTools:
		return refuse("strict", "Too many strict tools: %d. The maximum is %d.", strict, maxStrictTools)
	case optional > maxStrictOptional:
		return refuse("strict", "Schemas contain too many optional parameters (%d). The maximum across strict tools is %d.", optional, maxStrictOptional)
	case unions > maxStrictUnions:
		return refuse("strict", "Schemas contain too many parameters with union types (%d). The maximum across strict tools is %d.", unions, maxStrictUnions)
	}
	return nil
}

func (c *checker) tool(path string, v any) (Tool, error) {
	m, err := object(path, "tool", v)
	if err != nil {
		return Tool{}, err
	}
	if kind, ok := m["type"]; ok && kind != nil && kind != "custom" {
		return Tool{}, refuse("tool_type", "%s.type: this server knows custom tools only", path)
	}
	var t Tool
	if t.Name, err = text(path, m, "name"); err != nil {
		return Tool{}, err
	}
	if !namePattern.MatchString(t.Name) {
		return Tool{}, refuse("tool_names", "%s.custom.name: String should match pattern '%s'", path, namePattern)
	}
	if t.Description, err = text(path, m, "description"); err != nil {
		return Tool{}, err
	}
	if t.Strict, err = flag(path, m, "strict"); err != nil {
		return Tool{}, err
	}
	if mark, ok := m["cache_control"]; ok {
		if err := c.mark(path+".cache_control", mark); err != nil {
			return Tool{}, err
		}
	}
	schema, ok := m["input_schema"].(map[string]any)
	path += ".custom.input_schema"
	if !ok {
		return Tool{}, refuse("schema", "%s: Field required", path)
	}
	if schema["type"] != "object" {
		return Tool{}, refuse("schema", "%s.type: Input should be 'object'", path)
	}
	for _, key := range []string{"oneOf", "allOf", "anyOf"} {
		if _, ok := schema[key]; ok {
			return Tool{}, refuse("schema", "%s: input_schema does not support oneOf, allOf, or anyOf at the top level", path)
		}
	}
	if properties, ok := schema["properties"]; ok {
		names, ok := properties.(map[string]any)
		if !ok {
			return Tool{}, refuse("schema", "%s.properties: Input should be a valid dictionary", path)
		}
		for name := range names {
			if !propertyPattern.MatchString(name) {
				return Tool{}, refuse("schema", "%s.properties: Property keys should match pattern '%s'", path, propertyPattern)
			}
		}
	}
	t.Schema = schema
	return t, nil
}

// countStrict walks a schema and counts what strict mode bounds.
func countStrict(path string, schema map[string]any, optional, unions *int) error {
	properties, isObject := schema["properties"].(map[string]any)
	if (isObject || schema["type"] == "object") && schema["additionalProperties"] != false {
		return refuse("strict", "%s: For 'object' type, 'additionalProperties' must be explicitly set to false", path)
	}
	required, _ := schema["required"].([]any) // absent: all are optional
	for name := range properties {
		if !slices.Contains(required, any(name)) {
			*optional++
		}
	}
	if types, ok := schema["type"].([]any); ok && len(types) > 1 {
		*unions++
	}
	if branches, ok := schema["anyOf"].([]any); ok && len(branches) > 1 {
		*unions++
	}
	for _, key := range []string{"properties", "$defs", "definitions", "items", "anyOf", "allOf"} {
		if err := eachSchema(path+"."+key, schema[key], func(p string, s map[string]any) error {
			return countStrict(p, s, optional, unions)
		}, key == "items"); err != nil {
			return err
		}
	}
	return nil
}

// eachSchema calls f for a schema, or each schema of a list or of an object of schemas.
func eachSchema(path string, v any, f func(string, map[string]any) error, single bool) error {
	switch v := v.(type) {
	case map[string]any:
		if single {
			return f(path, v)
		}
		for name, s := range v {
			if m, ok := s.(map[string]any); ok {
				if err := f(path+"."+name, m); err != nil {
					return err
				}
			}
		}
	case []any:
		for i, s := range v {
			if m, ok := s.(map[string]any); ok {
				if err := f(path+"."+strconv.Itoa(i), m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (c *checker) choice(body map[string]any) error {
	v, ok := body["tool_choice"]
	if !ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return refuse("tool_choice", "tool_choice: Input should be a valid dictionary")
	}
	kind, _ := m["type"].(string) // another type is no known kind
	if fields["tool_choice."+kind] == nil {
		return refuse("tool_choice", "tool_choice: Input tag found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'")
	}
	if _, err := object("tool_choice", "tool_choice."+kind, m); err != nil {
		return err
	}
	if len(c.req.Tools) == 0 && kind != "none" {
		return refuse("tool_choice", "tool_choice may only be specified while providing tools.")
	}
	if kind == "any" || kind == "tool" {
		if c.req.Thinks {
			return refuse("tool_choice", "Thinking may not be enabled when tool_choice forces tool use.")
		}
	}
	return nil
}
