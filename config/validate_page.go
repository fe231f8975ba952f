package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var (
	segmentPattern  = regexp.MustCompile(`^(\{[a-z][a-zA-Z0-9_]*\}|[A-Za-z0-9._~@-]+)$`)
	shortcutPattern = regexp.MustCompile(`^((mod|ctrl|alt|shift|meta)\+)+[a-z0-9/.,]$`)
	attrPattern     = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
)

// pagePath checks a path of the product: segments of plain characters, or one in braces that stands for an id.
func (l *loader) pagePath(path, p string) {
	if p == "/" {
		return
	}
	ok := strings.HasPrefix(p, "/")
	for i, s := range strings.Split(p, "/") {
		ok = ok && (i == 0 || segmentPattern.MatchString(s) && s != "." && s != "..")
	}
	if !ok {
		l.fault(path, "must be a path of the product such as /schedule or /members/{id}")
	}
}

func (l *loader) nav() {
	paths := map[string]string{}
	claim := func(at, p string) {
		shape := slotPattern.ReplaceAllString(p, "{}")
		if first, twice := paths[shape]; twice {
			l.fault(at, p+" stands at "+first+" already")
			return
		}
		paths[shape] = at
	}
	for i, p := range l.c.Nav {
		path := fmt.Sprintf("nav[%d]", i)
		l.pagePath(path+".path", p.Path)
		claim(path+".path", p.Path)
		l.text(path+".label", p.Label, true)
		for _, locale := range sortedKeys(p.Synonyms) {
			l.locale(join(path+".synonyms", locale), locale)
		}
		l.roles(path+".roles", p.Roles)
		if p.Entity != "" {
			if _, ok := l.c.Entities[p.Entity]; !ok {
				l.fault(path+".entity", "there is no entity "+p.Entity+" in entities")
			}
			if strings.Count(p.Path, "{") != 1 {
				l.fault(path+".entity", "needs a path with exactly one segment in braces, as /members/{id}")
			}
		}
	}
	for i, p := range l.c.Nav {
		for j, old := range p.OldPaths {
			at := fmt.Sprintf("nav[%d].old_paths[%d]", i, j)
			l.pagePath(at, old)
			claim(at, old)
		}
	}
	for i, s := range l.c.Starters {
		path := fmt.Sprintf("starters[%d]", i)
		l.text(path+".text", s.Text, true)
		l.roles(path+".roles", s.Roles)
		for j, page := range s.Pages {
			if !slices.ContainsFunc(l.c.Nav, func(p Page) bool { return p.Path == page }) {
				l.fault(fmt.Sprintf("%s.pages[%d]", path, j), "must be a path of nav")
			}
		}
	}
}

// origin wants exactly what a browser writes for one; http is for this machine alone.
func (l *loader) origin(path, origin, example string) {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) || u.Host == "" ||
		u.Scheme+"://"+strings.ToLower(u.Host) != origin || strings.Contains(u.Host, "*") {
		l.fault(path, "must be an origin such as "+example+", without a path")
	}
}

func (l *loader) surfaces() {
	for _, name := range sortedKeys(l.c.Surfaces) {
		s := l.c.Surfaces[name]
		path := join("surfaces", name)
		if !namePattern.MatchString(name) {
			l.fault(path, "must be named with lower-case letters, digits and underscores, as app")
		}
		l.text(path+".persona.title", s.Persona.Title, false)
		l.text(path+".persona.disclosure", s.Persona.Disclosure, false)
		if p := s.Persona.Picture; p != "" && (!strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//")) {
			l.fault(path+".persona.picture", "must be the path of an image of the product itself, as /logo.svg")
		}
		for i, origin := range s.LinkOrigins {
			at := fmt.Sprintf("%s.link_origins[%d]", path, i)
			l.origin(at, origin, "https://help.example.com")
		}
	}
	w := l.c.Widget
	l.oneOf("widget.layout", w.Layout, "dock", "slide_over", "card")
	if w.Shortcut != "off" && !shortcutPattern.MatchString(w.Shortcut) {
		l.fault("widget.shortcut", "must be keys such as mod+k, or off")
	}
	if w.Drawer != "" && !attrPattern.MatchString(w.Drawer) {
		l.fault("widget.drawer", "must be the name of an attribute of <html>, as data-drawer-open")
	}
}
