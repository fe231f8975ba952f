package model

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// responsesItem gathers one item of a reply. A message becomes a block for each of its parts, any other item one.
type responsesItem struct {
	place  int // in the reply's output
	kind   BlockKind
	index  int // of the block; of a message, its parts have their own
	callID string
	tool   string
	// text is the escaped reasoning or arguments.
	text  []byte
	parts []*responsesPart
}

// responsesPart is a text of a message.
type responsesPart struct {
	place int // in the message's content
	index int // of the block
	text  []byte
}

type responsesItemHead struct {
	Type      string          `json:"type"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Status    string          `json:"status"`
	Arguments json.RawMessage `json:"arguments"`
	Encrypted json.RawMessage `json:"encrypted_content"`
	Content   json.RawMessage `json:"content"`
	Summary   json.RawMessage `json:"summary"`
}

// readItem reads an item; of types that are not ours only the type.
func readItem(object json.RawMessage) (responsesItemHead, error) {
	var head responsesItemHead
	var typed struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(object, &typed) != nil || typed.Type == "" {
		return head, malformed()
	}
	switch typed.Type {
	case "message", "function_call", "reasoning":
		if json.Unmarshal(object, &head) != nil {
			return head, malformed()
		}
	}
	head.Type = typed.Type
	return head, nil
}

func (r *responsesReply) item(place int) *responsesItem {
	for _, it := range r.open {
		if it.place == place {
			return it
		}
	}
	return nil
}

// added opens an item.
func (r *responsesReply) added(place int, object json.RawMessage) error {
	head, err := readItem(object)
	if err != nil {
		return err
	}
	if err := r.start(nil); err != nil {
		return err
	}
	if r.item(place) != nil || r.ended[place] || len(r.open) >= maxOpenBlocks {
		return blockOrder()
	}
	if err := r.size.block(); err != nil {
		return err
	}
	it := &responsesItem{place: place, kind: BlockOther, index: -1}
	switch head.Type {
	case "message":
		it.kind = BlockText
	case "reasoning":
		it.kind = BlockThinking
	case "function_call":
		it.kind = BlockToolUse
		if err := r.size.call(head.CallID, head.Name); err != nil {
			return err
		}
		it.callID, it.tool = ownCallID(head.CallID, r.calls), head.Name
		r.calls = append(r.calls, it.callID)
	}
	if it.kind != BlockText {
		it.index = r.newIndex()
	}
	r.open = append(r.open, it)
	if it.kind == BlockToolUse {
		return r.tell(Event{Kind: EventToolStart, Index: it.index, CallID: it.callID, ToolName: it.tool})
	}
	return nil
}

func (r *responsesReply) newIndex() int {
	r.next++
	return r.next - 1
}

// opened finds the open item of a kind that an event is of.
func (r *responsesReply) opened(place int, kind BlockKind) (*responsesItem, error) {
	it := r.item(place)
	if it == nil || it.kind != kind {
		return nil, blockOrder()
	}
	return it, nil
}

// part finds a part of a message, or opens it.
func (r *responsesReply) part(it *responsesItem, place int) (*responsesPart, error) {
	for _, p := range it.parts {
		if p.place == place {
			return p, nil
		}
	}
	if len(it.parts) >= maxOpenBlocks {
		return nil, blockOrder()
	}
	if err := r.size.block(); err != nil {
		return nil, err
	}
	p := &responsesPart{place: place, index: r.newIndex()}
	it.parts = append(it.parts, p)
	return p, nil
}

type responsesText struct {
	Type    string          `json:"type"`
	Text    json.RawMessage `json:"text"`
	Refusal json.RawMessage `json:"refusal"`
}

func (t *responsesText) escaped() []byte {
	if t.Type == "refusal" {
		return stringContent(t.Refusal)
	}
	return stringContent(t.Text)
}

// partAdded opens a part, which may bring its first words.
func (r *responsesReply) partAdded(e *responsesEvent) error {
	it, err := r.opened(e.Output, BlockText)
	if err != nil {
		if it := r.item(e.Output); it != nil && it.kind != BlockText {
			return nil // reasoning has parts too
		}
		return err
	}
	var t responsesText
	if json.Unmarshal(e.Part, &t) != nil {
		return malformed()
	}
	if t.Type != "output_text" && t.Type != "refusal" {
		return nil
	}
	r.refused = r.refused || t.Type == "refusal"
	p, err := r.part(it, e.Content)
	if err != nil {
		return err
	}
	return r.say(p, t.escaped())
}

func (r *responsesReply) textDelta(e *responsesEvent) error {
	it, err := r.opened(e.Output, BlockText)
	if err != nil {
		return err
	}
	r.refused = r.refused || e.Type == "response.refusal.delta"
	p, err := r.part(it, e.Content)
	if err != nil {
		return err
	}
	return r.say(p, stringContent(e.Delta))
}

// say adds escaped text to a part and yields it.
func (r *responsesReply) say(p *responsesPart, escaped []byte) error {
	if len(escaped) == 0 {
		return nil
	}
	if err := r.size.add(len(escaped)); err != nil {
		return err
	}
	p.text = append(p.text, escaped...)
	text, err := unquote(escaped)
	if err != nil {
		return malformed()
	}
	return r.tell(Event{Kind: EventTextDelta, Index: p.index, Text: text})
}

func (r *responsesReply) thinkingDelta(e *responsesEvent) error {
	it, err := r.opened(e.Output, BlockThinking)
	if err != nil {
		return err
	}
	escaped := stringContent(e.Delta)
	if len(escaped) == 0 {
		return nil
	}
	if err := r.size.add(len(escaped)); err != nil {
		return err
	}
	it.text = append(it.text, escaped...)
	text, err := unquote(escaped)
	if err != nil {
		return malformed()
	}
	return r.tell(Event{Kind: EventThinkingDelta, Index: it.index, Text: text})
}

func (r *responsesReply) argumentsDelta(e *responsesEvent) error {
	it, err := r.opened(e.Output, BlockToolUse)
	if err != nil {
		return err
	}
	escaped := stringContent(e.Delta)
	if err := r.size.input(len(it.text), len(escaped)); err != nil {
		return err
	}
	it.text = append(it.text, escaped...)
	return nil
}

// itemDone closes an item. One whose opening was never told is opened first.
func (r *responsesReply) itemDone(place int, object json.RawMessage) error {
	if r.item(place) == nil {
		if err := r.added(place, object); err != nil {
			return err
		}
	}
	return r.finish(r.item(place), object, true)
}

// finish yields an item's blocks. object is the item as it ended, nil where its end never came.
func (r *responsesReply) finish(it *responsesItem, object json.RawMessage, ended bool) error {
	r.open = slices.DeleteFunc(r.open, func(other *responsesItem) bool { return other == it })
	if r.ended == nil {
		r.ended = make(map[int]bool)
	}
	r.ended[it.place] = true
	var head responsesItemHead
	if object != nil {
		var err error
		if head, err = readItem(object); err != nil {
			return err
		}
	}
	ended = ended && head.Status != "incomplete"
	if it.kind != BlockText { // the item is kept as it came
		if err := r.size.add(len(object)); err != nil {
			return err
		}
	}
	switch it.kind {
	case BlockText:
		return r.finishMessage(it, head.Content, ended)
	case BlockThinking:
		return r.finishReasoning(it, &head, object, ended)
	case BlockToolUse:
		return r.finishCall(it, &head, object, ended)
	default:
		return r.endBlock(it.index, Block{Kind: BlockOther, Raw: bytes.Clone(object), Unfinished: !ended})
	}
}

func (r *responsesReply) endBlock(index int, b Block) error {
	b.Provider, b.Model = r.provider, r.model
	return r.tell(Event{Kind: EventBlockEnd, Index: index, Block: b})
}

// finishMessage yields a message's texts as they streamed. What the ended item says beyond that is yielded first.
func (r *responsesReply) finishMessage(it *responsesItem, content json.RawMessage, ended bool) error {
	var texts []responsesText
	if len(content) > 0 && content[0] == '[' && json.Unmarshal(content, &texts) != nil {
		return malformed()
	}
	for i := range texts {
		t := &texts[i]
		if t.Type != "output_text" && t.Type != "refusal" {
			continue
		}
		r.refused = r.refused || t.Type == "refusal"
		p, err := r.part(it, i)
		if err != nil {
			return err
		}
		rest, err := restOf(p.text, t.escaped())
		if err != nil {
			return malformed()
		}
		if err := r.say(p, rest); err != nil {
			return err
		}
	}
	for _, p := range it.parts {
		text, err := unquote(p.text)
		if err != nil {
			return malformed()
		}
		if err := r.endBlock(p.index, Block{Kind: BlockText, Text: text, Unfinished: !ended}); err != nil {
			return err
		}
	}
	return nil
}

// restOf gives what a whole text says beyond its beginning, both escaped. What was said otherwise stands as it was said.
func restOf(said, whole []byte) ([]byte, error) {
	if len(said) == 0 {
		return whole, nil
	}
	have, err := unquote(said)
	if err != nil {
		return nil, err
	}
	all, err := unquote(whole)
	if err != nil || len(all) <= len(have) || all[:len(have)] != have {
		return nil, err
	}
	rest := appendString(nil, all[len(have):])
	return rest[1 : len(rest)-1], nil
}

// finishReasoning yields reasoning. It can go back only with what is encrypted in it.
func (r *responsesReply) finishReasoning(it *responsesItem, head *responsesItemHead, object json.RawMessage, ended bool) error {
	b := Block{Kind: BlockThinking, Unfinished: !ended || len(stringContent(head.Encrypted)) == 0}
	var summary []struct {
		Text string `json:"text"`
	}
	if len(head.Summary) > 0 && json.Unmarshal(head.Summary, &summary) == nil {
		var text strings.Builder
		for _, s := range summary {
			addParagraph(&text, s.Text)
		}
		b.Text = text.String()
	}
	if b.Text == "" {
		text, err := unquote(it.text)
		if err != nil {
			return malformed()
		}
		b.Text = text
	}
	b.Raw = bytes.Clone(object)
	return r.endBlock(it.index, b)
}

// finishCall yields a call, with the arguments of the ended item where it has them.
func (r *responsesReply) finishCall(it *responsesItem, head *responsesItemHead, object json.RawMessage, ended bool) error {
	b := Block{Kind: BlockToolUse, CallID: it.callID, ToolName: it.tool, Unfinished: !ended}
	escaped := stringContent(head.Arguments)
	if len(escaped) == 0 {
		escaped = it.text
	}
	if len(escaped) > maxInputBytes {
		return replyTooLong()
	}
	text, err := unquote(escaped)
	if err != nil {
		return malformed()
	}
	if len(head.Name) > maxNameBytes {
		return malformed()
	}
	if head.Name != "" {
		b.ToolName = head.Name
	}
	if b.takeInput([]byte(text)) && ended {
		b.Raw = bytes.Clone(object)
	}
	return r.endBlock(it.index, b)
}
