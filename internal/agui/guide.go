package agui

import (
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
)

// answersGuide is who answers without a model.
const answersGuide = "guide"

// drawn writes what the widget draws beside the guide's words (the tables of its look-ups and the pages that it found) as
// Markdown, because a front end of another's making draws words alone. Empty where there is nothing.
func drawn(turn []conversation.Message) string {
	var parts []string
	for _, m := range turn {
		for _, c := range m.Calls {
			if c.Table != nil && len(c.Table.Rows) > 0 {
				parts = append(parts, tableText(c.Table))
			}
		}
	}
	for _, m := range turn {
		var links []string
		for _, l := range m.Links {
			line := "- [" + inline(l.Label) + "](" + l.Path + ")"
			if l.Detail != "" {
				line += ": " + inline(l.Detail)
			}
			links = append(links, line)
		}
		if len(links) > 0 {
			parts = append(parts, strings.Join(links, "\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

func tableText(t *event.Table) string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + inline(t.Title) + "**\n\n")
	}
	row(&b, t.Columns)
	b.WriteString("|" + strings.Repeat("---|", len(t.Columns)) + "\n")
	for _, cells := range t.Rows {
		row(&b, cells)
	}
	if rest := t.Total - len(t.Rows); rest > 0 {
		fmt.Fprintf(&b, "\n+ %d\n", rest)
	}
	if t.Note != "" {
		b.WriteString("\n" + inline(t.Note) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func row(b *strings.Builder, cells []string) {
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + inline(c) + " |")
	}
	b.WriteByte('\n')
}

// inline makes a text words on one line: what Markdown would take for its own is escaped.
func inline(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("\\`*_[]<>|~#&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
