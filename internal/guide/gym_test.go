package guide_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

const gymFolder = "../../examples/gym"

func gym(tb testing.TB) (*host, *config.Config) {
	tb.Helper()
	if _, err := os.Stat(gymFolder + "/steward.yaml"); errors.Is(err, fs.ErrNotExist) {
		tb.Skip("examples/gym has no steward.yaml")
	}
	env := map[string]string{"GYM_TOKEN_SECRET": strings.Repeat("s", 32), "GYM_URL": "http://127.0.0.1:9"}
	cfg, faults := config.Load(config.Dir(gymFolder), "steward.yaml", func(k string) (string, bool) { v, ok := env[k]; return v, ok })
	if cfg == nil || len(faults) > 0 {
		tb.Fatalf("load: %v", faults)
	}
	r, err := tool.Open(context.Background(), cfg, tool.OpenOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		tb.Fatal(err)
	}
	h := &host{guide: guide.New(guide.FromConfig(cfg, page.NewIndex(cfg))), registry: r, zone: zone}
	h.offer = r.Offer(tool.Asker{Principal: principal.Principal{Member: "m1", Org: "1", Roles: []string{"owner"}}})
	h.answer = func(string, map[string]any) tool.Result {
		return ok(`{"items":[{"id":7,"name":"Dana Levi","title":"Dana Levi"}],"total":1}`, rows(1))
	}
	return h, cfg
}

var slotPattern = regexp.MustCompile(`\{([^{}]+)\}`)

// sample fills a phrase as a member would; false where a slot is plain text, which the guide never fills.
func sample(d *tool.Definition, cfg *config.Config, phrase, lang string) (string, bool) {
	var root struct {
		Properties map[string]struct {
			Type, Format, Pattern string
			Enum                  []string
		}
	}
	if json.Unmarshal(d.Input, &root) != nil {
		return "", false
	}
	words := map[string][4]string{"en": {"tomorrow", "18:00", "last month", "12"}, "he": {"מחר", "18:00", "בחודש שעבר", "12"}, "ru": {"завтра", "18:00", "за прошлый месяц", "12"}}[lang]
	filled := true
	out := slotPattern.ReplaceAllStringFunc(phrase, func(s string) string {
		name, _, entity := strings.Cut(strings.Trim(s, "{}"), ":")
		p := root.Properties[name]
		switch {
		case entity:
			return "Dana Levi"
		case len(p.Enum) > 0:
			if w := cfg.Words[lang][p.Enum[0]]; len(w) > 0 {
				return w[0]
			}
			return strings.ReplaceAll(p.Enum[0], "_", " ")
		case p.Format == "date" && name == "from":
			return words[2]
		case p.Format == "date" && name == "to":
			return ""
		case p.Format == "date":
			return words[0]
		case strings.Contains(p.Pattern, ":"):
			return words[1]
		case strings.Contains(p.Pattern, "{4}-"):
			return words[2]
		case p.Type == "integer":
			return words[3]
		case p.Type == "boolean":
			return strings.ReplaceAll(name, "_", " ")
		}
		for _, e := range cfg.Entities {
			if e.Search == d.Name() && e.Query == "/"+name {
				return "Dana Levi"
			}
		}
		filled = false
		return s
	})
	return out, filled
}

func TestEveryPhraseOfTheGymFindsItsOwnRead(t *testing.T) {
	t.Parallel()
	h, cfg := gym(t)
	tested, left := 0, 0
	for _, d := range h.offer.Definitions() {
		for lang, phrases := range d.Asks {
			for _, phrase := range phrases {
				question, filled := sample(d, cfg, phrase, lang)
				if !filled {
					left++
					continue
				}
				tested++
				r := h.ask(t, lang, question)
				if r.first(d.Name()) == "" {
					t.Errorf("%s %s: %q asked as %q gave %q after %q", lang, d.Name(), phrase, question, r.Text, r.last())
				}
			}
		}
	}
	t.Logf("%d phrases find their read; %d have a slot of plain text", tested, left)
}

func TestStartersOfTheGymAreAnswered(t *testing.T) {
	t.Parallel()
	h, cfg := gym(t)
	for _, s := range cfg.Starters {
		h.route = ""
		if len(s.Pages) > 0 {
			h.route = strings.ReplaceAll(s.Pages[0], "{id}", "7")
		}
		for _, lang := range cfg.Locales {
			if r := h.ask(t, lang, s.Text.In(lang)); len(r.calls) == 0 {
				t.Errorf("%s: %q gave %q", lang, s.Text.In(lang), r.Text)
			}
		}
	}
}
