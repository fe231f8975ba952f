package guide

import (
	"encoding/json"
	"math/bits"
	"slices"
	"strings"
	"time"
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
	default:
		return false
	}
	return true
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

// fillOption fills an enum or a flag whose value, or a word for it, stands in the question.
func (c *candidate) fillOption(g *Guide, p *param) bool {
	if p == nil || c.args[p.name] != nil {
		return p != nil
	}
	if p.kind == kindFlag {
		if s := c.option(g, p.name, 0); s != 0 {
			c.args[p.name] = json.RawMessage("true")
			c.used |= s
			return true
		}
		return false
	}
	for _, v := range p.enum {
		if s := c.option(g, v, 0); s != 0 {
			c.args[p.name] = quote(v)
			c.options[p.name] = v
			c.used |= s
			return true
		}
	}
	return false
}

// option finds the words of a value in the question; not are tokens that it may not stand on.
func (c *candidate) option(g *Guide, value string, not set) set {
	words, _ := tokenize(strings.Join(nameParts(value), " "))
	if len(words) == 0 {
		return 0
	}
	// A host's words name a value as a whole.
	if s := c.reading.index["="+fold(value)] &^ not; s != 0 {
		return c.reading.whole(bits.TrailingZeros64(uint64(s)))
	}
	var found set
	for i := range words {
		at := c.reading.index[words[i].text] &^ (found | not)
		if at == 0 && len(words[i].keys) > 1 && len(words) == 1 && letters(words[i].text) > 3 {
			at = c.reading.index[words[i].keys[1]] &^ not
		}
		if at == 0 {
			return 0
		}
		found |= 1 << bits.TrailingZeros64(uint64(at))
	}
	return found
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
		for _, v := range c.values(p) {
			if s := c.option(g, v, c.used); s != 0 {
				c.fillExtra(p, v)
				c.used |= s
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

func (c *candidate) fillExtra(p *param, v string) {
	if p.kind == kindFlag {
		c.args[p.name] = json.RawMessage("true")
		return
	}
	c.args[p.name] = quote(v)
	c.options[p.name] = v
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
