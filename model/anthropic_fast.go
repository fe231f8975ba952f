package model

import "bytes"

// The deltas that make up nearly all of a stream, exactly as the vendor writes them. Anything written otherwise
// (spaces, another order, an unusual escape) takes the full decoder.
var (
	fastHead     = []byte(`{"type":"content_block_delta","index":`)
	fastText     = []byte(`,"delta":{"type":"text_delta","text":"`)
	fastThinking = []byte(`,"delta":{"type":"thinking_delta","thinking":"`)
	fastJSON     = []byte(`,"delta":{"type":"input_json_delta","partial_json":"`)
)

// fast takes a common delta without a JSON decoder. done is false where the full decoder has to look. An escape that is
// none is found when the text is decoded: at once for words, at the block's end for a tool's arguments.
func (r *anthropicReply) fast(data []byte) (done bool, err error) {
	rest, ok := bytes.CutPrefix(data, fastHead)
	if !ok || !r.began {
		return false, nil
	}
	index, digits := 0, 0
	for digits < len(rest) && digits < 4 && rest[digits] >= '0' && rest[digits] <= '9' {
		index = index*10 + int(rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits > 1 && rest[0] == '0' {
		return false, nil
	}
	b := r.block(index)
	if b == nil {
		return false, nil
	}
	head := fastText
	switch {
	case b.wire == "thinking":
		head = fastThinking
	case b.kind == BlockToolUse:
		head = fastJSON
	case b.wire != "text":
		return false, nil
	}
	content, ok := bytes.CutPrefix(rest[digits:], head)
	if !ok {
		return false, nil
	}
	end := stringEnd(content)
	if end < 0 || string(bytes.TrimRight(content[end+1:], " ")) != "}}" {
		return false, nil
	}
	return true, r.extend(b, content[:end])
}
