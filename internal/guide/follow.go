package guide

import (
	"encoding/json"
	"maps"
	"strings"
	"sync"
)

// follow reads a message as the continuation of a question: it names what was missing, one of several, another day. It
// gives nil where the message says anything else.
func (g *Guide) follow(prev *candidate, r *reading) *candidate {
	c := &candidate{
		read: prev.read, ask: prev.ask, reading: r, score: prev.score, matched: prev.matched,
		args: maps.Clone(prev.args), filters: maps.Clone(prev.filters), names: maps.Clone(prev.names),
		day: prev.day, last: prev.last, minutes: prev.minutes, timed: prev.timed, clockParam: prev.clockParam,
		from: prev,
	}
	c.makeRoom()
	free := func(m *mention) bool { return c.used&m.tokens == 0 }
	for i := range c.ask.slots {
		s := &c.ask.slots[i]
		switch {
		case s.entity != "", s.kind == kindName:
		case s.kind == kindEnum, s.kind == kindFlag:
			c.swapOption(g, s)
		default:
			c.fill(s, free)
		}
	}
	for i := range prev.missing {
		if s := &prev.missing[i]; s.entity == "" && s.kind != kindName && s.param != nil {
			switch s.kind {
			case kindEnum, kindFlag:
				c.fillOption(g, s.param)
			default:
				c.fillParam(s.param, free, s.kind)
			}
		}
	}
	c.extras(g, free)
	c.retime(prev, free)
	c.rename(g, prev)
	if c.labels == nil {
		c.labels = prev.labels
	}
	for i := range r.tokens {
		if !c.used.has(i) && !c.named.has(i) && !light(r.tokens[i]) {
			return nil
		}
	}
	if c.used == 0 && c.named == 0 {
		return nil
	}
	for name, raw := range prev.args {
		if c.args[name] == nil {
			c.args[name] = raw
		}
	}
	c.stillMissing()
	return c
}

// makeRoom empties the arguments that the new message names anew.
func (c *candidate) makeRoom() {
	var days, hours, months bool
	for _, m := range c.reading.mentions {
		days = days || m.single() || m.ranged()
		months = months || m.month
		hours = hours || m.timed()
	}
	for name := range c.args {
		switch c.read.params[name].kind {
		case kindDate, kindMoment:
			if days {
				delete(c.args, name)
			}
		case kindMonth:
			if months {
				delete(c.args, name)
			}
		case kindTime:
			if hours {
				delete(c.args, name)
			}
		default:
		}
	}
}

// swapOption takes another value of an enum where the message names one.
func (c *candidate) swapOption(g *Guide, s *slot) {
	if s.param == nil {
		return
	}
	before := c.args[s.param.name]
	delete(c.args, s.param.name)
	if !c.fillOption(g, s.param) && before != nil {
		c.args[s.param.name] = before
	}
}

// retime gives a moment another hour of the same day.
func (c *candidate) retime(prev *candidate, free func(*mention) bool) {
	for _, m := range c.reading.mentions {
		if !m.timed() || !free(m) || prev.day.IsZero() {
			continue
		}
		for _, p := range c.read.order {
			if p.kind == kindMoment && p.until == "" && p.opens == "" && c.args[p.name] != nil && free(m) {
				c.args[p.name] = p.moment(prev.day, m.minutes, c.zone())
				c.minutes, c.timed = m.minutes, true
				c.use(m)
			}
		}
	}
}

// rename takes the message's free words for the name that was asked for, or a number for the row of a list.
func (c *candidate) rename(g *Guide, prev *candidate) {
	slots := 0
	var at *slot
	for i := range c.ask.slots {
		s := &c.ask.slots[i]
		if s.entity == "" && s.kind != kindName {
			continue
		}
		slots++
		if _, told := prev.names[s.param.name]; at == nil || !told {
			at = s
		}
	}
	if at == nil {
		return
	}
	name := prev.names[at.param.name]
	if row := c.row(); row > 0 && slots == 1 && name != "" {
		c.pick, c.narrows = row, name
		delete(c.args, at.param.name)
		return
	}
	run := c.reading.quoted(c.used)
	if run == 0 {
		run = g.proper(c.reading, c.reading.freeRun(c.used))
	}
	if run == 0 {
		return
	}
	c.named |= run
	if at.kind == kindName {
		c.args[at.param.name] = quote(variants(c.reading.original(run))[0])
		c.labels = []string{c.reading.original(run)}
		return
	}
	c.names[at.param.name] = c.reading.original(run)
	if slots == 1 {
		c.narrows = name
	}
}

// row reads the row of a list that a message names: "2", "the second one", "השנייה"; zero where it names none.
func (c *candidate) row() int {
	r := c.reading
	for i := range r.tokens {
		if n := ordinals()[strings.TrimPrefix(r.tokens[i].text, "ה")]; n > 0 && !c.used.has(i) {
			c.used |= 1 << i
			for _, m := range r.mentions { // "the second one"
				if m.hasNumber && !m.hasDay && !m.hasClock {
					c.used |= m.tokens
				}
			}
			return n
		}
	}
	for _, m := range r.mentions {
		if m.hasNumber && !m.hasDay && c.used&m.tokens == 0 && m.number >= 1 && m.number <= maxListed {
			c.used |= m.tokens
			if c.reading.calendar.is(m.to, senseOrdinal) {
				c.used |= 1 << m.to
			}
			return int(m.number)
		}
	}
	return 0
}

// ordinals are the words that name a row of a list.
var ordinals = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, line := range []string{
		"first ראשון ראשונה первый первая первую первое", "second שני שנייה второй вторая вторую второе",
		"third שלישי שלישית третий третья третью третье", "fourth רביעי רביעית четвертый четвертая четвертую",
		"fifth חמישי חמישית пятый пятая пятую",
	} {
		for w := range strings.FieldsSeq(fold(line)) {
			m[w] = i + 1
		}
	}
	return m
})

func (c *candidate) stillMissing() {
	c.missing = nil
	for i := range c.ask.slots {
		s := &c.ask.slots[i]
		if !c.filled(s) && (s.entity != "" || s.kind == kindName || s.param != nil && s.param.required) {
			c.missing = append(c.missing, *s)
		}
	}
	for _, p := range c.read.order {
		if p.required && c.args[p.name] == nil && c.names[p.name] == "" && !c.lacks(p) {
			c.missing = append(c.missing, slot{param: p, kind: p.kind})
		}
	}
}

func (c *candidate) lacks(p *param) bool {
	for i := range c.missing {
		if c.missing[i].param == p {
			return true
		}
	}
	return false
}

// arguments writes the candidate's arguments, the same bytes for the same ones.
func (c *candidate) arguments() json.RawMessage {
	b, err := json.Marshal(c.args)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}
