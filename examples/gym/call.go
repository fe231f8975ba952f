package gym

import (
	"context"
	"net/http"
	"time"
)

// handler answers one operation. What it returns is the JSON of the answer; a
// *problemError says why there is none. A write runs in one transaction.
type handler func(ctx context.Context, c *call) (any, error)

// call is one use of an operation by one person.
type call struct {
	db   store
	who  *principal
	org  int64
	zone *time.Location
	now  time.Time
	in   input
}

// principal is who asks: a person of one organisation, and the roles that the
// token or the session gives.
type principal struct {
	person int64
	org    int64
	name   string
	roles  []string
}

// nowMicros is the clock as columns hold it.
func (c *call) nowMicros() int64 { return c.now.UnixMicro() }

// today is the day it is in the organisation.
func (c *call) today() string { return c.now.In(c.zone).Format(time.DateOnly) }

// dayAfter is a day some days from today.
func (c *call) dayAfter(days int) string {
	return c.now.In(c.zone).AddDate(0, 0, days).Format(time.DateOnly)
}

// bounds are the microseconds at which a day begins and ends. The day was checked
// to be one when it was read.
func (c *call) bounds(day string) (from, to int64) {
	start, err := time.ParseInLocation(time.DateOnly, day, c.zone)
	if err != nil {
		return 0, 0
	}
	return start.UnixMicro(), start.AddDate(0, 0, 1).UnixMicro()
}

// span reads `from` and `to`, days included, with defaults in days from today. It
// answers the days and their bounds.
func (c *call) span(first, last int) (span, error) {
	s := span{firstDay: c.in.or("from", c.dayAfter(first)), lastDay: c.in.or("to", c.dayAfter(last))}
	if c.in.has("from") && !c.in.has("to") && s.lastDay < s.firstDay {
		s.lastDay = s.firstDay
	}
	if c.in.has("to") && !c.in.has("from") && s.lastDay < s.firstDay {
		s.firstDay = s.lastDay
	}
	if s.lastDay < s.firstDay {
		return s, badField("to", "must not be before from")
	}
	s.from, _ = c.bounds(s.firstDay)
	_, s.to = c.bounds(s.lastDay)
	return s, nil
}

// span is a run of days: the days themselves, and the microseconds from the start
// of the first to the end of the last.
type span struct {
	firstDay, lastDay string
	from, to          int64
}

// nouns are the tables that ids point into, with the word that a 404 says.
var nouns = map[string]string{
	"people": "person", "class_types": "kind of class", "sessions": "session", "bookings": "booking", "plans": "plan",
	"memberships": "membership", "workouts": "workout", "programs": "programme", "templates": "template",
	"assignments": "assignment", "programming": "day of programming", "pipelines": "pipeline", "stages": "stage",
	"leads": "lead", "tasks": "task", "forms": "form", "form_answers": "answer", "automations": "automation",
	"threads": "conversation", "announcements": "announcement",
}

// exists refuses an id, given as field, that table does not have for this
// organisation. An id that was not given is no fault.
func (c *call) exists(ctx context.Context, field, table string) error {
	if !c.in.has(field) {
		return nil
	}
	n, err := c.number(ctx, "SELECT count(*) FROM "+table+" WHERE id = ? AND org_id = ?", c.in.int(field), c.org)
	if err != nil {
		return err
	}
	if n == 0 {
		return missingField(field, nouns[table])
	}
	return nil
}

// filter narrows q to the id given as field, after checking that it exists: a list
// about nobody is a 404, not an empty list.
func (c *call) filter(ctx context.Context, q *query, field, table, column string) error {
	if err := c.exists(ctx, field, table); err != nil {
		return err
	}
	if c.in.has(field) {
		q.and(column+" = ?", c.in.int(field))
	}
	return nil
}

// same narrows q to rows whose column is the text given as field, if it is given.
func (c *call) same(q *query, field, column string) {
	if c.in.has(field) {
		q.and(column+" = ?", c.in[field])
	}
}

// change updates the given fields of one row; columns maps fields to columns.
func (c *call) change(ctx context.Context, table string, columns map[string]string) error {
	if err := c.exists(ctx, "id", table); err != nil {
		return err
	}
	for field, column := range columns {
		if !c.in.has(field) {
			continue
		}
		value := c.in[field]
		if b, ok := value.(bool); ok {
			value = asNumber(b)
		}
		if _, err := c.exec(ctx, "UPDATE "+table+" SET "+column+" = ? WHERE id = ? AND org_id = ?", value, c.in.int("id"), c.org); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes one row and says so.
func (c *call) remove(ctx context.Context, table string) (any, error) {
	if err := c.exists(ctx, "id", table); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, "DELETE FROM "+table+" WHERE id = ? AND org_id = ?", c.in.int("id"), c.org); err != nil {
		return nil, err
	}
	return object{"id": c.in.int("id"), "removed": true}, nil
}

// note writes down what was done, for the activity list.
func (c *call) note(ctx context.Context, kind, text string) error {
	_, err := c.exec(ctx, "INSERT INTO activity (org_id, at, kind, text, person_id) VALUES (?, ?, ?, ?, ?)",
		c.org, c.nowMicros(), kind, text, c.who.person)
	return err
}

// with is the same call about another row, for a handler that answers with what
// another one reads.
func (c *call) with(id int64) *call {
	other := *c
	other.in = input{"id": id}
	return &other
}

// checkTaken is a 409 for a write that the state of things forbids.
func checkTaken(forbidden bool, detail string) error {
	if forbidden {
		return refuse(http.StatusConflict, detail)
	}
	return nil
}

func asNumber(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
