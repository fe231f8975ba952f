package tool

import (
	"slices"
	"strings"
	"sync/atomic"
)

// typeSet is the set of JSON types that a schema's "type" names.
type typeSet uint8

const (
	typeString typeSet = 1 << iota
	typeObject
	typeArray
	typeOther // number, integer, boolean, null
	// typeSaid says that there is a "type" at all; without one a schema is of every type.
	typeSaid
)

// form is what is kept of one schema of a result: what tells the strings of others from words, dates and ids, and
// where a pointer leads. Descriptions, bounds and examples are gone, and schemas that a document shares are shared
// here, so that the document itself need not stay in memory. It does not change after it was read.
type form struct {
	types typeSet
	// closed says that only words may stand here; words are those of them that are strings.
	closed bool
	// open says that anything may stand here, because the schema could not be read.
	open bool
	// object says that properties were described, be it none.
	object bool
	format string
	words  []string
	// members are the properties, sorted by name; extra is what stands under any other name, if a schema says so.
	members []member
	extra   *form
	items   *form
	// variants are the schemas that it is made of.
	variants []*form
	flat     atomic.Pointer[shape]
}

type member struct {
	name string
	form *form
}

// member is the form of a property; nil where none is described under that name.
func (f *form) member(name string) *form {
	i, ok := slices.BinarySearchFunc(f.members, name, func(m member, n string) int { return strings.Compare(m.name, n) })
	if !ok {
		return nil
	}
	return f.members[i].form
}

// shape is the form with what it is made of laid side by side; made once.
func (f *form) shape() *shape {
	if f == nil {
		return nil
	}
	if s := f.flat.Load(); s != nil {
		return s
	}
	s := &shape{}
	s.add(f, map[*form]bool{})
	f.flat.Store(s) // two at a time make the same
	return s
}

// bareType are forms of which a document has very many: a type, perhaps a format, and nothing else.
type bareType struct {
	types  typeSet
	format string
}

// formReader reads the schemas of one document's results. Not safe for concurrent use.
type formReader struct {
	doc    *document
	byRef  map[string]*form
	plains map[bareType]*form
	names  map[string]string
	// referred are the schemas that were referred to and are not read yet. They wait, because one may lead to the next
	// for as long as the document is.
	referred []referred
}

// referred is a schema and the form that it fills.
type referred struct {
	form   *form
	schema map[string]any
}

// readReferred reads what was referred to.
func (r *formReader) readReferred() {
	for len(r.referred) > 0 {
		last := r.referred[len(r.referred)-1]
		r.referred = r.referred[:len(r.referred)-1]
		r.fill(last.form, last.schema)
	}
}

func newFormReader(doc *document) *formReader {
	return &formReader{doc: doc, byRef: map[string]*form{}, plains: map[bareType]*form{}, names: map[string]string{}}
}

// name gives the one copy of a name that all forms share.
func (r *formReader) name(s string) string {
	if known, ok := r.names[s]; ok {
		return known
	}
	s = strings.Clone(s)
	r.names[s] = s
	return s
}

// read gives the form of a schema; what it refers to is filled by readReferred.
func (r *formReader) read(schema any) *form {
	m, ok := schema.(map[string]any)
	if !ok {
		return &form{open: true}
	}
	if ref, isRef := m["$ref"].(string); isRef {
		return r.refer(ref)
	}
	if f := r.plain(m); f != nil {
		return f
	}
	f := &form{}
	r.fill(f, m)
	return f
}

func (r *formReader) refer(ref string) *form {
	first := ref
	var target any
	for n := 0; ; n++ {
		if n == maxRefs {
			r.doc.endless(first)
			break
		}
		if f, known := r.byRef[ref]; known {
			return f
		}
		v, ok := r.doc.at(ref)
		if !ok {
			break
		}
		next, again := object(v)["$ref"].(string)
		if !again {
			target = v
			break
		}
		ref = next
	}
	f := &form{}
	r.byRef[ref] = f
	if m := object(target); m != nil {
		r.referred = append(r.referred, referred{f, m})
	} else {
		f.open = true
	}
	return f
}

// plain gives the shared form of a schema that says a type and nothing else of use; nil where it says more.
func (r *formReader) plain(m map[string]any) *form {
	for _, key := range []string{"properties", "items", "additionalProperties", "anyOf", "oneOf", "allOf", "enum", "const"} {
		if m[key] != nil {
			return nil
		}
	}
	key := bareType{readTypes(m), r.format(m)}
	f, known := r.plains[key]
	if !known {
		f = &form{types: key.types, format: key.format}
		r.plains[key] = f
	}
	return f
}

func (r *formReader) fill(f *form, m map[string]any) {
	f.types, f.format = readTypes(m), r.format(m)
	words := list(m["enum"])
	if c, ok := m["const"]; ok {
		words = append(slices.Clone(words), c)
	}
	f.closed = m["enum"] != nil || m["const"] != nil
	for _, w := range words {
		if s, ok := w.(string); ok {
			f.words = append(f.words, r.name(s))
		}
	}
	if properties, ok := m["properties"].(map[string]any); ok {
		f.object = true
		f.members = make([]member, 0, len(properties))
		for _, name := range sortedKeys(properties) {
			f.members = append(f.members, member{r.name(name), r.read(properties[name])})
		}
	}
	if extra, ok := m["additionalProperties"].(map[string]any); ok {
		f.extra = r.read(extra)
	}
	if m["items"] != nil {
		f.items = r.read(m["items"])
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		for _, v := range list(m[key]) {
			f.variants = append(f.variants, r.read(v))
		}
	}
}

func readTypes(m map[string]any) typeSet {
	t := m["type"]
	if t == nil {
		return 0
	}
	out := typeSaid
	for _, one := range append(slices.Clone(list(t)), t) {
		switch text(one) {
		case "string":
			out |= typeString
		case "object":
			out |= typeObject
		case "array":
			out |= typeArray
		case "":
		default:
			out |= typeOther
		}
	}
	return out
}

// format is the format of a schema where a value can be held against it.
func (r *formReader) format(m map[string]any) string {
	if f := text(m["format"]); formats[f] {
		return r.name(f)
	}
	return ""
}
