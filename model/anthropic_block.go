package model

import (
	"bytes"
	"encoding/json"
)

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

// finish gives the block in both forms. ended is false for a block whose end never came.
func (b *anthropicBlock) finish(provider, model string, ended bool) (Block, error) {
	out := Block{Kind: b.kind, Provider: provider, Model: model, Unfinished: !ended}
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
		if !out.takeInput(input) {
			return out, nil // no Raw: with such an input no vendor takes it back
		}
		list = setMember(list, "input", out.Input)
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
