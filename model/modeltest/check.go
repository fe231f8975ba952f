package modeltest

import (
	"maps"
	"slices"
	"strconv"
)

// checker holds what all wires check alike. Each wire's checker embeds it and accepts a request, or says what its vendor
// refuses in it.
type checker struct {
	reader
	sign     signer
	anyOrder bool
	req      *Request
}

// addTool adds a tool to the request: names are told apart, and sorted.
func (c *checker) addTool(t Tool, twice func() error) error {
	if n := len(c.req.Tools); n > 0 {
		switch before := c.req.Tools[n-1].Name; {
		case slices.ContainsFunc(c.req.Tools, func(o Tool) bool { return o.Name == t.Name }):
			return twice()
		case before > t.Name && !c.anyOrder:
			// The vendors would take it; but a list whose order may change is a cache that is never read.
			return refuse("tool_order", "tools: %s comes after %s: this server wants tools sorted by name", t.Name, before)
		}
	}
	c.req.Tools = append(c.req.Tools, t)
	return nil
}

// converse puts the messages into the one form: merged, with the member's words apart.
func (c *checker) converse(messages []Message) {
	c.req.Words = memberWords(messages)
	c.req.Messages = merge(messages)
}

// ledger follows the calls of a conversation and their answers.
type ledger struct {
	asked map[string]bool
	open  []string // not answered yet, in their order
}

// ask notes a call; false: there was one of that id.
func (l *ledger) ask(id string) bool {
	if l.asked[id] {
		return false
	}
	if l.asked == nil {
		l.asked = make(map[string]bool)
	}
	l.asked[id] = true
	l.open = append(l.open, id)
	return true
}

// answer notes an answer: known says that its call was asked, first that it had none before.
func (l *ledger) answer(id string) (known, first bool) {
	at := slices.Index(l.open, id)
	if at >= 0 {
		l.open = slices.Delete(l.open, at, at+1)
	}
	return l.asked[id], at >= 0
}

// walkSchema calls f for a schema and each one inside it, with the steps that lead there.
func walkSchema(steps []string, schema map[string]any, f func(steps []string, schema map[string]any) error) error {
	if err := f(steps, schema); err != nil {
		return err
	}
	inner := func(v any, more ...string) error {
		if m, ok := v.(map[string]any); ok {
			return walkSchema(slices.Concat(steps, more), m, f)
		}
		return nil
	}
	for _, key := range []string{"properties", "$defs", "definitions", "items", "anyOf", "allOf"} {
		switch v := schema[key].(type) {
		case map[string]any:
			if key == "items" {
				if err := inner(v, key); err != nil {
					return err
				}
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if err := inner(v[name], key, name); err != nil {
					return err
				}
			}
		case []any:
			for i, s := range v {
				if err := inner(s, key, strconv.Itoa(i)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// optional are the properties of a schema that it does not require, sorted.
func optional(schema map[string]any) []string {
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return nil
	}
	required, _ := schema["required"].([]any) // absent: all are optional
	var names []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(required, any(name)) {
			names = append(names, name)
		}
	}
	return names
}

// isObject reports whether a schema is of objects.
func isObject(schema map[string]any) bool {
	_, has := schema["properties"].(map[string]any)
	types, _ := schema["type"].([]any) // one type, or none
	return has || schema["type"] == "object" || slices.Contains(types, any("object"))
}
