package guide

import (
	"encoding/json"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// fill fills a typed slot from the first mention of its kind that is free.
func (c *candidate) fill(s *slot, free func(*mention) bool) {
	p := s.param
	if p == nil {
		p = c.unique(s.kind)
	}
	if p == nil {
		if p = c.unique(kindMoment); p == nil || s.kind != kindDate && s.kind != kindTime {
			return
		}
	}
	c.fillParam(p, free, s.kind)
}

// unique gives the one empty parameter of a kind that is no half of a range; nil where there are several.
func (c *candidate) unique(k kind) *param {
	var found *param
	for _, p := range c.read.order {
		if p.kind != k || p.until != "" || p.opens != "" || c.args[p.name] != nil {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

func (c *candidate) zone() *time.Location { return c.reading.now.Location() }

func (c *candidate) use(m *mention) {
	c.used |= m.tokens
	c.took = append(c.took, m)
}

func (c *candidate) fillParam(p *param, free func(*mention) bool, as kind) bool {
	if c.args[p.name] != nil {
		return true
	}
	if p.until != "" {
		return c.fillRange(p, free)
	}
	if p.opens != "" && slices.ContainsFunc(c.ask.slots, func(s slot) bool { return s.param != nil && s.param.name == p.opens }) {
		return false
	}
	for _, m := range c.reading.mentions {
		if free(m) && c.put(p, m, free, as) {
			c.use(m)
			return true
		}
	}
	return false
}

// put writes one mention as one argument, where they fit.
func (c *candidate) put(p *param, m *mention, free func(*mention) bool, as kind) bool {
	switch p.kind {
	case kindDate:
		if !m.single() {
			return false
		}
		c.day, c.last = m.day, m.day
		c.args[p.name] = p.date(m.day, c.zone())
	case kindMoment:
		if !m.single() {
			return false
		}
		minutes := 0
		for _, t := range c.reading.mentions {
			if t != m && t.timed() && free(t) {
				minutes = t.minutes
				c.minutes, c.timed = minutes, true
				c.use(t)
				break
			}
		}
		c.day, c.last = m.day, m.day
		c.args[p.name] = p.moment(m.day, minutes, c.zone())
	case kindTime:
		if !m.timed() {
			return false
		}
		c.minutes, c.timed = m.minutes, true
		if !p.required {
			c.clockParam = p.name
		}
		c.args[p.name] = p.clock(m.minutes, c.reading.calendar.today, c.zone())
	case kindMonth:
		if !m.month {
			return false
		}
		c.day, c.last = m.day, m.last
		c.args[p.name] = quote(m.day.Format("2006-01"))
	case kindNumber:
		if as == kindTime || strings.EqualFold(p.name, "hour") {
			if !m.timed() {
				return false
			}
			c.minutes, c.timed = m.minutes, true
			v, ok := p.count(int64(m.minutes / 60))
			if ok {
				c.args[p.name] = v
			}
			return ok
		}
		if !m.hasNumber {
			return false
		}
		n := m.number
		if m.days > 0 && p.inDays() {
			n = m.days
		}
		v, ok := p.count(n)
		if !ok {
			return false
		}
		c.args[p.name] = v
		if !p.pages() {
			c.filters[p.name] = filter{said: c.reading.counted(m)}
		}
	default:
		return false
	}
	return true
}

// counted gives a number's words with the unit after it.
func (r *reading) counted(m *mention) string {
	s := m.tokens
	if r.calendar.is(m.to, senseUnit) {
		s |= 1 << m.to
	}
	return r.original(s)
}

// fillRange fills two parameters from a range, from two days, or from one day that is both.
func (c *candidate) fillRange(p *param, free func(*mention) bool) bool {
	end := c.read.params[p.until]
	if c.args[end.name] != nil {
		return false
	}
	var first *mention
	for _, m := range c.reading.mentions {
		switch {
		case !free(m):
		case m.ranged():
			c.setRange(p, end, m.day, m.last)
			c.use(m)
			return true
		case m.single() && first == nil:
			first = m
		case m.single() && !m.day.Before(first.day):
			c.setRange(p, end, first.day, m.day)
			c.use(first)
			c.use(m)
			return true
		}
	}
	if first == nil || c.unique(kindDate) != nil {
		// A read that takes one day is asked for that day.
		return false
	}
	c.setRange(p, end, first.day, first.day)
	c.use(first)
	return true
}

func (c *candidate) setRange(from, to *param, first, last time.Time) {
	c.day, c.last = first, last
	c.args[from.name] = from.date(first, c.zone())
	c.args[to.name] = to.date(last, c.zone())
}

// filter is a value of an enum, a flag or a number that narrows a read, and the words of the question that named it.
type filter struct{ value, said string }

// fillOption fills an enum or a flag whose value, or a word for it, stands in the question.
func (c *candidate) fillOption(g *Guide, p *param) bool {
	if p == nil || c.args[p.name] != nil {
		return p != nil
	}
	for _, v := range c.values(p) {
		if s := c.option(g, v, 0); s != 0 {
			c.setOption(p, v, s)
			return true
		}
	}
	return false
}

func (c *candidate) setOption(p *param, v string, s set) {
	c.args[p.name] = json.RawMessage("true")
	if p.kind == kindEnum {
		c.args[p.name] = quote(v)
	}
	f := filter{value: v, said: c.reading.original(s)}
	for _, m := range c.reading.mentions {
		if m.hasDay && m.tokens&s != 0 {
			// "week" is said as "this week".
			f = filter{said: c.reading.said(m.tokens | s)}
			s |= m.tokens
		}
	}
	c.filters[p.name] = f
	c.used |= s
}

// option finds the words of a value in the question; not are tokens that it may not stand on. The value stands there
// whole, or the host's word for it does: a word that only shares its stem ("ends" and "ending") says something else.
func (c *candidate) option(g *Guide, value string, not set) set {
	words, _ := tokenize(strings.Join(nameParts(value), " "))
	if len(words) == 0 {
		return 0
	}
	for s := c.reading.index["="+fold(value)] &^ not; s != 0; s &= s - 1 {
		i := bits.TrailingZeros64(uint64(s))
		if c.reading.rest[i] != 0 || g.names(&c.reading.tokens[i], value) && !c.reading.otherDate(i) {
			return c.reading.whole(i)
		}
	}
	var found set
	for i := range words {
		at := c.reading.where(&words[i], found|not)
		if at == 0 {
			return 0
		}
		found |= at
	}
	return found
}

// where gives the first token that is a word whole.
func (r *reading) where(w *token, not set) set {
	for i := range r.tokens {
		if !not.has(i) && sameWord(&r.tokens[i], w) && !r.otherDate(i) {
			return 1 << i
		}
	}
	return 0
}

// otherDate reports whether a word belongs to a date that its neighbours move: the week of "next week" is not this one.
func (r *reading) otherDate(i int) bool {
	for _, m := range r.mentions {
		if !m.hasDay || !m.tokens.has(i) {
			continue
		}
		for j := m.from; j < m.to; j++ {
			if j != i && !r.calendar.is(j, senseThis) && !r.calendar.is(j, senseOn) {
				return true
			}
		}
	}
	return false
}

// names reports whether a word is one of the host's for a value.
func (g *Guide) names(t *token, value string) bool {
	for _, terms := range g.config.Words {
		for _, w := range terms[value] {
			if tokens, _ := tokenize(w); len(tokens) == 1 && sameWord(t, &tokens[0]) {
				return true
			}
		}
	}
	return false
}

// sameWord reports whether two words are the same but for a plural's "s", or in Hebrew and Russian, which inflect every
// word, but for their endings.
func sameWord(a, b *token) bool {
	if a.text == b.text {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(a.text); unicode.Is(unicode.Latin, r) {
		return strings.TrimSuffix(a.text, "s") == strings.TrimSuffix(b.text, "s")
	}
	return slices.ContainsFunc(a.keys, func(k string) bool { return k[0] != '=' && slices.Contains(b.keys, k) })
}

// extras fills what the phrase has no slot for, where the question names it and only one parameter can be meant.
func (c *candidate) extras(g *Guide, free func(*mention) bool) {
	for _, m := range c.reading.mentions {
		if !free(m) || m.open || (m.hasDay && !c.day.IsZero()) {
			continue
		}
		switch {
		case m.ranged():
			for _, p := range c.read.order {
				if p.until != "" && c.args[p.name] == nil && c.fillRange(p, free) {
					break
				}
			}
			if p := c.unique(kindMonth); m.month && free(m) && p != nil {
				c.fillParam(p, free, kindMonth)
			}
		case m.single():
			c.extraDay(free)
		case m.timed():
			if p := c.unique(kindTime); p != nil {
				c.fillParam(p, free, kindTime)
			}
		}
	}
	for _, p := range c.read.order {
		if p.kind != kindEnum && p.kind != kindFlag || c.args[p.name] != nil {
			continue
		}
		not := c.used
		if p.kind == kindFlag {
			// "unread messages" is a phrase of its own and still asks for unread ones.
			not &^= c.phrase
		}
		for _, v := range c.values(p) {
			if s := c.option(g, v, not); s != 0 {
				c.setOption(p, v, s)
				break
			}
		}
	}
}

func (c *candidate) values(p *param) []string {
	if p.kind == kindFlag {
		return []string{p.name}
	}
	return p.enum
}

func (c *candidate) extraDay(free func(*mention) bool) {
	if p := c.unique(kindDate); p != nil && c.fillParam(p, free, kindDate) {
		return
	}
	for _, p := range c.read.order {
		if p.until != "" && c.args[p.name] == nil && c.fillRange(p, free) {
			return
		}
	}
	if p := c.unique(kindMoment); p != nil {
		c.fillParam(p, free, kindMoment)
	}
}
