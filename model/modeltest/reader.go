package modeltest

import (
	"encoding/json"
	"strconv"
)

// reader takes values out of a request's body and refuses those of another shape in the words of its vendor.
type reader struct {
	fields fieldTable
	// join and index make the path of a member and of an element.
	join  func(path, key string) string
	index func(path string, i int) string
	// unknown refuses a key, invalid a value that is not of the shape, named as JSON Schema names it.
	unknown func(path string) error
	invalid func(path, shape string, got any) error
}

// messagesReader has Anthropic's words.
var messagesReader = reader{
	fields:  messagesFields,
	join:    dotted,
	index:   func(path string, i int) string { return dotted(path, strconv.Itoa(i)) },
	unknown: func(path string) error { return refuse("unknown_field", "%s: Extra inputs are not permitted", path) },
	invalid: func(path, shape string, _ any) error {
		words := map[string]string{"object": "dictionary", "array": "list"}
		if word, ok := words[shape]; ok {
			shape = word
		}
		return refuse("type", "%s: Input should be a valid %s", path, shape)
	},
}

// openaiReader has OpenAI's words.
func openaiReader(fields fieldTable, unknown func(path string) error) reader {
	return reader{
		fields:  fields,
		join:    dotted,
		index:   func(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" },
		unknown: unknown,
		invalid: func(path, shape string, got any) error {
			return refuseParam("type", path, "invalid_type", "Invalid type for '%s': expected %s, but got %s instead.", path, article(shape), article(shapeOf(got)))
		},
	}
}

func dotted(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func article(shape string) string {
	switch shape {
	case "object", "array", "integer":
		return "an " + shape
	case "null":
		return shape
	}
	return "a " + shape
}

// shapeOf names the shape of a decoded value.
func shapeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	}
	return "null"
}

// object checks that v is an object of the named kinds with allowed keys only.
func (r reader) object(path string, v any, kinds ...string) (map[string]any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, r.invalid(path, "object", v)
	}
	for key := range m {
		known := false
		for _, kind := range kinds {
			known = known || r.fields[kind][key]
		}
		if !known {
			return nil, r.unknown(r.join(path, key))
		}
	}
	return m, nil
}

// text takes a string; absent is empty.
func (r reader) text(path string, m map[string]any, key string) (string, error) {
	return take[string](r, path, m, key, "string")
}

// flag takes a boolean; absent is false.
func (r reader) flag(path string, m map[string]any, key string) (bool, error) {
	return take[bool](r, path, m, key, "boolean")
}

// list takes an array; absent is empty.
func (r reader) list(path string, m map[string]any, key string) ([]any, error) {
	return take[[]any](r, path, m, key, "array")
}

func take[T any](r reader, path string, m map[string]any, key, shape string) (T, error) {
	var zero T
	v, ok := m[key]
	if !ok {
		return zero, nil
	}
	t, ok := v.(T)
	if !ok {
		return zero, r.invalid(r.join(path, key), shape, v)
	}
	return t, nil
}

// integer takes a whole number; found is false where there is none.
func (r reader) integer(path string, m map[string]any, key string) (n int, found bool, err error) {
	v, ok := m[key]
	if !ok {
		return 0, false, nil
	}
	number, ok := v.(json.Number)
	if !ok {
		return 0, false, r.invalid(r.join(path, key), "integer", v)
	}
	i, err := number.Int64()
	if err != nil {
		return 0, false, r.invalid(r.join(path, key), "integer", v)
	}
	return int(i), true, nil
}
