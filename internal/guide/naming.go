package guide

import (
	"math/bits"
)

// findNames takes what the question leaves unexplained for the names that the phrase asks for: quoted words first, then
// the longest run of words that nothing else explains, after the phrase's own word before the name where there is one.
func (c *candidate) findNames(g *Guide) {
	r := c.reading
	for i := range c.ask.slots {
		s := &c.ask.slots[i]
		if s.entity == "" && s.kind != kindName {
			continue
		}
		c.used |= r.calls(s) &^ c.named
		run := r.quoted(c.used | c.named)
		if run == 0 {
			run = r.freeRun(c.used | c.named | span(0, c.before(s)+1))
			if s.kind != kindName || c.ask.loose {
				run = g.proper(r, run)
			}
		}
		if run == 0 {
			run = g.proper(r, r.freeRun(c.used|c.named))
			c.weak = run != 0
		}
		if run == 0 && c.here(s) {
			continue
		}
		if run == 0 && !c.ask.loose {
			// A person may be called May: what looked like a date and was not needed as one may be a name.
			run = r.mentionRun(c.used | c.named)
		}
		if run == 0 {
			continue
		}
		c.named |= run
		if s.kind == kindName {
			c.args[s.param.name] = quote(variants(r.original(run))[0])
			c.labels = append(c.labels, r.original(run))
			continue
		}
		c.names[s.param.name] = r.original(run)
	}
}

// here fills a slot with what the page shows, where the question says "this".
func (c *candidate) here(s *slot) bool {
	r := c.reading
	if s.entity == "" || r.entity != s.entity || r.id == "" {
		return false
	}
	for i := range r.tokens {
		if !r.calendar.is(i, senseThis) || r.inMention(i) {
			continue
		}
		raw := s.param.id(r.id)
		if raw == nil {
			return false
		}
		c.used |= 1 << i
		c.args[s.param.name] = raw
		c.onPage = r.original(1<<i | r.calls(s))
		return true
	}
	return false
}

// calls gives the words that only say of what kind a name is: "member" before a member's name.
func (r *reading) calls(s *slot) set {
	entity := s.entity
	if entity == "" {
		entity = s.what
	}
	found := r.index["="+fold(entity)]
	for _, part := range nameParts(entity) {
		found |= r.index[fold(part)] | r.index["="+fold(part)]
	}
	for i := range r.tokens {
		if found.has(i) {
			found |= r.rest[i]
		}
		if r.tokens[i].quoted {
			found &^= 1 << i
		}
	}
	return found
}

// before gives the place of the phrase's nearest word before a slot, -1 where none of them stands in the question.
func (c *candidate) before(s *slot) int {
	for i := s.after - 1; i >= 0; i-- {
		if c.places[i] >= 0 {
			return c.places[i]
		}
	}
	return -1
}

func (r *reading) quoted(not set) set {
	var run set
	for i := range r.tokens {
		switch {
		case r.tokens[i].quoted && !not.has(i):
			run |= 1 << i
		case run != 0:
			return run
		}
	}
	return run
}

// maxName is the most words that a name has.
const maxName = 5

func (r *reading) freeRun(not set) set {
	for _, m := range r.mentions {
		if !m.hasNumber || m.hasClock {
			not |= m.tokens
		} else if r.calendar.is(m.to, senseUnit) {
			not |= m.tokens | 1<<m.to
		}
	}
	var best, run set
	for i := 0; i <= len(r.tokens); i++ {
		if i < len(r.tokens) && !not.has(i) && (run != 0 || !light(r.tokens[i])) && r.weights[i] < weightHard {
			run |= 1 << i
			continue
		}
		run = r.trim(run)
		if n := bits.OnesCount64(uint64(run)); n <= maxName && n > bits.OnesCount64(uint64(best)) {
			best = run
		}
		run = 0
	}
	return best
}

// trim takes small words off the end of a run.
func (r *reading) trim(run set) set {
	for run != 0 {
		last := 63 - bits.LeadingZeros64(uint64(run))
		if !light(r.tokens[last]) {
			break
		}
		run &^= 1 << last
	}
	return run
}

func (r *reading) mentionRun(not set) set {
	for _, m := range r.mentions {
		if m.hasDay && m.tokens&not == 0 && r.onlyNames(m) {
			return r.trim(m.tokens)
		}
	}
	return 0
}

// onlyNames reports whether a mention is the bare name of a month or a day, which may be a person's too.
func (r *reading) onlyNames(m *mention) bool {
	for i := m.from; i < m.to; i++ {
		if !r.calendar.is(i, senseMonth) && !r.calendar.is(i, senseWeekday) && !r.calendar.is(i, senseOn) {
			return false
		}
	}
	return true
}
