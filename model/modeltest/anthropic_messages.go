package modeltest

import (
	"slices"
	"strconv"
	"strings"
)

func (c *messagesChecker) messages(body map[string]any) error {
	values, err := c.list("", body, "messages")
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return refuse("messages", "messages: at least one message is required")
	}
	var messages []Message
	for i, v := range values {
		m, err := c.message("messages."+strconv.Itoa(i), v)
		if err != nil {
			return err
		}
		messages = append(messages, m)
	}
	c.converse(messages)
	return c.conversation()
}

func (c *messagesChecker) message(path string, v any) (Message, error) {
	m, err := c.object(path, v, "message")
	if err != nil {
		return Message{}, err
	}
	role, err := c.text(path, m, "role")
	if err != nil {
		return Message{}, err
	}
	if messagesRoleParts[role] == nil {
		return Message{}, refuse("role", "%s.role: Input should be 'user' or 'assistant'", path)
	}
	message := Message{Role: role}
	if s, ok := m["content"].(string); ok {
		p, err := c.part(path+".content", role, map[string]any{"type": "text", "text": s})
		message.Parts = []Part{p}
		return message, err
	}
	blocks, err := c.list(path, m, "content")
	if err != nil {
		return Message{}, err
	}
	if len(blocks) == 0 {
		return Message{}, refuse("empty", "%s: all messages must have non-empty content", path)
	}
	for i, b := range blocks {
		p, err := c.part(path+".content."+strconv.Itoa(i), role, b)
		if err != nil {
			return Message{}, err
		}
		message.Parts = append(message.Parts, p)
	}
	return message, nil
}

// part takes one block. role is "system" for a block of the system prompt.
func (c *messagesChecker) part(path, role string, v any) (Part, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return Part{}, refuse("type", "%s: Input should be a valid dictionary", path)
	}
	kind, _ := m["type"].(string) // another type is no known kind
	if role == "system" && kind != "text" || role != "system" && !messagesRoleParts[role][kind] {
		return Part{}, refuse("block_type", "%s: Input tag '%s' found using 'type' does not match any of the expected tags", path, kind)
	}
	if _, err := c.object(path+"."+kind, m, kind); err != nil {
		return Part{}, err
	}
	p := Part{Type: kind, object: m}
	var err error
	take := func(to *string, key string) {
		if err == nil {
			*to, err = c.text(path, m, key)
		}
	}
	switch kind {
	case "text":
		take(&p.Text, "text")
		if err == nil && p.Text == "" && m["cache_control"] != nil {
			return p, refuse("cache_control", "%s.cache_control: cache_control cannot be set for empty text blocks", path)
		}
		if err == nil && p.Text == "" {
			return p, refuse("empty_text", "%s: text content blocks must be non-empty", path)
		}
		if err == nil && strings.TrimSpace(p.Text) == "" {
			return p, refuse("empty_text", "%s: text content blocks must contain non-whitespace text", path)
		}
	case "thinking":
		take(&p.Text, "thinking")
		take(&p.signature, "signature")
		if err == nil && p.signature != c.sign.thinking(c.req.Model, p.Text) {
			return p, refuse("thinking_changed", "%s: Invalid `signature` in `thinking` block", path)
		}
	case "redacted_thinking":
		take(&p.data, "data")
		if err == nil && !c.sign.isRedacted(c.req.Model, p.data) {
			return p, refuse("thinking_changed", "%s: Invalid `data` in `redacted_thinking` block", path)
		}
	case "tool_use":
		take(&p.ID, "id")
		take(&p.Name, "name")
		if err == nil {
			err = c.toolUse(path, m, &p)
		}
	case "tool_result":
		take(&p.ID, "tool_use_id")
		if err == nil {
			p.IsError, err = c.flag(path, m, "is_error")
		}
		if err == nil {
			err = c.resultContent(path+".content", m["content"])
		}
		p.Text = resultText(m["content"])
	}
	if err != nil {
		return p, err
	}
	if mark, ok := m["cache_control"]; ok && mark != nil {
		p.Marked = true
		return p, c.mark(path+".cache_control", mark)
	}
	return p, nil
}

func (c *messagesChecker) toolUse(path string, m map[string]any, p *Part) error {
	if !idPattern.MatchString(p.ID) {
		return refuse("tool_use_id", "%s.tool_use.id: String should match pattern '%s'", path, idPattern)
	}
	if p.Name == "" || len(p.Name) > 200 {
		return refuse("tool_names", "%s.tool_use.name: String should have at least 1 and at most 200 characters", path)
	}
	input, ok := m["input"].(map[string]any)
	if !ok {
		return refuse("tool_input", "%s.tool_use.input: Input should be a valid dictionary", path)
	}
	p.Input = input
	return nil
}

// resultContent takes the content of a tool result: absent, a string, or blocks of text, images and documents.
func (c *messagesChecker) resultContent(path string, content any) error {
	blocks, ok := content.([]any)
	if !ok {
		if _, isText := content.(string); content != nil && !isText {
			return refuse("type", "%s: Input should be a valid string or list", path)
		}
		return nil
	}
	for i, b := range blocks {
		p, err := c.part(path+"."+strconv.Itoa(i), "user", b)
		if err != nil {
			return err
		}
		if p.Type == "tool_result" {
			return refuse("block_type", "%s.%d: Input tag 'tool_result' does not match any of the expected tags", path, i)
		}
	}
	return nil
}

// conversation checks the merged messages against each other.
func (c *messagesChecker) conversation() error {
	messages := c.req.Messages
	if messages[0].Role != "user" {
		return refuse("first_message", "messages: first message must use the \"user\" role")
	}
	if last := messages[len(messages)-1]; last.Role == "assistant" && !c.goesOn(last) {
		return refuse("prefill", "This model does not support assistant message prefill. The conversation must end with a user message.")
	}
	var calls ledger
	for i, m := range messages {
		path := "messages." + strconv.Itoa(i)
		if m.Role == "user" {
			if err := answers(path, m, &calls); err != nil {
				return err
			}
			continue
		}
		for _, p := range m.Parts {
			if p.Type != "tool_use" {
				continue
			}
			if !calls.ask(p.ID) {
				return refuse("tool_use_id", "%s: `tool_use` ids must be unique", path)
			}
		}
		if kind := m.Parts[len(m.Parts)-1].Type; kind == "thinking" || kind == "redacted_thinking" {
			return refuse("thinking_last", "%s: The final block in an assistant message cannot be `thinking`.", path)
		}
	}
	if err := answers("messages."+strconv.Itoa(len(messages)), Message{}, &calls); err != nil {
		return err
	}
	return c.thoughtKept()
}

// goesOn reports whether the assistant's message at the end of a conversation is a paused reply that is sent back for
// the model to go on with, and not the beginning of an answer put into its mouth.
func (c *messagesChecker) goesOn(last Message) bool {
	var said strings.Builder
	for _, p := range last.Parts {
		switch p.Type {
		case "server_tool_use":
			return true
		case "text":
			said.WriteString(p.Text)
		}
	}
	return c.paused(said.String())
}

// answers checks that a user message answers every open call, which are those of the reply before it, once, and first of
// all.
func answers(path string, m Message, calls *ledger) error {
	mine := slices.Clone(calls.open)
	first := true
	for _, p := range m.Parts {
		if p.Type != "tool_result" {
			first = false
			continue
		}
		_, once := calls.answer(p.ID)
		switch {
		case !slices.Contains(mine, p.ID):
			return refuse("result_without_use", "%s: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", path, p.ID)
		case !once:
			return refuse("answered_twice", "%s: each tool_use must have a single result. Found multiple `tool_result` blocks with id: %s", path, p.ID)
		case !first:
			return refuse("results_not_first", "%s: `tool_result` blocks must come before any other content of the message", path)
		}
	}
	if len(calls.open) > 0 {
		return refuse("unanswered", "%s: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", path, calls.open[0])
	}
	return nil
}

// thoughtKept checks that the reply whose calls are being answered still has its thinking.
func (c *messagesChecker) thoughtKept() error {
	messages := c.req.Messages
	if !c.req.Thinks || len(messages) < 3 || messages[len(messages)-1].Parts[0].Type != "tool_result" {
		return nil
	}
	at := len(messages) - 2
	thought := false
	for _, p := range messages[at].Parts {
		switch {
		case p.Type == "thinking" || p.Type == "redacted_thinking":
			thought = true
		case p.Type == "tool_use" && c.sign.thought("toolu_", c.req.Model, p.ID) && !thought:
			return refuse("thinking_missing", "messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.", at)
		}
	}
	return nil
}
