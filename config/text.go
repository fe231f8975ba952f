package config

import (
	"maps"
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// Text is one text in one or several languages, by BCP 47 language; the key "" holds a text that is one for all. In a
// file it is a string, or a map from locale to string. A value is not changed after it was read, so it may be shared.
type Text map[string]string //nolint:recvcheck // reading from a file needs a pointer, nothing else does

// In gives the text in the language of locale ("he-IL" takes "he"), else in the first of fallbacks that has one, else
// the one for all; empty when there is none.
func (t Text) In(locale string, fallbacks ...string) string {
	if len(t) == 0 {
		return ""
	}
	if s, ok := t.closest(locale); ok {
		return s
	}
	for _, l := range fallbacks {
		if s, ok := t.closest(l); ok {
			return s
		}
	}
	return t[""]
}

func (t Text) closest(locale string) (string, bool) {
	for l := locale; l != ""; l = parentLocale(l) {
		if s, ok := t[l]; ok {
			return s, true
		}
	}
	return "", false
}

// Languages lists the languages that the text stands in, sorted; none for a text that is one for all.
func (t Text) Languages() []string {
	out := make([]string, 0, len(t))
	for l := range maps.Keys(t) {
		if l != "" {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}

func parentLocale(l string) string {
	for i := len(l) - 1; i > 0; i-- {
		if l[i] == '-' {
			return l[:i]
		}
	}
	return ""
}

func (t *Text) decodeNode(d *decoder, n ast.Node, path string) {
	if s, ok := scalarText(n); ok {
		*t = Text{"": s}
		return
	}
	out := map[string]string{}
	if !d.stringMap(n, path, "a text, or one text for each locale", func(k, v string) { out[k] = v }) {
		return
	}
	*t = out
}

func (Text) jsonSchema(*schemaWriter) map[string]any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "string"},
		map[string]any{"type": "object", "minProperties": 1, "additionalProperties": map[string]any{"type": "string"}},
	}}
}
