package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

var errMalformed = errors.New("malformed JSON")

// anthropicBlock gathers one content block of a reply. Text is kept as it stands between the quotes of the stream's
// JSON and decoded once, at the end, so that a delta costs one append.
type anthropicBlock struct {
	index int
	kind  BlockKind
	// wire is the block's type on the wire.
	wire   string
	start  []member
	callID string
	tool   string
	// text is the escaped text, thinking, or partial JSON of a tool use.
	text      []byte
	hasDelta  bool
	signature []byte
	citations [][]byte
	// lossy is a block of which a delta was not understood: what was gathered is not what was sent.
	lossy bool
}

// newAnthropicBlock reads the content_block of a content_block_start, or a block of a message that came whole.
func newAnthropicBlock(index int, object []byte) (*anthropicBlock, error) {
	list, err := members(object)
	if err != nil {
		return nil, err
	}
	b := &anthropicBlock{index: index, start: list, kind: BlockOther}
	if err := json.Unmarshal(memberValue(list, "type"), &b.wire); err != nil {
		return nil, errMalformed
	}
	// Only the types that are ours are read further: another's "text" need not be a string.
	switch b.wire {
	case "text":
		b.kind, b.text = BlockText, stringContent(memberValue(list, "text"))
		var citations []json.RawMessage
		if raw := memberValue(list, "citations"); raw != nil && json.Unmarshal(raw, &citations) == nil {
			for _, c := range citations {
				b.citations = append(b.citations, c)
			}
		}
	case "thinking":
		b.kind = BlockThinking
		b.text = stringContent(memberValue(list, "thinking"))
		b.signature = stringContent(memberValue(list, "signature"))
	case "redacted_thinking":
		b.kind = BlockThinking
	case "tool_use":
		b.kind = BlockToolUse
		if err := json.Unmarshal(memberValue(list, "id"), &b.callID); err != nil {
			return nil, errMalformed
		}
		if err := json.Unmarshal(memberValue(list, "name"), &b.tool); err != nil {
			return nil, errMalformed
		}
	}
	return b, nil
}

// stringContent returns a copy of what stands between the quotes of a JSON string, nil for anything else.
func stringContent(raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) <= 2 || raw[0] != '"' {
		return nil
	}
	return bytes.Clone(raw[1 : len(raw)-1])
}

// finish gives the block in both forms. ended is false for a block whose end never came.
func (b *anthropicBlock) finish(model string, ended bool) (Block, error) {
	out := Block{Kind: b.kind, Provider: anthropicName, Model: model, Unfinished: !ended}
	text, err := unquote(b.text)
	if err != nil {
		return Block{}, err
	}
	list := b.start
	switch b.wire {
	case "text":
		out.Text = text
		list = setMember(list, "text", quoted(b.text))
		if len(b.citations) > 0 {
			list = setMember(list, "citations", append(append([]byte{'['}, bytes.Join(b.citations, []byte{','})...), ']'))
		}
	case "thinking":
		out.Text = text
		list = setMember(list, "thinking", quoted(b.text))
		if len(b.signature) > 0 {
			list = setMember(list, "signature", quoted(b.signature))
		} else {
			out.Unfinished = true // the signature is a thinking block's end; without it the block cannot go back
		}
	case "tool_use":
		out.CallID, out.ToolName = b.callID, b.tool
		input := []byte(memberValue(list, "input"))
		if b.hasDelta {
			input = []byte(text)
		}
		if len(bytes.TrimSpace(input)) == 0 || string(input) == "null" {
			input = []byte("{}")
		}
		if err := checkInput(input); err != nil {
			out.BadInput = string(input)
			out.Unfinished = out.Unfinished || errors.Is(err, errCutInput)
			return out, nil // no Raw: with such an input no vendor takes it back
		}
		out.Input = input
		list = setMember(list, "input", input)
	case "redacted_thinking":
	default:
		if b.hasDelta && json.Valid([]byte(text)) {
			list = setMember(list, "input", []byte(text))
		} else if b.hasDelta {
			b.lossy = true
		}
		if b.lossy {
			return out, nil
		}
	}
	out.Raw = appendMembers(make([]byte, 0, 64+len(b.text)+len(b.signature)), list)
	return out, nil
}

func quoted(content []byte) json.RawMessage {
	raw := make([]byte, 0, len(content)+2)
	return append(append(append(raw, '"'), content...), '"')
}

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
