package guide

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// newTerms gathers the words of a host's pages and things, as people write them and without endings.
func newTerms(c Config) map[string]bool {
	out := map[string]bool{}
	add := func(text string) {
		tokens, _ := tokenize(text)
		for i := range tokens {
			for _, k := range tokens[i].keys {
				out[k] = true
			}
		}
	}
	for _, t := range c.Terms {
		add(t)
	}
	for _, terms := range c.Words {
		for term, list := range terms {
			add(term)
			for _, w := range list {
				add(w)
			}
		}
	}
	return out
}

// proper keeps of a run of words those that can be a name: words of a date, verbs of the guide and words of the product
// are taken off its ends, and nothing is left where there is no other. Quoted words stand as they are.
func (g *Guide) proper(r *reading, run set) set {
	for i := 0; i < len(r.tokens) && run != 0; i++ {
		if !run.has(i) {
			continue
		}
		if g.canBeName(r, i) {
			break
		}
		run &^= 1 << i
	}
	for i := len(r.tokens) - 1; i >= 0 && run != 0; i-- {
		if !run.has(i) {
			continue
		}
		if g.canBeName(r, i) {
			break
		}
		run &^= 1 << i
	}
	return run
}

// canBeName reports whether a word may be part of a name. A capital inside a sentence says so of any word but a small one.
func (g *Guide) canBeName(r *reading, i int) bool {
	t := r.tokens[i]
	switch {
	case t.quoted:
		return true
	case light(t):
		return false
	}
	for s := senseOffset; s <= senseDayWord; s++ {
		if s != senseWeekday && s != senseMonth && s != senseNumber && r.calendar.is(i, s) {
			return false
		}
	}
	if first, _ := utf8.DecodeRuneInString(r.text[t.from:]); i > 0 && unicode.IsUpper(first) && !shouted(r.text) {
		return true
	}
	v := intents()
	if v.writes[t.text] || v.goes[t.text] || v.intents[t.text] != nil {
		return false
	}
	for n, k := range t.keys {
		if n > 0 && (k[0] == '=' || letters(k) < 4) {
			continue
		}
		if g.terms[k] || slices.ContainsFunc(r.reads, func(rd *read) bool { return rd.says[k] }) {
			return false
		}
	}
	return true
}

// shouted reports whether a text has no small letter, so that its capitals say nothing.
func shouted(text string) bool {
	for _, r := range text {
		if unicode.IsLower(r) {
			return false
		}
	}
	return true
}
