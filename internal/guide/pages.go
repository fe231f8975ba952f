package guide

import (
	"net/url"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/principal"
)

// Pages makes a [Config]'s Find of the nav index. Pages whose path needs an id are left out: nothing says of whom.
func Pages(index *page.Index) func(p principal.Principal, locale, query string) []conversation.Link {
	return func(p principal.Principal, locale, query string) []conversation.Link {
		var out []conversation.Link
		for _, h := range index.Find(p, locale, query) {
			if strings.Contains(h.Path, "{") {
				continue
			}
			out = append(out, conversation.Link{Path: h.Path, Label: h.Label})
		}
		return out
	}
}

// Here makes a [Config]'s Here of the nav index: an entry with an entity and one part of its path in braces.
func Here(index *page.Index) func(p principal.Principal, route string) (entity, id string) {
	return func(p principal.Principal, route string) (entity, id string) {
		entry, address, ok := index.Match(p, route)
		if !ok || entry.Entity == "" {
			return "", ""
		}
		address, _, _ = strings.Cut(address, "?")
		address, _, _ = strings.Cut(address, "#")
		pattern, parts := strings.Split(entry.Path, "/"), strings.Split(address, "/")
		if len(pattern) != len(parts) {
			return "", ""
		}
		for i, s := range pattern {
			if !strings.HasPrefix(s, "{") {
				continue
			}
			if id != "" {
				return "", ""
			}
			v, err := url.PathUnescape(parts[i])
			if err != nil {
				return "", ""
			}
			id = v
		}
		return entry.Entity, id
	}
}

// FromConfig takes from a host's file what the guide needs of it.
func FromConfig(c *config.Config, index *page.Index) Config {
	var terms []string
	for _, p := range c.Nav {
		for _, label := range p.Label {
			terms = append(terms, label)
		}
		for _, list := range p.Synonyms {
			terms = append(terms, list...)
		}
	}
	return Config{
		Product: c.Product.Name, Locales: c.Locales, Find: Pages(index), Here: Here(index), Entities: c.Entities, Words: c.Words, Starters: c.Starters,
		Terms: terms,
	}
}
