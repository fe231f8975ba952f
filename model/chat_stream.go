package model

import (
	"bytes"
	"encoding/json"
	"io"
)

// chatReply turns the chunks of one Chat Completions reply into our events.
//
// A message of this wire is one text, one piece of thinking and a list of calls, whatever the order in which they
// stream; their blocks end with the reply, in that order. A reply is whole with a finish reason and the stream's
// orderly end; [DONE] is not waited for, because some servers never say it.
type chatReply struct {
	yield    func(Event, error) bool
	provider string
	// model is that of the request until the reply names one.
	model    string
	began    bool
	finish   string
	refused  bool
	usage    Usage
	size     replySize
	next     int // the index of the next block
	text     *chatText
	thinking *chatThinking
	calls    []*chatCall
}

// chatText gathers text as it stands between the quotes of the stream's JSON; it is decoded once, at the end, so that
// a character that two deltas share stays whole.
type chatText struct {
	index   int
	escaped []byte
}

type chatChunk struct {
	Model   string          `json:"model"`
	Choices []chatChoice    `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Groq    json.RawMessage `json:"x_groq"`
}

type chatChoice struct {
	Index   int             `json:"index"`
	Delta   *chatDelta      `json:"delta"`
	Message *chatDelta      `json:"message"`
	Finish  string          `json:"finish_reason"`
	Error   json.RawMessage `json:"error"`
}

type chatDelta struct {
	Content          json.RawMessage   `json:"content"`
	Refusal          json.RawMessage   `json:"refusal"`
	Reasoning        json.RawMessage   `json:"reasoning"`
	ReasoningContent json.RawMessage   `json:"reasoning_content"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details"`
	ToolCalls        []chatCallDelta   `json:"tool_calls"`
	FunctionCall     *chatFunction     `json:"function_call"`
}

func (r *chatReply) stream(body io.Reader) error {
	return eachEvent(body, r.event, func() error {
		switch {
		case !r.began:
			return &Error{Code: CodeUnavailable, Type: "empty_stream"}
		case r.finish == "":
			return &Error{Code: CodeUnavailable, Type: "stream_cut"}
		}
		return r.end()
	})
}

func (r *chatReply) whole(body io.Reader) error {
	data, err := readWhole(body)
	if err != nil {
		return err
	}
	if err := r.chunk(data); err != nil {
		return err
	}
	switch {
	case !r.began:
		return &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	case r.finish == "":
		return &Error{Code: CodeUnavailable, Type: "no_stop_reason"}
	}
	return r.end()
}

// event takes the data of one server-sent event.
func (r *chatReply) event(name, data []byte) error {
	if string(data) == "[DONE]" {
		if r.finish == "" {
			return &Error{Code: CodeUnavailable, Type: "no_stop_reason"}
		}
		return r.end()
	}
	if r.began && string(name) != "error" {
		if c, ok := plainChunk(data); ok {
			return r.choice(&c)
		}
	}
	data = validUTF8(data)
	if string(name) == "error" && !bytes.Contains(data, []byte(`"error"`)) {
		f, _ := readOpenAIFault(data)
		return f.inStream()
	}
	return r.chunk(data)
}

// chunk takes a chunk of a stream, or a reply that came whole.
func (r *chatReply) chunk(data []byte) error {
	var c chatChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return malformed()
	}
	if f, ok := readOpenAIFault(c.Error); ok {
		return f.inStream()
	}
	r.count(readCounts(c.Groq).in("usage"))
	r.count(readCounts(c.Usage))
	if !r.began {
		r.model = saidModel(c.Model, r.model)
	}
	for i := range c.Choices {
		choice := &c.Choices[i]
		if choice.Index != 0 { // one reply was asked for
			continue
		}
		if f, ok := readOpenAIFault(choice.Error); ok {
			return f.inStream()
		}
		if err := r.choice(choice); err != nil {
			return err
		}
	}
	return nil
}

func (r *chatReply) choice(c *chatChoice) error {
	if !r.began {
		r.began = true
		if err := r.tell(Event{Kind: EventStart, Model: r.model, Usage: r.usage}); err != nil {
			return err
		}
	}
	for _, d := range []*chatDelta{c.Delta, c.Message} {
		if d == nil {
			continue
		}
		if err := r.delta(d); err != nil {
			return err
		}
	}
	if c.Finish != "" {
		r.finish = c.Finish
	}
	return nil
}

func (r *chatReply) tell(e Event) error {
	if !r.yield(e, nil) {
		return errStopped
	}
	return nil
}

func (r *chatReply) delta(d *chatDelta) error {
	if err := r.think(d); err != nil {
		return err
	}
	if err := r.content(d.Content); err != nil {
		return err
	}
	if refusal := stringContent(d.Refusal); len(refusal) > 0 {
		r.refused = true
		if err := r.say(refusal); err != nil {
			return err
		}
	}
	for i := range d.ToolCalls {
		if err := r.call(&d.ToolCalls[i]); err != nil {
			return err
		}
	}
	if d.FunctionCall != nil { // the wire's form before there were tools
		return r.call(&chatCallDelta{Function: *d.FunctionCall})
	}
	return nil
}

// content takes text, or the list of parts that Mistral's reasoning models write.
func (r *chatReply) content(raw json.RawMessage) error {
	if len(raw) == 0 || raw[0] != '[' {
		return r.say(stringContent(raw))
	}
	var parts []struct {
		Type     string          `json:"type"`
		Text     json.RawMessage `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return malformed()
	}
	for _, p := range parts {
		var err error
		switch p.Type {
		case "text":
			err = r.say(stringContent(p.Text))
		case "thinking":
			err = r.thinkParts(p.Thinking)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// say adds escaped text to the reply's text and yields it.
func (r *chatReply) say(escaped []byte) error {
	if len(escaped) == 0 {
		return nil
	}
	if r.text == nil {
		r.text = &chatText{index: r.newIndex()}
	}
	if err := r.size.add(len(escaped)); err != nil {
		return err
	}
	r.text.escaped = append(r.text.escaped, escaped...)
	text, err := unquote(escaped)
	if err != nil {
		return malformed()
	}
	return r.tell(Event{Kind: EventTextDelta, Index: r.text.index, Text: text})
}

func (r *chatReply) newIndex() int {
	r.next++
	return r.next - 1
}
