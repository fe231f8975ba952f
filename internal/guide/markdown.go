package guide

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLabel is the most characters of one text of others in a reply.
const maxLabel = 120

// plain makes text of others fit for one line: no control characters, nothing invisible, no direction marks, cut.
func plain(s string) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range s {
		switch {
		case r == utf8.RuneError:
			continue
		case unicode.IsSpace(r), unicode.Is(unicode.Cc, r):
			space = b.Len() > 0
			continue
		case unicode.Is(unicode.Cf, r) && r != '\u200d', unicode.Is(unicode.Co, r), 0xe0000 <= r && r <= 0xe0fff:
			continue
		}
		if n >= maxLabel {
			b.WriteString("…")
			break
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// escape makes text of others plain and takes every meaning of Markdown from it, links that renderers make of bare
// addresses included.
func escape(s string) string {
	s = plain(s)
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_[]<>#|~&!$@{}()", r):
			b.WriteByte('\\')
		case r == ':' && !betweenDigits(s, i), r == '.' && strings.HasSuffix(strings.ToLower(s[:i]), "www"):
			b.WriteByte('\\')
		case strings.ContainsRune("-+=", r) && i == 0, (r == '.') && i > 0 && onlyDigits(s[:i]):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func betweenDigits(s string, i int) bool {
	return i > 0 && i+1 < len(s) && '0' <= s[i-1] && s[i-1] <= '9' && '0' <= s[i+1] && s[i+1] <= '9'
}

func onlyDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
