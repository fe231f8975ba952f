package model

import (
	"bytes"
	"encoding/json"
)

// chatThinking gathers the thinking of a Chat Completions reply. The wire has none of its own; servers put it into a
// member "reasoning_content" (DeepSeek and most), "reasoning" (Ollama, Groq, OpenRouter) or "reasoning_details"
// (OpenRouter, a list whose items go back unchanged).
type chatThinking struct {
	chatText
	// member is the one whose text was gathered, empty for what came in parts.
	member  string
	details []*chatDetail
}

// chatDetail is one of the reasoning details. Its words are gathered beside it, under the key that they came with.
type chatDetail struct {
	list  []member
	key   string
	words []byte
}

// think takes a delta's thinking. Where it is told in more than one member, one of them is listened to.
func (r *chatReply) think(d *chatDelta) error {
	content, name := stringContent(d.ReasoningContent), "reasoning_content"
	if len(content) == 0 {
		content, name = stringContent(d.Reasoning), "reasoning"
	}
	shown := content
	for _, raw := range d.ReasoningDetails {
		list, err := members(raw)
		if err != nil {
			return malformed()
		}
		if len(content) == 0 {
			_, words := wordsOf(list)
			shown = append(shown, words...)
		}
		if err := r.size.add(blockBytes + len(raw)); err != nil {
			return err
		}
		r.open().addDetail(list)
	}
	if len(content) > 0 {
		r.open().member = name
	}
	return r.showThinking(shown)
}

// thinkParts takes the thinking of Mistral's content: a list of texts, or one text.
func (r *chatReply) thinkParts(raw json.RawMessage) error {
	var parts []struct {
		Text json.RawMessage `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return r.showThinking(stringContent(raw))
	}
	for _, p := range parts {
		if err := r.showThinking(stringContent(p.Text)); err != nil {
			return err
		}
	}
	return nil
}

func (r *chatReply) open() *chatThinking {
	if r.thinking == nil {
		r.thinking = &chatThinking{chatText: chatText{index: r.newIndex()}}
	}
	return r.thinking
}

func (r *chatReply) showThinking(escaped []byte) error {
	if len(escaped) == 0 {
		return nil
	}
	t := r.open()
	if err := r.size.add(len(escaped)); err != nil {
		return err
	}
	t.escaped = append(t.escaped, escaped...)
	text, err := unquote(escaped)
	if err != nil {
		return malformed()
	}
	return r.tell(Event{Kind: EventThinkingDelta, Index: t.index, Text: text})
}

// wordsOf is what a detail says in words, escaped, and the key of the member that holds them.
func wordsOf(detail []member) (key string, words []byte) {
	for _, key := range []string{"text", "summary"} {
		if memberValue(detail, key) != nil {
			return key, stringContent(memberValue(detail, key))
		}
	}
	return "", nil
}

// addDetail adds a detail. A stream tells one of them in pieces: they have the same index and type, and their words
// follow each other.
func (t *chatThinking) addDetail(list []member) {
	for i := range list {
		list[i].value = bytes.Clone(list[i].value)
	}
	d := &chatDetail{list: list}
	d.key, d.words = wordsOf(list)
	if len(t.details) == 0 || !t.details[len(t.details)-1].goesOn(d) {
		t.details = append(t.details, d)
		return
	}
	last := t.details[len(t.details)-1]
	last.words = append(last.words, d.words...)
	for _, m := range list {
		if m.key != d.key && (string(m.value) != "null" || memberValue(last.list, m.key) == nil) {
			last.list = setMember(last.list, m.key, m.value)
		}
	}
	if last.key == "" {
		last.key = d.key
	}
}

// goesOn reports whether next is another piece of the same detail.
func (d *chatDetail) goesOn(next *chatDetail) bool {
	for _, key := range []string{"type", "index"} {
		if !bytes.Equal(memberValue(d.list, key), memberValue(next.list, key)) {
			return false
		}
	}
	if memberValue(d.list, "data") != nil || memberValue(next.list, "data") != nil {
		return false // what is encrypted comes whole
	}
	return next.key != "" && (d.key == "" || d.key == next.key) || memberValue(next.list, "signature") != nil
}

// block gives the thinking in both forms: Raw is the members of the message that it stood in.
func (t *chatThinking) block() (Block, error) {
	text, err := unquote(t.escaped)
	if err != nil {
		return Block{}, err
	}
	var list []member
	if t.member != "" {
		list = append(list, member{t.member, quoted(t.escaped)})
	}
	if len(t.details) > 0 {
		raw := []byte{'['}
		for i, d := range t.details {
			if i > 0 {
				raw = append(raw, ',')
			}
			if d.key != "" && len(d.words) > 0 {
				d.list = setMember(d.list, d.key, quoted(d.words))
			}
			raw = appendMembers(raw, d.list)
		}
		list = append(list, member{"reasoning_details", append(raw, ']')})
	}
	b := Block{Kind: BlockThinking, Text: text}
	if list != nil {
		b.Raw = appendMembers(nil, list)
	}
	return b, nil
}
