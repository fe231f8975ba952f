package modeltest

import (
	"strconv"
	"strings"
)

// The vendor's limits on the strict tools of a request, all together (Anthropic, "Structured outputs").
const (
	maxStrictTools    = 20
	maxStrictOptional = 24
	maxStrictUnions   = 16
)

func (c *messagesChecker) tools(body map[string]any) error {
	tools, err := c.list("", body, "tools")
	if err != nil {
		return err
	}
	var strict, optionals, unions int
	for i, v := range tools {
		path := "tools." + strconv.Itoa(i)
		t, err := c.tool(path, v)
		if err != nil {
			return err
		}
		if t.Strict {
			strict++
			if err := countStrict(path+".custom.input_schema", t.Schema, &optionals, &unions); err != nil {
				return err
			}
		}
		if err := c.addTool(t, func() error { return refuse("tool_names", "tools: Tool names must be unique.") }); err != nil {
			return err
		}
	}
	switch {
	case strict > maxStrictTools:
		return refuse("strict", "Too many strict tools: %d. The maximum is %d.", strict, maxStrictTools)
	case optionals > maxStrictOptional:
		return refuse("strict", "Schemas contain too many optional parameters (%d). The maximum across strict tools is %d.", optionals, maxStrictOptional)
	case unions > maxStrictUnions:
		return refuse("strict", "Schemas contain too many parameters with union types (%d). The maximum across strict tools is %d.", unions, maxStrictUnions)
	}
	return nil
}

func (c *messagesChecker) tool(path string, v any) (Tool, error) {
	m, err := c.object(path, v, "tool")
	if err != nil {
		return Tool{}, err
	}
	if kind, ok := m["type"]; ok && kind != nil && kind != "custom" {
		return Tool{}, refuse("tool_type", "%s.type: this server knows custom tools only", path)
	}
	var t Tool
	if t.Name, err = c.text(path, m, "name"); err != nil {
		return Tool{}, err
	}
	if !namePattern.MatchString(t.Name) {
		return Tool{}, refuse("tool_names", "%s.custom.name: String should match pattern '%s'", path, namePattern)
	}
	if t.Description, err = c.text(path, m, "description"); err != nil {
		return Tool{}, err
	}
	if t.Strict, err = c.flag(path, m, "strict"); err != nil {
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
func countStrict(path string, schema map[string]any, optionals, unions *int) error {
	return walkSchema([]string{path}, schema, func(steps []string, s map[string]any) error {
		if isObject(s) && s["additionalProperties"] != false {
			return refuse("strict", "%s: For 'object' type, 'additionalProperties' must be explicitly set to false", strings.Join(steps, "."))
		}
		*optionals += len(optional(s))
		if types, ok := s["type"].([]any); ok && len(types) > 1 {
			*unions++
		}
		if branches, ok := s["anyOf"].([]any); ok && len(branches) > 1 {
			*unions++
		}
		return nil
	})
}

func (c *messagesChecker) choice(body map[string]any) error {
	v, ok := body["tool_choice"]
	if !ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return refuse("tool_choice", "tool_choice: Input should be a valid dictionary")
	}
	kind, _ := m["type"].(string) // another type is no known kind
	if messagesFields["tool_choice."+kind] == nil {
		return refuse("tool_choice", "tool_choice: Input tag found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'")
	}
	if _, err := c.object("tool_choice", m, "tool_choice."+kind); err != nil {
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
