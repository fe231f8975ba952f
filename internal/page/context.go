package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/steward-assistant/steward/tool"
)

// Context is what a browser tells of the page that it shows. All of it is text that others wrote: it decides no right
// and names nobody. The zero value knows nothing.
type Context struct {
	// Route is the page's path, without query and fragment.
	Route string `json:"route,omitempty"`
	// Title is the document's.
	Title string `json:"title,omitempty"`
	// Locale is the one that the page is shown in.
	Locale string `json:"locale,omitempty"`
	// Viewport is nil where the browser did not say.
	Viewport *Viewport `json:"viewport,omitempty"`
	// Selection is the text that is selected: what "this" means.
	Selection string `json:"selection,omitempty"`
	// Headings are those of the page, from the top.
	Headings []string `json:"headings,omitempty"`
}

// Viewport is the size of the visible part, in CSS pixels.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Bounds of a page's context.
const (
	// MaxBytes is the most that a context has once it was read.
	MaxBytes = 8 << 10

	maxRawBytes  = 64 << 10
	maxRoute     = 500
	maxTitle     = 200
	maxSelection = 2000
	maxHeading   = 120
	maxHeadings  = 40
)

// Read reads a context. A member that is unknown or of the wrong type is dropped and no error; so is all of it where it
// is no object. What is longer than it may be is cut, and what is then more than MaxBytes is given up in this order:
// headings from the last, the selection, the title.
func Read(raw []byte) Context {
	var c Context
	if len(raw) == 0 || len(raw) > maxRawBytes {
		return c
	}
	m := members(raw)
	c.Route = route(str(m["route"]))
	c.Title = line(str(m["title"]), maxTitle)
	c.Locale = locale(str(m["locale"]))
	c.Viewport = viewport(m["viewport"])
	c.Selection = cut(strings.TrimSpace(tool.Clean(str(m["selection"]))), maxSelection)
	var headings []json.RawMessage
	if json.Unmarshal(m["headings"], &headings) == nil {
		for _, h := range headings[:min(len(headings), maxHeadings)] {
			if s := line(str(h), maxHeading); s != "" {
				c.Headings = append(c.Headings, s)
			}
		}
	}
	for c.size() > MaxBytes && len(c.Headings) > 0 {
		c.Headings = c.Headings[:len(c.Headings)-1]
	}
	if c.size() > MaxBytes {
		c.Selection = ""
	}
	if c.size() > MaxBytes {
		c.Title = ""
	}
	return c
}

func (c Context) size() int {
	n := len(c.Route) + len(c.Title) + len(c.Locale) + len(c.Selection) + 100
	for _, h := range c.Headings {
		n += len(h) + 4
	}
	return n
}

// members reads the members of an object; none where it is no object. The last of several with one name counts.
func members(raw []byte) map[string]json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	var out map[string]json.RawMessage
	if d.Decode(&out) != nil {
		return nil
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil
	}
	return out
}

func str(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// route keeps a path of the product, without what a query or a fragment may hold.
func route(s string) string {
	s, _, _ = strings.Cut(s, "#")
	s, _, _ = strings.Cut(s, "?")
	if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || utf8.RuneCountInString(s) > maxRoute || tool.Clean(s) != s || strings.ContainsAny(s, "\n\t\\") {
		return ""
	}
	return s
}

func locale(s string) string {
	if len(s) > 35 {
		return ""
	}
	for _, r := range s {
		if r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	return s
}

func viewport(raw json.RawMessage) *Viewport {
	var v struct {
		Width  *float64 `json:"width"`
		Height *float64 `json:"height"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil || v.Width == nil || v.Height == nil {
		return nil
	}
	const most = 100_000
	if *v.Width < 1 || *v.Height < 1 || *v.Width > most || *v.Height > most {
		return nil
	}
	return &Viewport{Width: int(*v.Width), Height: int(*v.Height)}
}

// line puts a text on one line of at most limit characters.
func line(s string, limit int) string {
	return cut(strings.Join(strings.Fields(tool.Clean(s)), " "), limit)
}
