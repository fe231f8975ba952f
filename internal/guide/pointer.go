package guide

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/steward-assistant/steward/tool"
)

func first(v any, pointer string) any {
	if found := tool.At(v, pointer); len(found) > 0 {
		return found[0]
	}
	return nil
}

// input builds the arguments in which a pointer holds a text.
func input(pointer, text string) json.RawMessage {
	var v any = text
	for _, step := range slices.Backward(tool.PointerSteps(pointer)) {
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
	x, errX := json.Marshal(tool.Decode(a))
	y, errY := json.Marshal(tool.Decode(b))
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
