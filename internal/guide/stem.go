package guide

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keys gives the forms under which a folded word is compared: the word, and what remains when the endings and prefixes
// of its language are taken off. Two words are the same where they share one form.
func keys(w string) []string {
	out := []string{w}
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	r, _ := utf8.DecodeRuneInString(w)
	switch {
	case unicode.Is(unicode.Hebrew, r):
		for _, v := range hebrewBases(w, 3) {
			add(v)
			add(stemHebrew(v))
		}
	case unicode.Is(unicode.Cyrillic, r):
		add(stemRussian(w))
	case unicode.Is(unicode.Latin, r):
		add(stemEnglish(w))
		if rest, ok := strings.CutSuffix(w, "nt"); ok && strings.Contains(" is are was were do does did has have had wo ca could should would ", " "+rest+" ") {
			add("not")
		}
	default:
	}
	return out
}

func letters(s string) int { return utf8.RuneCountInString(s) }

// stemEnglish takes the commonest endings off. It need not give words, only the same for kin.
func stemEnglish(w string) string {
	if len(w) < 4 {
		return w
	}
	s := w
	switch {
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		s = s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"), strings.HasSuffix(s, "xes"):
		s = s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") && !strings.HasSuffix(s, "is"):
		s = s[:len(s)-1]
	}
	for _, end := range []string{"ing", "ed"} {
		if rest, ok := strings.CutSuffix(s, end); ok && len(rest) >= 3 {
			if n := len(rest); rest[n-1] == rest[n-2] && !strings.ContainsRune("aeiosz", rune(rest[n-1])) {
				rest = rest[:n-1]
			}
			s = rest
			break
		}
	}
	if rest, ok := strings.CutSuffix(s, "e"); ok && len(rest) >= 3 {
		s = rest
	}
	return s
}

// russianEndings are inflections, the longest first, as fold writes them (й is и).
var russianEndings = strings.Fields(`
	иваться ываться аниями ениями остями
	иями ании ении ание ение ания ения анию ению анием ением остью остеи
	ями ами его ого ему ому ими ыми иях ием иеи ешь ете ите ишь ает яет ают яют или али ало ала ила ена ены ано аны ется ится утся ются
	ях ах ев ов ие ье еи ии ои ыи ия ья ию ью ям ем ам ом им ым их ых ую юю ая яя ое ее ые ет ит ут ют ат ят ть ся сь ли
	а е и о у ы ь ю я`)

// stemRussian takes one ending off, leaving at least three letters.
func stemRussian(w string) string {
	for _, end := range russianEndings {
		if rest, ok := strings.CutSuffix(w, end); ok && letters(rest) >= 3 {
			return rest
		}
	}
	return w
}

// hebrewPrefixes are the letters that Hebrew writes onto a word: and, the, in, to, from, that, as.
const hebrewPrefixes = "והבלמשכ"

// hebrewBases gives w and what it may be once up to three prefix letters are off, each at least least letters long.
func hebrewBases(w string, least int) []string {
	out := []string{w}
	for range 3 {
		r, size := utf8.DecodeRuneInString(w)
		if !strings.ContainsRune(hebrewPrefixes, r) || letters(w)-1 < least {
			break
		}
		w = w[size:]
		out = append(out, w)
	}
	return out
}

// hebrewEndings are plural, feminine and construct endings, as fold writes them.
var hebrewEndings = []string{"ויות", "יימ", "יות", "ית", "ימ", "ות", "ה", "ת", "י"}

// stemHebrew takes one ending off, leaving at least three letters.
func stemHebrew(w string) string {
	for _, end := range hebrewEndings {
		if rest, ok := strings.CutSuffix(w, end); ok && letters(rest) >= 3 {
			return rest
		}
	}
	return w
}

// near reports whether two words of five letters or more differ by one slip: a letter more, less, other, or two swapped.
func near(a, b string) bool {
	if a[0] != b[0] || len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) < len(y) {
		x, y = y, x
	}
	if len(y) < 5 || len(x)-len(y) > 1 || x[0] != y[0] || classOf(x[0]) != letter {
		return false
	}
	i := 0
	for i < len(y) && x[i] == y[i] {
		i++
	}
	if i == len(y) {
		return true
	}
	if len(x) > len(y) {
		return string(x[i+1:]) == string(y[i:])
	}
	if string(x[i+1:]) == string(y[i+1:]) {
		return true
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
}
