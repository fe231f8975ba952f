package tool

import (
	"bytes"
	"slices"
	"sync"
)

// maxVariants bounds how many variants of a value a shape follows; real documents have a handful.
const maxVariants = 64

// shape is what a schema says of one value in a result: the variants that it may be. Shapes are made on demand and
// kept, so a large document costs only what is asked of it. Safe for concurrent use.
type shape struct {
	doc      *document
	variants []map[string]any
	// open says that something else may stand here too, because a variant could not be read or there were too many.
	open bool

	mu   sync.Mutex
	kids map[string]*shape
}

func newShape(doc *document, schema any) *shape {
	if schema == nil {
		return nil
	}
	s := &shape{doc: doc}
	s.add(schema, map[string]bool{})
	return s
}

// fits reports whether a whole result is of the kind that its schema says: an object, or an array. Anything else of a
// schema is the host's own business; a result of another kind is not what was asked for, and says nothing of it.
func (s *shape) fits(body []byte) bool {
	if s == nil || s.open || len(s.variants) == 0 {
		return true
	}
	kind := map[byte]string{'{': "object", '[': "array"}[bytes.TrimSpace(body)[0]]
	for _, v := range s.variants {
		if v["type"] == nil && v["properties"] == nil && v["items"] == nil {
			return true
		}
		if kind == "" && !hasType(v["type"], "object") && !hasType(v["type"], "array") && v["properties"] == nil && v["items"] == nil {
			return true
		}
		if hasType(v["type"], kind) || v["type"] == nil && (kind == "object" && v["properties"] != nil || kind == "array" && v["items"] != nil) {
			return true
		}
	}
	return false
}

func hasType(t any, kind string) bool {
	if name, ok := t.(string); ok {
		return name == kind
	}
	return slices.ContainsFunc(list(t), func(one any) bool { return one == kind })
}

// add adds a schema and, where it is made of others, those.
func (s *shape) add(schema any, seen map[string]bool) {
	m, ok := schema.(map[string]any)
	if !ok || len(s.variants) >= maxVariants {
		s.open = true
		return
	}
	if ref := text(m["$ref"]); ref != "" {
		if seen[ref] {
			return
		}
		seen[ref] = true
		target, ok := s.doc.at(ref)
		if !ok {
			s.open = true
			return
		}
		s.add(target, seen)
		return
	}
	variants := append(slices.Clone(list(m["anyOf"])), list(m["oneOf"])...)
	parts := list(m["allOf"])
	for _, v := range append(variants, parts...) {
		s.add(v, seen)
	}
	if len(variants)+len(parts) == 0 || m["properties"] != nil || m["items"] != nil || m["enum"] != nil {
		s.variants = append(s.variants, m)
	}
}

func (s *shape) child(key string, build func() *shape) *shape {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if kid, ok := s.kids[key]; ok {
		return kid
	}
	if s.kids == nil {
		s.kids = map[string]*shape{}
	}
	kid := build()
	s.kids[key] = kid
	return kid
}

// property is the shape of a property; nil where no variant tells of it.
func (s *shape) property(name string) *shape {
	return s.child("."+name, func() *shape {
		kid := &shape{doc: s.doc, open: s.open}
		found := false
		for _, v := range s.variants {
			p, ok := object(v["properties"])[name]
			if !ok {
				if p, ok = v["additionalProperties"].(map[string]any); !ok {
					continue
				}
			}
			found = true
			kid.add(p, map[string]bool{})
		}
		if !found {
			return nil
		}
		return kid
	})
}

// declares reports whether a variant names the property, so that its name is the document's own word.
func (s *shape) declares(name string) bool {
	if s == nil {
		return false
	}
	return slices.ContainsFunc(s.variants, func(v map[string]any) bool {
		_, ok := object(v["properties"])[name]
		return ok
	})
}

// item is the shape of an element; nil where no variant tells of it.
func (s *shape) item() *shape {
	return s.child("[]", func() *shape {
		kid := &shape{doc: s.doc, open: s.open}
		found := false
		for _, v := range s.variants {
			if items := v["items"]; items != nil {
				found = true
				kid.add(items, map[string]bool{})
			}
		}
		if !found {
			return nil
		}
		return kid
	})
}

// inert reports whether a string here can only be a word of the document's own, a date, a time or a UUID, and is: every
// variant that may be a string must say so, and the value must hold to it.
func (s *shape) inert(value string) bool {
	if s == nil || s.open {
		return false
	}
	sure := false
	for _, v := range s.variants {
		if !mayBeString(v["type"]) {
			continue
		}
		switch {
		case v["const"] == value || slices.Contains(list(v["enum"]), any(value)):
		case inert(text(v["format"]), value):
		case v["enum"] != nil || v["const"] != nil:
			continue // another variant of closed words; the value must stand in one of them
		default:
			return false
		}
		sure = true
	}
	return sure
}

func mayBeString(t any) bool {
	switch t := t.(type) {
	case string:
		return t == "string"
	case []any:
		return slices.Contains(t, any("string"))
	}
	return true
}

// has reports whether a JSON Pointer leads to something that the schema tells of; known is false where the schema does
// not say what stands there, because some value on the way is open.
func (s *shape) has(pointer string) (exists, known bool) {
	at := s
	for _, t := range pointerTokens(pointer) {
		if at == nil || at.open || len(at.variants) == 0 {
			return false, false
		}
		next := at.property(t)
		if t == "*" || next == nil {
			if item := at.item(); item != nil {
				next = item
			}
		}
		if next == nil {
			return false, !at.loose()
		}
		at = next
	}
	return true, true
}

// loose reports whether a variant leaves its members open.
func (s *shape) loose() bool {
	return slices.ContainsFunc(s.variants, func(v map[string]any) bool {
		return v["properties"] == nil && v["items"] == nil && (v["type"] == nil || v["type"] == "object" || v["type"] == "array")
	})
}
