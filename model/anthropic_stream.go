package model

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// maxOpenBlocks bounds the blocks that are open at a time.
const maxOpenBlocks = 64

// anthropicReply turns the events of one reply into ours.
//
// A reply is whole only with a stop reason AND message_stop, which the vendor's contract makes the last event of every
// stream: a stop reason alone would do for the words, but the usage that settles the bill and the blocks' ends are
// promised only by message_stop, and a line that breaks in between shows that something on the way is cutting streams.
type anthropicReply struct {
	yield func(Event, error) bool
	// provider is whose blocks they become.
	provider string
	// model is that of the request until the reply names one.
	model string
	id    string
	began bool
	stop  string
	usage Usage
	size  replySize
	open  []*anthropicBlock
	// callIDs are those of the reply's tool uses so far.
	callIDs []string
}

type anthropicMessage struct {
	ID         string            `json:"id"`
	Model      string            `json:"model"`
	Content    []json.RawMessage `json:"content"`
	StopReason string            `json:"stop_reason"`
	Usage      json.RawMessage   `json:"usage"`
}

type anthropicEvent struct {
	Type    string            `json:"type"`
	Index   int               `json:"index"`
	Message *anthropicMessage `json:"message"`
	Block   json.RawMessage   `json:"content_block"`
	Delta   struct {
		Type        string          `json:"type"`
		Text        json.RawMessage `json:"text"`
		Thinking    json.RawMessage `json:"thinking"`
		PartialJSON json.RawMessage `json:"partial_json"`
		Signature   json.RawMessage `json:"signature"`
		Citation    json.RawMessage `json:"citation"`
		StopReason  string          `json:"stop_reason"`
	} `json:"delta"`
	Usage json.RawMessage `json:"usage"`
	Error anthropicFault  `json:"error"`
}

func (r *anthropicReply) stream(body io.Reader) error {
	return eachEvent(body, r.event, func() error { return &Error{Code: CodeUnavailable, Type: r.cutType()} })
}

// whole takes a message that came in one piece; it carries its stop reason itself.
func (r *anthropicReply) whole(body io.Reader) error {
	data, err := readWhole(body)
	if err != nil {
		return err
	}
	var doc struct {
		Type  string         `json:"type"`
		Error anthropicFault `json:"error"`
	}
	var message anthropicMessage
	if json.Unmarshal(data, &doc) != nil {
		return &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	}
	switch doc.Type {
	case "error":
		return streamFault(doc.Error)
	case "message":
		if json.Unmarshal(data, &message) != nil {
			return malformed()
		}
	default:
		return &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	}
	if err := r.start(&message); err != nil {
		return err
	}
	return r.messageStop()
}

func (r *anthropicReply) cutType() string {
	if r.began {
		return "stream_cut"
	}
	return "empty_stream"
}

// event takes the data of one server-sent event.
func (r *anthropicReply) event(name, data []byte) error {
	if done, err := r.fast(data); done {
		return err
	}
	if string(data) == "[DONE]" { // some gateways end every stream as another vendor's
		return nil
	}
	data = validUTF8(data)
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return malformed()
	}
	if e.Type == "" {
		e.Type = string(name)
	}
	switch e.Type {
	case "message_start":
		return r.start(e.Message)
	case "error":
		return streamFault(e.Error)
	case "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop":
		if !r.began {
			return &Error{Code: CodeUnavailable, Type: "no_message_start"}
		}
	default:
		return nil // ping, and whatever the vendor adds: its contract is that unknown events are ignored
	}
	switch e.Type {
	case "content_block_start":
		return r.blockStart(e.Index, e.Block)
	case "content_block_delta":
		return r.blockDelta(&e)
	case "content_block_stop":
		return r.blockStop(e.Index)
	case "message_delta":
		if e.Delta.StopReason != "" {
			r.stop = e.Delta.StopReason
		}
		r.count(e.Usage)
		return nil
	}
	return r.messageStop()
}

// start takes message_start. Gateways that lose their upstream are known to send it again: with the same id it is a
// repetition; with another, a second reply was spliced onto the first, whose words are already out. Two replies must
// not become one message (their thinking could never be sent back), so that is a fault.
func (r *anthropicReply) start(m *anthropicMessage) error {
	if m == nil {
		return malformed()
	}
	if r.began {
		if m.ID == r.id {
			return nil
		}
		return &Error{Code: CodeUnavailable, Type: "spliced_reply"}
	}
	r.began, r.id, r.stop = true, m.ID, m.StopReason
	r.model = saidModel(m.Model, r.model)
	r.count(m.Usage)
	if !r.yield(Event{Kind: EventStart, Model: r.model, Usage: r.usage}, nil) {
		return errStopped
	}
	for i, object := range m.Content { // a message that came whole
		if err := r.blockStart(i, object); err != nil {
			return err
		}
		if err := r.blockStop(i); err != nil {
			return err
		}
	}
	return nil
}

// count takes cumulative counts: what is said again replaces, what is left out stays.
func (r *anthropicReply) count(usage json.RawMessage) {
	counts := readCounts(usage)
	for _, c := range []struct {
		have **int64
		said *int64
	}{
		{&r.usage.InputTokens, counts.of("input_tokens")},
		{&r.usage.OutputTokens, counts.of("output_tokens")},
		{&r.usage.CacheReadTokens, counts.of("cache_read_input_tokens")},
		{&r.usage.CacheWriteTokens, counts.of("cache_creation_input_tokens")},
	} {
		if c.said != nil {
			*c.have = c.said
		}
	}
}

func (r *anthropicReply) block(index int) *anthropicBlock {
	for _, b := range r.open {
		if b.index == index {
			return b
		}
	}
	return nil
}

func (r *anthropicReply) blockStart(index int, object []byte) error {
	if r.block(index) != nil || len(r.open) >= maxOpenBlocks {
		return &Error{Code: CodeUnavailable, Type: "block_order"}
	}
	if err := r.size.add(blockBytes + len(object)); err != nil {
		return err
	}
	b, err := newAnthropicBlock(index, object)
	if err != nil {
		return &Error{Code: CodeUnavailable, Type: "malformed_event", Err: err}
	}
	if b.kind == BlockToolUse {
		if len(object) > maxInputBytes { // it may hold the arguments
			return replyTooLong()
		}
		// A result names its call by this id: two calls with one id, or none, could not be told apart.
		if b.callID == "" || slices.Contains(r.callIDs, b.callID) {
			return &Error{Code: CodeUnavailable, Type: "repeated_call_id"}
		}
		if err := r.size.call(b.callID, b.tool); err != nil {
			return err
		}
		r.callIDs = append(r.callIDs, b.callID)
	}
	r.open = append(r.open, b)
	if b.kind == BlockToolUse {
		if !r.yield(Event{Kind: EventToolStart, Index: index, CallID: b.callID, ToolName: b.tool}, nil) {
			return errStopped
		}
	}
	if len(b.text) == 0 {
		return nil
	}
	text, err := unquote(b.text)
	if err != nil {
		return &Error{Code: CodeUnavailable, Type: "malformed_event", Err: err}
	}
	return r.delta(b, text)
}

// delta yields a piece of text or thinking.
func (r *anthropicReply) delta(b *anthropicBlock, text string) error {
	kind := EventTextDelta
	switch {
	case text == "" || b.kind != BlockText && b.kind != BlockThinking:
		return nil
	case b.kind == BlockThinking:
		kind = EventThinkingDelta
	}
	if !r.yield(Event{Kind: kind, Index: b.index, Text: text}, nil) {
		return errStopped
	}
	return nil
}

func (r *anthropicReply) blockDelta(e *anthropicEvent) error {
	b := r.block(e.Index)
	if b == nil {
		switch e.Delta.Type {
		case "text_delta", "thinking_delta", "input_json_delta":
			return &Error{Code: CodeUnavailable, Type: "block_order"}
		}
		return nil // a citation behind its block's end says nothing that we keep
	}
	var content []byte
	switch d := &e.Delta; {
	case d.Type == "text_delta" && b.wire == "text":
		content = d.Text
	case d.Type == "thinking_delta" && b.wire == "thinking":
		content = d.Thinking
	case d.Type == "input_json_delta" && (b.kind == BlockToolUse || b.kind == BlockOther):
		content = d.PartialJSON
	case d.Type == "signature_delta" && b.wire == "thinking":
		signature := stringContent(d.Signature)
		b.signature = append(b.signature, signature...)
		return r.size.add(len(signature))
	case d.Type == "citations_delta" && b.wire == "text" && len(d.Citation) > 0:
		b.citations = append(b.citations, bytes.Clone(d.Citation))
		return r.size.add(blockBytes + len(d.Citation))
	default:
		b.lossy = true // the vendor's contract is that unknown deltas are ignored
		return nil
	}
	content = bytes.TrimSpace(content)
	if len(content) < 2 || content[0] != '"' {
		return malformed()
	}
	return r.extend(b, content[1:len(content)-1])
}

// extend adds escaped text to a block and yields it.
func (r *anthropicReply) extend(b *anthropicBlock, content []byte) error {
	if len(content) == 0 {
		return nil
	}
	count := r.size.add
	if b.kind == BlockToolUse {
		count = func(n int) error { return r.size.input(len(b.text), n) }
	}
	if err := count(len(content)); err != nil {
		return err
	}
	b.text = append(b.text, content...)
	b.hasDelta = true
	if b.kind != BlockText && b.kind != BlockThinking {
		return nil
	}
	text, err := unquote(content)
	if err != nil {
		return &Error{Code: CodeUnavailable, Type: "malformed_event", Err: err}
	}
	return r.delta(b, text)
}

func (r *anthropicReply) blockStop(index int) error {
	i := slices.IndexFunc(r.open, func(b *anthropicBlock) bool { return b.index == index })
	if i < 0 {
		return &Error{Code: CodeUnavailable, Type: "block_order"}
	}
	b := r.open[i]
	r.open = slices.Delete(r.open, i, i+1)
	return r.end(b, true)
}

func (r *anthropicReply) end(b *anthropicBlock, ended bool) error {
	block, err := b.finish(r.provider, r.model, ended)
	if err != nil {
		return &Error{Code: CodeUnavailable, Type: "malformed_event", Err: err}
	}
	if !r.yield(Event{Kind: EventBlockEnd, Index: b.index, Block: block}, nil) {
		return errStopped
	}
	return nil
}

// stopReasons maps the vendor's reasons to ours. A reason that is not here ends the call with CodeUnavailable and the
// type unknown_stop_reason: calls must not run, and words must not pass for complete, on an end that nobody understands.
var stopReasons = map[string]StopReason{
	"end_turn":                      StopEndTurn,
	"tool_use":                      StopToolUse,
	"max_tokens":                    StopMaxTokens,
	"model_context_window_exceeded": StopMaxTokens,
	"stop_sequence":                 StopSequence,
	"refusal":                       StopRefusal,
	"pause_turn":                    StopPause,
}

func (r *anthropicReply) messageStop() error {
	if r.stop == "" {
		return &Error{Code: CodeUnavailable, Type: "no_stop_reason"}
	}
	stop, known := stopReasons[r.stop]
	if !known {
		return &Error{Code: CodeUnavailable, Type: "unknown_stop_reason"}
	}
	for _, b := range r.open {
		if err := r.end(b, false); err != nil {
			return err
		}
	}
	r.open = nil
	if !r.yield(Event{Kind: EventStop, Stop: stop, Usage: r.usage, Model: r.model}, nil) {
		return errStopped
	}
	return errDone
}
