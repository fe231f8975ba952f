package guide

import (
	"slices"
	"strings"
)

// synonyms are the host's words: what people call its things, in every language at once.
type synonyms struct {
	// terms gives by a form of a word the terms that it stands for.
	terms map[string][]string
	// phrases are those of several words, by the first one's folded text.
	phrases map[string][]phrase
}

type phrase struct {
	rest []token
	term string
}

// newSynonyms reads the host's words: by language, by term, what people call it. A term stands for itself too.
func newSynonyms(words map[string]map[string][]string) *synonyms {
	s := &synonyms{terms: map[string][]string{}, phrases: map[string][]phrase{}}
	for _, terms := range words {
		for term, list := range terms {
			mark := "=" + fold(term)
			s.put(mark, strings.Join(nameParts(term), " "))
			for _, w := range list {
				s.put(mark, w)
			}
		}
	}
	for k := range s.terms {
		slices.Sort(s.terms[k])
	}
	for _, list := range s.phrases {
		slices.SortFunc(list, func(a, b phrase) int {
			if len(a.rest) != len(b.rest) {
				return len(b.rest) - len(a.rest)
			}
			return strings.Compare(a.term, b.term)
		})
	}
	return s
}

func (s *synonyms) put(term, text string) {
	tokens, _ := tokenize(text)
	switch len(tokens) {
	case 0:
	case 1:
		for _, k := range tokens[0].keys {
			if !slices.Contains(s.terms[k], term) {
				s.terms[k] = append(s.terms[k], term)
			}
		}
	default:
		s.phrases[tokens[0].text] = append(s.phrases[tokens[0].text], phrase{tokens[1:], term})
	}
}

// apply adds to the forms of each word the terms that it stands for; a phrase's stand with its first word. It gives by
// word the ones that belong to it because they go on its phrase.
func (s *synonyms) apply(tokens []token) []set {
	rest := make([]set, len(tokens))
	for i := range tokens {
		keys := slices.Clone(tokens[i].keys)
		for _, k := range tokens[i].keys {
			for _, term := range s.terms[k] {
				if !slices.Contains(keys, term) {
					keys = append(keys, term)
				}
			}
		}
		for _, p := range s.phrases[tokens[i].text] {
			if p.follows(tokens[i+1:]) {
				keys = append(keys, p.term)
				rest[i] = span(i+1, i+1+len(p.rest))
				break
			}
		}
		tokens[i].keys = keys
	}
	return rest
}

func (p *phrase) follows(tokens []token) bool {
	if len(tokens) < len(p.rest) {
		return false
	}
	for i := range p.rest {
		if !slices.ContainsFunc(p.rest[i].keys, func(k string) bool { return slices.Contains(tokens[i].keys, k) }) {
			return false
		}
	}
	return true
}
