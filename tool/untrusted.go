package tool

import (
	"regexp"
	"strings"
)

// marker makes of a result what a model is shown: the same tree with every string of others fenced.
type marker struct {
	fence Fence
}

// plainKey is a key that looks like one: a word of a program, not of a sentence.
var plainKey = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_.$-]{0,63}$`)

// labels are names of fields, without case and separators, whose text is a label.
var labels = map[string]bool{"name": true, "title": true, "label": true, "nickname": true, "username": true, "subject": true, "email": true, "phone": true}

func isLabel(key string) bool {
	bare := bareName(key)
	return labels[bare] || strings.HasSuffix(bare, "name") || strings.HasSuffix(bare, "title") || strings.HasSuffix(bare, "label")
}

// mark copies n. key is the name of the field that n stands in; trusted are the pointers whose strings are the
// product's own words.
func (m *marker) mark(n *node, s *shape, trusted *pointerSet, key string) *node {
	switch n.kind {
	case nodeString:
		if n.own || trusted.here() || s.inert(n.raw) {
			return stringNode(Clean(n.raw))
		}
		return m.text(n.raw, isLabel(key))
	case nodeArray:
		out := &node{kind: nodeArray, kids: make([]*node, len(n.kids))}
		for i, kid := range n.kids {
			out.kids[i] = m.mark(kid, s.item(), trusted.item(), key)
		}
		return out
	case nodeObject:
		out := &node{kind: nodeObject, keys: make([]string, len(n.keys)), kids: make([]*node, len(n.kids))}
		for i, k := range n.keys {
			out.kids[i] = m.mark(n.kids[i], s.property(k), trusted.key(k), k)
			if !s.declares(k) && !plainKey.MatchString(k) {
				k = m.fence.Label(k)
			}
			out.keys[i] = k
		}
		return out
	default:
		return n
	}
}

// text is a fenced string.
func (m *marker) text(s string, label bool) *node {
	s = Clean(s)
	if label {
		s = cutText(strings.Join(strings.Fields(s), " "), LabelLimit)
	}
	if m.fence.Mark == "" {
		return stringNode(s)
	}
	return &node{kind: nodeString, raw: m.fence.neutralise(s), fence: &m.fence}
}
