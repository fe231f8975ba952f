package guide

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxBytes is how much of a question is read; what a person asks a guide is far shorter.
	maxBytes = 2000
	// maxTokens lets a set of tokens be one machine word.
	maxTokens = 64
)

// token is one word or number of a text, folded for comparing, with its place in the text as it was written.
type token struct {
	text     string
	from, to int
	// keys are the forms under which it is compared, the folded word first.
	keys []string
	// quoted says that it stands between quotation marks.
	quoted bool
}

// finals are the Hebrew letters that are written otherwise at the end of a word.
var finals = strings.NewReplacer("ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ")

// fold takes case, accents, niqqud and final forms away, and makes ё an е.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return finals.Replace(b.String())
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// clip gives the start of s, at most n bytes, cut between characters, and whether it was cut.
func clip(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

type class uint8

const (
	other class = iota
	letter
	digit
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf && '0' <= r && r <= '9', unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r):
		return letter
	default:
		return other
	}
}

func ignorable(r rune) bool { return unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) }

func isQuote(r rune) bool { return strings.ContainsRune("\"“”„«»״", r) }

// tokenize splits a text into words and numbers. "6pm" is two tokens, "18:00", "18/3" and "2026-03-18" are one, and a
// possessive "'s" is none. It reports whether the text holds more than maxTokens.
func tokenize(s string) (tokens []token, cut bool) {
	runes := make([]rune, 0, len(s))
	at := make([]int, 0, len(s)+1)
	for i, r := range s {
		runes, at = append(runes, r), append(at, i)
	}
	at = append(at, len(s))
	quoted := false
	for i := 0; i < len(runes); {
		c := classOf(runes[i])
		if c == other {
			if isQuote(runes[i]) {
				quoted = !quoted && closes(runes[i+1:])
			}
			i++
			continue
		}
		end, next := run(runes, i, c)
		if len(tokens) == maxTokens {
			return tokens, true
		}
		text := fold(strings.Map(keep(c), s[at[i]:at[end]]))
		if text != "" {
			tokens = append(tokens, token{text: text, from: at[i], to: at[end], keys: keys(text), quoted: quoted})
		}
		i = next
	}
	return tokens, false
}

func closes(rest []rune) bool {
	return slices.ContainsFunc(rest, isQuote)
}

// keep drops what joins the letters of one word.
func keep(c class) func(rune) rune {
	return func(r rune) rune {
		if c == letter && classOf(r) == other && !ignorable(r) {
			return -1
		}
		return r
	}
}

// run gives the end of the token that starts at i, and where to read on.
func run(r []rune, i int, c class) (end, next int) {
	dashed := false
	for j := i + 1; ; j++ {
		if j >= len(r) {
			return j, j
		}
		if ignorable(r[j]) {
			continue
		}
		if classOf(r[j]) == c {
			// A Hebrew prefix stands before a Latin name without a space.
			if unicode.Is(unicode.Hebrew, r[j-1]) && unicode.Is(unicode.Latin, r[j]) {
				return j, j
			}
			continue
		}
		follows := other
		if j+1 < len(r) {
			follows = classOf(r[j+1])
		}
		switch {
		case c == digit && follows == digit && strings.ContainsRune(":./,", r[j]):
		case c == digit && follows == digit && r[j] == '-' && (dashed || j-i == 4):
			dashed = true
		case c == letter && follows == letter && isApostrophe(r[j]):
			if (r[j+1] == 's' || r[j+1] == 'S') && (j+2 >= len(r) || classOf(r[j+2]) == other) {
				return j, j + 2
			}
		case c == letter && follows == letter && (r[j] == '"' || r[j] == '״') && unicode.Is(unicode.Hebrew, r[j-1]):
		case c == letter && follows == letter && r[j] == '.' && (j-i == 1 || r[j-2] == '.'):
		default:
			return j, j
		}
	}
}

func isApostrophe(r rune) bool { return strings.ContainsRune("'’‘`׳ʼ", r) }

// language tells the language that a text is written in by its letters; locale where they do not tell.
func language(tokens []token, locale string) string {
	var he, ru, latin int
	for _, t := range tokens {
		r, _ := utf8.DecodeRuneInString(t.text)
		switch {
		case unicode.Is(unicode.Hebrew, r):
			he++
		case unicode.Is(unicode.Cyrillic, r):
			ru++
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
		}
	}
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(locale, "_", "-")), "-")
	if base == "iw" {
		base = "he"
	}
	switch {
	case he > 0 && he >= ru:
		return "he"
	case ru > 0:
		return "ru"
	case latin > 0 && (base == "he" || base == "ru") && english(tokens):
		return "en"
	case base == "":
		return "en"
	default:
		return base
	}
}

// english reports whether Latin words are English and not only names.
func english(tokens []token) bool {
	for _, t := range tokens {
		if _, ok := stopWords()[t.text]; ok {
			return true
		}
	}
	return false
}
