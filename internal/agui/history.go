package agui

import (
	"encoding/json"

	"github.com/steward-assistant/steward/internal/conversation"
)

// History gives messages as a front end keeps them.
func History(messages []conversation.Message) []Message {
	out := make([]Message, 0, len(messages))
	for _, m := range messages {
		id := m.ID
		if m.SentAs != "" {
			id = m.SentAs
		}
		if m.Role == conversation.User {
			out = append(out, Message{ID: id, Role: "user", Content: quote(m.Text)})
			continue
		}
		reply := Message{ID: id, Role: "assistant"}
		if m.Text != "" {
			reply.Content = quote(m.Text)
		}
		var results []Message
		for _, c := range m.Calls {
			args := c.Args
			if args == "" {
				args = "{}"
			}
			reply.ToolCalls = append(reply.ToolCalls, ToolCall{ID: c.ID, Type: "function", Function: Function{Name: c.Name, Arguments: args}})
			if c.State == "succeeded" || c.State == "failed" {
				content := c.Content
				if content == "" {
					content = c.Sentence
				}
				results = append(results, Message{ID: c.ID, Role: "tool", ToolCallID: c.ID, Content: quote(content)})
			}
		}
		out = append(out, reply)
		out = append(out, results...)
	}
	return out
}

func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // a text always encodes
		return json.RawMessage(`""`)
	}
	return b
}
