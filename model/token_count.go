package model

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// maxTokenCount is more than any reply has; a count beyond it is an error of the server's, and sums of what is below it
// have room.
const maxTokenCount = 1 << 40

// tokenCounts are the members of a usage. Servers write fractions, texts and lists into it, and none of that may spoil
// a reply that is whole: what is no count is unknown.
type tokenCounts map[string]json.RawMessage

// readCounts reads a usage, nil where it is no object.
func readCounts(raw json.RawMessage) tokenCounts {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var list tokenCounts
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// of gives a count of tokens, nil where it is unknown.
func (c tokenCounts) of(key string) *int64 {
	n, err := strconv.ParseInt(string(c[key]), 10, 64)
	if err != nil || n < 0 || n > maxTokenCount {
		return nil
	}
	return &n
}

// in gives the counts of a member that is itself an object.
func (c tokenCounts) in(key string) tokenCounts { return readCounts(c[key]) }
