package modeltest

import "strings"

// maxChatID is the longest id of a call on the Chat wire.
const maxChatID = 40

func (c *chatChecker) messages(body map[string]any) error {
	values, err := c.list("", body, "messages")
	if err != nil {
		return err
	}
	if _, ok := body["messages"]; !ok {
		return missing("messages")
	}
	if len(values) == 0 {
		return refuseParam("messages", "messages", "empty_array", "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	var messages []Message
	var calls ledger
	for i, v := range values {
		path := c.index("messages", i)
		m, role, err := c.message(path, v)
		if err != nil {
			return err
		}
		if role != "tool" {
			if err := unanswered(path, calls); err != nil {
				return err
			}
			calls = ledger{} // results belong to the message right before them
		}
		switch role {
		case "system", "developer":
			for _, p := range m.Parts {
				c.req.System = append(c.req.System, p.Text)
			}
			continue
		case "tool":
			if err := answered(path, m.Parts[0].ID, &calls); err != nil {
				return err
			}
		case "assistant":
			for _, p := range m.Parts {
				if p.Type == "tool_use" && !calls.ask(p.ID) {
					return refuseParam("tool_use_id", path+".tool_calls", "", "Duplicate value for 'tool_call_id' of '%s' in '%s'.", p.ID, path)
				}
			}
		}
		messages = append(messages, m)
	}
	if err := unanswered(c.index("messages", len(values)), calls); err != nil {
		return err
	}
	c.converse(messages)
	return nil
}

// answered notes the answer to a call.
func answered(path, id string, calls *ledger) error {
	if len(calls.asked) == 0 {
		return refuseParam("result_without_use", path+".role", "", "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
	}
	switch known, first := calls.answer(id); {
	case !known:
		return refuseParam("result_without_use", path+".tool_call_id", "", "Invalid parameter: 'tool_call_id' of '%s' not found in 'tool_calls' of previous message.", id)
	case !first:
		return refuseParam("answered_twice", path+".tool_call_id", "", "Duplicate value for 'tool_call_id' of '%s': it has a response message already.", id)
	}
	return nil
}

func unanswered(path string, calls ledger) error {
	if len(calls.open) == 0 {
		return nil
	}
	return refuseParam("unanswered", path+".role", "", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: %s", strings.Join(calls.open, ", "))
}

// message takes one message, in the one form of all wires, and its role in this one.
func (c *chatChecker) message(path string, v any) (Message, string, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return Message{}, "", c.invalid(path, "object", v)
	}
	role, err := c.text(path, m, "role")
	switch {
	case err != nil:
		return Message{}, "", err
	case role == "":
		return Message{}, "", missing(path + ".role")
	case chatRoleParts[role] == nil:
		return Message{}, "", invalidValue("role", path+".role", role, "'system', 'assistant', 'user', 'function', 'tool', and 'developer'")
	}
	kinds := []string{role}
	if role == "assistant" {
		kinds = c.kinds(role)
	}
	if _, err := c.object(path, m, kinds...); err != nil {
		return Message{}, "", err
	}
	parts, err := c.content(path, role, m)
	if err != nil {
		return Message{}, "", err
	}
	switch role {
	case "assistant":
		calls, err := c.calls(path, m)
		if err != nil {
			return Message{}, "", err
		}
		thoughts, err := c.thoughts(path, m)
		return Message{role, append(append(thoughts, parts...), calls...)}, role, err
	case "tool":
		id, err := c.text(path, m, "tool_call_id")
		if err == nil && id == "" {
			err = missing(path + ".tool_call_id")
		}
		var texts []string
		for _, p := range parts {
			texts = append(texts, p.Text)
		}
		return Message{"user", []Part{{Type: "tool_result", ID: id, Text: strings.Join(texts, "\n")}}}, role, err
	}
	return Message{role, parts}, role, nil
}

// content takes a string, or parts. Only an assistant that calls, or refuses, may say nothing.
func (c *chatChecker) content(path, role string, m map[string]any) ([]Part, error) {
	v, ok := m["content"]
	if v == nil {
		_, refuses := m["refusal"].(string)
		if calls, has := m["tool_calls"].([]any); role == "assistant" && (has && len(calls) > 0 || refuses) {
			return nil, nil
		}
		if !ok {
			return nil, missing(path + ".content")
		}
		return nil, refuseParam("content", path+".content", "", "Invalid value for 'content': expected a string, got null.")
	}
	path += ".content"
	if s, ok := v.(string); ok {
		if s == "" {
			return nil, nil
		}
		return []Part{{Type: "text", Text: s}}, nil
	}
	values, ok := v.([]any)
	if !ok {
		return nil, refuseParam("type", path, "invalid_type", "Invalid type for '%s': expected one of a string or array of objects, but got %s instead.", path, article(shapeOf(v)))
	}
	if len(values) == 0 {
		return nil, refuseParam("content", path, "empty_array", "Invalid '%s': empty array. Expected an array with minimum length 1, but got an empty array instead.", path)
	}
	var parts []Part
	for i, v := range values {
		p, err := c.part(c.index(path, i), role, v)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func (c *chatChecker) part(path, role string, v any) (Part, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return Part{}, c.invalid(path, "object", v)
	}
	kind, err := c.text(path, m, "type")
	switch {
	case err != nil:
		return Part{}, err
	case kind == "":
		return Part{}, missing(path + ".type")
	case !chatRoleParts[role][kind]:
		return Part{}, invalidValue("block_type", path+".type", kind, "'text'")
	}
	kinds := []string{kind}
	if c.traits.house == ofOpenRouter {
		kinds = append(kinds, "cache_control")
	}
	if _, err := c.object(path, m, kinds...); err != nil {
		return Part{}, err
	}
	switch kind {
	case "text", "refusal":
		if _, ok := m[kind]; !ok {
			return Part{}, missing(path + "." + kind)
		}
		text, err := c.text(path, m, kind)
		return Part{Type: "text", Text: text, Marked: m["cache_control"] != nil}, err
	case "image_url":
		return Part{Type: "image"}, nil
	}
	return Part{Type: "document"}, nil
}

// calls takes the calls of an assistant's message.
func (c *chatChecker) calls(path string, m map[string]any) ([]Part, error) {
	values, err := c.list(path, m, "tool_calls")
	if err != nil {
		return nil, err
	}
	path += ".tool_calls"
	if _, ok := m["tool_calls"]; ok && len(values) == 0 {
		return nil, refuseParam("empty", path, "empty_array", "Invalid '%s': empty array. Expected an array with minimum length 1, but got an empty array instead.", path)
	}
	var parts []Part
	for i, v := range values {
		at := c.index(path, i)
		call, err := c.object(at, v, "tool_call")
		if err != nil {
			return nil, err
		}
		p := Part{Type: "tool_use"}
		if p.ID, err = c.text(at, call, "id"); err != nil {
			return nil, err
		}
		switch n := len(p.ID); {
		case n == 0:
			return nil, missing(at + ".id")
		case n > maxChatID && c.traits.house == ofOpenAI:
			return nil, refuseParam("tool_use_id", at+".id", "string_above_max_length", "Invalid '%s.id': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", at, maxChatID, n)
		}
		if kind, err := c.text(at, call, "type"); err != nil {
			return nil, err
		} else if kind != "function" {
			return nil, invalidValue("tool_type", at+".type", kind, "'function'")
		}
		at += ".function"
		f, err := c.object(at, call["function"], "tool_call.function")
		if err != nil {
			return nil, err
		}
		if p.Name, err = c.name(at, f); err != nil {
			return nil, err
		}
		if err := c.arguments(at, f, &p); err != nil {
			return nil, err
		}
		if p.Input == nil && c.traits.house == ofOthers { // Ollama and vLLM read them
			return nil, refuseParam("tool_input", "", "", "invalid tool call arguments")
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// thoughts takes what an assistant thought, where its server has fields for that: what is signed must be unchanged, and
// of this model family.
func (c *chatChecker) thoughts(path string, m map[string]any) ([]Part, error) {
	for _, key := range []string{"reasoning", "reasoning_content"} {
		if m[key] == nil {
			continue
		}
		if _, err := c.text(path, m, key); err != nil {
			return nil, err
		}
	}
	if m["reasoning_details"] == nil {
		return nil, nil
	}
	values, err := c.list(path, m, "reasoning_details")
	if err != nil {
		return nil, err
	}
	var parts []Part
	for i, v := range values {
		at := c.index(path+".reasoning_details", i)
		d, ok := v.(map[string]any)
		if !ok {
			return nil, c.invalid(at, "object", v)
		}
		kind, err := c.text(at, d, "type")
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(kind, "reasoning.") || c.fields[kind] == nil {
			return nil, invalidValue("block_type", at+".type", kind, "'reasoning.text', 'reasoning.summary', and 'reasoning.encrypted'")
		}
		if _, err := c.object(at, d, kind); err != nil {
			return nil, err
		}
		p := Part{Type: "thinking"}
		if p.Text, err = c.text(at, d, "text"); err != nil {
			return nil, err
		}
		if p.signature, err = c.text(at, d, "signature"); err != nil {
			return nil, err
		}
		if p.data, err = c.text(at, d, "data"); err != nil {
			return nil, err
		}
		if p.signature != "" && p.signature != c.sign.thinking(c.req.Model, p.Text) || p.data != "" && !c.sign.isRedacted(c.req.Model, p.data) {
			return nil, refuseParam("thinking_changed", at, "", "Invalid `signature` in `thinking` block")
		}
		if kind == "reasoning.encrypted" {
			p.Type = "redacted_thinking"
		}
		parts = append(parts, p)
	}
	return parts, nil
}
