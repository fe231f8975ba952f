package guide

import (
	"strconv"
	"strings"
	"time"
)

// dateAt reads one day at i, with the words that stand before it: "on Thursday", "ביום חמישי", "18 марта", "2026-03-18".
func (c *calendar) dateAt(i int) *mention {
	open := false
	for j := i; j < len(c.lex) && j < i+4; j++ {
		if d, to, ok := c.day(j); ok {
			if j == i && c.ambiguous(j, to) {
				return nil
			}
			m := &mention{to: to, day: d, hasDay: true, open: open, literal: len(c.tokens[j].text) == 10 && to == j+1 && c.tokens[j].text[4] == '-'}
			c.counted(m, j)
			return m
		}
		switch {
		case c.is(j, senseAfter) && !c.is(j, senseOn), c.is(j, senseFrom) && !c.is(j, senseOn):
			open = true
		case c.is(j, senseOn), c.is(j, senseAt):
		default:
			return nil
		}
	}
	return nil
}

// counted gives a day that is told by its distance ("in 12 days") that number too.
func (c *calendar) counted(m *mention, j int) {
	for k := j; k < m.to; k++ {
		if n, unit, _, ok := c.length(k); ok && c.lex[k].number > 0 {
			m.number, m.hasNumber = int64(n), true
			if unit != unitDay {
				m.days = int64(m.day.Sub(c.today).Abs().Hours() / 24)
			}
			return
		}
	}
}

// ambiguous reports whether the word at i is a day's short name that is a word or a name of its own too, told alone.
func (c *calendar) ambiguous(i, to int) bool {
	if to != i+1 {
		return false
	}
	if w, ok := c.of(i, senseWeekday); ok && w <= 3 && c.tokens[i].text[0] >= 0xd7 {
		// "ראשון" to "רביעי" are "first" to "fourth" too: they are days after "day" or a word like "on".
		p := c.lex[i].prefix
		return p != 'ב' && p != 'ל' && p != 'מ' && !c.is(i-1, senseDayWord)
	}
	switch c.tokens[i].text {
	case "sun", "mon", "sat", "fri", "wed", "ср", "пт", "сб", "вт", "пн", "чт":
		return i+1 < len(c.lex) && c.lex[i+1].number < 0 && !c.is(i+1, senseAt)
	default:
		return false
	}
}

// day reads a day that begins exactly at j.
func (c *calendar) day(j int) (time.Time, int, bool) {
	if d, to, ok := c.numericDay(j); ok {
		return d, to, true
	}
	if d, to, ok := c.relativeDay(j); ok {
		return d, to, true
	}
	if d, to, ok := c.namedDay(j); ok {
		return d, to, true
	}
	return c.weekday(j)
}

// numericDay reads 2026-03-18, 18/3, 18.3.2026.
func (c *calendar) numericDay(j int) (time.Time, int, bool) {
	text := c.tokens[j].text
	if d, err := time.Parse(time.DateOnly, text); err == nil {
		return d, j + 1, true
	}
	sep := "/"
	if !strings.Contains(text, sep) {
		if sep = "."; !strings.Contains(text, sep) {
			return time.Time{}, 0, false
		}
	}
	parts := strings.Split(text, sep)
	n := make([]int, len(parts))
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil {
			return time.Time{}, 0, false
		}
		n[i] = v
	}
	if len(n) < 2 || len(n) > 3 || len(parts[0]) > 2 || len(parts[1]) > 2 {
		return time.Time{}, 0, false
	}
	d, m := n[0], n[1]
	if sep == "/" && (c.monthFirst || m > 12) {
		d, m = m, d
	}
	year := 0
	if len(n) == 3 {
		if year = n[2]; year < 100 {
			year += 2000
		}
	}
	return c.dated(d, m, year, j+1)
}

// dated makes a day; without a year it is the nearest such day.
func (c *calendar) dated(d, m, year, to int) (time.Time, int, bool) {
	if m < 1 || m > 12 || d < 1 || d > 31 || year != 0 && (year < 1900 || year > 2199) {
		return time.Time{}, 0, false
	}
	if year != 0 {
		t := time.Date(year, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		return t, to, t.Day() == d
	}
	var best time.Time
	for y := c.today.Year() - 1; y <= c.today.Year()+1; y++ {
		t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		if t.Day() == d && (best.IsZero() || t.Sub(c.today).Abs() < best.Sub(c.today).Abs()) {
			best = t
		}
	}
	return best, to, !best.IsZero()
}

// relativeDay reads today, the day after tomorrow, "in 3 days", "3 дня назад", "לפני יומיים".
func (c *calendar) relativeDay(j int) (time.Time, int, bool) {
	if c.is(j, senseUnit) && j+2 < len(c.lex) {
		word, n := c.tokens[j+1].text, 0
		if word == "after" && c.tokens[j+2].text == "tomorrow" {
			n = 2
		} else if word == "before" && c.tokens[j+2].text == "yesterday" {
			n = -2
		}
		if n != 0 {
			return c.today.AddDate(0, 0, n), j + 3, true
		}
	}
	if n, ok := c.of(j, senseOffset); ok {
		return c.today.AddDate(0, 0, n), j + 1, true
	}
	hence, ago := c.is(j, senseHence), c.tokens[j].text == "לפני"
	k := j
	if hence || ago {
		k++
	}
	n, unit, to, ok := c.length(k)
	if !ok {
		return time.Time{}, 0, false
	}
	if c.is(to, senseAgo) && !ago {
		ago, hence = true, false
		to++
	}
	switch {
	case ago:
		return shift(c.today, unit, -n), to, true
	case hence:
		return shift(c.today, unit, n), to, true
	default:
		return time.Time{}, 0, false
	}
}

// opensLength reports whether the word at k is the "in" of "in 3 days".
func (c *calendar) opensLength(k int) bool {
	_, _, _, ok := c.length(k + 1)
	return c.is(k, senseHence) && ok
}

// length reads "3 days", "a week", "שבועיים", "неделю".
func (c *calendar) length(k int) (n, unit, to int, ok bool) {
	if u, is := c.of(k, senseDual); is {
		return 2, u, k + 1, true
	}
	n = 1
	if v, is := c.num(k, 1, 400); is {
		n = v
		k++
	} else if k < len(c.tokens) && (c.tokens[k].text == "a" || c.tokens[k].text == "an") {
		k++
	}
	u, is := c.of(k, senseUnit)
	if !is || u == unitWeekend || c.is(k, senseDayWord) && c.is(k+1, senseWeekday) {
		return 0, 0, 0, false
	}
	return n, u, k + 1, true
}

// shift moves a day by n units; a month later than the 31st is the month's last day.
func shift(d time.Time, unit, n int) time.Time {
	switch unit {
	case unitDay:
		return d.AddDate(0, 0, n)
	case unitWeek:
		return d.AddDate(0, 0, 7*n)
	case unitYear:
		n *= 12
	default:
	}
	first := time.Date(d.Year(), d.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, n, 0)
	return first.AddDate(0, 0, min(d.Day(), first.AddDate(0, 1, -1).Day())-1)
}

// namedDay reads "18 March", "March 18th, 2026", "the 18th", "18 במרץ", "18 марта".
func (c *calendar) namedDay(j int) (time.Time, int, bool) {
	if d, ok := c.digit(j, 1, 31); ok {
		k := j + 1
		ordinal := c.is(k, senseOrdinal)
		if ordinal {
			k++
		}
		if k < len(c.tokens) && c.tokens[k].text == "of" {
			k++
		}
		if m, ok := c.of(k, senseMonth); ok {
			return c.withYear(d, m, k+1)
		}
		if ordinal && !c.is(j+2, senseUnit) {
			return c.dayOfMonth(d, j+2)
		}
		return time.Time{}, 0, false
	}
	m, ok := c.of(j, senseMonth)
	if !ok {
		return time.Time{}, 0, false
	}
	k := j + 1
	if k < len(c.tokens) && c.tokens[k].text == "the" {
		k++
	}
	d, ok := c.digit(k, 1, 31)
	if !ok {
		return time.Time{}, 0, false
	}
	k++
	if c.is(k, senseOrdinal) {
		k++
	}
	return c.withYear(d, m, k)
}

func (c *calendar) withYear(d, m, to int) (time.Time, int, bool) {
	if y, ok := c.digit(to, 1900, 2199); ok {
		return c.dated(d, m, y, to+1)
	}
	return c.dated(d, m, 0, to)
}

// dayOfMonth is the next day with that number, today included.
func (c *calendar) dayOfMonth(d, to int) (time.Time, int, bool) {
	for n := range 3 {
		t := time.Date(c.today.Year(), c.today.Month()+time.Month(n), d, 0, 0, 0, 0, time.UTC)
		if t.Day() == d && !t.Before(c.today) {
			return t, to, true
		}
	}
	return time.Time{}, 0, false
}

// weekday reads "next Thursday", "יום חמישי הבא", "в прошлую пятницу", "Wed 18 March". A bare name is the next such day,
// today included; "next" is that day of the coming week; "last" is the newest one before today.
func (c *calendar) weekday(j int) (time.Time, int, bool) {
	next, last := c.is(j, senseNext), c.is(j, senseLast)
	k := j
	if next || last || c.is(j, senseThis) {
		k++
	}
	if c.is(k, senseDayWord) {
		k++
	}
	w, ok := c.of(k, senseWeekday)
	if !ok {
		if w, ok = c.letterDay(k); !ok {
			return time.Time{}, 0, false
		}
	}
	to := k + 1
	if k == j {
		// A date beside the name says more than the name.
		if d, end, ok := c.numericDayAt(to); ok {
			return d, end, true
		}
	}
	if c.lexIsHebrew(to) {
		switch {
		case c.is(to, senseNext):
			next = true
			to++
		case c.is(to, senseLast):
			last = true
			to++
		case c.is(to, senseThis):
			to++
		}
	}
	ahead := (w - int(c.today.Weekday()) + 7) % 7
	switch {
	case last:
		if ahead == 0 {
			ahead = 7
		}
		return c.today.AddDate(0, 0, ahead-7), to, true
	case next:
		return c.week(1).AddDate(0, 0, (w-int(c.weekStart)+7)%7), to, true
	default:
		return c.today.AddDate(0, 0, ahead), to, true
	}
}

// letterDay reads the Hebrew names "יום א׳" to "יום ו׳".
func (c *calendar) letterDay(k int) (int, bool) {
	if !c.is(k-1, senseDayWord) || k >= len(c.tokens) {
		return 0, false
	}
	i := strings.Index("אבגדהו", c.tokens[k].text)
	if i < 0 || letters(c.tokens[k].text) != 1 {
		return 0, false
	}
	return i / len("א"), true
}

func (c *calendar) numericDayAt(j int) (time.Time, int, bool) {
	for k := j; k < len(c.lex) && k < j+2; k++ {
		if d, to, ok := c.numericDay(k); ok {
			return d, to, true
		}
		if d, to, ok := c.namedDay(k); ok {
			return d, to, true
		}
		if !c.is(k, senseOn) {
			break
		}
	}
	return time.Time{}, 0, false
}

func (c *calendar) lexIsHebrew(i int) bool {
	return i < len(c.tokens) && strings.HasPrefix(c.tokens[i].text, "ה") || i < len(c.tokens) && strings.HasPrefix(c.tokens[i].text, "שעבר")
}

// week gives the first day of the week n weeks from this one.
func (c *calendar) week(n int) time.Time {
	back := (int(c.today.Weekday()) - int(c.weekStart) + 7) % 7
	return c.today.AddDate(0, 0, 7*n-back)
}
