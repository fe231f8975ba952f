package guide

import "time"

// rangeAt reads a range of days at i: "this week", "last 7 days", "in March", "from 1 to 8 March", "since Monday".
func (c *calendar) rangeAt(i int) *mention {
	j := i
	opened := false
	for j < len(c.lex) && j < i+3 {
		if c.is(j, senseFrom) && j+1 < len(c.lex) {
			opened = true
			if m := c.fromTo(j + 1); m != nil {
				return m
			}
		}
		if m := c.period(j, j > i); m != nil {
			return m
		}
		if !c.is(j, senseOn) && !c.is(j, senseFrom) {
			break
		}
		j++
	}
	if !opened {
		return c.fromTo(i)
	}
	return nil
}

// fromTo reads two days with a word between them; with "since" before it, one day up to today.
func (c *calendar) fromTo(j int) *mention {
	first, k, ok := c.dayAfterPreps(j)
	short := 0
	if !ok {
		// "from 1 to 8 March": the month stands once.
		if short, ok = c.digit(j, 1, 31); !ok {
			return nil
		}
		k = j + 1
	}
	if k < len(c.lex) && (c.is(k, senseTo) || c.is(k, senseAnd) && j > 0 && c.is(j-1, senseFrom)) {
		last, end, ok := c.dayAfterPreps(k + 1)
		if !ok {
			return nil
		}
		if short > 0 {
			first = time.Date(last.Year(), last.Month(), short, 0, 0, 0, 0, time.UTC)
		}
		if last.Before(first) {
			if last = last.AddDate(0, 0, 7); last.Before(first) {
				return nil
			}
		}
		return &mention{to: end, day: first, last: last, hasDay: true, hasEnd: true}
	}
	if short == 0 && j > 0 && !first.After(c.today) {
		switch c.tokens[j-1].text {
		case "since", fold("מאז"), "с", "со", fold("החל"):
			return &mention{to: k, day: first, last: c.today, hasDay: true, hasEnd: true}
		}
	}
	return nil
}

func (c *calendar) dayAfterPreps(j int) (time.Time, int, bool) {
	for k := j; k < len(c.lex) && k < j+2; k++ {
		if d, to, ok := c.day(k); ok {
			return d, to, true
		}
		if !c.is(k, senseOn) {
			break
		}
	}
	return time.Time{}, 0, false
}

// period reads a named stretch of days that begins at j; prep says that a word like "in" stands before it.
func (c *calendar) period(j int, prep bool) *mention {
	if m := c.lastDays(j); m != nil {
		return m
	}
	n, k := 0, j
	named := false
	switch {
	case c.is(j, senseNext):
		n, k, named = 1, j+1, true
	case c.is(j, senseLast):
		n, k, named = -1, j+1, true
	case c.is(j, senseThis):
		k, named = j+1, true
	}
	if k >= len(c.lex) {
		return nil
	}
	if u, ok := c.of(k, senseUnit); ok && u != unitDay {
		to := k + 1
		// In Hebrew the order is "the week, the coming"; "the week" alone is this one.
		if !named {
			switch {
			case c.is(to, senseNext):
				n, named = 1, true
				to++
			case c.is(to, senseLast):
				n, named = -1, true
				to++
			case c.is(to, senseThis):
				named = true
				to++
			case c.lex[k].prefix == 'ה', u == unitWeekend, k > 0 && c.tokens[k-1].text == "за":
				named = true
			}
		}
		if u == unitWeek && c.isWeekendAt(k, to) {
			u = unitWeekend
		}
		if named {
			return c.unitSpan(u, n, to)
		}
		return nil
	}
	if c.isSof(k) {
		n, to := 0, k+2
		if c.is(to, senseNext) {
			n = 1
			to++
		} else if c.is(to, senseLast) {
			n = -1
			to++
		}
		return c.unitSpan(unitWeekend, n, to)
	}
	return c.monthSpan(k, n, named, prep || c.lex[k].prefix != 0)
}

// isSof reads the Hebrew "end of the week".
func (c *calendar) isSof(k int) bool {
	if k+1 >= len(c.tokens) || !c.is(k+1, senseUnit) {
		return false
	}
	w := c.tokens[k].text
	return w == fold("סוף") || w == fold("בסוף") || w == fold("לסוף")
}

func (c *calendar) isWeekendAt(k, to int) bool {
	return c.tokens[k].text == "week" && to < len(c.tokens) && c.tokens[to].text == "end"
}

func (c *calendar) unitSpan(unit, n, to int) *mention {
	m := &mention{to: to, hasDay: true, hasEnd: true}
	switch unit {
	case unitWeek:
		m.day = c.week(n)
		m.last = m.day.AddDate(0, 0, 6)
	case unitWeekend:
		// Friday and Saturday where the week begins on Sunday, else Saturday and Sunday.
		m.day = c.week(n).AddDate(0, 0, 5)
		m.last = m.day.AddDate(0, 0, 1)
	case unitMonth:
		m.day = time.Date(c.today.Year(), c.today.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		m.last = m.day.AddDate(0, 1, -1)
		m.month = true
	default:
		m.day = time.Date(c.today.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC)
		m.last = m.day.AddDate(1, 0, -1)
	}
	return m
}

// lastDays reads "last 7 days", "the next two weeks", "7 הימים האחרונים", "последние 7 дней".
func (c *calendar) lastDays(j int) *mention {
	sign, k := 0, j
	if c.is(k, senseLast) {
		sign = -1
		k++
	} else if c.is(k, senseNext) {
		sign = 1
		k++
	}
	n, ok := c.num(k, 1, 400)
	if !ok {
		return nil
	}
	unit, ok := c.of(k+1, senseUnit)
	if !ok || unit == unitWeekend {
		return nil
	}
	to := k + 2
	if sign == 0 {
		switch {
		case c.is(to, senseLast):
			sign = -1
		case c.is(to, senseNext):
			sign = 1
		default:
			return nil
		}
		to++
	}
	m := &mention{to: to, day: c.today, last: c.today, hasDay: true, hasEnd: true}
	if sign < 0 {
		m.day = shift(c.today, unit, -n).AddDate(0, 0, 1)
	} else {
		m.last = shift(c.today, unit, n).AddDate(0, 0, -1)
	}
	return m
}

// monthSpan reads a month's name, with its year or with "last" and "next". "May" and "march" are words too: they count
// only after a word like "in" or with a year.
func (c *calendar) monthSpan(k, n int, named, prep bool) *mention {
	month, ok := c.of(k, senseMonth)
	if !ok {
		return nil
	}
	to := k + 1
	year, dated := c.digit(to, 1900, 2199)
	if dated {
		to++
	}
	if w := c.tokens[k].text; !named && !prep && !dated && (letters(w) <= 3 || w == "march") {
		return nil
	}
	if !dated {
		year = c.today.Year()
		switch here := int(c.today.Month()); {
		case n < 0 && month >= here:
			year--
		case n > 0 && month <= here:
			year++
		case n == 0 && !named && month-here > 6:
			year--
		case n == 0 && !named && here-month > 6:
			year++
		}
	}
	first := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	return &mention{to: to, day: first, last: first.AddDate(0, 1, -1), hasDay: true, hasEnd: true, month: true}
}
