package model

import (
	"bytes"
	"encoding/json"
	"slices"
)

// chatCallDelta is a piece of a tool call. OpenAI's servers give index always, id and name with a call's first piece;
// others leave out the index, tell the id late, never or twice, or write a whole call into one chunk.
type chatCallDelta struct {
	Index    *int            `json:"index"`
	ID       string          `json:"id"`
	Function chatFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content"`
}

type chatFunction struct {
	Name string `json:"name"`
	// Arguments is a text; a few servers write the object itself.
	Arguments json.RawMessage `json:"arguments"`
}

// chatCall gathers one tool call.
type chatCall struct {
	index int // of the block
	// wire and wireID are the index and the id on the wire; id is the one that the reply's results will name.
	wire       *int
	wireID, id string
	name       string
	// arguments is the escaped text; object is what came instead of a text.
	arguments []byte
	object    json.RawMessage
	depth     jsonDepth // of the arguments so far
	extra     json.RawMessage
	told      bool
}

// call takes a piece of a call.
func (r *chatReply) call(d *chatCallDelta) error {
	c := r.callOf(d)
	if c == nil {
		if err := r.size.call(d.ID, d.Function.Name); err != nil {
			return err
		}
		for _, before := range r.calls { // its beginning is known now if it ever will be
			if err := r.tellCall(before); err != nil {
				return err
			}
		}
		c = &chatCall{index: r.newIndex(), wire: d.Index}
		r.calls = append(r.calls, c)
	}
	if c.wireID == "" && !c.told {
		if err := r.size.add(len(d.ID)); err != nil {
			return err
		}
		c.wireID = d.ID
	}
	if len(c.name)+len(d.Function.Name) > maxNameBytes {
		return malformed()
	}
	if d.Function.Name != c.name { // some servers say the whole name with each piece
		c.name += d.Function.Name
	}
	if d.Extra != nil {
		if err := r.size.add(len(d.Extra)); err != nil {
			return err
		}
		c.extra = bytes.Clone(d.Extra)
	}
	arguments := bytes.TrimSpace(d.Function.Arguments)
	if err := r.size.input(len(c.arguments), len(arguments)); err != nil {
		return err
	}
	switch {
	case len(arguments) == 0 || string(arguments) == "null":
		return nil
	case arguments[0] == '"':
		escaped := stringContent(arguments)
		text, err := unquote(escaped)
		if err != nil {
			return malformed()
		}
		c.arguments = append(c.arguments, escaped...)
		c.depth.add(text)
	default:
		c.object = bytes.Clone(arguments)
	}
	if c.wireID == "" || len(c.arguments)+len(c.object) == 0 {
		return nil
	}
	return r.tellCall(c)
}

// callOf finds the call that a piece belongs to, nil where it begins another.
func (r *chatReply) callOf(d *chatCallDelta) *chatCall {
	var c *chatCall
	for _, have := range slices.Backward(r.calls) {
		if d.Index != nil && have.wire != nil && *have.wire == *d.Index || d.Index == nil && d.ID != "" && have.wireID == d.ID {
			c = have
			break
		}
	}
	if c == nil && d.Index == nil && len(r.calls) > 0 {
		last := r.calls[len(r.calls)-1]
		late := d.Function.Name == "" && (d.ID == "" || last.wireID == "")
		if late || d.ID == "" && last.name == "" {
			c = last
		}
	}
	if c == nil || d.Function.Name == "" || c.name == "" {
		return c
	}
	// A name again: another call under the same number, unless the server says the name with each piece.
	if d.ID != "" && c.wireID != "" && d.ID != c.wireID || c.complete() && len(stringContent(d.Function.Arguments)) > 0 {
		return nil
	}
	return c
}

// complete reports whether the arguments so far are a whole object.
func (c *chatCall) complete() bool { return len(c.object) > 0 || c.depth.closed() }

// tellCall yields a call's beginning once.
func (r *chatReply) tellCall(c *chatCall) error {
	if c.told {
		return nil
	}
	c.told = true
	var taken []string
	for _, other := range r.calls {
		if other != c && other.told {
			taken = append(taken, other.id)
		}
	}
	c.id = ownCallID(c.wireID, taken)
	return r.tell(Event{Kind: EventToolStart, Index: c.index, CallID: c.id, ToolName: c.name})
}

// block gives the call in our form, and as it came where the vendor put something of its own beside it.
func (c *chatCall) block() (Block, error) {
	b := Block{Kind: BlockToolUse, CallID: c.id, ToolName: c.name}
	input := []byte(c.object)
	if len(input) == 0 {
		text, err := unquote(c.arguments)
		if err != nil {
			return Block{}, err
		}
		input = []byte(text)
	}
	if !b.takeInput(input) || c.extra == nil {
		return b, nil
	}
	function := appendMembers(nil, []member{{"name", appendString(nil, c.name)}, {"arguments", appendString(nil, string(b.Input))}})
	b.Raw = appendMembers(nil, []member{
		{"id", appendString(nil, c.id)}, {"type", json.RawMessage(`"function"`)}, {"function", function}, {"extra_content", c.extra},
	})
	return b, nil
}
