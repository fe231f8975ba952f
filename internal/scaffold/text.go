package scaffold

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oneLine makes text of a document fit for one line: white space is one space, and what no reader sees (control and
// format characters, which could end a comment or turn its direction) is left out.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// cutAt shortens to at most limit characters, at a space where there is one.
func cutAt(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	cut := string([]rune(s)[:limit-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:-–—") + "…"
}

var (
	markdownLink = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	htmlTag      = regexp.MustCompile(`<[^<>]*>`)
	sentenceEnd  = regexp.MustCompile(`[.!?](\s|$)`)
)

// firstSentence is the first sentence of prose in Markdown: headings, lists, tables and code are passed over.
func firstSentence(markdown string) string {
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(markdown, "\r\n", "\n"), "\n\n") {
		var prose []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.ContainsAny(line[:1], "#|>-*+=`") && !strings.HasPrefix(line, "**") {
				continue
			}
			prose = append(prose, line)
		}
		s := markdownLink.ReplaceAllString(strings.Join(prose, " "), "$1")
		s = oneLine(strings.NewReplacer("**", "", "__", "", "`", "").Replace(htmlTag.ReplaceAllString(s, "")))
		if s == "" || !strings.Contains(s, " ") {
			continue
		}
		if end := sentenceEnd.FindStringIndex(s); end != nil {
			s = s[:end[0]+1]
		}
		return cutAt(s, 200)
	}
	return ""
}

var (
	plainScalar = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9 ._/-]*$`)
	yamlWord    = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|null|y|n|nan|inf)$`)
)

// scalar writes a text as a YAML scalar that reads back as just that text, in any context.
func scalar(s string) string {
	if plainScalar.MatchString(s) && !strings.HasSuffix(s, " ") && !yamlWord.MatchString(s) {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a text always encodes
	}
	return strings.TrimSpace(b.String())
}

// humanWords splits a name into words in lower case: "listOpenLoans", "list-open-loans" and "list_open_loans" are "list
// open loans". A word in capitals stays one.
func humanWords(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	r := []rune(name)
	for i, c := range r {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			end()
			continue
		}
		if unicode.IsUpper(c) && i > 0 && (unicode.IsLower(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			end()
		}
		word = append(word, c)
	}
	end()
	return words
}

// capital writes a text with its first letter in upper case.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// singular gives the singular of an English plural by its usual endings; anything else stays.
func singular(word string) string {
	switch {
	case len(word) < 4, strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return strings.TrimSuffix(word, "es")
	}
	return strings.TrimSuffix(word, "s")
}
