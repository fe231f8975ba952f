package guide

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// sense is what a word can mean in a date, a time or a number. A word may have several.
type sense uint8

const (
	_             sense = iota
	senseOffset         // today, tomorrow: n days from now
	senseWeekday        // n as in time.Weekday
	senseMonth          // n as in time.Month
	senseNumber         // a number in words
	senseUnit           // day, week, month, year, weekend
	senseDual           // Hebrew "two weeks" in one word: n is the unit
	senseNext           // the coming one
	senseLast           // the one before
	senseThis           // the present one
	sensePast           // "last 7 days"
	senseAt             // stands before an hour
	senseOn             // stands before a day
	senseAgo            // after a length of time; in Hebrew before it
	senseHence          // "in 3 days"
	senseFrom           // opens a range
	senseTo             // closes a range
	senseAnd            // joins a range
	senseAfter          // makes a date or an hour open to one side
	senseMeridiem       // n: 0 before noon, 12 after
	senseNoon           // n: minutes
	senseHalf           // half past
	senseQuarter        // quarter past or to
	senseOClock         // the hour's own word
	senseHourOf         // Russian "of the seventh": half past n-1
	senseOrdinal        // "th" after a day of the month; n is unused
	senseDayWord        // "day" before a weekday's name in Hebrew
)

// The units of senseUnit.
const (
	unitDay = iota + 1
	unitWeek
	unitMonth
	unitYear
	unitWeekend
)

type meaning struct {
	sense sense
	n     int
}

type lexRow struct {
	sense sense
	n     int
	words string
}

var lexRows = []lexRow{
	{senseOffset, 0, "today tonight היום הערב הלילה сегодня"},
	{senseOffset, 1, "tomorrow tomorow tmrw מחר завтра"},
	{senseOffset, 2, "מחרתיים послезавтра"},
	{senseOffset, -1, "yesterday אתמול אמש вчера"},
	{senseOffset, -2, "שלשום позавчера"},

	{senseWeekday, 0, "sunday sundays sun ראשון воскресенье воскресенья воскресенью воскресеньям"},
	{senseWeekday, 1, "monday mondays mon שני понедельник понедельника понедельнику понедельникам пн"},
	{senseWeekday, 2, "tuesday tuesdays tue tues שלישי вторник вторника вторнику вторникам вт"},
	{senseWeekday, 3, "wednesday wednesdays wed weds רביעי среда среду среды среде средам ср"},
	{senseWeekday, 4, "thursday thursdays thu thur thurs חמישי четверг четверга четвергу четвергам чт"},
	{senseWeekday, 5, "friday fridays fri שישי пятница пятницу пятницы пятнице пятницам пт"},
	{senseWeekday, 6, "saturday saturdays sat שבת суббота субботу субботы субботе субботам сб"},

	{senseMonth, 1, "january jan ינואר январь января январе"},
	{senseMonth, 2, "february feb פברואר февраль февраля феврале"},
	{senseMonth, 3, "march mar מרץ מרס март марта марте"},
	{senseMonth, 4, "april apr אפריל апрель апреля апреле"},
	{senseMonth, 5, "may מאי май мая мае"},
	{senseMonth, 6, "june jun יוני июнь июня июне"},
	{senseMonth, 7, "july jul יולי июль июля июле"},
	{senseMonth, 8, "august aug אוגוסט август августа августе"},
	{senseMonth, 9, "september sept sep ספטמבר сентябрь сентября сентябре"},
	{senseMonth, 10, "october oct אוקטובר октябрь октября октябре"},
	{senseMonth, 11, "november nov נובמבר ноябрь ноября ноябре"},
	{senseMonth, 12, "december dec דצמבר декабрь декабря декабре"},

	{senseNumber, 1, "one אחת אחד один одна одну одного час"},
	{senseNumber, 2, "two שתיים שניים שתי שני два две двух"},
	{senseNumber, 3, "three שלוש שלושה три трех"},
	{senseNumber, 4, "four ארבע ארבעה четыре четырех"},
	{senseNumber, 5, "five חמש חמישה пять пяти"},
	{senseNumber, 6, "six שש שישה шесть шести"},
	{senseNumber, 7, "seven שבע שבעה семь семи"},
	{senseNumber, 8, "eight שמונה восемь восьми"},
	{senseNumber, 9, "nine תשע תשעה девять девяти"},
	{senseNumber, 10, "ten עשר עשרה десять десяти"},
	{senseNumber, 11, "eleven одиннадцать одиннадцати"},
	{senseNumber, 12, "twelve dozen двенадцать двенадцати"},
	{senseNumber, 13, "thirteen тринадцать"},
	{senseNumber, 14, "fourteen четырнадцать"},
	{senseNumber, 15, "fifteen пятнадцать"},
	{senseNumber, 16, "sixteen шестнадцать"},
	{senseNumber, 17, "seventeen семнадцать"},
	{senseNumber, 18, "eighteen восемнадцать"},
	{senseNumber, 19, "nineteen девятнадцать"},
	{senseNumber, 20, "twenty עשרים двадцать"},

	{senseUnit, unitDay, "day days יום ימים день дня дней"},
	{senseUnit, unitWeek, "week weeks שבוע שבועות неделя недели неделю неделе недель"},
	{senseUnit, unitMonth, "month months חודש חודשים месяц месяца месяце месяцев"},
	{senseUnit, unitYear, "year years שנה שנים год года году лет"},
	{senseUnit, unitWeekend, "weekend weekends סופש выходные выходных"},
	{senseDual, unitDay, "יומיים"},
	{senseDual, unitWeek, "שבועיים"},
	{senseDual, unitMonth, "חודשיים"},

	{senseNext, 0, "next coming upcoming following הבא הבאה הבאים הבאות הקרוב הקרובה הקרובים следующий следующая следующее следующую следующей следующем следующего следующие следующих ближайший ближайшую ближайшие ближайших"},
	{senseLast, 0, "last previous past prior שעבר שעברה הקודם הקודמת האחרון האחרונה האחרונים האחרונות прошлый прошлая прошлое прошлую прошлой прошлом прошлого прошлые прошлых последний последнюю последние последних предыдущий предыдущую"},
	{senseThis, 0, "this current הזה הזו הזאת הנוכחי הנוכחית этот эта эту этой этом этого эти этих текущий текущую текущей текущем"},

	{senseAt, 0, "at בשעה שעה ב ל в во на к"},
	{senseOn, 0, "on in for of during by the ביום יום ב ה ל של עבור в во на за к"},
	{senseAgo, 0, "ago לפני назад"},
	{senseHence, 0, "in within בעוד עוד תוך через"},
	{senseFrom, 0, "from since between starting מ מן בין החל מאז с со от между"},
	{senseTo, 0, "to until till through thru עד ועד по до"},
	{senseAnd, 0, "and ו и"},
	{senseAfter, 0, "after before until till since by later earlier אחרי לפני מאז עד после до"},
	{senseMeridiem, 0, "am morning בוקר לפנהצ утра утром"},
	{senseMeridiem, 12, "pm afternoon evening night tonight ערב לילה אחהצ צהריים הערב הלילה дня днем вечера вечером"},
	{senseNoon, 12 * 60, "noon midday צהריים полдень"},
	{senseNoon, 0, "midnight חצות полночь"},
	{senseHalf, 0, "half חצי וחצי половина половину пол"},
	{senseQuarter, 0, "quarter רבע ורבע четверть"},
	{senseOClock, 0, "oclock час часа часов ч"},
	{senseHourOf, 1, "первого"},
	{senseHourOf, 2, "второго"},
	{senseHourOf, 3, "третьего"},
	{senseHourOf, 4, "четвертого"},
	{senseHourOf, 5, "пятого"},
	{senseHourOf, 6, "шестого"},
	{senseHourOf, 7, "седьмого"},
	{senseHourOf, 8, "восьмого"},
	{senseHourOf, 9, "девятого"},
	{senseHourOf, 10, "десятого"},
	{senseHourOf, 11, "одиннадцатого"},
	{senseHourOf, 12, "двенадцатого"},
	{senseOrdinal, 0, "st nd rd th го е"},
	{senseDayWord, 0, "יום ביום ליום"},
}

var lexicon = sync.OnceValue(func() map[string][]meaning {
	m := map[string][]meaning{}
	for _, row := range lexRows {
		for w := range strings.FieldsSeq(row.words) {
			w = fold(w)
			m[w] = append(m[w], meaning{row.sense, row.n})
		}
	}
	return m
})

// lexed is what one token can mean.
type lexed struct {
	meanings []meaning
	// prefix is the Hebrew prefix that was taken off to find them.
	prefix rune
	// number is the value of digits, -1 otherwise.
	number int64
}

func lex(t token) lexed {
	l := lexed{number: -1}
	if c, _ := utf8.DecodeRuneInString(t.text); classOf(c) == digit {
		if n, ok := digits(t.text); ok {
			l.number = n
		}
		return l
	}
	w := t.text
	for range 3 {
		if m, ok := lexicon()[w]; ok {
			l.meanings = m
			for _, v := range m {
				if v.sense == senseNumber {
					l.number = int64(v.n)
				}
			}
			return l
		}
		r, size := utf8.DecodeRuneInString(w)
		if !strings.ContainsRune(hebrewPrefixes, r) || len(w) <= size+2 {
			break
		}
		w = w[size:]
		l.prefix = r
	}
	l.prefix = 0
	return l
}

// digits reads a whole number, with commas between thousands.
func digits(s string) (int64, bool) {
	var n int64
	for _, r := range s {
		if r == ',' {
			continue
		}
		if r < '0' || r > '9' || n > 1e15 {
			return 0, false
		}
		n = n*10 + int64(r-'0')
	}
	return n, true
}

func (l lexed) is(s sense) bool { _, ok := l.of(s); return ok }

func (l lexed) of(s sense) (int, bool) {
	for _, m := range l.meanings {
		if m.sense == s {
			return m.n, true
		}
	}
	return 0, false
}
