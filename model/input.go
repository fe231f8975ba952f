package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

var errCutInput = errors.New("the arguments end too early")

// checkInput says whether a tool's arguments are a JSON object, and tells those that were cut off apart.
func checkInput(input []byte) error {
	var object map[string]json.RawMessage
	err := json.Unmarshal(input, &object)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset >= int64(len(input)) {
		return errCutInput
	}
	if err != nil {
		return fmt.Errorf("the arguments are no JSON object: %w", errMalformed)
	}
	return nil
}

// takeInput gives a tool use its arguments as they came: none at all are an empty object, what is no object becomes
// BadInput, and what was cut off makes the block Unfinished. It reports whether they are an object.
func (b *Block) takeInput(input []byte) bool {
	if text := bytes.TrimSpace(input); len(text) == 0 || string(text) == "null" {
		input = []byte("{}")
	}
	if err := checkInput(input); err != nil {
		b.BadInput = string(input)
		b.Unfinished = b.Unfinished || errors.Is(err, errCutInput)
		return false
	}
	b.Input = input
	return true
}

// jsonDepth follows a JSON text that comes in pieces, so that its end is known without reading it again each time.
type jsonDepth struct {
	level            int
	begun, in, slash bool // in a string, behind a backslash in it
}

func (d *jsonDepth) add(piece string) {
	for i := range len(piece) {
		switch c := piece[i]; {
		case d.slash:
			d.slash = false
		case d.in:
			d.slash, d.in = c == '\\', c != '"'
		case c == '"':
			d.in = true
		case c == '{' || c == '[':
			d.level++
			d.begun = true
		case c == '}' || c == ']':
			d.level--
		}
	}
}

// closed reports whether all that was opened is closed.
func (d *jsonDepth) closed() bool { return d.begun && d.level <= 0 && !d.in }
