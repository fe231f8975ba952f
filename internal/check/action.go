package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

func (c *checker) actions() {
	for _, d := range c.registry.All() {
		a, named := c.cfg.Tools.Actions[d.Name()]
		if !named {
			continue
		}
		path := config.Path("tools.actions", d.Name())
		c.pointers(d, a, path)
		c.asks(d, a, path)
		for i, role := range a.Roles {
			if rights, ok := c.cfg.Identity.Roles[role]; ok && !slices.Contains(rights, config.RightRead) {
				c.fault(fmt.Sprintf("%s.roles[%d]", path, i), "%s has no right to read, so it can never use this", role)
			}
		}
		if d.Effect == tool.Read && c.registry.ShowsNothing(d) {
			c.fault(path+".operation", "returns only what is never shown (secrets, tokens, or what omit names)")
		}
		if d.Effect == tool.Write {
			c.write(d, a, path)
		}
	}
}

// pointers holds every pointer into the result against what the document says of it.
func (c *checker) pointers(d *tool.Definition, a config.Action, path string) {
	for key, list := range map[string][]string{"trusted": a.Trusted, "omit": a.Omit, "must_tell": a.MustTell} {
		for i, p := range list {
			c.pointer(d, p, fmt.Sprintf("%s.%s[%d]", path, key, i))
		}
	}
	if a.Status != nil {
		c.pointer(d, a.Status.Path, path+".status.path")
	}
	if a.Table != nil {
		c.list(d, a.Table.Items, path+".table.items")
		for _, col := range a.Table.Columns {
			c.inList(d, a.Table.Items, col.Path, path+".table.columns")
		}
	}
}

// list holds a pointer that must lead to a list, or be left out where the result is one, against what the document says.
func (c *checker) list(d *tool.Definition, pointer, path string) {
	if exists, known := d.HasResult(pointer); known && !exists {
		c.pointer(d, pointer, path)
		return
	}
	is, known := d.ListAt(pointer)
	if is || !known {
		return
	}
	hint := ""
	if lists := d.Lists(); len(lists) > 0 {
		hint = ", as " + strings.Join(lists, " or ")
	}
	if pointer == "" {
		c.fault(path, "is missing: the result of %s is no list itself, so this must point at the list in it%s", d.Operation, hint)
		return
	}
	c.fault(path, "%s is no list in the result of %s: this must point at one%s", pointer, d.Operation, hint)
}

// inList holds a pointer into an item of a list; where there is no list, that is told of already.
func (c *checker) inList(d *tool.Definition, items, pointer, path string) {
	if is, known := d.ListAt(items); is || !known || items != "" {
		c.pointer(d, items+"/*"+pointer, path)
	}
}

func (c *checker) pointer(d *tool.Definition, pointer, path string) {
	if exists, known := d.HasResult(pointer); known && !exists {
		c.fault(path, "%s leads to nothing in the result of %s", pointer, d.Operation)
	}
}

func (c *checker) arguments(d *tool.Definition, input map[string]string, path string) {
	if d == nil {
		return
	}
	for name := range input {
		if !d.HasArgument(name) {
			c.fault(config.Path(path, name), "is no parameter of %s", d.Operation)
		}
	}
	for _, required := range d.RequiredArguments() {
		if _, ok := input[required]; !ok {
			c.fault(path, "lacks %s, which %s cannot be called without", required, d.Operation)
		}
	}
}

func (c *checker) entities() {
	for name, e := range c.cfg.Entities {
		path := config.Path("entities", name)
		d := c.registry.Find(e.Search)
		if d == nil {
			c.fault(path+".search", "no tool is called %s", e.Search)
			continue
		}
		if d.Effect != tool.Read {
			c.fault(path+".search", "%s is a write, and a look-up only reads", e.Search)
		}
		if argument := strings.TrimPrefix(e.Query, "/"); !d.HasArgument(argument) {
			c.fault(path+".query", "%s is no parameter of %s", argument, e.Search)
		}
		c.list(d, e.Items, path+".items")
		c.inList(d, e.Items, e.ID, path+".id")
		c.inList(d, e.Items, e.Label, path+".label")
	}
}
