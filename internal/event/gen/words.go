package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/words"
)

// wordPrefixes are the parts of the catalogue that the browser needs.
var wordPrefixes = []string{"ui.", "code."}

// addWordFiles adds one file of texts a language. Plural forms differ between languages, so the keys of a text that
// counts are compared without their form.
func addWordFiles(files map[string]string) error {
	var names []string
	for _, language := range words.Languages {
		c := words.For(language)
		texts := map[string]string{}
		for _, prefix := range wordPrefixes {
			for _, key := range c.Keys(prefix) {
				if shown(key) {
					texts[key] = c.Text(key, nil)
				}
			}
		}
		if language == words.Languages[0] {
			names = wordNames(texts)
		} else if got := wordNames(texts); strings.Join(got, "\n") != strings.Join(names, "\n") {
			return fmt.Errorf("the words of %q differ from those of %q: %s", language, words.Languages[0], difference(names, got))
		}
		text, err := wordFile(texts)
		if err != nil {
			return fmt.Errorf("words of %q: %w", language, err)
		}
		files["web/client/src/words."+language+".gen.ts"] = text
	}
	files["web/client/src/word.gen.ts"] = header +
		"/** The name of a text that is the same however many there are, or of one that counts. */\nexport type Word =\n" + unionOf(names)
	return nil
}

// shown reports whether the browser ever shows a key: a code that is told only with a call has no heading of its own there.
func shown(key string) bool {
	name, ok := strings.CutSuffix(key, ".title")
	if !ok || !strings.HasPrefix(name, "code.") {
		return true
	}
	code := event.Code(strings.TrimPrefix(name, "code."))
	return !slices.Equal(event.FactOf(code).Levels, []event.Level{event.LevelCall})
}

// wordNames lists the keys without plural forms, each once, sorted.
func wordNames(texts map[string]string) []string {
	seen := map[string]bool{}
	for key := range texts {
		seen[wordName(key)] = true
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func wordName(key string) string {
	for _, form := range []string{".one", ".two", ".few", ".many", ".other"} {
		if name, ok := strings.CutSuffix(key, form); ok {
			return name
		}
	}
	return key
}

func wordFile(texts map[string]string) (string, error) {
	keys := make([]string, 0, len(texts))
	for key := range texts {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var b strings.Builder
	b.WriteString(header + "/** Texts by key; one that counts has a key for each plural form. */\nexport const texts: Readonly<Record<string, string>> = {\n")
	for _, key := range keys {
		var text strings.Builder
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(texts[key]); err != nil {
			return "", fmt.Errorf("encode %q: %w", key, err)
		}
		fmt.Fprintf(&b, "  %q: %s,\n", key, strings.TrimSpace(text.String()))
	}
	b.WriteString("}\n")
	return b.String(), nil
}

func difference(a, b []string) string {
	in := map[string]int{}
	for _, x := range a {
		in[x]++
	}
	for _, x := range b {
		in[x]--
	}
	var out []string
	for name, n := range in {
		if n != 0 {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}
