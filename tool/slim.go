package tool

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxDescription is the most characters of a schema's description that a model is sent.
const maxDescription = 300

// inlineBytes is the size up to which a schema that is used more than once is written out where it is used: below it a
// reference and its definition cost as much.
const inlineBytes = 200

// slimmer turns schemas of a document into small, self-contained JSON Schemas: references are inlined, or become $defs
// where a schema holds itself or is large and used often; what says nothing to a model or a validator is dropped, so
// that the same document gives the same bytes on every boot.
type slimmer struct {
	doc   *document
	defs  map[string]any
	names map[string]string // reference → name in defs
	uses  map[string]int    // name in defs → how often it is referred to
	stems map[string]int    // name of a reference → how many definitions have it
	// referred are the definitions that are not slimmed yet. They wait, because one may lead to the next for as long as the
	// document is.
	referred []definition
	// cut says that there were too many, and that anything is taken to stand in the others.
	cut bool
}

// maxDefinitions bounds the definitions that one input leads to: no model reads as many, and a validator takes time with
// their square.
const maxDefinitions = 1000

// definition is a schema of the document and its name in defs.
type definition struct {
	name   string
	schema any
}

func newSlimmer(doc *document) *slimmer {
	return &slimmer{doc: doc, defs: map[string]any{}, names: map[string]string{}, uses: map[string]int{}, stems: map[string]int{}}
}

// schema slims one schema; the result may hold references into s.defs until finish.
func (s *slimmer) schema(v any) any {
	if b, ok := v.(bool); ok {
		return b
	}
	in, ok := v.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	if ref, ok := in["$ref"].(string); ok {
		return s.refer(ref, description(in["description"]))
	}
	out := map[string]any{}
	for _, key := range sortedKeys(in) {
		s.keyword(out, in, key, in[key])
	}
	if s.doc.old {
		oldKeywords(out, in)
	}
	return out
}

// refer gives a reference to a definition; anything, where ref leads nowhere. Of references that lead to references it is
// the last one that gets a definition, and the first description that counts.
func (s *slimmer) refer(ref, said string) map[string]any {
	for first, n := ref, 0; ; n++ {
		name, known := s.names[ref]
		if !known {
			target, ok := s.doc.at(ref)
			if !ok {
				return map[string]any{}
			}
			if next, again := object(target)["$ref"].(string); again {
				if n >= maxRefs {
					s.doc.endless(first)
					return map[string]any{}
				}
				if said == "" {
					said = description(object(target)["description"])
				}
				ref = next
				continue
			}
			if len(s.defs) >= maxDefinitions {
				s.cut = true
				return map[string]any{}
			}
			name = s.name(ref)
			s.referred = append(s.referred, definition{name, target})
		}
		s.uses[name]++
		out := map[string]any{"$ref": "#/$defs/" + name}
		if said != "" {
			out["description"] = said
		}
		return out
	}
}

// name takes a free name for what ref leads to.
func (s *slimmer) name(ref string) string {
	stem := refName(ref)
	name := stem
	for s.defs[name] != nil {
		s.stems[stem]++
		name = stem + "_" + strconv.Itoa(s.stems[stem]+1)
	}
	s.names[ref] = name
	s.defs[name] = map[string]any{}
	return name
}

// readReferred slims what was referred to.
func (s *slimmer) readReferred() {
	for len(s.referred) > 0 { // the nearest first
		next := s.referred[0]
		s.referred = s.referred[1:]
		s.defs[next.name] = s.schema(next.schema)
	}
}

var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

func (s *slimmer) keyword(out, in map[string]any, key string, value any) {
	switch key {
	case "type":
		if t := types(value); t != nil {
			out["type"] = t
		}
	case "description":
		if d := description(value); d != "" {
			out["description"] = d
		}
	case "default", "const":
		out[key] = value
	case "enum":
		if l := list(value); len(l) > 0 {
			out[key] = l
		}
	case "format":
		// Formats that a validator knows help a model; sizes of numbers and encodings of strings do not.
		if f := text(value); formats[f] {
			out[key] = f
		}
	case "pattern":
		if p := text(value); p != "" && !formats[text(in["format"])] && patternFits(p) {
			out[key] = p
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		if n, ok := value.(json.Number); ok {
			if i, err := n.Int64(); err == nil && i >= 0 {
				out[key] = n
			}
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		if n, ok := value.(json.Number); ok {
			out[key] = n
		}
	case "multipleOf":
		if n, ok := value.(json.Number); ok {
			if f, err := n.Float64(); err == nil && f > 0 {
				out[key] = n
			}
		}
	case "uniqueItems":
		if value == true {
			out[key] = true
		}
	case "items", "additionalProperties", "not":
		if key == "additionalProperties" && value == true {
			return
		}
		if _, isList := value.([]any); !isList {
			out[key] = s.schema(value)
		}
	case "anyOf", "oneOf", "allOf", "prefixItems":
		s.several(out, key, list(value))
	case "properties":
		s.properties(out, in, object(value))
	}
}

// several slims a list of schemas. "oneOf" becomes "anyOf": variants of real documents overlap, and what is meant is
// never that an input which suits two of them suits none.
func (s *slimmer) several(out map[string]any, key string, values []any) {
	if len(values) == 0 {
		return
	}
	if key == "oneOf" {
		key = "anyOf"
	}
	l, _ := out[key].([]any)
	for _, v := range values {
		l = append(l, s.schema(v))
	}
	out[key] = l
}

func (s *slimmer) properties(out, in, properties map[string]any) {
	kept := map[string]any{}
	for _, name := range sortedKeys(properties) {
		p := properties[name]
		if s.doc.object(p)["readOnly"] == true {
			continue
		}
		kept[name] = s.schema(p)
	}
	out["properties"] = kept
	var required []string
	for _, r := range list(in["required"]) {
		name := text(r)
		_, there := properties[name]
		_, stays := kept[name]
		if name != "" && (stays || !there) {
			required = append(required, name)
		}
	}
	if len(required) > 0 {
		slices.Sort(required)
		out["required"] = slices.Compact(required)
	}
}

// types gives a "type" that JSON Schema knows; nil where it is none.
func types(v any) any {
	if t := text(v); t != "" {
		if slices.Contains(schemaTypes, t) {
			return t
		}
		return nil
	}
	var known []string
	for _, one := range list(v) {
		if t := text(one); slices.Contains(schemaTypes, t) && !slices.Contains(known, t) {
			known = append(known, t)
		}
	}
	switch len(known) {
	case 0:
		return nil
	case 1:
		return known[0]
	default:
		return known
	}
}

// oldKeywords translates what OpenAPI 3.0 writes otherwise than JSON Schema.
func oldKeywords(out, in map[string]any) {
	if in["nullable"] == true {
		if t, ok := out["type"].(string); ok && t != "null" {
			out["type"] = []string{t, "null"}
		}
		if e, ok := out["enum"].([]any); ok && !slices.Contains(e, nil) {
			out["enum"] = append(slices.Clone(e), nil)
		}
	}
	for exclusive, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if in[exclusive] == true && out[bound] != nil {
			out[exclusive] = out[bound]
			delete(out, bound)
		}
	}
}

func description(v any) string {
	d := strings.Join(strings.Fields(Clean(text(v))), " ")
	r := []rune(d)
	if len(r) <= maxDescription {
		return d
	}
	cut := string(r[:maxDescription])
	if i := strings.LastIndex(cut, ". "); i > maxDescription/2 {
		return cut[:i+1]
	}
	return strings.TrimSpace(cut) + "…"
}
