package tool

import (
	"bytes"
	"slices"
)

// maxVariants bounds how many variants of a value a shape follows; real documents have a handful.
const maxVariants = 64

// maxForms bounds the forms of which one value is put together.
const maxForms = 4096

// shape is what a schema says of one value in a result: the variants that it may be. It does not change after it was
// made; nil knows nothing.
type shape struct {
	variants []*form
	// open says that something else may stand here too, because a variant could not be read or there were too many.
	open bool
}

// newShape reads a schema of a document.
func newShape(doc *document, schema any) *shape {
	if schema == nil {
		return nil
	}
	if doc.forms == nil {
		doc.forms = newFormReader(doc)
	}
	f := doc.forms.read(schema)
	doc.forms.readReferred()
	return f.shape()
}

// fits reports whether a whole result is of the kind that its schema says: an object, or an array. Anything else of a
// schema is the host's own business; a result of another kind is not what was asked for, and says nothing of it.
func (s *shape) fits(body []byte) bool {
	if s == nil || s.open || len(s.variants) == 0 {
		return true
	}
	var kind typeSet
	switch bytes.TrimSpace(body)[0] {
	case '{':
		kind = typeObject
	case '[':
		kind = typeArray
	}
	for _, f := range s.variants {
		described := f.object || f.items != nil
		switch {
		case f.types == 0 && !described:
			return true
		case kind == 0 && f.types&(typeObject|typeArray) == 0 && !described:
			return true
		case f.types&kind != 0:
			return true
		case f.types == 0 && (kind == typeObject && f.object || kind == typeArray && f.items != nil):
			return true
		}
	}
	return false
}

// add adds a form and, where it is made of others, those.
func (s *shape) add(f *form, seen map[*form]bool) {
	if f.open || len(s.variants) >= maxVariants || len(seen) >= maxForms {
		s.open = true
		return
	}
	if seen[f] {
		return
	}
	seen[f] = true
	for _, v := range f.variants {
		s.add(v, seen)
	}
	if len(f.variants) == 0 || f.object || f.items != nil || f.closed {
		s.variants = append(s.variants, f)
	}
}

// part is the shape of a part of the value: of what each variant says of it. nil where none says anything.
func (s *shape) part(of func(*form) *form) *shape {
	if s == nil {
		return nil
	}
	var first *form
	var merged *shape
	var seen map[*form]bool
	for _, v := range s.variants {
		f := of(v)
		switch {
		case f == nil:
		case first == nil:
			first = f
		default:
			if merged == nil {
				merged, seen = &shape{open: s.open}, map[*form]bool{}
				merged.add(first, seen)
			}
			merged.add(f, seen)
		}
	}
	switch {
	case merged != nil:
		return merged
	case first == nil:
		return nil
	case s.open:
		return &shape{variants: first.shape().variants, open: true}
	default:
		return first.shape()
	}
}

// property is the shape of a property; nil where no variant tells of it.
func (s *shape) property(name string) *shape {
	return s.part(func(f *form) *form {
		if m := f.member(name); m != nil {
			return m
		}
		return f.extra
	})
}

// declares reports whether a variant names the property, so that its name is the document's own word.
func (s *shape) declares(name string) bool {
	return s != nil && slices.ContainsFunc(s.variants, func(f *form) bool { return f.member(name) != nil })
}

// item is the shape of an element; nil where no variant tells of it.
func (s *shape) item() *shape {
	return s.part(func(f *form) *form { return f.items })
}

// inert reports whether a string here can only be a word of the document's own, a date, a time or a UUID, and is: every
// variant that may be a string must say so, and the value must hold to it.
func (s *shape) inert(value string) bool {
	if s == nil || s.open {
		return false
	}
	sure := false
	for _, f := range s.variants {
		if f.types != 0 && f.types&typeString == 0 {
			continue
		}
		switch {
		case slices.Contains(f.words, value), inert(f.format, value):
			sure = true
		case f.closed:
			// Another variant of closed words; the value must stand in one of them.
		default:
			return false
		}
	}
	return sure
}

// has reports whether a JSON Pointer leads to something that the schema tells of; known is false where the schema does
// not say what stands there, because some value on the way is open.
func (s *shape) has(pointer string) (exists, known bool) {
	at, known := s.at(pointer)
	return at != nil, known
}

// at is what a JSON Pointer leads to; nil and known where that is nothing.
func (s *shape) at(pointer string) (_ *shape, known bool) {
	at := s
	for _, t := range PointerSteps(pointer) {
		if at == nil || at.open || len(at.variants) == 0 {
			return nil, false
		}
		next := at.property(t)
		if t == "*" || next == nil {
			if item := at.item(); item != nil {
				next = item
			}
		}
		if next == nil {
			return nil, !at.loose()
		}
		at = next
	}
	return at, true
}

// list reports whether a value here may be a list; known is false where the schema does not say.
func (s *shape) list() (is, known bool) {
	if s == nil || s.open || len(s.variants) == 0 {
		return false, false
	}
	known = true
	for _, f := range s.variants {
		switch {
		case f.items != nil, f.types&typeArray != 0:
			return true, true
		case f.types == 0 && !f.object && !f.closed:
			known = false
		}
	}
	return false, known
}

// loose reports whether a variant leaves its members open.
func (s *shape) loose() bool {
	return slices.ContainsFunc(s.variants, func(f *form) bool {
		return !f.object && f.items == nil && (f.types == 0 || f.types&(typeObject|typeArray) != 0)
	})
}

// only reports whether every member that the shape tells of satisfies a condition, and that it tells of some.
func (s *shape) only(holds func(name string) bool) bool {
	if s == nil || s.open || len(s.variants) == 0 {
		return false
	}
	for _, f := range s.variants {
		if len(f.members) == 0 {
			return false
		}
		for _, m := range f.members {
			if !holds(m.name) {
				return false
			}
		}
	}
	return true
}
