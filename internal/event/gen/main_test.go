package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/words"
)

func TestCommittedFilesAreFresh(t *testing.T) {
	files, err := outputs()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is stale: run go run ./internal/event/gen", name)
		}
	}
}

func TestEveryCodeAndActionHasWords(t *testing.T) {
	for _, language := range words.Languages {
		c := words.For(language)
		for _, f := range event.Facts {
			keys := []string{string(f.Code) + ".title", string(f.Code) + ".message"}
			if f.Action != event.ActionNone {
				keys = append(keys, "action."+string(f.Action))
			}
			for _, key := range keys {
				if !c.Has("code." + key) {
					t.Errorf("%s lacks code.%s", language, key)
				}
			}
		}
	}
}

func TestSlotsAgreeBetweenLanguages(t *testing.T) {
	slot := regexp.MustCompile(`\{[a-zA-Z]+\}`)
	slots := func(c *words.Catalogue, name string) []string {
		seen := map[string]bool{}
		for _, key := range c.Keys(name) {
			if wordName(key) != name {
				continue
			}
			for _, s := range slot.FindAllString(c.Text(key, nil), -1) {
				seen[s] = true
			}
		}
		out := make([]string, 0, len(seen))
		for s := range seen {
			out = append(out, s)
		}
		slices.Sort(out)
		return out
	}
	en := words.For("en")
	for _, prefix := range wordPrefixes {
		for _, key := range en.Keys(prefix) {
			name := wordName(key)
			want := slots(en, name)
			for _, language := range words.Languages[1:] {
				if got := slots(words.For(language), name); !slices.Equal(got, want) {
					t.Errorf("%s of %s has slots %v, want %v", name, language, got, want)
				}
			}
		}
	}
}

func TestWordsKeepTheTone(t *testing.T) {
	refused := []string{"!", "oops", "please", "successfully", "sorry"}
	for _, language := range words.Languages {
		c := words.For(language)
		for _, prefix := range wordPrefixes {
			for _, key := range c.Keys(prefix) {
				text := strings.ToLower(c.Text(key, nil))
				for _, word := range refused {
					if strings.Contains(text, word) {
						t.Errorf("%s of %s says %q", key, language, word)
					}
				}
			}
		}
	}
}
