package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// maxTools is the most tools of a request on OpenAI's wires.
const maxTools = 128

// openaiChecker holds what OpenAI's two wires check alike.
type openaiChecker struct {
	checker
	traits openaiTraits
}

func missing(path string) error {
	return refuseParam("missing", path, "missing_required_parameter", "Missing required parameter: '%s'.", path)
}

// invalidValue refuses a word that is not one of those there are.
func invalidValue(rule, path, got, supported string) error {
	return refuseParam(rule, path, "invalid_value", "Invalid value: '%s'. Supported values are: %s.", got, supported)
}

func (c *openaiChecker) named(body map[string]any, models []string) error {
	name, err := c.text("", body, "model")
	if err != nil {
		return err
	}
	if name == "" {
		return refuse("model", "you must provide a model parameter")
	}
	c.traits = openaiModel(name)
	if models != nil && !slices.Contains(models, name) {
		return &refusalError{Fault{
			Status: http.StatusNotFound, Type: "invalid_request_error", Code: "model_not_found",
			Message: "The model `" + name + "` does not exist or you do not have access to it.",
		}, "model"}
	}
	c.req.Model = name
	return nil
}

// limit takes a bound of the reply's tokens.
func (c *openaiChecker) limit(body map[string]any, key string, least int) error {
	n, found, err := c.integer("", body, key)
	if err != nil || !found {
		return err
	}
	if n < least {
		return refuseParam("max_tokens", key, "integer_below_min_value", "Invalid '%s': integer below minimum value. Expected a value >= %d, but got %d instead.", key, least, n)
	}
	c.req.MaxTokens = n
	return nil
}

// effort takes how hard the model is to think; path is the parameter's.
func (c *openaiChecker) effort(path, word string) error {
	switch {
	case word == "":
		c.req.Thinks = c.traits.unasked
		return nil
	case !c.traits.reasons:
		return refuseParam("effort", path, "unsupported_parameter", "Unsupported parameter: '%s' is not supported with this model.", path)
	case !everyEffort[word]:
		return invalidValue("effort", path, word, "'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'")
	case !c.traits.efforts[word]:
		return refuseParam("effort", path, "unsupported_value", "Unsupported value: '%s' is not supported with this model.", word)
	}
	c.req.Effort = word
	c.req.Thinks = word != "none"
	return nil
}

// sampling takes the numbers that reasoning models do not. one says that the default is taken all the same.
func (c *openaiChecker) sampling(body map[string]any, one bool, keys ...string) error {
	for _, key := range keys {
		v, ok := body[key]
		if !ok {
			continue
		}
		number, ok := v.(json.Number)
		if !ok {
			return c.invalid(key, "number", v)
		}
		value, err := number.Float64()
		if err != nil {
			return c.invalid(key, "number", v)
		}
		standard := 1.0
		if strings.HasSuffix(key, "_penalty") {
			standard = 0
		}
		switch {
		case !c.traits.fixed:
		case !one:
			return refuseParam("sampling", key, "", "Unsupported parameter: '%s' is not supported with this model.", key)
		case value != standard:
			return refuseParam("sampling", key, "unsupported_value", "Unsupported value: '%s' does not support %s with this model. Only the default (%g) value is supported.", key, number, standard)
		}
	}
	return nil
}

// toolList takes the tools; def gives the object of a tool that defines its function, and its path.
func (c *openaiChecker) toolList(body map[string]any, def func(path string, m map[string]any) (string, map[string]any, error)) error {
	tools, err := c.list("", body, "tools")
	if err != nil {
		return err
	}
	if n := len(tools); n > maxTools {
		return refuseParam("tools", "tools", "array_above_max_length", "Invalid 'tools': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxTools, n)
	}
	for i, v := range tools {
		path := c.index("tools", i)
		m, ok := v.(map[string]any)
		if !ok {
			return c.invalid(path, "object", v)
		}
		kind, err := c.text(path, m, "type")
		if err != nil {
			return err
		}
		if kind == "" {
			return missing(path + ".type")
		}
		if kind != "function" {
			return invalidValue("tool_type", path+".type", kind, "'function'")
		}
		path, m, err = def(path, m)
		if err != nil {
			return err
		}
		t, err := c.function(path, m)
		if err != nil {
			return err
		}
		if err := c.addTool(t, func() error {
			return refuseParam("tool_names", "tools", "", "Invalid 'tools': tool names must be unique, but '%s' is there twice.", t.Name)
		}); err != nil {
			return err
		}
	}
	return nil
}

// function takes the definition of a function.
func (c *openaiChecker) function(path string, m map[string]any) (Tool, error) {
	var t Tool
	var err error
	if t.Name, err = c.name(path, m); err != nil {
		return t, err
	}
	if t.Description, err = c.text(path, m, "description"); err != nil {
		return t, err
	}
	if t.Strict, err = c.flag(path, m, "strict"); err != nil {
		return t, err
	}
	at := path + ".parameters"
	v, ok := m["parameters"]
	if !ok {
		return t, nil
	}
	schema, ok := v.(map[string]any)
	if !ok {
		return t, c.invalid(at, "object", v)
	}
	t.Schema = schema
	return t, checkParameters(at, t)
}

// name takes the name of a function.
func (c *openaiChecker) name(path string, m map[string]any) (string, error) {
	name, err := c.text(path, m, "name")
	path += ".name"
	switch {
	case err != nil:
		return "", err
	case name == "":
		return "", missing(path)
	case len(name) > 64:
		return "", refuseParam("tool_names", path, "string_above_max_length", "Invalid '%s': string too long. Expected a string with maximum length 64, but got a string with length %d instead.", path, len(name))
	case !namePattern.MatchString(name):
		return "", refuseParam("tool_names", path, "invalid_value", "Invalid '%s': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", path)
	}
	return name, nil
}

// checkParameters holds a function's schema to OpenAI's rules.
func checkParameters(at string, t Tool) error {
	bad := func(rule string, steps []string, format string, args ...any) error {
		where := ""
		if steps != nil {
			where = "In context=(" + tuple(steps) + "), "
		}
		return refuseParam(rule, at, "invalid_function_parameters", "Invalid schema for function '%s': "+where+format, append([]any{t.Name}, args...)...)
	}
	if kind := t.Schema["type"]; kind != "object" {
		return bad("schema", nil, "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"%v\"'.", kind)
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf", "enum", "not"} {
		if _, ok := t.Schema[key]; ok {
			return bad("schema", nil, "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.")
		}
	}
	if _, ok := t.Schema["properties"].(map[string]any); !ok {
		return bad("schema", []string{}, "object schema missing properties.")
	}
	return walkSchema([]string{}, t.Schema, func(steps []string, s map[string]any) error {
		if _, ok := s["items"]; s["type"] == "array" && !ok {
			return bad("schema", steps, "array schema missing items.")
		}
		if !t.Strict {
			return nil
		}
		if isObject(s) && s["additionalProperties"] != false {
			return bad("strict", steps, "'additionalProperties' is required to be supplied and to be false.")
		}
		if names := optional(s); len(names) > 0 {
			return bad("strict", steps, "'required' is required to be supplied and to be an array including every key in properties. Missing '%s'.", names[0])
		}
		for _, key := range []string{"oneOf", "allOf"} {
			if _, ok := s[key]; ok {
				return bad("strict", steps, "'%s' is not permitted.", key)
			}
		}
		return nil
	})
}

// tuple writes steps as the vendor does.
func tuple(steps []string) string {
	quoted := make([]string, len(steps))
	for i, s := range steps {
		quoted[i] = "'" + s + "'"
	}
	text := strings.Join(quoted, ", ")
	if len(steps) == 1 {
		text += ","
	}
	return text
}

// choice takes tool_choice; named gives the name of the function that is chosen.
func (c *openaiChecker) choice(body map[string]any, named func(m map[string]any) (string, error)) error {
	v, ok := body["tool_choice"]
	if !ok {
		return nil
	}
	if len(c.req.Tools) == 0 {
		return refuseParam("tool_choice", "tool_choice", "", "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.")
	}
	switch v := v.(type) {
	case string:
		if !set("none auto required")[v] {
			return invalidValue("tool_choice", "tool_choice", v, "'none', 'auto', and 'required'")
		}
		return nil
	case map[string]any:
		name, err := named(v)
		if err != nil {
			return err
		}
		if !c.req.Offers(name) {
			return refuseParam("tool_choice", "tool_choice", "", "Tool choice '%s' not found in 'tools' parameter.", name)
		}
		return nil
	}
	return c.invalid("tool_choice", "string", v)
}

// small takes the optional parts that only have to be of their shape.
func (c *openaiChecker) small(body map[string]any) error {
	for _, key := range []string{"store", "parallel_tool_calls"} {
		if _, err := c.flag("", body, key); err != nil {
			return err
		}
	}
	for _, key := range []string{"user", "service_tier", "prompt_cache_key", "prompt_cache_retention", "safety_identifier"} {
		if _, err := c.text("", body, key); err != nil {
			return err
		}
	}
	if m, ok := body["metadata"]; ok {
		if _, ok := m.(map[string]any); !ok {
			return c.invalid("metadata", "object", m)
		}
	}
	if _, ok := body["parallel_tool_calls"]; ok && len(c.req.Tools) == 0 {
		return refuseParam("tools", "parallel_tool_calls", "", "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.")
	}
	return nil
}

// streams takes stream and its options.
func (c *openaiChecker) streams(body map[string]any) (map[string]any, error) {
	var err error
	if c.req.Stream, err = c.flag("", body, "stream"); err != nil {
		return nil, err
	}
	v, ok := body["stream_options"]
	if !ok {
		return nil, nil
	}
	options, err := c.object("stream_options", v, "stream_options")
	if err != nil {
		return nil, err
	}
	if !c.req.Stream {
		return nil, refuseParam("stream_options", "stream_options", "", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	}
	return options, nil
}

// arguments reads a call's arguments, which are a string of JSON, or meant to be.
func (c *openaiChecker) arguments(path string, m map[string]any, p *Part) error {
	if _, ok := m["arguments"]; !ok {
		return missing(path + ".arguments")
	}
	text, err := c.text(path, m, "arguments")
	if err != nil {
		return err
	}
	if p.Input, err = decode([]byte(text)); err != nil || p.Input == nil {
		p.Input, p.Text = nil, text
	}
	return nil
}
