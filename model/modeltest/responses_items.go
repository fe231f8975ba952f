package modeltest

import "strings"

// item is an item of the input.
type item struct {
	kind, id string
	message  Message // in the one form of all wires
}

func (c *responsesChecker) input(body map[string]any) error {
	v, ok := body["input"]
	if !ok {
		return missing("input")
	}
	if s, ok := v.(string); ok {
		c.converse([]Message{{"user", []Part{{Type: "text", Text: s}}}})
		return nil
	}
	values, err := c.list("", body, "input")
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return refuseParam("messages", "input", "empty_array", "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	for i, v := range values {
		path := c.index("input", i)
		it, err := c.item(path, v)
		if err != nil {
			return err
		}
		c.items = append(c.items, it)
	}
	if err := c.paired(); err != nil {
		return err
	}
	if err := c.reasoned(); err != nil {
		return err
	}
	var messages []Message
	for _, it := range c.items {
		if role := it.message.Role; role == "system" || role == "developer" {
			for _, p := range it.message.Parts {
				c.req.System = append(c.req.System, p.Text)
			}
			continue
		}
		messages = append(messages, it.message)
	}
	c.converse(messages)
	return nil
}

// paired checks that calls and their outputs belong together, and that no item is there twice.
func (c *responsesChecker) paired() error {
	ids := make(map[string]bool)
	var calls ledger
	for _, it := range c.items {
		if it.id != "" && ids[it.id] {
			return refuseParam("item_id", "input", "", "Duplicate item found with id %s. Remove duplicate items from your input and try again.", it.id)
		}
		ids[it.id] = true
		switch it.kind {
		case "function_call":
			if id := it.message.Parts[0].ID; !calls.ask(id) {
				return refuseParam("tool_use_id", "input", "", "Duplicate function call found with call_id %s. Remove duplicate items from your input and try again.", id)
			}
		case "function_call_output":
			id := it.message.Parts[0].ID
			switch known, first := calls.answer(id); {
			case !known:
				return refuseParam("result_without_use", "input", "", "No tool call found for function call output with call_id %s.", id)
			case !first:
				return refuseParam("answered_twice", "input", "", "Duplicate function call output found with call_id %s. Remove duplicate items from your input and try again.", id)
			}
		}
	}
	if len(calls.open) > 0 {
		return refuseParam("unanswered", "input", "", "No tool output found for function call %s.", calls.open[0])
	}
	return nil
}

// reasoned checks that a thought is followed by what was thought about, and that what was thought about still has it.
func (c *responsesChecker) reasoned() error {
	thought := "" // the reply of the thought that stands before
	for i, it := range c.items {
		reply := c.sign.replyOf(it.id)
		switch {
		case it.kind == "reasoning":
			thought = reply
			next := item{}
			if i+1 < len(c.items) {
				next = c.items[i+1]
			}
			follows := next.kind == "reasoning" || next.kind == "function_call" || next.kind == "message" && next.message.Role == "assistant"
			if other := c.sign.replyOf(next.id); !follows || other != "" && other != reply {
				return refuseParam("reasoning_alone", "input", "", "Item '%s' of type 'reasoning' was provided without its required following item.", it.id)
			}
		case it.message.Role == "assistant":
			prefix, _, _ := strings.Cut(it.id, "_")
			if reply != "" && reply != thought && c.sign.thought(prefix+"_", c.req.Model, it.id) {
				return refuseParam("thinking_missing", "input", "", "Item '%s' of type '%s' was provided without its required 'reasoning' item.", it.id, it.kind)
			}
		}
	}
	return nil
}

func (c *responsesChecker) item(path string, v any) (item, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return item{}, c.invalid(path, "object", v)
	}
	kind, err := c.text(path, m, "type")
	if err != nil {
		return item{}, err
	}
	if kind == "" { // the two kinds that need not say what they are
		if _, ok := m["role"]; ok {
			kind = "message"
		} else if _, ok := m["id"]; ok {
			kind = "item_reference"
		}
	}
	switch kind {
	case "message":
		return c.message(path, m)
	case "function_call":
		return c.call(path, m)
	case "function_call_output":
		return c.output(path, m)
	case "reasoning":
		return c.thought(path, m)
	case "item_reference":
		if _, err := c.object(path, m, kind); err != nil {
			return item{}, err
		}
		id, err := c.text(path, m, "id")
		if err != nil {
			return item{}, err
		}
		return item{}, c.notFound(id)
	case "":
		return item{}, missing(path + ".type")
	}
	return item{}, invalidValue("block_type", path, kind, "'message', 'function_call', 'function_call_output', 'reasoning', and 'item_reference'")
}

// notFound refuses an item that is only named: this server stores none.
func (c *responsesChecker) notFound(id string) error {
	message := "Item with id '" + id + "' not found."
	if !c.req.stored {
		message += " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."
	}
	return &refusalError{Fault{Status: 404, Type: "invalid_request_error", Param: "input", Message: message}, "item_not_found"}
}

// common takes an item's id and status.
func (c *responsesChecker) common(path string, m map[string]any, prefix string) (string, error) {
	status, err := c.text(path, m, "status")
	if err != nil {
		return "", err
	}
	if status != "" && !set("in_progress completed incomplete")[status] {
		return "", invalidValue("status", path+".status", status, "'in_progress', 'completed', and 'incomplete'")
	}
	id, err := c.text(path, m, "id")
	if err != nil {
		return "", err
	}
	return id, startsWith(path, id, prefix)
}

func (c *responsesChecker) message(path string, m map[string]any) (item, error) {
	role, err := c.text(path, m, "role")
	switch {
	case err != nil:
		return item{}, err
	case responsesRoleParts[role] == nil:
		return item{}, invalidValue("role", path+".role", role, "'assistant', 'system', 'developer', and 'user'")
	}
	kind := "message"
	if role == "assistant" {
		kind = "message.assistant"
	}
	if _, err := c.object(path, m, kind); err != nil {
		return item{}, err
	}
	id, err := c.common(path, m, "msg_")
	if err != nil {
		return item{}, err
	}
	if _, ok := m["content"]; !ok {
		return item{}, missing(path + ".content")
	}
	parts, err := c.content(path+".content", role, m["content"])
	return item{"message", id, Message{role, parts}}, err
}

// content takes a string, or parts of the types that the role has.
func (c *responsesChecker) content(path, role string, v any) ([]Part, error) {
	if s, ok := v.(string); ok {
		return []Part{{Type: "text", Text: s}}, nil
	}
	values, ok := v.([]any)
	if !ok {
		return nil, refuseParam("type", path, "invalid_type", "Invalid type for '%s': expected one of an array of objects or string, but got %s instead.", path, article(shapeOf(v)))
	}
	var parts []Part
	for i, v := range values {
		at := c.index(path, i)
		m, ok := v.(map[string]any)
		if !ok {
			return nil, c.invalid(at, "object", v)
		}
		kind, err := c.text(at, m, "type")
		if err != nil {
			return nil, err
		}
		if !responsesRoleParts[role][kind] {
			supported := "'input_text', 'input_image', and 'input_file'"
			if role == "assistant" {
				supported = "'output_text' and 'refusal'"
			}
			return nil, invalidValue("block_type", at, kind, supported)
		}
		if _, err := c.object(at, m, kind); err != nil {
			return nil, err
		}
		p := Part{Type: map[string]string{"input_image": "image", "input_file": "document"}[kind]}
		if p.Type == "" {
			key := "text"
			if kind == "refusal" {
				key = kind
			}
			if _, ok := m[key]; !ok {
				return nil, missing(at + "." + key)
			}
			p.Type = "text"
			if p.Text, err = c.text(at, m, key); err != nil {
				return nil, err
			}
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// callID takes the id that ties a call and its output.
func (c *responsesChecker) callID(path string, m map[string]any) (string, error) {
	id, err := c.text(path, m, "call_id")
	switch {
	case err != nil:
		return "", err
	case id == "":
		return "", missing(path + ".call_id")
	case len(id) > 64:
		return "", refuseParam("tool_use_id", path+".call_id", "string_above_max_length", "Invalid '%s.call_id': string too long. Expected a string with maximum length 64, but got a string with length %d instead.", path, len(id))
	}
	return id, nil
}

func (c *responsesChecker) call(path string, m map[string]any) (item, error) {
	if _, err := c.object(path, m, "function_call"); err != nil {
		return item{}, err
	}
	id, err := c.common(path, m, "fc_")
	if err != nil {
		return item{}, err
	}
	p := Part{Type: "tool_use"}
	if p.ID, err = c.callID(path, m); err != nil {
		return item{}, err
	}
	if p.Name, err = c.name(path, m); err != nil {
		return item{}, err
	}
	if err := c.arguments(path, m, &p); err != nil {
		return item{}, err
	}
	return item{"function_call", id, Message{"assistant", []Part{p}}}, nil
}

func (c *responsesChecker) output(path string, m map[string]any) (item, error) {
	if _, err := c.object(path, m, "function_call_output"); err != nil {
		return item{}, err
	}
	id, err := c.common(path, m, "fc")
	if err != nil {
		return item{}, err
	}
	p := Part{Type: "tool_result"}
	if p.ID, err = c.callID(path, m); err != nil {
		return item{}, err
	}
	if _, ok := m["output"]; !ok {
		return item{}, missing(path + ".output")
	}
	parts, err := c.content(path+".output", "user", m["output"])
	var texts []string
	for _, part := range parts {
		if part.Type == "text" {
			texts = append(texts, part.Text)
		}
	}
	p.Text = strings.Join(texts, "\n")
	return item{"function_call_output", id, Message{"user", []Part{p}}}, err
}

// thought takes a reasoning item, which this server must have made, for this model family.
func (c *responsesChecker) thought(path string, m map[string]any) (item, error) {
	if _, err := c.object(path, m, "reasoning_item"); err != nil {
		return item{}, err
	}
	id, err := c.common(path, m, "rs_")
	if err != nil {
		return item{}, err
	}
	if _, ok := m["summary"]; !ok {
		return item{}, missing(path + ".summary")
	}
	values, err := c.list(path, m, "summary")
	if err != nil {
		return item{}, err
	}
	var texts []string
	for i, v := range values {
		at := c.index(path+".summary", i)
		s, err := c.object(at, v, "summary_text")
		if err != nil {
			return item{}, err
		}
		text, err := c.text(at, s, "text")
		if err != nil {
			return item{}, err
		}
		texts = append(texts, text)
	}
	p := Part{Type: "thinking", Text: strings.Join(texts, "\n")}
	if m["encrypted_content"] != nil {
		if p.data, err = c.text(path, m, "encrypted_content"); err != nil {
			return item{}, err
		}
	}
	switch {
	case p.data == "" && (!c.req.stored || !c.sign.thought("rs_", c.req.Model, id)):
		return item{}, c.notFound(id)
	case p.data != "" && !c.sign.isEncrypted(c.req.Model, p.data):
		return item{}, refuseParam("thinking_changed", "", "invalid_encrypted_content", "The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.")
	}
	return item{"reasoning", id, Message{"assistant", []Part{p}}}, nil
}
