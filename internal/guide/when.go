package guide

import (
	"fmt"
	"strings"
	"time"

	"github.com/steward-assistant/steward/internal/words"
)

// speech is the guide's catalogue in one language.
type speech struct{ *words.Catalogue }

func speak(lang string) speech { return speech{words.For(lang)} }

func (s speech) say(key string, args words.Args) string { return s.Text("guide."+key, args) }

// list gives one of the words that a text of the catalogue holds, told apart by "|".
func (s speech) list(key string, i int) string {
	parts := strings.Split(s.say(key, nil), "|")
	if i < 0 || i >= len(parts) {
		return ""
	}
	return parts[i]
}

// day writes a day as people say it; the year only where it is not this one.
func (s speech) day(d, today time.Time) string {
	key := "day"
	if d.Year() != today.Year() {
		key = "day_year"
	}
	return s.say(key, words.Args{
		"weekday": s.list("weekdays", int(d.Weekday())), "day": fmt.Sprint(d.Day()),
		"month": s.list("months", int(d.Month())-1), "year": fmt.Sprint(d.Year()),
	})
}

func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// when writes a day or a range with an hour; any of them may be missing.
func (s speech) when(day, last, today time.Time, minutes int, timed bool) string {
	var parts []string
	switch {
	case day.IsZero():
	case last.After(day):
		parts = append(parts, s.day(day, today)+" – "+s.day(last, today))
	default:
		parts = append(parts, s.day(day, today))
	}
	if timed {
		parts = append(parts, clock(minutes))
	}
	return strings.Join(parts, ", ")
}

// join writes a list of things as a sentence does.
func (s speech) join(things []string) string {
	if len(things) < 2 {
		return strings.Join(things, "")
	}
	n := len(things) - 1
	return strings.Join(things[:n], ", ") + s.say("and", nil) + things[n]
}
