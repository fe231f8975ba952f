package tool

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// Decode reads JSON with its numbers as they are written, as [json.Number]; nil where it is none.
func Decode(data json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// At gives what a JSON Pointer (RFC 6901) points at in a decoded value, "*" being any index; several where it does, none
// where nothing is there. The empty pointer is the value itself.
func At(v any, pointer string) []any {
	found := []any{v}
	for _, step := range PointerSteps(pointer) {
		var next []any
		for _, f := range found {
			switch x := f.(type) {
			case map[string]any:
				if w, ok := x[step]; ok {
					next = append(next, w)
				}
			case []any:
				if step == "*" {
					next = append(next, x...)
				} else if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(x) {
					next = append(next, x[i])
				}
			}
		}
		found = next
	}
	return found
}

// First gives the first thing that a JSON Pointer points at, as [At] finds it; nil where nothing is there.
func First(v any, pointer string) any {
	if found := At(v, pointer); len(found) > 0 {
		return found[0]
	}
	return nil
}

// Scalar writes a scalar of a decoded value as text; empty for null, an object and a list.
func Scalar(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}

// PointerSteps splits a JSON Pointer (RFC 6901) into its tokens, unescaped; none for the empty pointer and for "/". "*" is
// kept and stands for any index.
func PointerSteps(p string) []string {
	p = strings.TrimPrefix(p, "/")
	if p == "" {
		return nil
	}
	tokens := strings.Split(p, "/")
	for i := range tokens {
		tokens[i] = unescapeToken(tokens[i])
	}
	return tokens
}

func unescapeToken(t string) string {
	if !strings.Contains(t, "~") {
		return t
	}
	return strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
}

// unescapePercent undoes the percent-encoding that a pointer in a URI's fragment may have.
func unescapePercent(t string) string {
	if s, err := url.PathUnescape(t); err == nil {
		return s
	}
	return t
}

func escapeToken(t string) string {
	return strings.ReplaceAll(strings.ReplaceAll(t, "~", "~0"), "/", "~1")
}

// pointerSet is a set of pointers as a tree, so that a walk of a result finds in one step whether it stands on one.
type pointerSet struct {
	end  bool
	kids map[string]*pointerSet
}

func newPointerSet(pointers []string) *pointerSet {
	if len(pointers) == 0 {
		return nil
	}
	root := &pointerSet{}
	for _, p := range pointers {
		at := root
		for _, t := range PointerSteps(p) {
			if at.kids == nil {
				at.kids = map[string]*pointerSet{}
			}
			next := at.kids[t]
			if next == nil {
				next = &pointerSet{}
				at.kids[t] = next
			}
			at = next
		}
		at.end = true
	}
	return root
}

// key is the set below a key of an object; nil when no pointer leads there.
func (s *pointerSet) key(k string) *pointerSet {
	if s == nil {
		return nil
	}
	if next, ok := s.kids[k]; ok {
		return next
	}
	return s.kids["*"]
}

// item is the set below any index of an array.
func (s *pointerSet) item() *pointerSet {
	if s == nil {
		return nil
	}
	return s.kids["*"]
}

func (s *pointerSet) here() bool { return s != nil && s.end }
