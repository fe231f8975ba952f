package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// write holds what the file says of a write: nobody is asked to confirm what the card could not say.
func (c *checker) write(d *tool.Definition, a config.Action, path string) {
	if d.Confirm != tool.ConfirmNever {
		if a.Preview == nil {
			c.fault(path+".preview", "is missing: a write that asks first must say what it acts on, by a read, or by a kind where it makes something")
		}
		c.sentence(a, path+".sentence")
	} else {
		c.text(path+".sentence", a.Sentence)
	}
	if a.Preview != nil {
		c.preview(d, a.Preview, path+".preview")
	}
	switch {
	case a.Inverse != nil:
		c.inverse(d, a.Inverse, path+".inverse")
	case d.Confirm == tool.ConfirmNever:
		c.fault(path+".confirm", "is never, which only a write with an inverse may be: without one a person must be asked")
	}
	if a.Audit != nil {
		for key, pointer := range map[string]string{"id": a.Audit.ID, "label": a.Audit.Label} {
			if pointer != "" {
				c.pointer(d, pointer, path+".audit."+key)
			}
		}
	}
}

// sentence holds that a write asks in every language, and only in words that there are.
func (c *checker) sentence(a config.Action, path string) {
	if len(a.Sentence) == 0 {
		c.fault(path, "is missing: what the card asks, in every one of locales, as Cancel {name}")
		return
	}
	if _, one := a.Sentence[""]; one && len(c.cfg.Locales) > 1 {
		c.fault(path, "is one text for all languages; it must be one for each of %s", strings.Join(c.cfg.Locales, ", "))
	}
	for _, locale := range c.cfg.Locales {
		text := a.Sentence.In(locale)
		if text == "" {
			c.fault(path, "has no text in %s; what a person is asked to confirm stands in their own language", locale)
		}
		for _, slot := range slots(text) {
			switch p := a.Preview; {
			case slot == "name" && p != nil && len(p.Name) == 0 && len(p.Kind) == 0:
				c.fault(path, "says {name}, and preview has neither name nor kind")
			case slot == "count" && (p == nil || p.Count == ""):
				c.fault(path, "says {count}, and preview has no count")
			case slot != "name" && slot != "count":
				c.fault(path, "says {%s}; there are {name} and {count}", slot)
			}
		}
	}
}

// slots gives the names in a text's braces.
func slots(text string) []string {
	var out []string
	for {
		_, rest, open := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return out
		}
		out, text = append(out, name), after
	}
}

func (c *checker) preview(d *tool.Definition, p *config.Preview, path string) {
	reads := map[string]*tool.Definition{}
	if p.Read != "" {
		target := c.previewRead(d, p.Read, p.Input, nil, path)
		reads["target"] = target
		for key, list := range map[string][]string{"name": p.Name, "about": p.About} {
			for i, pointer := range list {
				c.rooted(d, reads, "/target"+pointer, fmt.Sprintf("%s.%s[%d]", path, key, i))
			}
		}
	}
	for name, also := range p.Also {
		reads[name] = c.previewRead(d, also.Read, also.Input, reads, config.Path(path+".also", name))
	}
	at := func(pointer, where string) {
		if strings.HasPrefix(pointer, "/") {
			c.rooted(d, reads, pointer, path+where)
		}
	}
	at(p.Count, ".count")
	for i, v := range p.Values {
		row := fmt.Sprintf(".values[%d]", i)
		at(v.New, row+".new")
		at(v.Old, row+".old")
		at(v.Of, row+".of")
		at(v.Currency, row+".currency")
	}
	if p.Outbound != nil {
		at(p.Outbound.To, ".outbound.to")
		at(p.Outbound.Text, ".outbound.text")
	}
	if p.Precondition != nil {
		at(p.Precondition.Value, ".precondition.value")
	}
}

// previewRead holds one read of a preview, which everybody who may write must be able to make.
func (c *checker) previewRead(write *tool.Definition, name string, input map[string]string, reads map[string]*tool.Definition, path string) *tool.Definition {
	read := c.registry.Find(name)
	switch {
	case read == nil:
		c.fault(path+".read", "no tool is called %s", name)
		return nil
	case read.Effect != tool.Read:
		c.fault(path+".read", "%s is a write, and a preview only reads", name)
	}
	for _, role := range write.Roles {
		if len(read.Roles) > 0 && !slices.Contains(read.Roles, role) {
			c.fault(path+".read", "%s is not for the role %s, which may use the write", name, role)
		}
	}
	c.arguments(read, input, path+".input")
	for argument, pointer := range input {
		c.rooted(write, reads, pointer, config.Path(path+".input", argument))
	}
	return read
}

// rooted holds a pointer whose first step says what it points into: the call's arguments, or the result of a read.
func (c *checker) rooted(d *tool.Definition, reads map[string]*tool.Definition, pointer, path string) {
	root, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if root == "input" {
		argument, _, _ := strings.Cut(rest, "/")
		if argument != "" && !d.HasArgument(argument) {
			c.fault(path, "%s is no parameter of %s", argument, d.Operation)
		}
		return
	}
	if read := reads[root]; read != nil && rest != "" {
		c.pointer(read, "/"+rest, path)
	}
}

func (c *checker) inverse(d *tool.Definition, inverse *config.Inverse, path string) {
	back := c.registry.Find(inverse.Tool)
	if back == nil {
		c.fault(path+".tool", "no tool is called %s", inverse.Tool)
	}
	c.arguments(back, inverse.Input, path+".input")
	for argument, pointer := range inverse.Input {
		if rest, ok := strings.CutPrefix(pointer, "/output/"); ok {
			c.pointer(d, "/"+rest, config.Path(path+".input", argument))
			continue
		}
		c.rooted(d, nil, pointer, config.Path(path+".input", argument))
	}
	if rest, ok := strings.CutPrefix(inverse.Precondition, "/output/"); ok {
		c.pointer(d, "/"+rest, path+".precondition")
	}
}
