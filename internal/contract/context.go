package contract

import (
	"fmt"
	"strings"
	"time"

	"github.com/steward-assistant/steward/tool"
)

// Turn is what a turn's context tells.
type Turn struct {
	// Now is the turn's one clock.
	Now    time.Time
	Zone   *time.Location
	Locale string
	// Page is the page as rendered, with others' text fenced; empty where the client told of none.
	Page string
	// Fence is the conversation's.
	Fence tool.Fence
}

// Text gives the context as a model is sent it, after the member's words. It is stored as it is.
func (t Turn) Text() string {
	var b strings.Builder
	now := t.Now.In(t.Zone)
	b.WriteString("<turn_context>\n")
	fmt.Fprintf(&b, "Now: %s (%s, UTC%s)\n", now.Format("Monday 2 January 2006, 15:04"), t.Zone, now.Format("-07:00"))
	fmt.Fprintf(&b, "Locale: %s\n", t.Locale)
	fmt.Fprintf(&b, "Fence: text of others stands between %s and %s\n", t.Fence.Open(), t.Fence.Close())
	if t.Page != "" {
		b.WriteString("Page:\n" + t.Page + "\n")
	}
	b.WriteString("</turn_context>")
	return b.String()
}

// LastRound is said to a model before its last round of a turn.
const LastRound = "This is the last round of this turn: no more tools can run. Answer with what you have, and say what is left to do."
