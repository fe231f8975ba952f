package tool

import (
	"crypto/rand"
	"regexp"
	"strings"
)

// Fence marks text of others, so that a model can tell it from the product's own: "<<MARK:" before it and ":MARK>>"
// after it. Mark is random per conversation and cannot be guessed by whoever wrote the text; text that is fenced has
// every occurrence of the mark, and everything that looks like a marker, broken first, so that a fence never closes
// early. The zero value fences nothing and must not be used for what a model is sent.
type Fence struct{ Mark string }

// markLength gives a mark more than 64 random bits: 13 characters of base32.
const markLength = 13

// LabelLimit is the most characters of a text that is a label: a name, a title.
const LabelLimit = 120

// NewFence makes a fence with a random mark.
func NewFence() Fence { return Fence{Mark: strings.ToLower(rand.Text()[:markLength])} }

// Text fences a text, with control, invisible and direction-changing characters taken out.
func (f Fence) Text(s string) string { return f.wrap(Clean(s)) }

// Label fences a text that is a label: on one line, at most [LabelLimit] characters.
func (f Fence) Label(s string) string {
	return f.wrap(cutText(strings.Join(strings.Fields(Clean(s)), " "), LabelLimit))
}

// Open and Close are the markers, for the prompt that explains them.
func (f Fence) Open() string { return "<<" + f.Mark + ":" }

// Close is the marker after a text of others.
func (f Fence) Close() string { return ":" + f.Mark + ">>" }

// Strip takes the markers out again, for people's eyes.
func (f Fence) Strip(s string) string {
	if f.Mark == "" {
		return s
	}
	return strings.NewReplacer(f.Open(), "", f.Close(), "").Replace(s)
}

func (f Fence) wrap(clean string) string {
	if f.Mark == "" {
		return clean
	}
	return f.Open() + f.neutralise(clean) + f.Close()
}

var (
	openLike  = regexp.MustCompile(`<{2,}`)
	closeLike = regexp.MustCompile(`>{2,}`)
)

// neutralise breaks what looks like a marker and takes every copy of the mark out, in whatever case it is written.
func (f Fence) neutralise(s string) string {
	if strings.Contains(s, "<<") {
		s = openLike.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, "<", "‹") })
	}
	if strings.Contains(s, ">>") {
		s = closeLike.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, ">", "›") })
	}
	for {
		i := indexFold(s, f.Mark)
		if i < 0 {
			break
		}
		s = s[:i] + "…" + s[i+len(f.Mark):]
	}
	// A text that ends in "<" or begins with ">" must not grow into a marker together with what we put beside it.
	if strings.HasPrefix(s, ">") {
		s = "›" + s[1:]
	}
	if strings.HasSuffix(s, "<") {
		s = s[:len(s)-1] + "‹"
	}
	return s
}

// indexFold finds an ASCII word in whatever case.
func indexFold(s, word string) int {
	for i := 0; i+len(word) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
