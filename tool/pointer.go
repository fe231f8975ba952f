package tool

import (
	"net/url"
	"strings"
)

// pointerTokens splits a JSON Pointer (RFC 6901) into its tokens; "*" is kept and stands for any index.
func pointerTokens(p string) []string {
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
		for _, t := range pointerTokens(p) {
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
