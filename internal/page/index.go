// Package page holds what Steward knows of a host's pages: the nav index, which is every path that is ever suggested or
// linked, and what a member's browser tells of the page it shows.
package page

import (
	"net/url"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/principal"
)

// Index is the nav index of a host. It does not change after it was made. Safe for concurrent use.
type Index struct {
	entries  []*entry
	fallback string
	readers  []string
}

// entry is a page with its path split and its words folded for search.
type entry struct {
	page     config.Page
	segments []string
	old      [][]string
	// words are the folded words of labels, synonyms and the path, by language.
	labels   map[string][]string
	synonyms map[string][][]string
	path     []string
}

// Hit is a page that suits a query.
type Hit struct {
	// Page is the entry of the nav index.
	Page config.Page
	// Path is its path, with braces where an id is missing.
	Path string
	// Label is its label in the locale asked for.
	Label string
	// Focus are the parts of the page that a link may point at.
	Focus []string
	// Score tells better hits from worse; above zero.
	Score float64
}

// NewIndex makes the index of a host's file.
func NewIndex(cfg *config.Config) *Index {
	x := &Index{fallback: cfg.FallbackLocale(), readers: cfg.Identity.RolesWith(config.RightRead)}
	for _, p := range cfg.Nav {
		e := &entry{page: p, segments: split(p.Path), labels: map[string][]string{}, synonyms: map[string][][]string{}}
		for _, old := range p.OldPaths {
			e.old = append(e.old, split(old))
		}
		for lang, label := range p.Label {
			e.labels[lang] = terms(label)
		}
		for lang, list := range p.Synonyms {
			for _, s := range list {
				e.synonyms[lang] = append(e.synonyms[lang], terms(s))
			}
		}
		for _, s := range e.segments {
			if !strings.HasPrefix(s, "{") {
				e.path = append(e.path, terms(s)...)
			}
		}
		x.entries = append(x.entries, e)
	}
	return x
}

// Allowed lists the pages that a member may open, in the order of the file.
func (x *Index) Allowed(p principal.Principal) []config.Page {
	var out []config.Page
	for _, e := range x.entries {
		if x.opens(e, p) {
			out = append(out, e.page)
		}
	}
	return out
}

func (x *Index) opens(e *entry, p principal.Principal) bool {
	roles := e.page.Roles
	if len(roles) == 0 {
		roles = x.readers
	}
	return len(roles) > 0 && p.HasRole(roles...) && p.HasFeature(e.page.Feature)
}

// Match finds the page that a link of the product leads to, for a member who may open it. The link is a path with,
// perhaps, a query and a fragment that is one of the page's focus ids; an old path gives its page too. The address that
// comes back is the one to use: an old path is replaced, and an id is kept as one segment.
func (x *Index) Match(p principal.Principal, href string) (page config.Page, address string, ok bool) {
	path, fragment, valid := parse(href)
	if !valid {
		return config.Page{}, "", false
	}
	// A page that is written out goes before one with an id in the same place.
	var best *entry
	var ids map[string]string
	for _, e := range x.entries {
		if !x.opens(e, p) || fragment != "" && !slices.Contains(e.page.Focus, fragment) {
			continue
		}
		for _, shape := range append([][]string{e.segments}, e.old...) {
			if found, fits := fit(shape, path); fits && (best == nil || len(found) < len(ids)) {
				best, ids = e, found
			}
		}
	}
	if best == nil {
		return config.Page{}, "", false
	}
	address = fill(best.segments, ids)
	if strings.Contains(address, "{") {
		return config.Page{}, "", false // an old path that has no id for a page that needs one
	}
	if query := queryOf(href); query != "" {
		address += "?" + query
	}
	if fragment != "" {
		address += "#" + fragment
	}
	return best.page, address, true
}

// Links reports whether a member may follow a link of the product.
func (x *Index) Links(p principal.Principal, href string) bool {
	_, _, ok := x.Match(p, href)
	return ok
}

// parse takes a link of the product apart: a plain path and a fragment. Anything that a browser could read as another
// origin, a script or a step out of the path is no such link.
func parse(href string) (path []string, fragment string, ok bool) {
	if len(href) > 2000 || !strings.HasPrefix(href, "/") || strings.HasPrefix(href, "//") || strings.ContainsAny(href, "\\\x00\t\r\n ") {
		return nil, "", false
	}
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.Contains(u.Path, `\`) {
		return nil, "", false
	}
	for _, r := range u.Path + u.Fragment {
		if r < 0x20 || r == 0x7f || r == 0xFFFD {
			return nil, "", false
		}
	}
	raw := u.EscapedPath()
	if strings.Contains(raw, "//") {
		return nil, "", false
	}
	for _, s := range split(raw) {
		decoded, err := url.PathUnescape(s)
		if err != nil || decoded == "" || decoded == "." || decoded == ".." || strings.ContainsAny(decoded, `/\`) {
			return nil, "", false
		}
		path = append(path, decoded)
	}
	return path, u.Fragment, true
}

func queryOf(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	// Written anew, so that nothing but names and values is left of it.
	return u.Query().Encode()
}

func split(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// fit holds a path against a pattern and gives what stands in the place of its ids.
func fit(pattern, path []string) (map[string]string, bool) {
	if len(pattern) != len(path) {
		return nil, false
	}
	var ids map[string]string
	for i, s := range pattern {
		if name, isID := strings.CutPrefix(s, "{"); isID {
			if ids == nil {
				ids = map[string]string{}
			}
			ids[strings.TrimSuffix(name, "}")] = path[i]
			continue
		}
		if s != path[i] {
			return nil, false
		}
	}
	return ids, true
}

func fill(pattern []string, ids map[string]string) string {
	var b strings.Builder
	for _, s := range pattern {
		b.WriteByte('/')
		if name, isID := strings.CutPrefix(s, "{"); isID {
			if id, ok := ids[strings.TrimSuffix(name, "}")]; ok {
				b.WriteString(url.PathEscape(id))
				continue
			}
		}
		b.WriteString(s)
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}
