package guide

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// decode reads JSON with its numbers as they are written; nil where it is none.
func decode(data json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// steps splits a JSON Pointer (RFC 6901).
func steps(pointer string) []string {
	if pointer == "" || pointer == "/" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

// at gives what a pointer points at, "*" being any index; several where it does, none where nothing is there.
func at(v any, pointer string) []any {
	found := []any{v}
	for _, step := range steps(pointer) {
		var next []any
		for _, f := range found {
			switch x := f.(type) {
			case map[string]any:
				if w, ok := x[step]; ok {
					next = append(next, w)
				}
			case []any:
				if step == "*" {
					next = append(next, x...)
				} else if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(x) {
					next = append(next, x[i])
				}
			}
		}
		found = next
	}
	return found
}

func first(v any, pointer string) any {
	if found := at(v, pointer); len(found) > 0 {
		return found[0]
	}
	return nil
}

// input builds the arguments in which a pointer holds a text.
func input(pointer, text string) json.RawMessage {
	var v any = text
	for _, step := range slices.Backward(steps(pointer)) {
		v = map[string]any{step: v}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}

// sameJSON reports whether two values are equal, whatever their spacing and order.
func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := json.Marshal(decode(a))
	y, errY := json.Marshal(decode(b))
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
