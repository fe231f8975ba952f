package tool

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean takes out of a text what a person would not see and a model would read, or what makes a person see something
// else than is there: control and format characters, tags, direction overrides, hidden variation selectors. What
// languages need stays: joiners in scripts that join, direction marks, emoji sequences.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	r := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(r); i++ {
		c := r[i]
		switch {
		case c == '\n' || c == '\t':
			b.WriteRune(c)
		case c == '\r':
			if i+1 >= len(r) || r[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case c == 0x2028 || c == 0x2029 || c == 0x85 || c == 0x0b || c == 0x0c || c == 0x2800:
			b.WriteByte(' ')
		case c == 0x1F3F4:
			b.WriteRune(c)
			i += writeFlag(&b, r[i+1:])
		case c == 0x200C || c == 0x200D:
			if i > 0 && i+1 < len(r) && joins(c, r[i-1], r[i+1]) {
				b.WriteRune(c)
			}
		case c == 0xFE0E || c == 0xFE0F:
			// One emoji or text selector after a symbol, or after a key that is to be a keycap.
			if i > 0 && !isSelector(r[i-1]) && (r[i-1] >= 0x203C || r[i-1] == '©' || r[i-1] == '®' || i+1 < len(r) && r[i+1] == 0x20E3) {
				b.WriteRune(c)
			}
		case hidden(c):
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// plain reports whether a text is printable ASCII, as most are.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < 0x20 && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

func hidden(c rune) bool {
	switch {
	case c == 0x200E || c == 0x200F || c == 0x061C: // direction marks, which mixed text needs and which override nothing
		return false
	case unicode.Is(unicode.Cc, c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Co, c):
		return true
	case c >= 0xFE00 && c <= 0xFE0F || c >= 0xE0000 && c <= 0xE0FFF: // variation selectors, tags
		return true
	case c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0xFFFC || c == 0x17B4 || c == 0x17B5:
		return true // fillers that show nothing, and the place holder of an object
	case c >= 0xFDD0 && c <= 0xFDEF || c&0xFFFE == 0xFFFE: // no characters (Unicode section 23.7)
		return true
	}
	return false
}

func isSelector(c rune) bool {
	return c >= 0xFE00 && c <= 0xFE0F || c >= 0xE0100 && c <= 0xE01EF
}

// joining are the scripts whose words use ZWNJ and ZWJ (Unicode section 23.2).
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Myanmar,
}

// joins reports whether a joiner between two characters is one that a language or an emoji needs.
func joins(c, before, after rune) bool {
	if unicode.In(before, joining...) && unicode.In(after, joining...) {
		return true
	}
	return c == 0x200D && (before == 0xFE0F || isPictograph(before)) && isPictograph(after)
}

func isPictograph(c rune) bool {
	return c >= 0x2190 && c <= 0x2BFF || c >= 0x1F000 && c <= 0x1FAFF
}

// flags are the three flags that are written with tags (Unicode TR51, RGI tag sequences).
var flags = []string{"gbeng", "gbsct", "gbwls"}

// writeFlag writes the tags of a flag that stand at the head of r and says how many characters they are.
func writeFlag(b *strings.Builder, r []rune) int {
	for _, f := range flags {
		if len(r) <= len(f) || r[len(f)] != 0xE007F {
			continue
		}
		match := true
		for i, c := range f {
			match = match && r[i] == 0xE0000+c
		}
		if match {
			b.WriteString(string(r[:len(f)+1]))
			return len(f) + 1
		}
	}
	return 0
}
