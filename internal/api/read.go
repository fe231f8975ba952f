package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
)

// maxDepth is how deeply a body may nest.
const maxDepth = 32

// readBody reads a whole JSON body. An optional one may be empty, and is then an empty object.
func (x *exchange) readBody(optional bool, most int64) ([]byte, error) {
	h := x.r.Header
	if v := h.Get("Content-Encoding"); v != "" && v != "identity" {
		return nil, &fault{field: "Content-Encoding", want: "none: a body is sent as it is"}
	}
	if x.r.ContentLength > most {
		return nil, tooLarge(most)
	}
	b, err := io.ReadAll(http.MaxBytesReader(x.ResponseWriter, x.r.Body, most))
	if err != nil {
		if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
			return nil, tooLarge(most)
		}
		x.Header().Set("Connection", "close")
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, &fault{field: "body", want: fmt.Sprintf("sent whole within %v", x.s.ReadTimeout)}
		}
		return nil, &fault{field: "body", want: "sent whole: it ended before the length it was announced with"}
	}
	if len(b) == 0 && optional {
		return []byte("{}"), nil
	}
	if t, params, err := mime.ParseMediaType(h.Get("Content-Type")); err != nil || t != "application/json" ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return nil, &fault{field: "Content-Type", want: "application/json, in UTF-8"}
	}
	return b, nil
}

func tooLarge(most int64) error {
	return &fault{code: event.BodyTooLarge, field: "body", want: fmt.Sprintf("at most %d bytes", most)}
}

// read decodes one JSON value of the shape into a pointer of its type, and refuses what encoding/json lets pass:
// duplicate keys (which it settles silently by taking the last), keys in another case, unknown keys, null in place of
// nothing, text that is no UTF-8, NUL. The error is a *fault that names the field.
func (s *shape) read(b []byte, into any) error {
	if !utf8.Valid(b) {
		return &fault{field: "body", want: "JSON in UTF-8"}
	}
	if !json.Valid(b) { // also what stands behind the value
		return &fault{field: "body", want: "one JSON value, and nothing after it"}
	}
	sc := scan{b: b}
	if f := sc.value(s); f != nil {
		if f.field == "" {
			f.field = "body"
		}
		return f
	}
	if err := json.Unmarshal(b, into); err != nil {
		f := &fault{field: "body", want: "values of the types that the route takes"}
		if t := (*json.UnmarshalTypeError)(nil); errors.As(err, &t) && t.Field != "" {
			f.field = t.Field
		}
		return f
	}
	return nil
}

// scan walks over JSON that is known to be valid. A fault names its field from the value on; who looked into the value
// adds where it stands.
type scan struct {
	b     []byte
	i     int
	depth int
}

// peek skips white space and gives the next byte; zero at the end.
func (sc *scan) peek() byte {
	for sc.i < len(sc.b) {
		switch c := sc.b[sc.i]; c {
		case ' ', '\t', '\r', '\n':
			sc.i++
		default:
			return c
		}
	}
	return 0
}

func (sc *scan) value(s *shape) *fault {
	if sc.depth++; sc.depth > maxDepth {
		return &fault{want: fmt.Sprintf("at most %d levels of nesting", maxDepth)}
	}
	defer func() { sc.depth-- }()
	c := sc.peek()
	if c == 'n' && (s.kind != free || sc.depth <= 2) {
		return &fault{want: s.want() + ", or left out; not null"}
	}
	switch {
	case c == '{' && (s.kind == object || s.kind == free):
		return sc.object(s)
	case c == '[' && (s.kind == list || s.kind == free):
		return sc.list(s)
	case c == '"' && (s.kind == text || s.kind == free):
		return sc.text(s)
	case (c == '-' || c >= '0' && c <= '9') && (s.kind == whole || s.kind == free):
		return sc.number(s)
	case (c == 't' || c == 'f') && (s.kind == yesNo || s.kind == free), c == 'n' && s.kind == free:
		for sc.i < len(sc.b) && sc.b[sc.i] >= 'a' && sc.b[sc.i] <= 'z' {
			sc.i++
		}
		return nil
	}
	return &fault{want: s.want()}
}

func (sc *scan) object(s *shape) *fault {
	sc.i++
	seen := map[string]bool{}
	for sc.peek() != '}' {
		if sc.b[sc.i] == ',' {
			sc.i++
			sc.peek()
		}
		key := sc.quoted()
		if seen[key] {
			return &fault{field: told(key), want: "given once"}
		}
		seen[key] = true
		sub := anything
		if s.kind == object {
			if sub = s.fields[key]; sub == nil && s.open && !s.otherCase(key) {
				sub = anything
			}
			if sub == nil {
				return &fault{field: told(key), want: s.unknown(key)}
			}
		} else if strings.IndexByte(key, 0) >= 0 {
			return &fault{field: told(key), want: "no NUL character"}
		}
		sc.peek()
		sc.i++ // the colon
		if s.open && !slices.Contains(s.required, key) && sc.peek() == 'n' {
			sc.i += len("null")
			continue
		}
		if f := sc.value(sub); f != nil {
			return f.under(told(key))
		}
	}
	sc.i++
	for _, name := range s.required {
		if !seen[name] {
			return &fault{field: name, want: s.fields[name].want() + "; it is required"}
		}
	}
	return nil
}

func (sc *scan) list(s *shape) *fault {
	sc.i++
	elem := s.elem
	if s.kind == free {
		elem = anything
	}
	for n := 0; sc.peek() != ']'; n++ {
		if sc.b[sc.i] == ',' {
			sc.i++
		}
		if s.most > 0 && n >= s.most {
			return &fault{want: s.want()}
		}
		if f := sc.value(elem); f != nil {
			return f.under("[" + strconv.Itoa(n) + "]")
		}
	}
	sc.i++
	return nil
}

func (sc *scan) text(s *shape) *fault {
	v := sc.quoted()
	switch {
	case strings.IndexByte(v, 0) >= 0: // no database takes it in a text
		return &fault{want: "no NUL character"}
	case s.most > 0 && len(v) > s.most && utf8.RuneCountInString(v) > s.most,
		s.least > 0 && len(strings.TrimSpace(v)) < s.least,
		s.uuid && !id.IsUUID(v),
		len(s.oneOf) > 0 && !s.has(v):
		return &fault{want: s.want()}
	}
	return nil
}

func (sc *scan) number(s *shape) *fault {
	from := sc.i
	for sc.i < len(sc.b) && strings.IndexByte("+-.0123456789eE", sc.b[sc.i]) >= 0 {
		sc.i++
	}
	if s.kind == free {
		return nil
	}
	n, err := strconv.ParseInt(string(sc.b[from:sc.i]), 10, 64)
	if err != nil || n < int64(s.least) || n > int64(s.most) {
		return &fault{want: s.want()}
	}
	return nil
}

// quoted gives the string that begins here, unescaped.
func (sc *scan) quoted() string {
	from, escaped := sc.i, false
	for sc.i++; sc.i < len(sc.b) && sc.b[sc.i] != '"'; sc.i++ {
		if sc.b[sc.i] == '\\' {
			escaped = true
			sc.i++
		}
	}
	sc.i++
	if !escaped {
		return string(sc.b[from+1 : sc.i-1])
	}
	var v string
	_ = json.Unmarshal(sc.b[from:sc.i], &v) // it was found valid
	return v
}

// under puts the field under a key or an index.
func (f *fault) under(at string) *fault {
	if f.field != "" && f.field[0] != '[' {
		at += "."
	}
	f.field = at + f.field
	return f
}

// told gives a key that the sender made up as it may be repeated: only what looks like a name.
func told(key string) string {
	const longest = 40
	if len(key) > longest || key == "" || strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return "*"
	}
	return key
}
