package page

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/tool"
)

// Render writes a page's context for a model, one thing a line, every text of it fenced; empty where the browser told
// nothing.
func Render(raw json.RawMessage, fence tool.Fence) string { return Read(raw).Render(fence) }

// Render writes the context for a model, one thing a line, every text of it fenced; empty where nothing is known.
func (c Context) Render(fence tool.Fence) string {
	var b strings.Builder
	if c.Route != "" {
		fmt.Fprintf(&b, "Path: %s\n", fence.Text(c.Route))
	}
	if c.Title != "" {
		fmt.Fprintf(&b, "Title: %s\n", fence.Label(c.Title))
	}
	if c.Locale != "" {
		fmt.Fprintf(&b, "Language of the page: %s\n", c.Locale)
	}
	if c.Viewport != nil {
		kind := "a desktop"
		if c.Viewport.Width < 768 {
			kind = "a phone"
		} else if c.Viewport.Width < 1024 {
			kind = "a tablet"
		}
		fmt.Fprintf(&b, "Screen: %d × %d (%s)\n", c.Viewport.Width, c.Viewport.Height, kind)
	}
	if c.Selection != "" {
		fmt.Fprintf(&b, "Selected, and what \"this\" means: %s\n", fence.Text(c.Selection))
	}
	if len(c.Headings) > 0 {
		b.WriteString("Headings:\n")
		for _, h := range c.Headings {
			fmt.Fprintf(&b, "- %s\n", fence.Label(h))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
