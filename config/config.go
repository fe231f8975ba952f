package config

import (
	"io/fs"
	"sort"
)

// Config is a host's file, whole and valid, with its defaults filled in and its secrets resolved. It is read-only once
// [Load] returned it and may be shared.
type Config struct {
	// Product says what Steward is put into.
	Product Product `yaml:"product"`
	// Locales are the languages that the product speaks, as BCP 47 tags; the first is the fallback. Defaults to [en].
	Locales []string `yaml:"locales"`
	// Modes are the ways a conversation may be carried. Only "kept" exists in this version. Defaults to [kept].
	Modes []string `yaml:"modes"`
	// OptIn is "none": the assistant is there for everyone whose role may read. Defaults to none.
	OptIn string `yaml:"opt_in"`
	// Visitors says whether people without an account may ask. Only false exists in this version. Defaults to false.
	Visitors bool `yaml:"visitors"`
	// WithoutModel says what happens where no model can answer: "guide" (look it up without one) or "say_so". Defaults
	// to guide.
	WithoutModel string `yaml:"without_model"`
	// GuideOn are the states in which the guide offers itself: no_key, unavailable, budget, agent_off. Defaults to all
	// four.
	GuideOn []string `yaml:"guide_on"`
	// Identity says how the product proves who asks.
	Identity Identity `yaml:"identity"`
	// Models says which models answer. Defaults to the first of Anthropic, OpenAI and OpenRouter whose key is set.
	Models Models `yaml:"models"`
	// Sources are the product's APIs by name.
	Sources map[string]Source `yaml:"sources"`
	// Entities say how a name that a person types becomes an id, by the entity's name.
	Entities map[string]Entity `yaml:"entities"`
	// Tools says which operations are tools, and how.
	Tools Tools `yaml:"tools"`
	// Consequences are what writes entail, by name, as their cards say it.
	Consequences map[string]Consequence `yaml:"consequences"`
	// Nav is the index of the product's pages: the only paths that are ever suggested.
	Nav []Page `yaml:"nav"`
	// Starters are the first questions that a page offers.
	Starters []Starter `yaml:"starters"`
	// Words are what people call the product's things, by locale, then by thing.
	Words map[string]map[string][]string `yaml:"words"`
	// Surfaces are the places where the assistant lives, by name. Defaults to one called "app".
	Surfaces map[string]Surface `yaml:"surfaces"`
	// Widget is how the assistant stands in the page.
	Widget Widget `yaml:"widget"`
	// Turn bounds one turn.
	Turn Turn `yaml:"turn"`
	// CORS says which other origins' pages may ask.
	CORS CORS `yaml:"cors"`
	// Statement is how Steward signs its own calls, for sources with authority service.
	Statement Statement `yaml:"statement"`

	// File is the name that the file was loaded under.
	File string `yaml:"-"`
	// Files is what the paths in the file are read from.
	Files fs.FS `yaml:"-"`

	at map[string]Position
}

// Where gives the place of a value by its path, as in [Fault.Path]; the place of the nearest key around it where the
// value does not stand in the file, as a default does not.
func (c *Config) Where(path string) Position {
	for p := path; p != ""; p = parentPath(p) {
		if at, ok := c.at[p]; ok {
			return at
		}
	}
	return Position{File: c.File}
}

// Written reports whether a value stands in the file, and is not a default.
func (c *Config) Written(path string) bool {
	_, ok := c.at[path]
	return ok
}

// Fault makes a fault at the place of a path.
func (c *Config) Fault(path, message string) Fault {
	return Fault{Position: c.Where(path), Path: path, Message: message}
}

// FallbackLocale is the locale that is used where none of a person's own is spoken.
func (c *Config) FallbackLocale() string { return c.Locales[0] }

// SourceNames lists the sources, sorted.
func (c *Config) SourceNames() []string { return sortedKeys(c.Sources) }

// Path joins a key to a path as faults name it: Path("tools.actions", "bookings.list") is
// "tools.actions[bookings.list]".
func Path(path string, keys ...string) string {
	for _, k := range keys {
		path = join(path, k)
	}
	return path
}

func parentPath(p string) string {
	depth := 0
	for i := len(p) - 1; i > 0; i-- {
		switch p[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return p[:i]
			}
		case '.':
			if depth == 0 {
				return p[:i]
			}
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Product is what Steward is put into.
type Product struct {
	// ID names the product in stored rows and metrics: lower-case letters, digits and hyphens. Required.
	ID string `yaml:"id"`
	// Name is what its people call it. Required.
	Name Text `yaml:"name"`
	// About says in a sentence or two what it is and who uses it; the model reads it. Required.
	About string `yaml:"about"`
}

// CORS says which pages of other origins may ask Steward, as a front end on a server of its own does.
type CORS struct {
	// Origins are exact, as "https://app.example.com". Defaults to none: only pages of the origin under which Steward's
	// routes stand.
	Origins []string `yaml:"origins"`
}

// Statement is how Steward signs its own calls, for sources with authority service.
type Statement struct {
	// Issuer is the "iss" of a statement. Defaults to steward.
	Issuer string `yaml:"issuer"`
	// KeyEnv and KeyFile name the variable or file of the signing key, a P-256 key in PEM. Without one each process makes a
	// key of its own as it starts, which does for one process and not for several.
	KeyEnv  string `yaml:"key_env"`
	KeyFile string `yaml:"key_file"`

	// Key is the resolved key; zero where there is none.
	Key Secret `yaml:"-"`
}

// Turn bounds one turn.
type Turn struct {
	// MaxRounds is the most model calls of one turn, 1 to 8. Defaults to 6.
	MaxRounds int `yaml:"max_rounds"`
	// MaxText is the most characters of one message. Defaults to 20000.
	MaxText int `yaml:"max_text"`
	// IdleTimeout cuts a model call that sends nothing for so long. Defaults to 60s.
	IdleTimeout Duration `yaml:"idle_timeout"`
	// Timeout cuts a model call that takes longer in all. Defaults to 10m.
	Timeout Duration `yaml:"timeout"`
	// Lease is how long a process that fell silent keeps its turns before another takes them up. Defaults to 3s; at least
	// 300ms.
	Lease Duration `yaml:"lease"`
}
