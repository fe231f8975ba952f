package agui

import (
	"encoding/json"
	"strings"

	"github.com/steward-assistant/steward/internal/conversation"
)

// History gives messages as a front end keeps them.
func History(messages []conversation.Message) []Message {
	out := make([]Message, 0, len(messages))
	turn := 0 // where the turn's own messages begin
	for i, m := range messages {
		id := m.ID
		if m.SentAs != "" {
			id = m.SentAs
		}
		if m.Role == conversation.User {
			out = append(out, Message{ID: id, Role: "user", Content: quote(m.Text)})
			turn = i + 1
			continue
		}
		rest := messages[i+1:]
		if m.Answers == answersGuide && (len(rest) == 0 || rest[0].Role == conversation.User) {
			m.Text = paragraphs(m.Text, drawn(messages[turn:i+1]))
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

// paragraphs puts texts below each other; empty ones are left out.
func paragraphs(texts ...string) string {
	var out []string
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n\n")
}

func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // a text always encodes
		return json.RawMessage(`""`)
	}
	return b
}
