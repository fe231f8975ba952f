package api

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// kind is the JSON kind of a value.
type kind string

const (
	object kind = "an object"
	list   kind = "a list"
	text   kind = "text"
	whole  kind = "a whole number"
	yesNo  kind = "true or false"
	free   kind = "any JSON value" // json.RawMessage
)

// shape is what a value must look like, made from a Go type and the same struct tags from which the OpenAPI document is
// made: json, maxLength, minLength, maxItems, minimum, maximum, format (uuid) and enum. A field is required unless it is
// omitempty.
type shape struct {
	kind     kind
	fields   map[string]*shape
	required []string
	elem     *shape
	// least and most bound a number, the characters of a text, or the items of a list; zero: no bound, but for numbers.
	least, most int
	uuid        bool
	oneOf       []string
	// open says of an object that unknown members are left out, and that null stands for one that is left out: how a
	// protocol of others is read.
	open bool
}

var anything = &shape{kind: free}

// shapeOf makes the shape of a Go type. With open, unknown members of its objects are left out.
func shapeOf(t reflect.Type, open bool) (*shape, error) {
	if t == reflect.TypeFor[json.RawMessage]() {
		return &shape{kind: free}, nil // one of its own: a field's tags are written into it
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem(), open)
	case reflect.String:
		return &shape{kind: text}, nil
	case reflect.Bool:
		return &shape{kind: yesNo}, nil
	case reflect.Int, reflect.Int64:
		return &shape{kind: whole, least: math.MinInt, most: math.MaxInt}, nil
	case reflect.Slice:
		elem, err := shapeOf(t.Elem(), open)
		return &shape{kind: list, elem: elem}, err
	case reflect.Struct:
		return structShape(t, open)
	default:
		return nil, fmt.Errorf("a body of type %v cannot be read", t)
	}
}

func structShape(t reflect.Type, open bool) (*shape, error) {
	s := &shape{kind: object, open: open, fields: map[string]*shape{}}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		sub, err := shapeOf(f.Type, open)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for tag, to := range map[string]*int{
			"minLength": &sub.least, "minimum": &sub.least, "maxLength": &sub.most, "maximum": &sub.most, "maxItems": &sub.most,
		} {
			if v, ok := f.Tag.Lookup(tag); ok {
				if *to, err = strconv.Atoi(v); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", name, tag, err)
				}
			}
		}
		sub.uuid = f.Tag.Get("format") == "uuid"
		if v := f.Tag.Get("enum"); v != "" {
			sub.oneOf = strings.Split(v, ",")
		}
		if sub.kind == list && sub.elem.kind == text { // an item's bound, as the document tells it too
			sub.elem.most = maxItemText
		}
		s.fields[name] = sub
		if options != "omitempty" {
			s.required = append(s.required, name)
		}
	}
	return s, nil
}

// maxItemText is the longest text in a list, in characters.
const maxItemText = 500

// want says what would be right.
func (s *shape) want() string {
	switch {
	case s.uuid:
		return "a UUID, as 8-4-4-4-12 hexadecimal digits"
	case len(s.oneOf) > 0:
		return "one of " + strings.Join(s.oneOf, ", ")
	case s.kind == whole && s.most < math.MaxInt:
		return fmt.Sprintf("a whole number from %d to %d", s.least, s.most)
	case s.kind == text && s.least > 0:
		return fmt.Sprintf("text of %d to %d characters, not only white space", s.least, s.most)
	case s.kind == text && s.most > 0:
		return fmt.Sprintf("text of at most %d characters", s.most)
	case s.kind == list && s.most > 0:
		return fmt.Sprintf("a list of at most %d items", s.most)
	}
	return string(s.kind)
}

func (s *shape) has(v string) bool { return slices.Contains(s.oneOf, v) }

// otherCase reports whether a key is one of the object's, but for its case.
func (s *shape) otherCase(key string) bool {
	for name := range s.fields {
		if strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// unknown says of a key that is not one of the object's what would be right.
func (s *shape) unknown(key string) string {
	for name := range s.fields {
		if strings.EqualFold(name, key) {
			return "written " + name
		}
	}
	names := make([]string, 0, len(s.fields))
	for name := range s.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return "none of that name; there are " + strings.Join(names, ", ")
}
