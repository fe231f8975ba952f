package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// schemaError says what in an input schema cannot be sent to a model. Its text holds names of the schema, cleaned and
// cut, and no value.
type schemaError struct {
	// place is the JSON Pointer of it; empty: the whole.
	place string
	// want is what would be right.
	want string
}

// Error is both.
func (e *schemaError) Error() string {
	if e.place == "" {
		return e.want
	}
	return cutText(Clean(e.place), LabelLimit) + ": " + e.want
}

var errNoObject = &schemaError{want: "must be a JSON Schema (2020-12) of the type object"}

// rootUnions may not stand at the top of a tool's input schema (OpenAI, "Function calling": "schema must have type
// 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"; Anthropic says so of the first three).
var rootUnions = []string{"allOf", "anyOf", "oneOf", "not", "enum", "const"}

// fitVendors holds a tool's input schema, which a [slimmer] made, to what every vendor takes, and writes in place what
// means the same in a form that all of them take: that an object without properties has none, that the elements of a
// list are anything, that true and false are schemas. One schema that a vendor refuses ends every request whose list
// has it. An error is a [schemaError]: the schema would have to mean something else.
func fitVendors(root map[string]any) error {
	if root["type"] != "object" {
		return errNoObject
	}
	if err := refuseUnions(root); err != nil {
		return err
	}
	if root["properties"] == nil {
		root["properties"] = map[string]any{}
	}
	for _, name := range sortedKeys(object(root["properties"])) {
		if err := vendorName(name, "/properties"); err != nil {
			return err
		}
	}
	return eachSchema(root, "", func(m map[string]any, _ string) error {
		if isArray(m["type"]) && m["items"] == nil {
			m["items"] = map[string]any{}
		}
		return nil
	})
}

func refuseUnions(root map[string]any) error {
	for _, key := range rootUnions {
		if root[key] != nil {
			return &schemaError{place: "/" + key, want: "must not stand at the top, where a model's vendors take none; let a property have several forms instead"}
		}
	}
	return nil
}

// vendorName refuses a property's name that vendors do not take (Anthropic: "Property keys should match pattern
// '^[a-zA-Z0-9_.-]{1,64}$'").
func vendorName(name, place string) error {
	if argumentKey.MatchString(name) {
		return nil
	}
	return &schemaError{place: place + "/" + escapeToken(name), want: "a property's name must be 1 to 64 letters a-z, digits, underscores, hyphens and dots"}
}

// isArray reports whether a type is that of lists, or has it among others.
func isArray(t any) bool {
	switch t := t.(type) {
	case string:
		return t == "array"
	case []string:
		return slices.Contains(t, "array")
	case []any:
		return slices.Contains(t, any("array"))
	}
	return false
}

// eachSchema calls f with a schema that a [slimmer] made and each one inside it, in the order of names, with its JSON
// Pointer. Schemas inside that are true or false it replaces by objects that mean the same.
func eachSchema(m map[string]any, place string, f func(m map[string]any, place string) error) error {
	if strings.Count(place, "/") > maxDepth {
		return &schemaError{want: fmt.Sprintf("must not nest deeper than %d", maxDepth)}
	}
	if err := f(m, place); err != nil {
		return err
	}
	inner := func(v any, at string) (any, error) {
		if b, ok := v.(bool); ok {
			v = map[string]any{}
			if !b {
				v = map[string]any{"not": map[string]any{}}
			}
		}
		s, ok := v.(map[string]any)
		if !ok {
			return v, nil
		}
		return s, eachSchema(s, at, f)
	}
	var err error
	for _, key := range sortedKeys(m) {
		at := place + "/" + key
		switch v := m[key].(type) {
		case []any:
			if key != "anyOf" && key != "allOf" && key != "prefixItems" {
				continue
			}
			for i := range v {
				if v[i], err = inner(v[i], at+"/"+strconv.Itoa(i)); err != nil {
					return err
				}
			}
		case map[string]any:
			if key != "properties" && key != "$defs" {
				if isSchemaKeyword(key) {
					if _, err = inner(v, at); err != nil {
						return err
					}
				}
				continue
			}
			for _, name := range sortedKeys(v) {
				if v[name], err = inner(v[name], at+"/"+escapeToken(name)); err != nil {
					return err
				}
			}
		case bool:
			if key == "items" || key == "not" {
				if m[key], err = inner(v, at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fitInput makes a tool's input schema one that every vendor takes, as fitVendors does, and a validator of it.
func fitInput(raw json.RawMessage) (fit json.RawMessage, check *validator, err error) {
	v, _, err := canonicalInput(raw)
	if err != nil {
		return nil, nil, err
	}
	root := object(v)
	if err = fitVendors(root); err != nil {
		return nil, nil, err
	}
	if fit, err = canonical(root); err != nil {
		return nil, nil, err
	}
	check, err = compile(fit)
	return fit, check, err
}

// foreignInput makes of a schema that others wrote for their tool a small one that stands alone and that every vendor
// takes. What stands at its top by reference or by allOf is put together. closed says that it takes no arguments but
// those it names, unless it says so itself. limit bounds the bytes of what is read, and twice as many those of what is
// made. An error is a [schemaError].
func foreignInput(raw json.RawMessage, limit int, closed bool) (map[string]any, error) {
	if len(raw) > limit {
		return nil, &schemaError{want: fmt.Sprintf("must be at most %d bytes", limit)}
	}
	v, _, err := canonicalInput(raw)
	root := object(v)
	if err != nil || root == nil {
		return nil, errNoObject
	}
	if deeper(root, maxDepth) {
		return nil, &schemaError{want: fmt.Sprintf("must not nest deeper than %d", maxDepth)}
	}
	if l := list(root["type"]); slices.Contains(l, any("object")) {
		root["type"] = "object" // arguments are nothing else
	}
	if t := root["type"]; t != nil && t != "object" {
		return nil, errNoObject
	}
	root["type"] = "object"
	cleanForeign(root)
	doc := &document{root: root}
	top, err := atTop(doc)
	if err != nil {
		return nil, err
	}
	if err := refuseUnions(top); err != nil {
		return nil, err
	}
	slim := newSlimmer(doc)
	out := object(slim.schema(top))
	_, open := out["additionalProperties"].(map[string]any)
	if closed && !open && root["additionalProperties"] != true && root["patternProperties"] == nil {
		out["additionalProperties"] = false
	}
	b, err := slim.finish(out)
	if err != nil {
		return nil, errNoObject
	}
	if len(b) > 2*limit {
		return nil, &schemaError{want: fmt.Sprintf("must be at most %d bytes with its references written out", 2*limit)}
	}
	v, _, err = canonicalInput(b)
	if err != nil {
		return nil, errNoObject
	}
	root = object(v)
	return root, fitVendors(root)
}

// atTop puts together what stands at the top of a schema by reference, by allOf or as the only variant.
func atTop(doc *document) (map[string]any, error) {
	parts := list(doc.root["allOf"])
	place := "/allOf"
	for _, key := range []string{"anyOf", "oneOf"} {
		if l := list(doc.root[key]); len(l) == 1 {
			parts, place = append(slices.Clone(parts), l...), "/"+key
		}
	}
	if ref := doc.root["$ref"]; ref != nil {
		parts, place = append(slices.Clone(parts), map[string]any{"$ref": ref}), "/$ref"
	}
	if len(parts) == 0 {
		return doc.root, nil
	}
	whole := map[string]any{}
	for key, v := range doc.root {
		switch key {
		case "$ref", "allOf":
		case "anyOf", "oneOf":
			if len(list(v)) > 1 {
				whole[key] = v // which is refused
			}
		default:
			whole[key] = v
		}
	}
	flat := &flatBody{doc: doc, properties: map[string]any{}, seen: map[string]bool{}}
	if !flat.add(map[string]any{"type": "object", "allOf": parts, "properties": whole["properties"], "required": whole["required"]}) {
		return nil, &schemaError{place: place, want: "must be an object with properties, to be put together with the rest"}
	}
	whole["properties"] = flat.properties
	required := make([]any, 0, len(flat.required))
	for _, name := range flat.required {
		required = append(required, name)
	}
	whole["required"] = required
	return whole, nil
}

// deeper reports whether lists and objects nest deeper than a bound.
func deeper(v any, bound int) bool {
	if bound < 0 {
		return true
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return deeper(one, bound-1) })
	case map[string]any:
		for _, one := range v {
			if deeper(one, bound-1) {
				return true
			}
		}
	}
	return false
}

// cleanForeign takes out of a schema's descriptions what a person who looks through them would not see, and lets an
// object that takes arguments by the pattern of their names take any: such patterns are not kept.
func cleanForeign(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			cleanForeign(one)
		}
	case map[string]any:
		if object(v["patternProperties"]) != nil && v["additionalProperties"] == false {
			delete(v, "additionalProperties")
		}
		for key, one := range v {
			if s, ok := one.(string); ok && key == "description" {
				v[key] = Clean(s)
				continue
			}
			cleanForeign(one)
		}
	}
}
