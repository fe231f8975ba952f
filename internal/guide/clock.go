package guide

import (
	"strconv"
	"strings"
)

// clockAt reads an hour at i: "6 pm", "at 18:00", "half past six", "בשש בערב", "в 6 вечера". An hour that does not
// say its half of the day is kept as -minutes-1 until halves settles it.
func (c *calendar) clockAt(i int) *mention {
	open := false
	j := i
	if c.is(j, senseAfter) && !c.isWholeAt(j) {
		open = true
		j++
	}
	prep := false
	for c.is(j, senseAt) {
		prep = true
		j++
	}
	if j >= len(c.lex) {
		return nil
	}
	if p := c.lex[j].prefix; p == 'ב' || p == 'ל' {
		prep = true
	}
	minutes, to, ok := c.clock(j, prep || open)
	if !ok {
		return nil
	}
	m := &mention{to: to, minutes: minutes, hasClock: true, open: open}
	if n, isNumber := c.num(j, 0, 24); isNumber && to == j+1 {
		m.number, m.hasNumber = int64(n), true
	}
	m.literal = to == j+1 && len(c.tokens[j].text) == 5 && c.tokens[j].text[2] == ':'
	return m
}

// isWholeAt reports whether the word at j stands before an hour in its plain sense ("by", "до" stay open ones).
func (c *calendar) isWholeAt(j int) bool { return c.is(j, senseAt) }

func (c *calendar) clock(j int, prep bool) (minutes, to int, ok bool) {
	if n, isNoon := c.of(j, senseNoon); isNoon {
		// "in the afternoon" shares its word with noon in Hebrew: alone it is noon, after an hour it is a half of the day.
		return n, j + 1, true
	}
	if m, to, ok := c.halfPast(j); ok {
		return m, to, true
	}
	h, mm, split := c.hourMinutes(j, prep)
	if !split {
		n, isNumber := c.num(j, 0, 24)
		if !isNumber {
			return 0, 0, false
		}
		h = n
	}
	to = j + 1
	told := split && (h == 0 || h > 12 || c.tokens[j].text[0] == '0')
	said := split
	if c.is(to, senseOClock) && !split {
		said = true
		to++
	}
	if !split {
		to, mm, said = c.fraction(to, mm, said || prep)
	}
	if half, end, isHalf := c.half(to); isHalf && h <= 12 {
		return withHalf(h*60+mm, half), end, true
	}
	if !said && !prep {
		return 0, 0, false
	}
	if !split && (c.is(to, senseUnit) || c.is(to, senseMonth) || c.is(to, senseOrdinal)) {
		return 0, 0, false
	}
	if h == 24 {
		h = 0
		told = true
	}
	if told || h > 12 || h == 0 {
		return h*60 + mm, to, true
	}
	return -(h*60 + mm) - 1, to, true
}

// fraction reads what stands after an hour: "and a half", "and a quarter".
func (c *calendar) fraction(to, mm int, said bool) (int, int, bool) {
	j := to
	if c.is(j, senseAnd) {
		j++
	}
	switch {
	case c.is(j, senseHalf) && (j > to || c.lex[j].prefix == 'ו' || strings.HasPrefix(c.tokens[j].text, "ו")):
		return j + 1, 30, true
	case c.is(j, senseQuarter) && (j > to || c.lex[j].prefix == 'ו' || strings.HasPrefix(c.tokens[j].text, "ו")):
		return j + 1, 15, true
	default:
		return to, mm, said
	}
}

// half reads "pm", "in the evening", "вечера", "אחרי הצהריים".
func (c *calendar) half(j int) (half, to int, ok bool) {
	for k := 0; k < 3 && j < len(c.lex); k++ {
		if n, is := c.of(j, senseMeridiem); is && !c.is(j, senseOffset) {
			return n, j + 1, true
		}
		if !c.is(j, senseOn) && !c.is(j, senseAfter) && !light(c.tokens[j]) || c.is(j, senseOffset) {
			return 0, 0, false
		}
		j++
	}
	return 0, 0, false
}

// halfPast reads "half past six", "quarter to seven", "половина седьмого".
func (c *calendar) halfPast(j int) (minutes, to int, ok bool) {
	k := j
	if k < len(c.tokens) && c.tokens[k].text == "a" {
		k++
	}
	add, is := 30, c.is(k, senseHalf)
	if !is {
		if add, is = 15, c.is(k, senseQuarter); !is {
			return 0, 0, false
		}
	}
	k++
	if n, isHour := c.of(k, senseHourOf); isHour {
		minutes, to = (n-1)*60+add, k+1
	} else {
		if k >= len(c.tokens) {
			return 0, 0, false
		}
		switch c.tokens[k].text {
		case "past", "after":
		case "to":
			add = -add
		default:
			return 0, 0, false
		}
		n, isNumber := c.num(k+1, 1, 12)
		if !isNumber {
			return 0, 0, false
		}
		minutes, to = n*60+add, k+2
	}
	if half, end, isHalf := c.half(to); isHalf {
		return withHalf(minutes, half), end, true
	}
	return -minutes - 1, to, true
}

// hourMinutes reads "18:00", and "18.30" where an hour is expected.
func (c *calendar) hourMinutes(j int, prep bool) (h, m int, ok bool) {
	text := c.tokens[j].text
	a, b, found := strings.Cut(text, ":")
	if !found {
		if a, b, found = strings.Cut(text, "."); !found {
			return 0, 0, false
		}
		month, err := strconv.Atoi(b)
		_, _, pm := c.half(j + 1)
		if err != nil || len(b) != 2 || !prep && !pm && month <= 12 {
			return 0, 0, false
		}
	}
	b, _, _ = strings.Cut(b, ":")
	h, err := strconv.Atoi(a)
	if err != nil || h > 24 || len(b) != 2 {
		return 0, 0, false
	}
	m, err = strconv.Atoi(b)
	if err != nil || m > 59 || h == 24 && m > 0 {
		return 0, 0, false
	}
	return h, m, true
}
