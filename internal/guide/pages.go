package guide

import (
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/principal"
)

// Pages makes a [Config]'s Find of the nav index. Pages whose path needs an id are left out: nothing says of whom.
func Pages(index *page.Index) func(p principal.Principal, locale, query string) []conversation.Link {
	return func(p principal.Principal, locale, query string) []conversation.Link {
		var out []conversation.Link
		for _, h := range index.Find(p, locale, query) {
			out = append(out, conversation.Link{Path: h.Path, Label: h.Label})
		}
		return out
	}
}
