package guide

import (
	"slices"
	"strings"

	"github.com/steward-assistant/steward/tool"
)

// plainWords are the words of a read's name that say nothing of what it reads.
var plainWords = strings.Fields("read reads list lists get gets find finds search searches all index query fetch show lookup api by of the v1 v2")

// derived gives phrases for a read that its host gave none: what its table, its summary and its name call it. A read that
// needs an argument has none, for nothing says how it is asked for. They count for less than a phrase of the host.
func (g *Guide) derived(r *read) map[string][]*ask {
	for _, p := range r.order {
		if p.required {
			return nil
		}
	}
	out := map[string][]*ask{}
	add := func(lang, text string) {
		a := g.newAsk(r, strings.NewReplacer("{", " ", "}", " ").Replace(text))
		if a == nil || !slices.ContainsFunc(a.words, func(w token) bool { return !light(w) }) {
			return
		}
		if !slices.ContainsFunc(out[lang], func(b *ask) bool { return fold(a.text) == fold(b.text) }) {
			a.derived = true
			out[lang] = append(out[lang], a)
		}
	}
	if r.def.Table != nil {
		for lang, title := range r.def.Table.Title {
			if lang != "" {
				add(lang, title)
			}
		}
	}
	clause := firstClause(r.def.Summary)
	tokens, _ := tokenize(clause)
	lang := language(tokens, "en")
	add(lang, clause)
	add(lang, nounPart(clause))
	add("en", nameOf(r.def))
	return out
}

// firstClause gives a summary up to its first stop.
func firstClause(summary string) string {
	clause := summary
	if i := strings.IndexAny(clause, ".,;:(–—!?\n"); i >= 0 {
		clause = clause[:i]
	}
	return strings.TrimSpace(clause)
}

// nounPart gives an English clause up to the word with which it goes into detail: "Leads by stage" is about leads.
func nounPart(clause string) string {
	words := strings.Fields(clause)
	for i, w := range words {
		if i > 0 && slices.Contains([]string{"by", "of", "with", "for", "that", "which", "who", "in", "from", "on", "and", "to"}, strings.ToLower(w)) {
			return strings.Join(words[:i], " ")
		}
	}
	return clause
}

// nameOf gives the words of a read's name that say what it reads: "orders.list" and "api.listOrders" are "orders".
func nameOf(d *tool.Definition) string {
	var out []string
	for _, w := range append(nameParts(d.Router), nameParts(d.Action)...) {
		if !slices.Contains(plainWords, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
