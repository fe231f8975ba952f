package model

import (
	"encoding/json"
	"errors"
	"io"
)

// responsesReply turns the events of one Responses reply into ours. Items are told apart by their place in the output:
// some gateways give an item another id with each event.
type responsesReply struct {
	yield    func(Event, error) bool
	provider string
	// model is that of the request until the reply names one.
	model   string
	began   bool
	usage   Usage
	size    replySize
	next    int // the index of the next block
	open    []*responsesItem
	ended   map[int]bool // the places of the items that have ended
	calls   []string     // the ids of the reply's calls
	refused bool
}

type responsesBody struct {
	Object     string            `json:"object"`
	Model      string            `json:"model"`
	Status     string            `json:"status"`
	Output     []json.RawMessage `json:"output"`
	Error      json.RawMessage   `json:"error"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage json.RawMessage `json:"usage"`
}

type responsesEvent struct {
	Type     string          `json:"type"`
	Output   int             `json:"output_index"`
	Content  int             `json:"content_index"`
	Item     json.RawMessage `json:"item"`
	Part     json.RawMessage `json:"part"`
	Delta    json.RawMessage `json:"delta"`
	Response *responsesBody  `json:"response"`
	Error    json.RawMessage `json:"error"`
}

func (r *responsesReply) stream(body io.Reader) error {
	return eachEvent(body, r.event, func() error {
		if r.began {
			return &Error{Code: CodeUnavailable, Type: "stream_cut"}
		}
		return &Error{Code: CodeUnavailable, Type: "empty_stream"}
	})
}

func (r *responsesReply) whole(body io.Reader) error {
	data, err := readWhole(body)
	if err != nil {
		return err
	}
	var doc responsesBody
	if json.Unmarshal(data, &doc) != nil {
		return malformed()
	}
	if doc.Object != "response" {
		if f, ok := readOpenAIFault(doc.Error); ok {
			return f.inStream()
		}
		return &Error{Code: CodeUnavailable, Type: "not_an_event_stream"}
	}
	return r.end(&doc)
}

// event takes the data of one server-sent event.
func (r *responsesReply) event(name, data []byte) error {
	if string(data) == "[DONE]" { // some gateways end every stream as the older wire's
		return nil
	}
	if r.began && string(name) == "response.in_progress" {
		return nil // it repeats the request's instructions and tools, and tells nothing new
	}
	e, plain := plainResponsesEvent(data)
	if !plain {
		data = validUTF8(data)
		if err := json.Unmarshal(data, &e); err != nil {
			return malformed()
		}
	}
	if e.Type == "" {
		e.Type = string(name)
	}
	switch e.Type {
	case "error", "response.error":
		return r.fault(data, e.Error)
	case "response.created", "response.in_progress", "response.queued":
		return r.start(e.Response)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		if e.Response == nil {
			return malformed()
		}
		return r.end(e.Response)
	case "response.output_item.added":
		return r.added(e.Output, e.Item)
	case "response.output_item.done":
		return r.itemDone(e.Output, e.Item)
	case "response.content_part.added":
		return r.partAdded(&e)
	case "response.output_text.delta", "response.refusal.delta":
		return r.textDelta(&e)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return r.thinkingDelta(&e)
	case "response.function_call_arguments.delta":
		return r.argumentsDelta(&e)
	}
	if f, ok := readOpenAIFault(e.Error); ok && e.Type == "" {
		return f.inStream()
	}
	return nil // the vendor adds types, and the done events say again what the deltas said
}

// fault reads an error event: its members stand in it, or in an object of that name.
func (r *responsesReply) fault(data []byte, inner json.RawMessage) error {
	f, ok := readOpenAIFault(inner)
	if !ok {
		if f, _ = readOpenAIFault(data); f.Type == "error" {
			f.Type = ""
		}
	}
	return f.inStream()
}

// start takes the reply's opening, which is told more than once.
func (r *responsesReply) start(b *responsesBody) error {
	if r.began {
		return nil
	}
	r.began = true
	if b != nil {
		r.model = saidModel(b.Model, r.model)
	}
	return r.tell(Event{Kind: EventStart, Model: r.model})
}

func (r *responsesReply) tell(e Event) error {
	if !r.yield(e, nil) {
		return errStopped
	}
	return nil
}

// end takes the reply's last event, or a reply that came whole.
func (r *responsesReply) end(b *responsesBody) error {
	u := readCounts(b.Usage)
	details := u.in("input_tokens_details")
	r.usage.set(u.of("input_tokens"), u.of("output_tokens"), details.of("cached_tokens"), details.of("cache_write_tokens"))
	stop := StopEndTurn
	switch b.Status {
	case "completed":
	case "incomplete":
		switch b.Incomplete.Reason {
		case "max_output_tokens":
			stop = StopMaxTokens
		case "content_filter":
			stop = StopRefusal
		default:
			return &Error{Code: CodeUnavailable, Type: "unknown_stop_reason"}
		}
	case "failed", "cancelled":
		f, _ := readOpenAIFault(b.Error)
		fault := f.inStream()
		if fault.Type == "" {
			fault.Type = "response_" + b.Status
		}
		return fault
	default:
		return &Error{Code: CodeUnavailable, Type: "no_stop_reason"}
	}
	if err := r.start(b); err != nil {
		return err
	}
	if len(r.ended)+len(r.open) == 0 { // nothing was streamed; where something was, places here are not those there
		for i, item := range b.Output {
			if err := r.itemDone(i, item); err != nil {
				return err
			}
		}
	}
	for len(r.open) > 0 {
		if err := r.finish(r.open[0], nil, false); err != nil {
			return err
		}
	}
	if stop == StopEndTurn && r.refused {
		stop = StopRefusal
	}
	if stop == StopEndTurn && len(r.calls) > 0 {
		stop = StopToolUse
	}
	if err := r.tell(Event{Kind: EventStop, Stop: stop, Usage: r.usage, Model: r.model}); err != nil {
		return err
	}
	return errDone
}

var errBlockOrder = errors.New("an event of an item that is not open")

func blockOrder() error {
	return &Error{Code: CodeUnavailable, Type: "block_order", Err: errBlockOrder}
}
