package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// validator checks the input of one tool. What it needs for that is made when the first input comes: of the tools of a
// large document few are ever called, and a compiled schema takes many times the bytes of its text. Safe for concurrent
// use.
type validator struct {
	raw    json.RawMessage
	once   sync.Once
	schema *jsonschema.Schema
}

// noLoader keeps schemas from reaching for files or the network.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("schemas stand alone") }

// compile makes a validator of a schema that is known to be one by then.
func compile(raw json.RawMessage) (*validator, error) {
	if _, err := compileSchema(raw); err != nil {
		return nil, err
	}
	return &validator{raw: raw}, nil
}

// compileSchema compiles a schema, its patterns within bounds, as boundedPatterns says.
func compileSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read the input schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(boundedPatterns(doc))
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	const at = "tool:input"
	if err := c.AddResource(at, doc); err != nil {
		return nil, fmt.Errorf("read the input schema: %w", err)
	}
	s, err := c.Compile(at)
	if err != nil {
		return nil, fmt.Errorf("read the input schema: %w", err)
	}
	return s, nil
}

// maxFaults is how many faults a model is told at once.
const maxFaults = 8

// check gives what is wrong with an input, one sentence a fault, each with the place of the value; empty: nothing.
func (v *validator) check(input any) []string {
	v.once.Do(func() { v.schema, _ = compileSchema(v.raw) }) // it compiled once already
	if v.schema == nil {
		return []string{"/: is not valid"}
	}
	err := v.schema.Validate(input)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []string{"/: is not valid"}
	}
	var out []string
	collect(invalid, &out)
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxFaults {
		out = append(out[:maxFaults], fmt.Sprintf("and %d more", len(out)-maxFaults))
	}
	return out
}

func collect(e *jsonschema.ValidationError, out *[]string) {
	if _, ok := e.ErrorKind.(*kind.AnyOf); ok && len(e.Causes) > 0 {
		// The variants' own faults contradict each other; the nearest variant is the one whose faults lie deepest.
		best := e.Causes[0]
		for _, c := range e.Causes[1:] {
			if depth(c) > depth(best) {
				best = c
			}
		}
		if depth(best) > len(e.InstanceLocation) {
			collect(best, out)
			return
		}
		var wants []string
		for _, c := range e.Causes {
			var one []string
			collect(c, &one)
			for _, w := range one {
				_, w, _ = strings.Cut(w, ": ")
				if !slices.Contains(wants, w) {
					wants = append(wants, w)
				}
			}
		}
		*out = append(*out, place(e.InstanceLocation)+": "+strings.Join(wants, ", or "))
		return
	}
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			collect(c, out)
		}
		return
	}
	sentences(e, out)
}

func depth(e *jsonschema.ValidationError) int {
	d := len(e.InstanceLocation)
	for _, c := range e.Causes {
		d = max(d, depth(c))
	}
	return d
}

func place(location []string) string {
	if len(location) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, t := range location {
		b.WriteString("/" + escapeToken(t))
	}
	return b.String()
}

// examples show what a value of a format looks like.
var examples = map[string]string{
	"date": "a date like 2026-03-17", "date-time": "a date and time like 2026-03-17T18:00:00+02:00",
	"time": "a time of day with its offset, like 18:00:00Z", "duration": "a duration like PT45M", "uuid": "a UUID like 0198c0de-0000-7000-8000-000000000000",
	"email": "an e-mail address", "uri": "an absolute address like https://example.com/a", "ipv4": "an IPv4 address",
	"ipv6": "an IPv6 address", "hostname": "a host name",
}

func sentences(e *jsonschema.ValidationError, out *[]string) {
	at := place(e.InstanceLocation)
	add := func(where, format string, args ...any) {
		*out = append(*out, where+": "+fmt.Sprintf(format, args...))
	}
	below := func(name string) string { return place(append(slices.Clone(e.InstanceLocation), name)) }
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			add(below(name), "is required")
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			add(below(cutText(name, 64)), "is not an argument here")
		}
	case *kind.Type:
		add(at, "must be %s", orWords(typeWords(k.Want)))
	case *kind.Enum:
		var words []string
		for _, w := range k.Want[:min(len(k.Want), 40)] {
			b, err := canonical(w)
			if err == nil {
				words = append(words, string(b))
			}
		}
		add(at, "must be one of %s", strings.Join(words, ", "))
	case *kind.Const:
		b, err := canonical(k.Want)
		if err == nil {
			add(at, "must be %s", b)
		}
	case *kind.Format:
		if example, ok := examples[k.Want]; ok {
			add(at, "must be %s", example)
		} else {
			add(at, "must be of the format %s", k.Want)
		}
	case *kind.Pattern:
		add(at, "must match %s", k.Want)
	case *kind.MinLength:
		add(at, "must have at least %d characters", k.Want)
	case *kind.MaxLength:
		add(at, "must have at most %d characters", k.Want)
	case *kind.MinItems:
		add(at, "must have at least %d elements", k.Want)
	case *kind.MaxItems:
		add(at, "must have at most %d elements", k.Want)
	case *kind.Minimum:
		add(at, "must be at least %s", k.Want.RatString())
	case *kind.Maximum:
		add(at, "must be at most %s", k.Want.RatString())
	case *kind.ExclusiveMinimum:
		add(at, "must be above %s", k.Want.RatString())
	case *kind.ExclusiveMaximum:
		add(at, "must be below %s", k.Want.RatString())
	case *kind.MultipleOf:
		add(at, "must be a multiple of %s", k.Want.RatString())
	case *kind.UniqueItems:
		add(at, "must not hold an element twice")
	default:
		add(at, "is not what the tool takes")
	}
}

func typeWords(types []string) []string {
	out := make([]string, len(types))
	for i, t := range types {
		switch t {
		case "integer":
			out[i] = "a whole number"
		case "number":
			out[i] = "a number"
		case "string":
			out[i] = "a text"
		case "boolean":
			out[i] = "true or false"
		case "array":
			out[i] = "a list"
		case "object":
			out[i] = "an object"
		default:
			out[i] = "null"
		}
	}
	return out
}

func orWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
