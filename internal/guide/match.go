package guide

import (
	"encoding/json"
	"slices"
	"time"
)

// candidate is a read with a phrase, held against a question.
type candidate struct {
	read *read
	ask  *ask
	args map[string]json.RawMessage
	// took are the mentions that filled arguments; filters are what else narrows the read, by parameter.
	took    []*mention
	filters map[string]filter
	// phrase are the tokens of the phrase's own words.
	phrase set
	// names are the words for each slot of an entity, as they were written.
	names map[string]string
	// met is how many words like "not" the question and the phrase share.
	met int
	// weak says that a name is of words at an unlikely place.
	weak bool
	// whole says that every word of the phrase was found.
	whole bool
	// missing are the slots without which the read cannot run.
	missing []slot
	// used and named are tokens that the phrase explains, and those that were taken for names.
	used, named set
	// places are where the phrase's words stand in the question, -1 for those that do not.
	places []int
	// day and minutes are what the question asked for, for the reply.
	day, last time.Time
	minutes   int
	timed     bool
	// clockParam is the optional argument that an hour filled.
	clockParam string
	score      float64
	// matched is the weight of the phrase's words that were found.
	matched float64
	reading *reading
	// from is the question that this one goes on from; nil on a question of its own.
	from *candidate
	// narrows is the name of which this message names one; pick is the row of a list that it names, zero for none.
	narrows string
	pick    int
	// labels are the names as the host writes them; notes say how names were taken.
	labels, notes []string
	// onPage are the words that were taken for what the page shows.
	onPage string
	// nobody says that no one was found under a name.
	nobody bool
}

const (
	// enough is the least score at which a phrase is taken for what was asked.
	enough = 0.66
	// closeBy is how near the second read's score may come before the guide asks instead of choosing.
	closeBy   = 0.035
	slotWorth = 0.5
	// missingCost keeps a phrase that would have to ask behind one that can answer.
	missingCost = 0.15
	// looseWorth is what a phrase of small words and a name counts for at most.
	looseWorth = 0.75
	// derivedWorth is how far a phrase that is not the host's own counts.
	derivedWorth = 0.9
	// namedWorth is how far a word that is taken for part of a name counts as explained.
	namedWorth = 0.6
	// The qualities of words that are not the phrase's own: another form, a word of the host's for the same, a slip.
	stemQuality    = 0.97
	synonymQuality = 0.8
	nearQuality    = 0.85
)

// hold holds a question against a phrase. The candidate has score zero where they have nothing in common.
func (g *Guide) hold(r *reading, rd *read, a *ask) *candidate {
	c := &candidate{read: rd, ask: a, reading: r, args: map[string]json.RawMessage{}, filters: map[string]filter{}, names: map[string]string{}}
	free := func(m *mention) bool { return c.used&m.tokens == 0 }
	for i := range a.slots {
		if s := &a.slots[i]; s.entity == "" && s.kind != kindEnum && s.kind != kindFlag && s.kind != kindName {
			c.fill(s, free)
		}
	}
	filled := c.used
	taken := set(0)
	worth := make([]float64, len(r.tokens))
	c.places = slices.Repeat([]int{-1}, len(a.words))
	for i := range a.words {
		w := &a.words[i]
		if at, quality := r.find(w, taken); at >= 0 {
			taken |= r.whole(at)
			c.places[i] = at
			worth[at] = a.weights[i] * quality
			if weight(*w) == weightHard {
				worth[at] = weightHardMet
				c.met++
			}
		}
	}
	taken = r.wholeDates(taken, filled)
	for i, w := range worth {
		if taken.has(i) {
			c.matched += w
		}
	}
	if c.matched == 0 {
		return c
	}
	c.whole = !slices.Contains(c.places, -1)
	c.used |= taken
	c.phrase = taken
	for i := range a.slots {
		if s := &a.slots[i]; s.entity == "" && (s.kind == kindEnum || s.kind == kindFlag) {
			c.fillOption(g, s.param)
		}
	}
	c.extras(g, free)
	c.findNames(g)
	c.settle()
	return c
}

// reaches reports whether enough of a phrase's words can stand in the question at all, which settles most phrases.
func (r *reading) reaches(a *ask) bool {
	var sum float64
	for i := range a.words {
		if at, quality := r.find(&a.words[i], 0); at >= 0 {
			sum += a.weights[i] * quality
		}
	}
	return suffices(sum, a.total)
}

// suffices reports whether the weight of the words that were found makes a phrase worth a thought.
func suffices(matched, total float64) bool {
	return matched >= min(0.6*total, 1)-0.03 || matched >= 0.75*total
}

// kin reports whether one Russian stem begins the other, which its light stemmer leaves to be seen here.
func kin(a, b *token) bool {
	if len(a.keys) < 2 || len(b.keys) < 2 || a.text[0] < 0xd0 || a.text[0] > 0xd1 {
		return false
	}
	x, y := a.keys[1], b.keys[1]
	if len(x) > len(y) {
		x, y = y, x
	}
	return letters(x) >= 4 && letters(y)-letters(x) <= 2 && y[:len(x)] == x
}

// settle scores the candidate: how much of the phrase the question says, and how much of the question the phrase explains.
func (c *candidate) settle() {
	r, a := c.reading, c.ask
	slots, have := 0.0, 0.0
	for i := range a.slots {
		s := &a.slots[i]
		slots += slotWorth
		switch {
		case c.filled(s):
			have += slotWorth
		case s.entity != "", s.kind == kindName, s.param != nil && s.param.required:
			c.missing = append(c.missing, *s)
			have += slotWorth / 2
		}
	}
	for _, p := range c.read.order {
		if p.required && c.args[p.name] == nil && !slices.ContainsFunc(a.slots, func(s slot) bool { return s.param == p }) {
			if _, named := c.names[p.name]; !named {
				c.missing = append(c.missing, slot{param: p, kind: p.kind})
			}
		}
	}
	met := float64(c.met) * (weightHard - weightHardMet)
	total := a.total - met
	phrase := (c.matched + have) / (total + slots)
	all := r.weigh(span(0, len(r.tokens))) - met
	explained := r.weigh(c.used) - met + namedWorth*r.weigh(c.named)
	question := explained / max(all, 0.01)
	if phrase < 0.5 || question < 0.5 || !suffices(c.matched, total) {
		return
	}
	if c.strangerToName() {
		return
	}
	if total < 1 && ((have == 0 || a.loose) && c.matched < total-0.02 || all-explained >= 1 && !a.loose) {
		// A phrase of small words is meant as it stands: another word makes another question of it.
		return
	}
	if a.loose {
		phrase = looseWorth
	}
	c.score = 0.5*phrase + 0.5*question - missingCost*float64(len(c.missing))
	if a.derived {
		c.score *= derivedWorth
	}
}

// strangerToName reports whether a phrase with a name lacks a word that carries its matter in the question: what was
// taken for a name is then as likely something else. The words that only say of what kind the name is may lack.
func (c *candidate) strangerToName() bool {
	for i := range c.ask.slots {
		s := &c.ask.slots[i]
		if s.entity == "" && s.kind != kindName {
			continue
		}
		kinds := []string{"=" + fold(s.entity), "=" + fold(s.what), fold(s.entity)}
		for j, w := range c.ask.words {
			if c.places[j] >= 0 || c.ask.weights[j] < 1 || j == s.after-1 || slices.ContainsFunc(w.keys, func(k string) bool { return slices.Contains(kinds, k) }) {
				continue
			}
			return true
		}
	}
	return false
}

func (c *candidate) filled(s *slot) bool {
	if s.entity != "" {
		_, ok := c.names[s.param.name]
		return ok || c.args[s.param.name] != nil
	}
	if s.param != nil {
		return c.args[s.param.name] != nil
	}
	for name := range c.args {
		if c.read.params[name].kind == s.kind {
			return true
		}
	}
	return false
}

// best ranks the reads' phrases against a question, the best phrase of each read, the best read first.
func (g *Guide) best(r *reading, reads []*read, langs ...string) []*candidate {
	var out []*candidate
	for _, rd := range reads {
		var top *candidate
		for _, lang := range langs {
			for _, a := range rd.asks[lang] {
				if !r.reaches(a) {
					continue
				}
				if c := g.hold(r, rd, a); c.score > 0 && (top == nil || c.better(top)) {
					top = c
				}
			}
		}
		if top != nil {
			out = append(out, top)
		}
	}
	slices.SortStableFunc(out, func(a, b *candidate) int {
		switch {
		case a.better(b):
			return -1
		case b.better(a):
			return 1
		default:
			return 0
		}
	})
	return out
}

func (c *candidate) better(o *candidate) bool {
	if c.score != o.score {
		return c.score > o.score
	}
	if len(c.missing) != len(o.missing) {
		return len(c.missing) < len(o.missing)
	}
	if c.matched != o.matched {
		return c.matched > o.matched
	}
	return c.read.def.Name() < o.read.def.Name()
}
