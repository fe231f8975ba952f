package guide

import (
	"slices"
	"time"
)

// set is a set of token positions.
type set uint64

func span(from, to int) set {
	var s set
	for i := from; i < to; i++ {
		s |= 1 << i
	}
	return s
}

func (s set) has(i int) bool { return s&(1<<i) != 0 }

// mention is a date, a range of days, an hour or a number that a text names.
type mention struct {
	tokens set
	from   int
	to     int

	// day is the day, or the first of a range; last is the range's last.
	day, last      time.Time
	hasDay, hasEnd bool
	// month says that a range is one whole month.
	month bool

	// minutes is the time of day.
	minutes  int
	hasClock bool

	number    int64
	hasNumber bool
	// days is a length of weeks, months or years in days; zero where the number counts something else.
	days int64

	// open says that it bounds one side only ("after 18:00"), which no exact argument may be filled with.
	open bool
	// literal says that it stands in the text in the form in which it is used, so that nothing needs telling.
	literal bool
}

func (m *mention) single() bool { return m.hasDay && !m.hasEnd && !m.open }
func (m *mention) ranged() bool { return m.hasDay && m.hasEnd }
func (m *mention) timed() bool  { return m.hasClock && !m.open }

// calendar reads mentions out of tokens. The zero week starts on Sunday.
type calendar struct {
	tokens []token
	lex    []lexed
	// today is the day of the question in the org's time zone, at midnight UTC: days here are civil.
	today time.Time
	// weekStart is the first day of the week.
	weekStart time.Weekday
	// monthFirst reads 3/18 as 18 March.
	monthFirst bool
}

// civil gives the day of t as midnight UTC.
func civil(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func newCalendar(tokens []token, now time.Time, locale string) *calendar {
	c := &calendar{tokens: tokens, lex: make([]lexed, len(tokens)), today: civil(now), weekStart: time.Monday}
	for i, t := range tokens {
		c.lex[i] = lex(t)
	}
	switch {
	case locale == "en-US":
		c.weekStart, c.monthFirst = time.Sunday, true
	case now.Location().String() == "Asia/Jerusalem", len(locale) >= 2 && (locale[:2] == "he" || locale[:2] == "iw"):
		c.weekStart = time.Sunday
	}
	return c
}

// mentions lists what the text names, from its start, without overlaps: of two readings of a place the longer one.
func (c *calendar) mentions() []*mention {
	var out []*mention
	for i := 0; i < len(c.tokens); {
		best := c.longest(i)
		if best == nil || slices.ContainsFunc(c.tokens[i:best.to], func(t token) bool { return t.quoted }) {
			i++
			continue
		}
		best.from = i
		if best.tokens == 0 {
			best.tokens = span(i, best.to)
		}
		out = append(out, best)
		i = best.to
	}
	c.halves(out)
	return out
}

func (c *calendar) longest(i int) *mention {
	var best *mention
	for _, m := range []*mention{c.rangeAt(i), c.dateAt(i), c.clockAt(i), c.numberAt(i)} {
		if m != nil && (best == nil || m.to > best.to) {
			best = m
		}
	}
	return best
}

func (c *calendar) numberAt(i int) *mention {
	if c.lex[i].number < 0 {
		return nil
	}
	if _, unit, to, ok := c.length(i); ok && unit != unitDay {
		days := int64(shift(c.today, unit, int(c.lex[i].number)).Sub(c.today).Hours() / 24)
		return &mention{to: to, number: c.lex[i].number, hasNumber: true, days: days, literal: true}
	}
	return &mention{to: i + 1, number: c.lex[i].number, hasNumber: true, literal: true}
}

// halves settles hours that were told without their half of the day ("at 6 tomorrow evening").
func (c *calendar) halves(all []*mention) {
	var taken set
	for _, m := range all {
		taken |= m.tokens
	}
	half, at := -1, -1
	for i := range c.lex {
		n, ok := c.lex[i].of(senseMeridiem)
		if ok && (!taken.has(i) || c.lex[i].is(senseOffset)) {
			half, at = n, i
			break
		}
	}
	for _, m := range all {
		if !m.hasClock || m.minutes >= 0 {
			continue
		}
		m.minutes = -m.minutes - 1
		switch {
		case half >= 0:
			m.minutes = withHalf(m.minutes, half)
			if !taken.has(at) {
				m.tokens |= 1 << at
			}
		case m.minutes >= 60 && m.minutes < 7*60:
			// One to six without more is after noon in nearly every product that keeps hours; the note tells it.
			m.minutes += 12 * 60
		}
	}
}

func withHalf(minutes, half int) int {
	switch {
	case half == 12 && minutes < 12*60:
		return minutes + 12*60
	case half == 0 && minutes >= 12*60 && minutes < 13*60:
		return minutes - 12*60
	default:
		return minutes
	}
}

func (c *calendar) is(i int, s sense) bool {
	return i >= 0 && i < len(c.lex) && c.lex[i].is(s)
}

func (c *calendar) of(i int, s sense) (int, bool) {
	if i < 0 || i >= len(c.lex) {
		return 0, false
	}
	return c.lex[i].of(s)
}

// num gives the number at i within bounds.
func (c *calendar) num(i, low, high int) (int, bool) {
	if i < 0 || i >= len(c.lex) {
		return 0, false
	}
	n := c.lex[i].number
	if n < int64(low) || n > int64(high) {
		return 0, false
	}
	return int(n), true
}

// digit gives the number at i when it is written in digits.
func (c *calendar) digit(i, low, high int) (int, bool) {
	if i < 0 || i >= len(c.tokens) || classOf([]rune(c.tokens[i].text)[0]) != digit {
		return 0, false
	}
	return c.num(i, low, high)
}
