// Package words is the one catalogue of what Steward itself says to people, in every language it speaks. A host's own
// words stand in its steward.yaml; here stand the sentences of codes, of tools and of the guide, and the labels of the
// widget, which are generated into TypeScript from these same files.
//
// A text may hold {name} slots. A text that counts stands under several keys, one a plural form of CLDR
// ("key.one", "key.few", "key.many", "key.two", "key.other"), chosen by the slot {n}.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed en/*.json he/*.json ru/*.json
var files embed.FS

// Languages are those that every key stands in, the fallback first.
var Languages = []string{"en", "he", "ru"}

// Catalogue is all texts of one language. Safe for concurrent use.
type Catalogue struct {
	// Language is one of [Languages].
	Language string
	texts    map[string]string
}

var load = sync.OnceValues(func() (map[string]*Catalogue, error) {
	all := make(map[string]*Catalogue, len(Languages))
	for _, lang := range Languages {
		c := &Catalogue{Language: lang, texts: map[string]string{}}
		names, err := fs.Glob(files, lang+"/*.json")
		if err != nil {
			return nil, fmt.Errorf("list words of %q: %w", lang, err)
		}
		for _, name := range names {
			b, err := files.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("read words %q: %w", name, err)
			}
			part := map[string]string{}
			if err := json.Unmarshal(b, &part); err != nil {
				return nil, fmt.Errorf("parse words %q: %w", name, err)
			}
			prefix := strings.TrimSuffix(path.Base(name), ".json") + "."
			for k, v := range part {
				c.texts[prefix+k] = v
			}
		}
		all[lang] = c
	}
	return all, nil
})

// For gives the catalogue of a locale's language ("he-IL" takes "he"); English where Steward does not speak it.
func For(locale string) *Catalogue {
	all, err := load()
	if err != nil {
		// The files are part of the binary and a test reads them all: this cannot happen to a built program.
		return &Catalogue{Language: "en", texts: map[string]string{}}
	}
	return all[Language(locale)]
}

// Language gives the one of [Languages] that a locale is spoken to in.
func Language(locale string) string {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(locale, "_", "-")), "-")
	if base == "iw" { // the old code of Hebrew, which some browsers still send
		base = "he"
	}
	for _, l := range Languages {
		if l == base {
			return l
		}
	}
	return Languages[0]
}

// Args fills slots: name → value.
type Args map[string]string

// Text gives the text of a key with its slots filled; the key itself where the catalogue lacks it, so that a person
// sees that something is missing and a test finds it.
func (c *Catalogue) Text(key string, args Args) string {
	s, ok := c.texts[key]
	if !ok {
		return key
	}
	return fill(s, args)
}

// Has reports whether the key stands in the catalogue.
func (c *Catalogue) Has(key string) bool { _, ok := c.texts[key]; return ok }

// Count gives the text of a key in the plural form of n, with {n} filled.
func (c *Catalogue) Count(key string, n int, args Args) string {
	form := "other"
	if tag, err := language.Parse(c.Language); err == nil {
		switch plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0) {
		case plural.One:
			form = "one"
		case plural.Two:
			form = "two"
		case plural.Few:
			form = "few"
		case plural.Many:
			form = "many"
		default:
		}
	}
	s, ok := c.texts[key+"."+form]
	if !ok {
		s, ok = c.texts[key+".other"]
	}
	if !ok {
		return key
	}
	return fill(strings.ReplaceAll(s, "{n}", strconv.Itoa(n)), args)
}

// Keys lists the keys with a prefix, sorted.
func (c *Catalogue) Keys(prefix string) []string {
	var out []string
	for k := range c.texts {
		if strings.HasPrefix(k, prefix) {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

func fill(s string, args Args) string {
	if len(args) == 0 || !strings.Contains(s, "{") {
		return s
	}
	pairs := make([]string, 0, 2*len(args))
	for k, v := range args {
		pairs = append(pairs, "{"+k+"}", v)
	}
	return strings.NewReplacer(pairs...).Replace(s)
}
