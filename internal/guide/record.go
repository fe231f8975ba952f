package guide

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/steward-assistant/steward/internal/words"
)

const (
	// maxFields is how many facts of one record are told.
	maxFields = 16
	// maxRows is how many records of an undrawn list are told.
	maxRows = 8
)

var idName = regexp.MustCompile(`(?i)(^|_)(id|uuid|guid)$|[a-z]I[dD]$`)

func itoa(n int) string { return strconv.Itoa(n) }

// value writes one value for a person: a yes or no, a date in words, a text escaped.
func (s speech) value(v any, now time.Time) string {
	switch x := v.(type) {
	case nil:
		return s.say("unset", nil)
	case bool:
		if x {
			return s.say("yes", nil)
		}
		return s.say("no", nil)
	case json.Number:
		return escape(x.String())
	case string:
		if t, err := time.Parse(time.RFC3339, x); err == nil {
			t = t.In(now.Location())
			return s.when(civil(t), civil(t), civil(now), t.Hour()*60+t.Minute(), true)
		}
		if t, err := time.Parse(time.DateOnly, x); err == nil {
			return s.day(t, civil(now))
		}
		if strings.TrimSpace(x) == "" {
			return s.say("unset", nil)
		}
		return escape(x)
	default:
		return ""
	}
}

// label makes a heading of a key: "places_left" is "Places left".
func label(key string) string {
	s := strings.Join(nameParts(key), " ")
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return key
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// record writes an undrawn result: the facts of an object, the rows of a list. Ids are left out where a name stands.
func (s speech) record(data any, now time.Time) string {
	var b strings.Builder
	switch x := data.(type) {
	case map[string]any:
		s.fields(&b, x, now, "")
		for _, k := range sortedKeys(x) {
			switch y := x[k].(type) {
			case []any:
				s.rows(&b, label(k), y, now)
			case map[string]any:
				s.fields(&b, y, now, label(k)+": ")
			default:
			}
		}
	case []any:
		s.rows(&b, "", x, now)
	default:
		if v := s.value(data, now); v != "" && data != nil {
			b.WriteString(v)
		}
	}
	return strings.TrimSpace(b.String())
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (s speech) fields(b *strings.Builder, m map[string]any, now time.Time, prefix string) {
	n := 0
	for _, k := range sortedKeys(m) {
		v := s.value(m[k], now)
		if v == "" || idName.MatchString(k) && len(m) > 1 {
			continue
		}
		if n++; n > maxFields {
			return
		}
		b.WriteString("\n" + s.say("field", words.Args{"name": escape(prefix + label(k)), "value": v}))
	}
}

func (s speech) rows(b *strings.Builder, heading string, list []any, now time.Time) {
	if heading != "" {
		b.WriteString("\n" + s.say("field", words.Args{"name": escape(heading), "value": itoa(len(list))}))
	}
	for i, item := range list {
		if i == maxRows {
			b.WriteString("\n\n" + s.Count("guide.rows_more", len(list)-i, nil))
			return
		}
		if line := s.line(item, now); line != "" {
			indent := ""
			if heading != "" {
				indent = "  "
			}
			b.WriteString("\n" + indent + "- " + line)
		}
	}
}

// line writes one record of a list: its name first, then up to three facts.
func (s speech) line(item any, now time.Time) string {
	m, ok := item.(map[string]any)
	if !ok {
		return s.value(item, now)
	}
	var parts []string
	for _, k := range []string{"name", "title", "label", "subject", "full_name", "fullName", "summary"} {
		if v, ok := m[k].(string); ok && v != "" {
			parts = append(parts, "**"+escape(v)+"**")
			break
		}
	}
	named := len(parts) > 0
	for _, k := range sortedKeys(m) {
		if len(parts) == 4 {
			break
		}
		if idName.MatchString(k) || named && slices.Contains([]string{"name", "title", "label", "subject", "full_name", "fullName", "summary"}, k) || m[k] == nil {
			continue
		}
		if v := s.value(m[k], now); v != "" {
			parts = append(parts, escape(label(k))+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}
