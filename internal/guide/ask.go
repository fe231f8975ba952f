package guide

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/steward-assistant/steward/tool"
)

// read is a definition made ready for matching.
type read struct {
	def    *tool.Definition
	params map[string]*param
	// order is params by name.
	order []*param
	// asks are its phrases by language, in the host's order.
	asks map[string][]*ask
	// says are the words of its phrases and its options that carry their matter, with their stems: no one is called so.
	says map[string]bool
}

// ask is one phrase with which a read is asked for.
type ask struct {
	text  string
	words []token
	slots []slot
	// weights are what the words matter; total is their sum.
	weights []float64
	total   float64
	// loose says that it has only small words and a name ("show {x:entity}"), so that the name alone decides.
	loose bool
	// derived says that it is not the host's own.
	derived bool
}

// weightIn is how much a word matters in a phrase.
func weightIn(t token) float64 {
	if w := weight(t); w != weightOwn {
		return w
	}
	return weightOwnAsk
}

// slot is a place of a phrase that an argument fills.
type slot struct {
	// param is the argument; nil for a slot like {date} that names only a kind.
	param *param
	kind  kind
	// entity is what a name is looked up as; empty on typed slots.
	entity string
	// what is the entity that a slot of kindName searches for.
	what string
	// after is how many words of the phrase stand before it.
	after int
}

// generic are slots that name a kind and no parameter.
var generic = map[string]kind{
	"date": kindDate, "day": kindDate, "time": kindTime, "hour": kindTime, "number": kindNumber, "count": kindNumber, "enum": kindEnum, "month": kindMonth,
}

// newRead compiles a definition's phrases. A phrase that can never be filled from a question is left out: one with a
// slot of plain text, or of an entity that nothing declares how to look up.
func (g *Guide) newRead(d *tool.Definition) *read {
	r := &read{def: d, params: params(d.Input), asks: map[string][]*ask{}}
	r.order = ordered(r.params)
	for lang, phrases := range d.Asks {
		for _, text := range phrases {
			if a := g.newAsk(r, text); a != nil {
				r.asks[lang] = append(r.asks[lang], a)
			}
		}
	}
	if len(d.Asks) == 0 {
		r.asks = g.derived(r)
	}
	r.listen()
	return r
}

// listen gathers the words that the read's phrases and its options say.
func (r *read) listen() {
	r.says = map[string]bool{}
	add := func(words []token) {
		for i := range words {
			if light(words[i]) {
				continue
			}
			for _, k := range words[i].keys {
				r.says[k] = true
			}
		}
	}
	for _, list := range r.asks {
		for _, a := range list {
			add(a.words)
		}
	}
	for _, p := range r.order {
		for _, v := range p.enum {
			words, _ := tokenize(strings.Join(nameParts(v), " "))
			add(words)
		}
	}
}

func (g *Guide) newAsk(r *read, text string) *ask {
	a := &ask{text: text}
	text = g.openDates(r, text)
	for left := text; left != ""; {
		before, after, found := strings.Cut(left, "{")
		words, _ := tokenize(before)
		rest := g.synonyms.apply(words)
		for i, t := range words {
			if !slices.ContainsFunc(rest, func(s set) bool { return s.has(i) }) {
				a.words = append(a.words, t)
			}
		}
		if !found {
			break
		}
		inside, tail, closed := strings.Cut(after, "}")
		if !closed {
			return nil
		}
		s, ok := g.newSlot(r, inside)
		if !ok {
			return nil
		}
		s.after = len(a.words)
		a.slots = append(a.slots, s)
		left = tail
	}
	if len(a.words) == 0 || len(a.words) > maxTokens {
		return nil
	}
	for i, w := range a.words {
		a.weights = append(a.weights, weightIn(w))
		if l := lex(w); l.is(senseUnit) && slices.ContainsFunc(a.slots, func(s slot) bool { return s.kind == kindNumber && s.after == i }) {
			// "days" after a number slot: a length in weeks says it otherwise.
			a.weights[i] = weightFiller
		}
		a.total += a.weights[i]
	}
	a.loose = a.total < 1 && slices.ContainsFunc(a.slots, func(s slot) bool { return s.entity != "" || s.kind == kindName })
	for _, p := range r.params {
		// A phrase that cannot fill what the read requires would never run.
		if p.required && p.kind == kindText && !slices.ContainsFunc(a.slots, func(s slot) bool { return s.param == p }) {
			return nil
		}
	}
	return a
}

// openDates makes a slot of a date that a phrase names ("the revenue this month") where the read takes one: the phrase
// then serves other dates too.
func (g *Guide) openDates(r *read, text string) string {
	if len(r.params) == 0 || strings.ContainsAny(text, "{}") {
		return text
	}
	tokens, _ := tokenize(text)
	c := newCalendar(tokens, epoch, "")
	for _, m := range c.mentions() {
		slot := ""
		for _, p := range r.order {
			switch {
			case m.month && p.kind == kindMonth, m.ranged() && p.until != "", m.single() && p.kind == kindDate && p.until == "" && p.opens == "":
				slot = "{" + p.name + "}"
			case m.days > 0 && p.kind == kindNumber && p.inDays():
				slot = "{" + p.name + "}"
			default:
				continue
			}
			break
		}
		if slot == "" {
			continue
		}
		first := m.from
		for first < m.to-1 && c.is(first, senseOn) && !c.is(first, senseThis) {
			first++
		}
		return text[:tokens[first].from] + slot + text[tokens[m.to-1].to:]
	}
	return text
}

// epoch is any day: a phrase's dates are only found, not used.
var epoch = time.Date(2024, time.January, 10, 0, 0, 0, 0, time.UTC)

func (g *Guide) newSlot(r *read, inside string) (slot, bool) {
	name, entity, named := strings.Cut(strings.TrimSpace(inside), ":")
	name, entity = strings.TrimSpace(name), strings.TrimSpace(entity)
	p := r.params[name]
	if named {
		_, known := g.config.Entities[entity]
		return slot{param: p, entity: entity}, known && p != nil
	}
	if p != nil && p.kind == kindText {
		// The words of a search that the host declared are a name.
		for _, entity := range slices.Sorted(maps.Keys(g.config.Entities)) {
			e := g.config.Entities[entity]
			if e.Search == r.def.Name() && e.Query == "/"+p.name {
				return slot{param: p, kind: kindName, what: entity}, true
			}
		}
		return slot{}, false
	}
	if p != nil {
		return slot{param: p, kind: p.kind}, true
	}
	k, ok := generic[name]
	return slot{kind: k}, ok
}

// example writes the phrase as a member would: with the names that were told, and a sample in each other slot. It
// reports false where a slot has no sample, as that of a name has none.
func (a *ask) example(lang string, g *Guide, names map[string]string) (string, bool) {
	out, whole := a.text, true
	for {
		open := strings.IndexByte(out, '{')
		end := strings.IndexByte(out, '}')
		if open < 0 || end < open {
			return strings.Join(strings.Fields(out), " "), whole
		}
		inside := strings.TrimSpace(out[open+1 : end])
		sample := ""
		if !a.closes(inside) {
			for i := range a.slots {
				s := &a.slots[i]
				if s.name() != inside && (s.name() != "" || s.kind != generic[inside]) {
					continue
				}
				if sample = names[s.paramName()]; sample == "" {
					sample = g.sample(s, lang)
				}
				break
			}
			whole = whole && sample != ""
			if sample == "" {
				sample = g.slotName(inside, lang)
			}
		}
		out = out[:open] + sample + out[end+1:]
	}
}

// slotName is what stands for a slot that has no sample: the host's word for its entity, else its own name.
func (g *Guide) slotName(inside, lang string) string {
	name, entity, named := strings.Cut(inside, ":")
	if named {
		return g.whom(strings.TrimSpace(entity), lang)
	}
	return strings.Join(nameParts(name), " ")
}

// closes reports whether a slot ends a range that another slot of the phrase begins.
func (a *ask) closes(name string) bool {
	return slices.ContainsFunc(a.slots, func(s slot) bool { return s.param != nil && s.param.until == name })
}

// name is how the phrase writes the slot, empty on a generic one.
func (s *slot) name() string {
	switch {
	case s.param == nil:
		return ""
	case s.entity != "":
		return s.param.name + ":" + s.entity
	default:
		return s.param.name
	}
}
