package page

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/steward-assistant/steward/principal"
)

// maxHits is the most pages that a search gives.
const maxHits = 8

// Find gives the pages that suit a query best, of those that a member may open; none where no word of the query is one
// of a page's. Case, accents and vowel points do not matter; a Hebrew word is found behind its prefixes too.
func (x *Index) Find(p principal.Principal, locale, query string) []Hit {
	asked := terms(cut(query, 200))
	if len(asked) == 0 {
		return nil
	}
	var hits []Hit
	for _, e := range x.entries {
		if !x.opens(e, p) {
			continue
		}
		if score := e.score(asked); score > 0 {
			hits = append(hits, Hit{
				Page: e.page, Path: e.page.Path, Label: e.page.Label.In(locale, x.fallback), Focus: e.page.Focus, Score: score,
			})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return hits[:min(len(hits), maxHits)]
}

// score is the best that the query does against the page's label, a synonym or its path, in whatever language: people
// mix them. A name that stands whole in the query counts more than one of which a word does.
func (e *entry) score(asked []string) float64 {
	best := 0.0
	for _, label := range e.labels {
		best = max(best, 1.0*overlap(asked, label))
	}
	for _, list := range e.synonyms {
		for _, s := range list {
			best = max(best, 0.9*overlap(asked, s))
		}
	}
	return max(best, 0.6*overlap(asked, e.path))
}

// overlap is how much of a name the query holds (most of it), and how much of the query the name explains.
func overlap(asked, name []string) float64 {
	if len(name) == 0 {
		return 0
	}
	found := 0.0
	for _, word := range name {
		best := 0.0
		for _, a := range asked {
			best = max(best, alike(a, word))
		}
		found += best
	}
	if found == 0 {
		return 0
	}
	return 0.75*found/float64(len(name)) + 0.25*min(1, found/float64(len(asked)))
}

// alike tells how near two words are: the same, the same but for a Hebrew prefix, or one the beginning of the other, as
// a plural is.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	if isHebrew(a) {
		for _, bare := range hebrewStems(a) {
			if bare == b {
				return 0.95
			}
			if slices.Contains(hebrewStems(b), bare) {
				return 0.9
			}
		}
	}
	short, long := []rune(a), []rune(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	common := 0
	for common < len(short) && short[common] == long[common] {
		common++
	}
	// Endings of inflection are short: what differs at the end may be three letters, of a stem of at least four.
	if common >= 4 && len(long)-common <= 3 && len(short)-common <= 2 {
		return 0.8
	}
	if common == len(short) && common >= 3 && len(long)-common <= 2 {
		return 0.75
	}
	return 0
}

// hebrewPrefixes are the letters that stand before a word without a space: and, the, in, to, from, that, as.
const hebrewPrefixes = "והבלמשכ"

// hebrewStems are what a word may be without its prefixes, the word itself first; at most three letters are taken, and
// at least two stay.
func hebrewStems(w string) []string {
	out := []string{w}
	r := []rune(w)
	for i := 0; i < 3 && i < len(r)-2 && strings.ContainsRune(hebrewPrefixes, r[i]); i++ {
		out = append(out, string(r[i+1:]))
	}
	return out
}

func isHebrew(w string) bool {
	for _, r := range w {
		return unicode.Is(unicode.Hebrew, r)
	}
	return false
}

// stop are words that ask for a page and name none.
var stop = map[string]bool{
	"the": true, "a": true, "an": true, "to": true, "of": true, "in": true, "on": true, "for": true, "my": true, "is": true,
	"where": true, "can": true, "i": true, "find": true, "show": true, "me": true, "open": true, "go": true, "page": true,
	"how": true, "do": true, "see": true, "please": true, "and": true, "take": true, "get": true,
	"איפה": true, "את": true, "של": true, "לי": true, "אני": true, "אפשר": true, "הדף": true, "דף": true, "תראה": true, "פתח": true, "לפתוח": true,
	"где": true, "найти": true, "мне": true, "открыть": true, "открои": true, "страница": true, "страницу": true, "и": true, "на": true, "в": true, "покажи": true, "как": true,
}

// terms folds a text into words: lower case, without accents and points, final letters of Hebrew as they stand within a
// word, ё as е.
func terms(s string) []string {
	s = fold(s)
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	kept := words[:0:0]
	for _, w := range words {
		if !stop[w] {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return words // a name that is made of such words alone is still a name
	}
	return kept
}

var finals = strings.NewReplacer("ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ")

func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’', r == '׳', r == '״', r == '"':
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return finals.Replace(b.String())
}

func cut(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit])
	}
	return s
}
