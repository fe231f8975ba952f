package gym

import (
	"context"
	"fmt"
	"time"
)

func bookingHandlers() map[string]handler {
	return map[string]handler{"listBookings": listBookings, "getBooking": getBooking, "listWaiting": listWaiting}
}

func bookingQuery(c *call) *query {
	q := &query{
		cols: `b.id, b.status, CASE WHEN b.status = 'waiting' THEN (SELECT count(*) FROM bookings w WHERE w.session_id = b.session_id AND w.status = 'waiting'
				AND (w.booked_at, w.id) <= (b.booked_at, b.id)) END AS position,
			p.id AS "member.id", p.name AS "member.name", t.id AS "class.id", t.name AS "class.name", t.color AS "class.color",
			s.id AS session_id, s.starts_at AS "starts_at@time", k.id AS "coach.id", k.name AS "coach.name", b.booked_at AS "booked_at@time",
			b.source, b.check_in_code`,
		from: `bookings b JOIN sessions s ON s.id = b.session_id JOIN class_types t ON t.id = s.class_type_id
			JOIN people p ON p.id = b.person_id JOIN people k ON k.id = s.coach_id`,
		order: `s.starts_at, s.id, b.status = 'waiting', b.booked_at, b.id`,
	}
	return q.and(`b.org_id = ?`, c.org)
}

func getBooking(ctx context.Context, c *call) (any, error) {
	return c.one(ctx, bookingQuery(c).and(`b.id = ?`, c.in.int("id")), "booking")
}

func listWaiting(ctx context.Context, c *call) (any, error) {
	q := bookingQuery(c).and(`b.status = 'waiting' AND s.status = 'scheduled'`)
	if err := c.filter(ctx, q, "session_id", "sessions", "b.session_id"); err != nil {
		return nil, err
	}
	if c.in.has("date") {
		from, to := c.bounds(c.in.str("date"))
		q.and(`s.starts_at >= ? AND s.starts_at < ?`, from, to)
	} else {
		q.and(`s.starts_at >= ?`, c.nowMicros())
	}
	return c.list(ctx, q)
}

// listBookings answers who is booked, and beside it the sessions that the question
// is about, so that an empty class is told from a class that is not there.
func listBookings(ctx context.Context, c *call) (any, error) {
	bookings, sessions := bookingQuery(c), sessionPlacesQuery(c)
	for _, q := range []*query{bookings, sessions} {
		if err := c.when(q); err != nil {
			return nil, err
		}
		for _, f := range [][3]string{
			{"session_id", "sessions", "s.id"}, {"class_type_id", "class_types", "s.class_type_id"}, {"coach_id", "people", "s.coach_id"},
		} {
			if err := c.filter(ctx, q, f[0], f[1], f[2]); err != nil {
				return nil, err
			}
		}
	}
	if err := c.filter(ctx, bookings, "member_id", "people", "b.person_id"); err != nil {
		return nil, err
	}
	if c.in.has("member_id") {
		sessions.and(`s.id IN (SELECT session_id FROM bookings WHERE person_id = ? AND status <> 'cancelled')`, c.in.int("member_id"))
	}
	if c.in.has("status") {
		bookings.and(`b.status = ?`, c.in.str("status"))
	} else {
		bookings.and(`b.status <> 'cancelled'`)
	}
	page, err := c.list(ctx, bookings)
	if err != nil {
		return nil, err
	}
	places, err := c.rows(ctx, sessions.text()+" LIMIT 50", sessions.args...)
	if err != nil {
		return nil, err
	}
	warnings := []string{}
	for _, s := range places {
		if s["status"] == "cancelled" {
			class, _ := s["class"].(object)
			warnings = append(warnings, fmt.Sprintf("%v on %s is cancelled; its bookings do not count.", class["name"], clock(s["starts_at"])))
		}
	}
	page["state"], page["warnings"], page["sessions"] = "ok", warnings, places
	return page, nil
}

// when narrows q to the sessions of the day, the hour or the span that the call
// asks for. With none of them, nor a session or a member, it is today; a member
// alone is asked about from today on.
func (c *call) when(q *query) error {
	switch {
	case c.in.has("date") && (c.in.has("from") || c.in.has("to")):
		return badField("date", "cannot stand beside from and to")
	case c.in.has("from") || c.in.has("to"):
		span, err := c.span(0, 7)
		if err != nil {
			return err
		}
		q.and(`s.starts_at >= ? AND s.starts_at < ?`, span.from, span.to)
	case c.in.has("date"):
		from, to := c.bounds(c.in.str("date"))
		q.and(`s.starts_at >= ? AND s.starts_at < ?`, from, to)
	case c.in.has("session_id"):
	case c.in.has("member_id"):
		from, _ := c.bounds(c.today())
		q.and(`s.starts_at >= ?`, from)
	default:
		from, to := c.bounds(c.today())
		q.and(`s.starts_at >= ? AND s.starts_at < ?`, from, to)
	}
	return c.atTime(q)
}

// atTime narrows q to sessions that start at the time of day asked for. A span of
// days may hold a change of the clock, so each day has its own moment; they are
// those of the year around now, in which all of the schedule lies.
func (c *call) atTime(q *query) error {
	if !c.in.has("time") {
		return nil
	}
	at, err := time.Parse("15:04", c.in.str("time"))
	if err != nil {
		return badField("time", "must be a time of day such as 18:00")
	}
	first, last := -183, 183
	if c.in.has("date") {
		day, err := time.ParseInLocation(time.DateOnly, c.in.str("date"), c.zone)
		if err != nil {
			return badField("date", "must be a day such as 2026-03-17")
		}
		q.and(`s.starts_at = ?`, clockOn(day, at, c.zone))
		return nil
	}
	moments := make([]byte, 0, 8<<10)
	for n := first; n <= last; n++ {
		if len(moments) > 0 {
			moments = append(moments, ',')
		}
		moments = fmt.Append(moments, clockOn(c.now.In(c.zone).AddDate(0, 0, n), at, c.zone))
	}
	q.and(`s.starts_at IN (` + string(moments) + `)`)
	return nil
}

// clockOn is the moment, in microseconds, of a time of day on a day.
func clockOn(day, at time.Time, zone *time.Location) int64 {
	return time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, zone).UnixMicro()
}

// clock shows a time of the API as a person would say it.
func clock(value any) string {
	text, _ := value.(string)
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return t.Format("2 Jan at 15:04")
}
