package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// canonical encodes v with sorted keys, no white space and no escaping of <, > and &: the same value, the same bytes.
func canonical(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Canonical gives the same bytes for the same JSON value, whatever the order of its keys and its spacing; "null" where it
// is no JSON.
func Canonical(data json.RawMessage) json.RawMessage {
	out, err := canonical(Decode(data))
	if err != nil {
		return json.RawMessage("null")
	}
	return out
}

// canonicalInput reads JSON and gives it in canonical form, numbers as they were written.
func canonicalInput(raw []byte) (any, json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, nil, fmt.Errorf("read JSON: %w", err)
	}
	if d.More() {
		return nil, nil, fmt.Errorf("read JSON: something stands after its end")
	}
	out, err := canonical(v)
	return v, out, err
}
