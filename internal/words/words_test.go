package words_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/words"
)

var slot = regexp.MustCompile(`\{[a-zA-Z]+\}`)

// base is a key without its plural form, of which languages have different ones.
func base(key string) string {
	for _, form := range []string{".one", ".two", ".few", ".many", ".other"} {
		if b, ok := strings.CutSuffix(key, form); ok {
			return b
		}
	}
	return key
}

func bases(c *words.Catalogue) []string {
	var out []string
	for _, k := range c.Keys("") {
		out = append(out, base(k))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestEveryKeyStandsInEveryLanguage(t *testing.T) {
	en := words.For("en")
	want := bases(en)
	if len(want) < 100 {
		t.Fatalf("only %d keys: the files were not read", len(want))
	}
	for _, lang := range words.Languages[1:] {
		c := words.For(lang)
		got := bases(c)
		for _, k := range want {
			if !slices.Contains(got, k) {
				t.Errorf("%s lacks %s", lang, k)
			}
		}
		for _, k := range got {
			if !slices.Contains(want, k) {
				t.Errorf("%s has %s, which English lacks", lang, k)
			}
		}
		for _, k := range en.Keys("") {
			if !c.Has(k) {
				continue
			}
			a, b := slot.FindAllString(en.Text(k, nil), -1), slot.FindAllString(c.Text(k, nil), -1)
			slices.Sort(a)
			slices.Sort(b)
			if base(k) == k && !slices.Equal(slices.Compact(a), slices.Compact(b)) {
				t.Errorf("%s of %s fills %v, English %v", k, lang, b, a)
			}
		}
	}
}

func TestEveryCodeHasASentence(t *testing.T) {
	for _, lang := range words.Languages {
		c := words.For(lang)
		for _, f := range event.Facts {
			for _, part := range []string{".title", ".message"} {
				if !c.Has("code." + string(f.Code) + part) {
					t.Errorf("%s: no %s of %s", lang, part, f.Code)
				}
			}
		}
	}
}

func TestTone(t *testing.T) {
	for _, lang := range words.Languages {
		c := words.For(lang)
		for _, k := range c.Keys("") {
			text := c.Text(k, nil)
			for _, bad := range []string{"!", "oops", "Oops", "successfully", "please", "Please"} {
				if strings.Contains(text, bad) && !strings.Contains(text, "![") {
					t.Errorf("%s %s: %q", lang, k, text)
				}
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	for locale, want := range map[string]string{"": "en", "he-IL": "he", "iw": "he", "RU": "ru", "fr": "en", "en_US": "en"} {
		if got := words.Language(locale); got != want {
			t.Errorf("Language(%q) = %q, want %q", locale, got, want)
		}
	}
}
