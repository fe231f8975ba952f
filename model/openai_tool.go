package model

import (
	"bytes"
	"encoding/json"
)

// maxOpenAITools is the most tools that OpenAI takes in a request.
const maxOpenAITools = 128

// strictAsOpenAI sets the bounds of strict tools on OpenAI's wires: every property must be required, so none may be
// optional; unions are taken without a stated bound (OpenAI, "Structured Outputs").
func (c *Capabilities) strictAsOpenAI() {
	c.MaxStrictTools, c.MaxStrictOptional, c.MaxStrictUnions = maxOpenAITools, 0, 500
}

// openAIParameters is a tool's schema as OpenAI takes it: an object says what its properties are, and be it none.
func openAIParameters(input json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(input)) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	if bytes.Contains(input, []byte(`"properties"`)) {
		return input
	}
	list, err := members(input)
	if err != nil || memberValue(list, "properties") != nil {
		return input
	}
	return appendMembers(nil, setMember(list, "properties", json.RawMessage(`{}`)))
}

// strictFits reports whether OpenAI takes a schema as strict: each object is closed, all its properties are required,
// and nothing is said that its grammar does not know. A tool that does not fit goes out as one that is not strict.
func strictFits(schema json.RawMessage) bool {
	var s map[string]json.RawMessage
	if json.Unmarshal(schema, &s) != nil {
		return false // also true and false as schemas
	}
	var properties, definitions map[string]json.RawMessage
	var required []string
	for key, value := range s {
		var ok bool
		switch key {
		case "properties":
			ok = json.Unmarshal(value, &properties) == nil
		case "required":
			ok = json.Unmarshal(value, &required) == nil
		case "additionalProperties":
			ok = string(bytes.TrimSpace(value)) == "false"
		case "$defs", "definitions":
			if ok = json.Unmarshal(value, &definitions) == nil; ok {
				ok = allFit(definitions)
			}
		case "items":
			ok = strictFits(value)
		case "anyOf":
			var list []json.RawMessage
			ok = json.Unmarshal(value, &list) == nil
			for _, each := range list {
				ok = ok && strictFits(each)
			}
		default:
			ok = strictKeys[key]
		}
		if !ok {
			return false
		}
	}
	if !isObject(s) {
		return true
	}
	if s["additionalProperties"] == nil || len(required) != len(properties) {
		return false
	}
	for _, name := range required {
		if properties[name] == nil {
			return false
		}
	}
	return allFit(properties)
}

func allFit(schemas map[string]json.RawMessage) bool {
	for _, s := range schemas {
		if !strictFits(s) {
			return false
		}
	}
	return true
}

func isObject(s map[string]json.RawMessage) bool {
	return s["properties"] != nil || bytes.Contains(s["type"], []byte(`"object"`))
}

// strictKeys are the keywords of a strict schema that need no look inside (OpenAI, "Structured Outputs", "Supported
// schemas").
var strictKeys = map[string]bool{
	"type": true, "description": true, "title": true, "enum": true, "const": true, "$ref": true, "$schema": true, "pattern": true,
	"format": true, "multipleOf": true, "maximum": true, "exclusiveMaximum": true, "minimum": true, "exclusiveMinimum": true,
	"minItems": true, "maxItems": true,
}
