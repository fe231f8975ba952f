package check

import (
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/config"
)

// languages warns of texts that people of a language will read in another.
func (c *checker) languages() {
	c.text("product.name", c.cfg.Product.Name)
	for name, a := range c.cfg.Tools.Actions {
		path := config.Path("tools.actions", name)
		c.text(path+".progress", a.Progress)
		c.text(path+".failure", a.Failure)
		c.card(path+".preview", a.Preview)
		if a.Table != nil {
			c.text(path+".table.title", a.Table.Title)
			for _, col := range a.Table.Columns {
				c.text(path+".table.columns", col.Header)
			}
		}
		if len(a.Asks) > 0 {
			c.missing(path+".asks", func(locale string) bool { return len(a.Asks[locale]) > 0 })
		}
	}
	for name, consequence := range c.cfg.Consequences {
		c.text(config.Path("consequences", name)+".text", consequence.Text)
	}
	for i, p := range c.cfg.Nav {
		c.text(fmt.Sprintf("nav[%d].label", i), p.Label)
	}
	for i, s := range c.cfg.Starters {
		c.text(fmt.Sprintf("starters[%d].text", i), s.Text)
	}
	for name, s := range c.cfg.Surfaces {
		path := config.Path("surfaces", name) + ".persona"
		c.text(path+".title", s.Persona.Title)
		c.text(path+".disclosure", s.Persona.Disclosure)
	}
}

// card warns of the texts of a write's card. What it asks is a fault where it is missing, and is told of there.
func (c *checker) card(path string, p *config.Preview) {
	if p == nil {
		return
	}
	c.text(path+".kind", p.Kind)
	for i, v := range p.Values {
		row := fmt.Sprintf("%s.values[%d]", path, i)
		c.text(row+".label", v.Label)
		for word, text := range v.Words {
			c.text(config.Path(row+".words", word), text)
		}
	}
}

func (c *checker) text(path string, t config.Text) {
	if _, one := t[""]; one || len(t) == 0 {
		return
	}
	c.missing(path, func(locale string) bool { _, ok := t[locale]; return ok })
}

func (c *checker) missing(path string, has func(locale string) bool) {
	var lacks []string
	for _, locale := range c.cfg.Locales {
		if !has(locale) {
			lacks = append(lacks, locale)
		}
	}
	if len(lacks) > 0 {
		c.warn(path, "has no text in %s", strings.Join(lacks, ", "))
	}
}
