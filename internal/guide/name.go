package guide

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/tool"
)

// found is one thing that a look-up gave.
type found struct {
	id    any
	label string
}

const (
	// maxListed is how many of several are listed to choose from.
	maxListed = 8
	// maxQuery is the most characters that are searched for.
	maxQuery = 80
)

// lookup is the state of one name's search over the calls that were done.
type lookup struct {
	// pending is the call to run next; nil when the search is settled.
	pending *Call
	// hits are what was found.
	hits []found
	// failed is a search that did not answer; nil where all did.
	failed *tool.Result
}

// seek walks the searches for a name, each only when the one before found nothing: as written, without a Hebrew prefix,
// and by the stem of an inflected Russian name.
func (g *Guide) seek(e config.Entity, name string, done []Done) lookup {
	for _, query := range variants(name) {
		call := Call{Tool: e.Search, Input: input(e.Query, query), Quiet: true}
		res := resultOf(call, done)
		if res == nil {
			return lookup{pending: &call}
		}
		if !res.OK {
			return lookup{failed: res}
		}
		hits, ok := readHits(e, res.Data)
		if !ok {
			return lookup{failed: res}
		}
		if len(hits) > 0 {
			return lookup{hits: hits}
		}
	}
	return lookup{}
}

func resultOf(call Call, done []Done) *tool.Result {
	for i := range done {
		if done[i].Tool == call.Tool && sameJSON(done[i].Input, call.Input) {
			return &done[i].Result
		}
	}
	return nil
}

// readHits gives what a search found; false where its answer holds no list, which is not the same as an empty one. An
// item without an id is left out.
func readHits(e config.Entity, data json.RawMessage) ([]found, bool) {
	items, ok := tool.First(tool.Decode(data), e.Items).([]any)
	if !ok {
		return nil, false
	}
	var out []found
	for _, item := range items {
		id := tool.First(item, e.ID)
		switch id.(type) {
		case string, json.Number:
			out = append(out, found{id: id, label: tool.Scalar(tool.First(item, e.Label))})
		default:
		}
	}
	return out, true
}

// variants are what a name is searched as, in turn.
func variants(name string) []string {
	name = strings.Join(strings.Fields(name), " ")
	if r := []rune(name); len(r) > maxQuery {
		name = string(r[:maxQuery])
	}
	out := []string{name}
	add := func(s string) {
		if letters(s) >= 2 && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	first, size := utf8.DecodeRuneInString(name)
	switch {
	case strings.ContainsRune(hebrewPrefixes, first):
		add(strings.TrimLeft(name[size:], "-־ "))
	case unicode.Is(unicode.Cyrillic, first):
		word, _, _ := strings.Cut(name, " ")
		if stem := stemRussian(fold(word)); letters(stem) >= 3 {
			// The stem keeps its letters' places, so the name's own spelling is cut at the same length.
			add(string([]rune(word)[:letters(stem)]))
		}
	}
	return out
}

// narrow keeps of several hits those that a name means: the one whose label is the name, else those whose label holds
// all of its words, else all. It reports whether the labels had a say in it.
func narrow(hits []found, name string) ([]found, bool) {
	want, _ := tokenize(name)
	var exact, some []found
	for _, h := range hits {
		have, _ := tokenize(h.label)
		if len(have) == len(want) && holds(have, want, func(a, b *token) bool { return a.text == b.text }) {
			exact = append(exact, h)
		}
		if holds(have, want, alike) {
			some = append(some, h)
		}
	}
	switch {
	case len(exact) > 0:
		return exact, true
	case len(some) > 0:
		return some, true
	default:
		return hits, false
	}
}

// holds reports whether every word of want is one of have.
func holds(have, want []token, same func(have, want *token) bool) bool {
	for i := range want {
		if !slices.ContainsFunc(have, func(h token) bool { return same(&h, &want[i]) }) {
			return false
		}
	}
	return len(want) > 0
}

func alike(have, want *token) bool {
	if strings.HasPrefix(have.text, want.text) {
		return true
	}
	return slices.ContainsFunc(want.keys, func(k string) bool { return slices.Contains(have.keys, k) }) || kin(want, have)
}

// whom says what to ask for a name: the host's own word for the entity in the member's language.
func (g *Guide) whom(entity, lang string) string {
	if list := g.config.Words[lang][entity]; len(list) > 0 {
		return list[0]
	}
	return strings.Join(nameParts(entity), " ")
}

// resolve turns the candidate's names into ids. It gives the step that stands in the way, or nil when all are known.
func (g *Guide) resolve(q *Question, c *candidate, done []Done, sp speech) *Step {
	for i := range c.ask.slots {
		s := &c.ask.slots[i]
		name, told := c.names[s.paramName()]
		if s.entity == "" || !told || c.args[s.param.name] != nil {
			continue
		}
		e := g.config.Entities[s.entity]
		what := g.whom(s.entity, c.reading.lang)
		if !g.offers(q, e.Search) {
			return &Step{Text: sp.say("lookup_not_yours", words.Args{"what": escape(what)})}
		}
		hits, step := g.hits(e, c, s, name, done, sp, what)
		if step != nil {
			return step
		}
		if len(hits) > 1 {
			return &Step{Text: which(hits, what, sp)}
		}
		raw := s.param.id(hits[0].id)
		if raw == nil {
			return &Step{Text: sp.say("lookup_failed", words.Args{"what": escape(what)})}
		}
		c.args[s.param.name] = raw
		c.labels = append(c.labels, hits[0].label)
		if fold(plain(hits[0].label)) != fold(plain(name)) {
			c.notes = append(c.notes, sp.say("took", words.Args{"said": plain(name), "when": plain(hits[0].label)}))
		}
	}
	return nil
}

func (s *slot) paramName() string {
	if s.param == nil {
		return ""
	}
	return s.param.name
}

// hits searches for one name, and first among what an earlier message found where this one only narrows it.
func (g *Guide) hits(e config.Entity, c *candidate, s *slot, name string, done []Done, sp speech, what string) ([]found, *Step) {
	var earlier []found
	if c.narrows != "" {
		l := g.seek(e, c.narrows, done)
		if l.pending != nil {
			return nil, &Step{Calls: []Call{*l.pending}}
		}
		earlier, _ = narrow(l.hits, c.narrows)
		if c.pick > 0 {
			if c.pick <= min(len(earlier), maxListed) {
				return earlier[c.pick-1 : c.pick], nil
			}
			return nil, &Step{Text: which(earlier, what, sp)}
		}
		if kept, named := narrow(earlier, name); named && len(kept) == 1 {
			return kept, nil
		}
	}
	l := g.seek(e, name, done)
	switch {
	case l.pending != nil:
		return nil, &Step{Calls: []Call{*l.pending}}
	case l.failed != nil:
		return nil, &Step{Text: g.failure(l.failed, sp)}
	case len(l.hits) == 0:
		c.nobody = true
		return nil, &Step{Text: sp.say("none_named", words.Args{"what": escape(what), "name": escape(name)})}
	default:
		kept, named := narrow(l.hits, name)
		if !named {
			// The search found something by another way than the name: whom, is not for the guide to guess.
			return nil, &Step{Text: which(kept, what, sp)}
		}
		return kept, nil
	}
}

func which(hits []found, what string, sp speech) string {
	if len(hits) == 0 {
		return sp.say("lookup_failed", words.Args{"what": escape(what)})
	}
	var b strings.Builder
	b.WriteString(sp.say("which", words.Args{"what": escape(what)}))
	b.WriteString("\n")
	for i, h := range hits {
		if i == maxListed {
			b.WriteString("\n\n" + sp.Count("guide.which_more", len(hits)-i, nil))
			break
		}
		b.WriteString("\n" + sp.say("which_row", words.Args{"i": itoa(i + 1), "label": escape(h.label)}))
	}
	return b.String()
}
