package guide

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// kind is what can fill a parameter. A parameter of kindText is never filled: nothing proves that words of a question
// are meant for it.
type kind uint8

const (
	kindText kind = iota
	kindDate
	kindMoment
	kindTime
	kindMonth
	kindNumber
	kindEnum
	kindFlag
	// kindName is the query of a search that an entity declares: a name fills it.
	kindName
)

// param is one argument of a read, as far as the guide can fill it.
type param struct {
	name     string
	kind     kind
	required bool
	// integer and text say how an id or a number is written.
	integer, text bool
	min, max      *float64
	enum          []string
	pattern       *regexp.Regexp
	// until is the parameter that closes the range which this one opens; opens is the other way round.
	until, opens string
}

type schemaNode struct {
	Type       json.RawMessage       `json:"type"`
	Format     string                `json:"format"`
	Pattern    string                `json:"pattern"`
	Enum       []any                 `json:"enum"`
	Const      any                   `json:"const"`
	Minimum    *float64              `json:"minimum"`
	Maximum    *float64              `json:"maximum"`
	AnyOf      []schemaNode          `json:"anyOf"`
	OneOf      []schemaNode          `json:"oneOf"`
	Ref        string                `json:"$ref"`
	Defs       map[string]schemaNode `json:"$defs"`
	Properties map[string]schemaNode `json:"properties"`
	Required   []string              `json:"required"`
}

func (n schemaNode) types() []string {
	var one string
	if json.Unmarshal(n.Type, &one) == nil {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(n.Type, &many) != nil {
		return nil
	}
	return many
}

// params reads the arguments that an input schema declares, by name. A schema that cannot be read has none.
func params(input json.RawMessage) map[string]*param {
	var root schemaNode
	if json.Unmarshal(input, &root) != nil {
		return nil
	}
	out := make(map[string]*param, len(root.Properties))
	for name, node := range root.Properties {
		p := readParam(name, resolve(node, root.Defs))
		p.required = slices.Contains(root.Required, name)
		out[name] = p
	}
	pair(out)
	return out
}

// resolve follows one reference and takes the first alternative that is not null.
func resolve(n schemaNode, defs map[string]schemaNode) schemaNode {
	if name, ok := strings.CutPrefix(n.Ref, "#/$defs/"); ok {
		n = defs[name]
	}
	for _, alternatives := range [][]schemaNode{n.AnyOf, n.OneOf} {
		for _, a := range alternatives {
			if !slices.Contains(a.types(), "null") {
				return a
			}
		}
	}
	return n
}

func readParam(name string, n schemaNode) *param {
	p := &param{name: name, min: n.Minimum, max: n.Maximum}
	if n.Const != nil {
		n.Enum = append(n.Enum, n.Const)
	}
	for _, e := range n.Enum {
		if s, ok := e.(string); ok {
			p.enum = append(p.enum, s)
		}
	}
	types := n.types()
	p.text = slices.Contains(types, "string")
	switch {
	case len(p.enum) > 0:
		p.kind = kindEnum
	case slices.Contains(types, "boolean"):
		p.kind = kindFlag
	case slices.Contains(types, "integer"):
		p.kind, p.integer = kindNumber, true
	case slices.Contains(types, "number"):
		p.kind = kindNumber
	case n.Format == "date":
		p.kind = kindDate
	case n.Format == "date-time":
		p.kind = kindMoment
	case n.Format == "time":
		p.kind = kindTime
	case n.Pattern != "":
		p.kind = p.byPattern(n.Pattern)
	}
	return p
}

// byPattern tells a date, a time or a month by what its pattern takes.
func (p *param) byPattern(pattern string) kind {
	re, err := regexp.Compile(pattern)
	if err != nil || re.MatchString("words") || re.MatchString("7") {
		return kindText
	}
	p.pattern = re
	switch {
	case re.MatchString("2026-03-18"):
		return kindDate
	case re.MatchString("18:00"), re.MatchString("18:00:00"):
		return kindTime
	case re.MatchString("2026-03"):
		return kindMonth
	default:
		return kindText
	}
}

var (
	openers = []string{"from", "start", "since", "after", "begin", "starts", "min"}
	closers = []string{"to", "end", "until", "before", "end", "ends", "max"}
)

// pair finds the parameters that open and close a range: from and to, start_date and end_date, dateFrom and dateTo.
func pair(all map[string]*param) {
	for _, p := range ordered(all) {
		if p.kind != kindDate && p.kind != kindMoment {
			continue
		}
		parts := nameParts(p.name)
		for i, part := range parts {
			at := slices.Index(openers, part)
			if at < 0 {
				continue
			}
			for _, q := range ordered(all) {
				other := nameParts(q.name)
				if q.kind == p.kind && len(other) == len(parts) && other[i] == closers[at] && same(parts, other, i) {
					p.until, q.opens = q.name, p.name
				}
			}
		}
	}
}

func same(a, b []string, but int) bool {
	for i := range a {
		if i != but && a[i] != b[i] {
			return false
		}
	}
	return true
}

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// nameParts splits a name as code writes it: "startDate", "start_date", "start-date".
func nameParts(name string) []string {
	return strings.FieldsFunc(strings.ToLower(camel.ReplaceAllString(name, "${1}_$2")), func(r rune) bool {
		return r == '_' || r == '-' || r == '.' || r == ' ' || r == '[' || r == ']'
	})
}

// ordered gives the parameters by name, so that the same question is always read the same way.
func ordered(all map[string]*param) []*param {
	out := make([]*param, 0, len(all))
	for _, p := range all {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *param) int { return cmp.Compare(a.name, b.name) })
	return out
}

func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}

// date writes a day as the parameter takes it; a day that closes a range of moments is its end.
func (p *param) date(d time.Time, zone *time.Location) json.RawMessage {
	if p.kind == kindMoment {
		if p.opens != "" {
			d = d.AddDate(0, 0, 1)
		}
		return p.moment(d, 0, zone)
	}
	return quote(d.Format(time.DateOnly))
}

func (p *param) moment(d time.Time, minutes int, zone *time.Location) json.RawMessage {
	return quote(time.Date(d.Year(), d.Month(), d.Day(), 0, minutes, 0, 0, zone).Format(time.RFC3339))
}

// clock writes a time of day as the parameter takes it; on is the day whose offset counts.
func (p *param) clock(minutes int, on time.Time, zone *time.Location) json.RawMessage {
	t := time.Date(on.Year(), on.Month(), on.Day(), 0, minutes, 0, 0, zone)
	for _, layout := range []string{"15:04", "15:04:05", "15:04:05Z07:00"} {
		if s := t.Format(layout); p.pattern != nil && p.pattern.MatchString(s) {
			return quote(s)
		}
	}
	return quote(t.Format("15:04:05Z07:00"))
}

// count writes a number; false where the schema does not take it.
func (p *param) count(n int64) (json.RawMessage, bool) {
	f := float64(n)
	if p.min != nil && f < *p.min || p.max != nil && f > *p.max {
		return nil, false
	}
	b, err := json.Marshal(n)
	return b, err == nil
}

// pages reports whether the parameter says how much of a list is read, which narrows nothing.
func (p *param) pages() bool {
	return slices.ContainsFunc(nameParts(p.name), func(s string) bool {
		return slices.Contains([]string{"limit", "offset", "page", "size", "per", "skip", "take", "top"}, s)
	})
}

// inDays reports whether the parameter counts days.
func (p *param) inDays() bool { return slices.Contains(nameParts(p.name), "days") }

// id writes an id that a look-up gave, a JSON string or number, as the parameter takes it; nil where it cannot.
func (p *param) id(v any) json.RawMessage {
	switch x := v.(type) {
	case json.Number:
		if p.text && p.kind != kindNumber {
			return quote(x.String())
		}
		return json.RawMessage(x.String())
	case string:
		if p.kind == kindNumber {
			if _, err := json.Number(x).Float64(); err != nil {
				return nil
			}
			return json.RawMessage(x)
		}
		return quote(x)
	default:
		return nil
	}
}
