package config

import (
	"encoding/json"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// Duration is a span of time, in a file as Go writes it: "500ms", "30s", "1m30s". Zero and negative spans are faults.
type Duration time.Duration //nolint:recvcheck // reading from a file needs a pointer, nothing else does

// Std gives it as the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String is as in a file.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalJSON is as in a file.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

func (d *Duration) decodeNode(dec *decoder, n ast.Node, path string) {
	s, ok := scalarText(n)
	v, err := time.ParseDuration(s)
	if !ok || err != nil || v <= 0 {
		dec.fault(n, path, "must be a span of time such as 30s or 1m30s, above zero")
		return
	}
	*d = Duration(v)
}

func (Duration) jsonSchema(*schemaWriter) map[string]any {
	return map[string]any{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`}
}
