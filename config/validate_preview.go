package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var headerPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,63}$`)

// writes checks what an action says of a write: its preview, its way back and its audit.
func (l *loader) writes(path string, a Action) {
	if a.Preview != nil {
		l.preview(path+".preview", a.Preview)
	}
	if a.Inverse != nil {
		l.toolName(path+".inverse.tool", a.Inverse.Tool)
		for _, name := range sortedKeys(a.Inverse.Input) {
			l.rooted(join(path+".inverse.input", name), a.Inverse.Input[name], "input", "output")
		}
		if a.Inverse.Precondition != "" {
			l.rooted(path+".inverse.precondition", a.Inverse.Precondition, "output")
		}
	}
	if a.Audit != nil && a.Audit.Resource == "" {
		l.fault(path+".audit.resource", "must name the kind of thing that is changed")
	}
}

func (l *loader) preview(path string, p *Preview) {
	roots := []string{"input"}
	l.text(path+".kind", p.Kind, p.Read == "")
	if p.Read == "" {
		l.unread(path, p)
	} else {
		l.toolName(path+".read", p.Read)
		roots = append(roots, "target")
	}
	for _, name := range sortedKeys(p.Input) {
		l.rooted(join(path+".input", name), p.Input[name], "input")
	}
	for key, list := range map[string][]string{"name": p.Name, "about": p.About} {
		for i, pointer := range list {
			l.pointer(fmt.Sprintf("%s.%s[%d]", path, key, i), pointer, "/name")
		}
	}
	var named []string
	for _, name := range sortedKeys(p.Also) {
		at := join(path+".also", name)
		if !namePattern.MatchString(name) || name == "input" || name == "target" || name == "output" {
			l.fault(at, "must be named with lower-case letters, digits and underscores, and not input, target or output")
		} else {
			named = append(named, name)
		}
		l.toolName(at+".read", p.Also[name].Read)
		for _, argument := range sortedKeys(p.Also[name].Input) {
			l.rooted(join(at+".input", argument), p.Also[name].Input[argument], roots...)
		}
	}
	roots = append(roots, named...)
	if p.Count != "" {
		l.rooted(path+".count", p.Count, roots...)
	}
	for i, v := range p.Values {
		l.cardValue(fmt.Sprintf("%s.values[%d]", path, i), v, roots)
	}
	if o := p.Outbound; o != nil {
		l.oneOf(path+".outbound.channel", o.Channel, "sms", "email", "app", "call")
		l.rooted(path+".outbound.to", o.To, roots...)
		l.rooted(path+".outbound.text", o.Text, roots...)
	}
	for i, name := range p.Consequences {
		if _, ok := l.c.Consequences[name]; !ok {
			l.fault(fmt.Sprintf("%s.consequences[%d]", path, i), "there is no "+name+" in consequences")
		}
	}
	if p.Precondition != nil {
		if !headerPattern.MatchString(p.Precondition.Header) {
			l.fault(path+".precondition.header", "must be the name of a header, as If-Match")
		}
		l.rooted(path+".precondition.value", p.Precondition.Value, "target")
	}
}

// unread refuses what only a read could fill.
func (l *loader) unread(path string, p *Preview) {
	for key, given := range map[string]bool{
		"input": len(p.Input) > 0, "name": len(p.Name) > 0, "about": len(p.About) > 0, "precondition": p.Precondition != nil,
	} {
		if given {
			l.fault(path+"."+key, "needs read: the read that finds what the write acts on")
		}
	}
}

func (l *loader) cardValue(path string, v CardValue, roots []string) {
	l.text(path+".label", v.Label, true)
	if v.New == "" && v.Old == "" {
		l.fault(path+".new", "is missing: it must point at the value, as /input/stage")
	}
	for key, pointer := range map[string]string{"new": v.New, "old": v.Old} {
		if pointer != "" {
			l.rooted(path+"."+key, pointer, roots...)
		}
	}
	if v.Of != "" {
		l.rooted(path+".of", v.Of, "input")
	}
	if v.As != "" {
		l.oneOf(path+".as", v.As, "name", "text", "time", "date", "money", "count", "yes_no")
	}
	switch {
	case v.As == "money" && v.Currency == "":
		l.fault(path+".currency", "is missing: an amount needs its currency, a code as ILS or a pointer to one")
	case v.As != "money" && v.Currency != "":
		l.fault(path+".currency", "only an amount has a currency; as must be money")
	case strings.HasPrefix(v.Currency, "/"):
		l.rooted(path+".currency", v.Currency, roots...)
	}
	for _, value := range sortedKeys(v.Words) {
		l.text(join(path+".words", value), v.Words[value], true)
	}
}

func (l *loader) consequences() {
	for _, name := range sortedKeys(l.c.Consequences) {
		path := join("consequences", name)
		if !namePattern.MatchString(name) {
			l.fault(path, "must be named with lower-case letters, digits and underscores, as credit_returned")
		}
		l.text(path+".text", l.c.Consequences[name].Text, true)
	}
}

// rooted checks a pointer whose first step says what it points into.
func (l *loader) rooted(path, p string, roots ...string) {
	root, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
	if !strings.HasPrefix(p, "/") || !slices.Contains(roots, root) {
		l.fault(path, "must be a JSON Pointer that begins with /"+strings.Join(roots, " or /"))
	}
}
