package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// argumentError says which argument cannot be sent, and why.
type argumentError struct{ key, reason string }

func (e *argumentError) Error() string { return "/" + escapeToken(e.key) + ": " + e.reason }

// memberError says which member of an argument cannot be sent, and why.
type memberError struct{ key, member, reason string }

func (e *memberError) Error() string {
	return "/" + escapeToken(e.key) + "/" + escapeToken(e.member) + ": " + e.reason
}

// maxSegment is the most characters of one path parameter.
const maxSegment = 1000

// address builds the URL of a call. Each path parameter is one percent-encoded segment or a part of one, and the
// result is held against the operation's template, so that no argument can lead anywhere else.
func (o *operation) address(base *url.URL, args map[string]any) (*url.URL, error) {
	values := map[string]string{}
	for _, p := range o.params {
		if p.in != "path" {
			continue
		}
		v, ok := args[p.key]
		if !ok {
			return nil, &argumentError{p.key, "is required"}
		}
		s, err := scalarOrList(v, ",")
		if err == nil {
			err = checkSegment(s)
		}
		if err != nil {
			return nil, &argumentError{p.key, err.Error()}
		}
		values[p.name] = s
	}
	var raw, want strings.Builder
	raw.WriteString(base.EscapedPath())
	want.WriteString(base.Path)
	for segment := range strings.SplitSeq(strings.TrimPrefix(o.path, "/"), "/") {
		var names []string
		filled := templateParameter.ReplaceAllStringFunc(segment, func(m string) string {
			names = append(names, "/"+escapeToken(o.keyOf(m[1:len(m)-1])))
			return values[m[1:len(m)-1]]
		})
		if len(names) > 0 { // what is harmless alone may be a step in a path with what stands beside it: "%2" and "e%2e"
			if err := checkPlain(filled); err != nil {
				return nil, fmt.Errorf("%s: put into %q it %w", strings.Join(names, " and "), segment, err)
			}
		}
		raw.WriteString("/" + url.PathEscape(filled))
		want.WriteString("/" + filled)
	}
	query, err := o.query(args)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(base.Scheme + "://" + base.Host + raw.String())
	if err != nil {
		return nil, errors.New("the address is not one")
	}
	u.RawQuery = query
	if u.Scheme != base.Scheme || u.Host != base.Host || u.User != nil || u.Fragment != "" || u.Path != want.String() || u.EscapedPath() != raw.String() ||
		strings.Count(u.EscapedPath(), "/") != strings.Count(base.EscapedPath(), "/")+strings.Count(o.path, "/") {
		return nil, errors.New("the address does not match the operation's")
	}
	return u, nil
}

// checkSegment refuses what a server or a proxy on the way could read as more than one plain segment, also when it was
// percent-encoded once or more.
func checkSegment(s string) error {
	if utf8.RuneCountInString(s) > maxSegment {
		return fmt.Errorf("must be at most %d characters", maxSegment)
	}
	return checkPlain(s)
}

// checkPlain is checkSegment for a text of any length.
func checkPlain(s string) error {
	for range 8 {
		switch {
		case s == "":
			return errors.New("must not be empty")
		case s == "." || s == ".." || strings.HasPrefix(s, ".;") || strings.HasPrefix(s, "..;"):
			return errors.New("must be an id, not a step in a path")
		case strings.ContainsAny(s, `/\`):
			return errors.New("must not hold a slash")
		case !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }):
			return errors.New("must not hold control characters")
		}
		decoded := unescape(s)
		if decoded == s {
			return nil
		}
		s = decoded
	}
	return errors.New("must not be encoded over and over")
}

// unescape decodes every percent-encoded byte and leaves a percent sign that begins none as it is. url.PathUnescape
// refuses such a text whole; many servers do not, so what stands beside the sign must be looked at too.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+3 <= len(s) {
			if decoded, err := url.PathUnescape(s[i : i+3]); err == nil {
				out.WriteString(decoded)
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// query writes the query parameters in the order of the document.
func (o *operation) query(args map[string]any) (string, error) {
	var parts []string
	add := func(name, value string) { parts = append(parts, url.QueryEscape(name)+"="+value) }
	taken := map[string]string{} // what a server may take a member's name for, and the argument that has it
	for _, p := range o.params {
		taken[spelled(p.name)] = p.key
	}
	for _, p := range o.params {
		v, ok := args[p.key]
		if p.in != "query" || !ok || v == nil {
			continue
		}
		if p.asJSON {
			b, err := canonical(v)
			if err != nil {
				return "", &argumentError{p.key, "cannot be written"}
			}
			add(p.name, url.QueryEscape(string(b)))
			continue
		}
		switch v := v.(type) {
		case []any:
			items := make([]string, 0, len(v))
			for _, item := range v {
				s, err := scalar(item)
				if err != nil {
					return "", &argumentError{p.key, err.Error()}
				}
				items = append(items, url.QueryEscape(s))
			}
			if p.explode && p.style == "form" {
				for _, item := range items {
					add(p.name, item)
				}
				continue
			}
			add(p.name, strings.Join(items, delimiter(p.style)))
		case map[string]any:
			var pairs []string
			for _, k := range sortedKeys(v) {
				s, err := scalarOrList(v[k], ",")
				if err != nil {
					return "", &memberError{p.key, k, err.Error()}
				}
				switch {
				case p.style == "deepObject":
					if strings.ContainsAny(k, "[]") {
						return "", &memberError{p.key, k, "must not have brackets in its name"}
					}
					add(p.name+"["+k+"]", url.QueryEscape(s))
				case p.explode:
					if err := memberName(k, p.key, taken); err != nil {
						return "", err
					}
					add(k, url.QueryEscape(s))
				default:
					pairs = append(pairs, url.QueryEscape(k), url.QueryEscape(s))
				}
			}
			if len(pairs) > 0 {
				add(p.name, strings.Join(pairs, delimiter(p.style)))
			}
		default:
			s, err := scalar(v)
			if err != nil {
				return "", &argumentError{p.key, err.Error()}
			}
			add(p.name, url.QueryEscape(s))
		}
	}
	return strings.Join(parts, "&"), nil
}

// memberName refuses a member of an exploded object that would stand in the query as another parameter, or as one that a
// model may not give; it takes the name otherwise.
func memberName(name, key string, taken map[string]string) error {
	as := spelled(name)
	switch other, there := taken[as]; {
	case as == "":
		return &memberError{key, name, "must have a name"}
	case there && other != key:
		return &memberError{key, name, "must not have the name of the argument " + strconv.Quote(other)}
	case reservedQuery(name) != "":
		return &memberError{key, name, "must be left out: " + reservedQuery(name)}
	}
	taken[as] = key
	return nil
}

// keyOf is the argument that goes into a parameter of the path.
func (o *operation) keyOf(name string) string {
	for _, p := range o.params {
		if p.in == "path" && p.name == name {
			return p.key
		}
	}
	return name
}

func delimiter(style string) string {
	switch style {
	case "spaceDelimited":
		return "%20"
	case "pipeDelimited":
		return "%7C"
	default:
		return ","
	}
}

// headers sets the header parameters.
func (o *operation) headers(h http.Header, args map[string]any) error {
	for _, p := range o.params {
		v, ok := args[p.key]
		if p.in != "header" || !ok || v == nil {
			continue
		}
		s, err := scalarOrList(v, ",")
		if err != nil {
			return &argumentError{p.key, err.Error()}
		}
		if len(s) > 4096 || strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r > 0xff }) {
			return &argumentError{p.key, "must be plain text on one line"}
		}
		h.Set(p.name, s)
	}
	return nil
}

// payload is the JSON body; nil where none is sent.
func (o *operation) payload(args map[string]any) (json.RawMessage, error) {
	b := o.body
	if b == nil {
		return nil, nil
	}
	if b.whole != "" {
		v, ok := args[b.whole]
		if !ok {
			return nil, nil
		}
		for _, name := range sortedKeys(object(v)) {
			if overridesMethod(name) {
				return nil, &memberError{b.whole, name, "must be left out: it can make another method of a request"}
			}
		}
		return canonical(v)
	}
	out := map[string]any{}
	for key, name := range b.keys {
		if v, ok := args[key]; ok {
			out[name] = v
		}
	}
	if len(out) == 0 && !b.required {
		return nil, nil
	}
	return canonical(out)
}

func scalarOrList(v any, separator string) (string, error) {
	l, ok := v.([]any)
	if !ok {
		return scalar(v)
	}
	parts := make([]string, 0, len(l))
	for _, item := range l {
		s, err := scalar(item)
		if err != nil {
			return "", err
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, separator), nil
}

func scalar(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		if v {
			return "true", nil
		}
		return "false", nil
	case nil:
		return "", nil
	}
	return "", errors.New("must be a single value")
}
