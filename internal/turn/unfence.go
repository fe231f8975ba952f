package turn

import (
	"strings"

	"github.com/steward-assistant/steward/tool"
)

// unfence takes a conversation's own markers out of a text that streams: a model that quotes a result may repeat them, and
// they mean nothing to a person. What may become a marker is held back until more comes.
type unfence struct {
	fence tool.Fence
	held  string
}

// take gives what may be shown now.
func (u *unfence) take(text string) string {
	if u.held == "" && !strings.ContainsAny(text, "<:") {
		return text
	}
	text = u.fence.Strip(u.held + text)
	n := max(begun(text, u.fence.Open()), begun(text, u.fence.Close()))
	u.held = text[len(text)-n:]
	return text[:len(text)-n]
}

// rest gives what was held back and became no marker.
func (u *unfence) rest() string {
	held := u.held
	u.held = ""
	return held
}

// begun is how many bytes at the end of a text are the beginning of a marker.
func begun(text, marker string) int {
	for n := min(len(text), len(marker)-1); n > 0; n-- {
		if strings.HasSuffix(text, marker[:n]) {
			return n
		}
	}
	return 0
}
