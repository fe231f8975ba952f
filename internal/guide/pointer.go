package guide

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/steward-assistant/steward/tool"
)

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
	return bytes.Equal(a, b) || bytes.Equal(tool.Canonical(a), tool.Canonical(b))
}
