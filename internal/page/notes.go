package page

import (
	"strings"

	"github.com/steward-assistant/steward/tool"
)

// Note is something that a front end tells of its page beside the page's own context: text of others, both parts.
type Note struct {
	Description, Value string
}

// MaxNoteBytes is how much of a front end's notes a model is told, in bytes; what is over is cut, and said to be.
const MaxNoteBytes = 8 << 10

// RenderNotes writes notes for a model, one thing a line, all of it fenced; empty where there are none.
func RenderNotes(notes []Note, fence tool.Fence) string {
	var b strings.Builder
	room := MaxNoteBytes
	for _, n := range notes {
		description := line(n.Description, maxTitle)
		value := strings.TrimSpace(tool.Clean(n.Value))
		if value == "" {
			continue
		}
		over := len(description)+len(value) > room
		if over {
			value = strings.ToValidUTF8(value[:max(0, room-len(description))], "")
		}
		room -= len(description) + len(value)
		b.WriteString("- ")
		if description != "" {
			b.WriteString(fence.Label(description) + ": ")
		}
		b.WriteString(fence.Text(value) + "\n")
		if over {
			b.WriteString("(the page told more, which was left out)\n")
			break
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
