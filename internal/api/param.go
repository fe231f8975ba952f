package api

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// param is a query parameter or header that a route takes.
type param struct {
	name, in string // "query" or "header"
	about    string
	// numeric is a whole number from least to most; else it is text of at most most characters.
	numeric     bool
	least, most int64
}

func (p param) want() string {
	if p.numeric {
		return fmt.Sprintf("a whole number from %d to %d", p.least, p.most)
	}
	return fmt.Sprintf("1 to %d characters", p.most)
}

// readQuery checks the address's query against what the route takes.
func (x *exchange) readQuery(params []param) error {
	raw := x.r.URL.RawQuery
	if raw == "" {
		return nil
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return &fault{field: "query", want: "name=value pairs joined by &, percent-encoded"}
	}
	x.query = make(map[string]string, len(values))
	for _, name := range sortedNames(values) {
		i := slices.IndexFunc(params, func(p param) bool { return p.in == "query" && p.name == name })
		if i < 0 {
			return &fault{field: told(name), want: "no query parameter of that name" + known(params)}
		}
		p, v := params[i], values[name]
		if len(v) != 1 {
			return &fault{field: name, want: "given once"}
		}
		if p.numeric {
			n, err := strconv.ParseInt(v[0], 10, 64)
			if err != nil || n < p.least || n > p.most {
				return &fault{field: name, want: p.want()}
			}
		} else if v[0] == "" || int64(len(v[0])) > p.most || strings.ContainsFunc(v[0], func(r rune) bool { return r <= ' ' || r > '~' }) {
			return &fault{field: name, want: p.want()}
		}
		x.query[name] = v[0]
	}
	return nil
}

func sortedNames(v url.Values) []string {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func known(params []param) string {
	var names []string
	for _, p := range params {
		if p.in == "query" {
			names = append(names, p.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; there are " + strings.Join(names, ", ")
}

// maxLocale is the longest tag, in bytes (RFC 5646 section 4.4.1).
const maxLocale = 35

// localise finds the request's language: X-Locale, then the token's, then Accept-Language, then the product's first.
func (x *exchange) localise() error {
	defer func() { x.by.Locale = x.locale }()
	if v := x.r.Header.Get("X-Locale"); v != "" {
		tag, err := language.Parse(v)
		if err != nil || len(v) > maxLocale {
			return &fault{field: "X-Locale", want: "a language tag, as en or he-IL"}
		}
		x.locale = tag.String()
		return nil
	}
	if l := x.by.Principal.Locale; l != "" {
		x.locale = l
		return nil
	}
	// A hint that browsers send by themselves: what cannot be read of it is passed over.
	const longest = 256
	if v := x.r.Header.Get("Accept-Language"); v != "" && len(v) <= longest {
		tags, _, err := language.ParseAcceptLanguage(v)
		if err != nil {
			return nil
		}
		for _, tag := range tags {
			base, _ := tag.Base()
			for _, l := range x.s.Locales {
				if own, _, _ := strings.Cut(l, "-"); strings.EqualFold(own, base.String()) {
					x.locale = l
					return nil
				}
			}
		}
	}
	return nil
}

// accepts gives the weight at which a media type is accepted (RFC 9110 section 12.5.1), zero to one.
func accepts(header, mediaType string) float64 {
	best, exactness := 0.0, -1
	major, _, _ := strings.Cut(mediaType, "/")
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		exact := slices.Index([]string{"*/*", major + "/*", mediaType}, strings.ToLower(strings.TrimSpace(name)))
		if exact < 0 || exact < exactness {
			continue
		}
		q := 1.0
		for p := range strings.SplitSeq(params, ";") {
			k, v, _ := strings.Cut(strings.TrimSpace(p), "=")
			if strings.EqualFold(k, "q") {
				n, err := strconv.ParseFloat(v, 64)
				if err != nil || !(n >= 0 && n <= 1) {
					n = 0
				}
				q = n
			}
		}
		best, exactness = q, exact
	}
	return best
}
