package gym

import (
	"fmt"
	"strings"
	"time"
)

// T is a word of the product in the page's language.
func (v *view) T(key string) string { return word(v.Lang, key) }

// Word is T for a value of the API, such as a status.
func (v *view) Word(value any) string { return word(v.Lang, fmt.Sprint(value)) }

// Count is how many wait at an entry of the sidebar; 0 shows nothing.
func (v *view) Count(nav string) int64 {
	n, _ := v.Counts[nav].(int64)
	return n
}

// Initials are the first letters of a name.
func (v *view) Initials(name any) string {
	var out []rune
	for word := range strings.FieldsSeq(fmt.Sprint(name)) {
		if len(out) < 2 {
			out = append(out, []rune(word)[0])
		}
	}
	return strings.ToUpper(string(out))
}

// Tint is the class of a person's initials: one of five grounds, by id.
func (v *view) Tint(id any) string {
	n, _ := id.(int64)
	return fmt.Sprintf("tint%d", n%5)
}

func (v *view) moment(value any) (time.Time, bool) {
	text, _ := value.(string)
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.In(v.call.zone), true
	}
	t, err := time.ParseInLocation(time.DateOnly, text, v.call.zone)
	return t, err == nil
}

// Clock is the time of day of a moment.
func (v *view) Clock(value any) string {
	t, ok := v.moment(value)
	if !ok {
		return ""
	}
	return t.Format("15:04")
}

// Date is a day, with its month in words.
func (v *view) Date(value any) string {
	t, ok := v.moment(value)
	if !ok {
		return "–"
	}
	text := fmt.Sprintf("%d %s", t.Day(), months[v.Lang][t.Month()-1])
	if t.Year() != v.now.Year() {
		text += fmt.Sprintf(" %d", t.Year())
	}
	return text
}

// When is a moment: the hour today, the weekday in the last six days, else the day.
func (v *view) When(value any) string {
	t, ok := v.moment(value)
	if !ok {
		return "–"
	}
	switch age := v.now.Sub(t); {
	case t.Format(time.DateOnly) == v.now.Format(time.DateOnly):
		return t.Format("15:04")
	case age > 0 && age < 6*24*time.Hour, age < 0 && age > -6*24*time.Hour:
		return weekdays[v.Lang][t.Weekday()]
	}
	return v.Date(value)
}

// Age is how long ago a moment was, in hours or days.
func (v *view) Age(value any) string {
	t, ok := v.moment(value)
	if !ok {
		return ""
	}
	hours := int(v.now.Sub(t).Hours())
	if hours < 24 {
		return fmt.Sprintf("%d %s", max(1, hours), v.T("hourShort"))
	}
	if hours < 48 {
		return "1 " + v.T("dayOne")
	}
	return fmt.Sprintf("%d %s", hours/24, v.T("dayShort"))
}

// Money is an amount of a currency, without cents.
func (v *view) Money(amount, currency any) string {
	n, ok := amount.(int64)
	if !ok {
		return v.T("unknown")
	}
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return map[any]string{"ILS": "₪", "USD": "$"}[currency] + text
}

// Score is a result as people say it.
func (v *view) Score(score, unit any) string {
	n, _ := score.(float64)
	if unit == "seconds" {
		return fmt.Sprintf("%d:%02d", int(n)/60, int(n)%60)
	}
	return fmt.Sprintf("%g %s", n, v.Word(unit))
}

// entry is a link of the sidebar or of the tab bar.
type entry struct {
	Name, Label, Icon string
	Current           bool
	Count             int64
}

func newEntry(v *view, name, icon string) entry {
	return entry{Name: name, Label: v.T(name), Icon: icon, Current: v.Nav == name, Count: v.Count(name)}
}

// personTag is a person in a row: initials on a ground, and the name.
type personTag struct{ Name, Initials, Tint string }

func newPersonTag(v *view, person object) personTag {
	return personTag{Name: fmt.Sprint(person["name"]), Initials: v.Initials(person["name"]), Tint: v.Tint(person["id"])}
}

// Here tells whether two values are the same, whatever number type they have.
func (v *view) Here(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// Can tells whether the page's person may use an operation.
func (v *view) Can(operation string) bool {
	op := v.g.doc.operations[operation]
	return op != nil && op.allows(v.call.who.roles)
}
