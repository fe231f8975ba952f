package tool

import (
	"strconv"
	"strings"
	"time"

	"github.com/steward-assistant/steward/internal/words"
)

// maxRows is the most rows of a table that are drawn.
const maxRows = 50

// draw makes the table that a definition asks for, in the member's language and time zone; nil where there is none.
func draw(call Call, data *node, now time.Time) *Table {
	m := call.Tool.Table
	if m == nil {
		return nil
	}
	items := data.at(m.Items)
	if items == nil || items.kind != nodeArray {
		return nil
	}
	w := words.For(call.Locale)
	zone, err := time.LoadLocation(call.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	t := &Table{Title: m.Title.In(call.Locale), Total: total(data, m.Items, len(items.kids)), Rows: [][]string{}}
	for _, c := range m.Columns {
		t.Columns = append(t.Columns, c.Header.In(call.Locale))
	}
	for _, item := range items.kids[:min(len(items.kids), maxRows)] {
		row := make([]string, len(m.Columns))
		for i, c := range m.Columns {
			row[i] = cell(item.at(c.Path), w, now.In(zone))
		}
		t.Rows = append(t.Rows, row)
	}
	if t.Total > len(t.Rows) {
		t.Note = w.Text("tool.table_more", words.Args{"shown": strconv.Itoa(len(t.Rows)), "total": strconv.Itoa(t.Total)})
	}
	return t
}

// total is how many there are in all: what the result says beside the list, where it says so, else the list's length.
func total(data *node, items string, least int) int {
	end := strings.LastIndexByte(items, '/')
	if end < 0 { // the whole result is the list
		return least
	}
	parent := data.at(items[:end])
	for _, key := range []string{"total", "total_count", "totalCount"} {
		if n := parent.get(key); n != nil && n.kind == nodeScalar {
			if i, err := strconv.Atoi(n.raw); err == nil && i >= least {
				return i
			}
		}
	}
	return least
}

// unknownCell stands where a value is not known: neither empty nor zero.
const unknownCell = "—"

// cell writes a value as people read it. now has the member's time zone; a time of this year goes without the year.
func cell(n *node, w *words.Catalogue, now time.Time) string {
	if n == nil {
		return unknownCell
	}
	switch n.kind {
	case nodeString:
		if t, ok := parseDateTime(n.raw); ok {
			layout := "tool.date_time_layout"
			if t = t.In(now.Location()); t.Year() == now.Year() {
				layout = "tool.date_time_layout_this_year"
			}
			return t.Format(w.Text(layout, nil))
		}
		if t, err := time.Parse(time.DateOnly, n.raw); err == nil {
			return t.Format(w.Text("tool.date_layout", nil))
		}
		return cutText(oneLine(n.raw), LabelLimit)
	case nodeArray:
		parts := make([]string, 0, len(n.kids))
		for _, kid := range n.kids {
			if kid.kind == nodeArray || kid.kind == nodeObject {
				return w.Count("tool.several", len(n.kids), nil)
			}
			parts = append(parts, cell(kid, w, now))
		}
		return cutText(strings.Join(parts, ", "), LabelLimit)
	case nodeObject:
		return unknownCell
	default:
	}
	switch n.raw {
	case "null":
		return unknownCell
	case "true":
		return w.Text("tool.yes", nil)
	case "false":
		return w.Text("tool.no", nil)
	}
	return n.raw
}

func oneLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }
