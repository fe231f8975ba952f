package gym

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// weekDay is one column of the week.
type weekDay struct {
	Date, Name, Short string
	Number            int
	Today, Chosen     bool
	Sessions          []object
	Now               string // class of the line of the hour; empty on other days
}

func loadSchedule(ctx context.Context, v *view) error {
	query := v.request.URL.Query()
	day := v.now
	for _, name := range []string{"week", "day"} {
		if t, err := time.ParseInLocation(time.DateOnly, query.Get(name), v.call.zone); err == nil {
			day = t
		}
	}
	first := day.AddDate(0, 0, -((int(day.Weekday()) - int(v.me.weekStart) + 7) % 7))
	last := first.AddDate(0, 0, 6)
	var sessions []object
	from, _ := v.call.bounds(first.Format(time.DateOnly))
	_, to := v.call.bounds(last.Format(time.DateOnly))
	sessions, err := v.call.all(ctx, sessionQuery(v.call).and(`s.starts_at >= ? AND s.starts_at < ?`, from, to))
	if err != nil {
		return err
	}
	var days []weekDay
	for n := range 7 {
		d := first.AddDate(0, 0, n)
		column := weekDay{
			Date: d.Format(time.DateOnly), Name: weekdays[v.Lang][d.Weekday()], Short: weekdayLetters[v.Lang][d.Weekday()], Number: d.Day(),
			Today: d.Format(time.DateOnly) == v.now.Format(time.DateOnly), Chosen: d.Format(time.DateOnly) == day.Format(time.DateOnly),
		}
		for _, s := range sessions {
			if text, _ := s["starts_at"].(string); text[:len(time.DateOnly)] == column.Date {
				column.Sessions = append(column.Sessions, s)
			}
		}
		if column.Today && v.now.Hour() >= firstHour && v.now.Hour() < lastHour {
			column.Now = fmt.Sprintf("r%d", gridRow(v.now))
		}
		v.place(column.Sessions)
		days = append(days, column)
	}
	var hours []string
	for hour := firstHour; hour < lastHour; hour++ {
		hours = append(hours, fmt.Sprintf("%02d:00", hour))
	}
	v.Title = v.T("schedule")
	v.Data = object{
		"days": days, "hours": hours, "span": v.daySpan(first, last), "previous": first.AddDate(0, 0, -7).Format(time.DateOnly),
		"next": first.AddDate(0, 0, 7).Format(time.DateOnly), "month": months[v.Lang][day.Month()-1],
	}
	return v.forAdding(ctx, first)
}

// forAdding adds what the form for a new class offers.
func (v *view) forAdding(ctx context.Context, first time.Time) error {
	if v.Member {
		return nil
	}
	types, err := v.read(ctx, "listClassTypes", nil)
	if err != nil {
		return err
	}
	staff, err := v.read(ctx, "listStaff", nil)
	if err != nil {
		return err
	}
	at := first
	if v.now.After(at) {
		at = v.now.AddDate(0, 0, 1)
	}
	v.Data["types"], v.Data["staff"], v.Data["at"] = types["items"], staff["items"], at.Format(time.DateOnly)+"T10:00"
	return nil
}

// daySpan names a run of days: 15–21 March, or 29 March – 4 April.
func (v *view) daySpan(first, last time.Time) string {
	if first.Month() == last.Month() {
		return fmt.Sprintf("%d–%d %s", first.Day(), last.Day(), months[v.Lang][first.Month()-1])
	}
	return fmt.Sprintf("%d %s – %d %s", first.Day(), months[v.Lang][first.Month()-1], last.Day(), months[v.Lang][last.Month()-1])
}

// id reads the page's id; one that is no number is an unknown page.
func (v *view) id() (int64, error) {
	id, err := strconv.ParseInt(v.request.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, missing("page")
	}
	return id, nil
}

// loadOne reads the object that a page with an id is about.
func (v *view) loadOne(ctx context.Context, operation string) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	v.Data, err = v.read(ctx, operation, input{"id": id})
	return err
}

func loadClass(ctx context.Context, v *view) error {
	if err := v.loadOne(ctx, "getSession"); err != nil {
		return err
	}
	ends, _ := v.moment(v.Data["ends_at"])
	v.Data["over"] = !ends.After(v.now)
	class, _ := v.Data["class"].(object)
	v.Title = fmt.Sprintf("%v, %s %s", class["name"], v.Date(v.Data["starts_at"]), v.Clock(v.Data["starts_at"]))
	return nil
}
