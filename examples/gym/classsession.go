package gym

import (
	"context"
	"fmt"
	"time"
)

func sessionHandlers() map[string]handler {
	return map[string]handler{"listSessions": listSessions, "getSession": getSession, "nextSessions": nextSessions}
}

func sessionWrites() map[string]handler {
	return map[string]handler{"createSession": createSession, "updateSession": updateSession, "cancelSession": cancelSession}
}

const (
	taken       = `(SELECT count(*) FROM bookings b WHERE b.session_id = s.id AND b.status IN ('booked', 'attended', 'no_show'))`
	waitingFor  = `(SELECT count(*) FROM bookings b WHERE b.session_id = s.id AND b.status = 'waiting')`
	sessionFrom = `sessions s JOIN class_types t ON t.id = s.class_type_id JOIN people k ON k.id = s.coach_id`
	placesCols  = `s.id, t.id AS "class.id", t.name AS "class.name", t.color AS "class.color", s.starts_at AS "starts_at@time", s.status, s.capacity,
		` + taken + ` AS booked, max(0, s.capacity - ` + taken + `) AS places_left, ` + waitingFor + ` AS waiting`
)

func sessionPlacesQuery(c *call) *query {
	q := &query{cols: placesCols, from: sessionFrom, order: `s.starts_at, s.id`}
	return q.and(`s.org_id = ?`, c.org)
}

func sessionQuery(c *call) *query {
	q := sessionPlacesQuery(c)
	q.cols += `, k.id AS "coach.id", k.name AS "coach.name", s.ends_at AS "ends_at@time", s.room, s.note, s.live_link`
	return q
}

func listSessions(ctx context.Context, c *call) (any, error) {
	q := sessionQuery(c)
	if c.in.has("date") || c.in.has("from") || c.in.has("to") {
		if err := c.when(q); err != nil {
			return nil, err
		}
	} else {
		from, _ := c.bounds(c.today())
		_, to := c.bounds(c.dayAfter(6))
		q.and(`s.starts_at >= ? AND s.starts_at < ?`, from, to)
		if err := c.atTime(q); err != nil {
			return nil, err
		}
	}
	if err := c.filter(ctx, q, "class_type_id", "class_types", "s.class_type_id"); err != nil {
		return nil, err
	}
	if err := c.filter(ctx, q, "coach_id", "people", "s.coach_id"); err != nil {
		return nil, err
	}
	c.same(q, "status", "s.status")
	if c.in.bool("open_only") {
		q.and(`s.status = 'scheduled' AND s.capacity > ` + taken)
	}
	if c.in.bool("full_only") {
		q.and(`s.status = 'scheduled' AND s.capacity <= ` + taken)
	}
	return c.list(ctx, q)
}

func nextSessions(ctx context.Context, c *call) (any, error) {
	q := sessionQuery(c).and(`s.status = 'scheduled' AND s.starts_at > ? AND s.capacity > `+taken, c.nowMicros())
	if err := c.filter(ctx, q, "class_type_id", "class_types", "s.class_type_id"); err != nil {
		return nil, err
	}
	return c.list(ctx, q)
}

func getSession(ctx context.Context, c *call) (any, error) {
	id := c.in.int("id")
	session, err := c.one(ctx, sessionQuery(c).and(`s.id = ?`, id), "session")
	if err != nil {
		return nil, err
	}
	if session["bookings"], err = c.all(ctx, bookingQuery(c).and(`b.session_id = ? AND b.status <> 'cancelled'`, id)); err != nil {
		return nil, err
	}
	starts, _ := session["starts_at"].(string)
	class, _ := session["class"].(object)
	workouts, err := c.rows(ctx, `SELECT w.id, w.title FROM programming d JOIN workouts w ON w.id = d.workout_id WHERE d.class_type_id = ? AND d.day = ?`, class["id"], starts[:len(time.DateOnly)])
	if err != nil {
		return nil, err
	}
	session["workout"] = nil
	if len(workouts) > 0 {
		session["workout"] = workouts[0]
	}
	return session, nil
}

func createSession(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "class_type_id", "class_types"); err != nil {
		return nil, err
	}
	if err := c.staffExists(ctx, "coach_id"); err != nil {
		return nil, err
	}
	starts, err := c.moment("starts_at")
	if err != nil {
		return nil, err
	}
	types, err := c.rows(ctx, `SELECT name, minutes, capacity FROM class_types WHERE id = ?`, c.in.int("class_type_id"))
	if err != nil || len(types) == 0 {
		return nil, err
	}
	minutes, _ := types[0]["minutes"].(int64)
	capacity := types[0]["capacity"]
	if c.in.has("capacity") {
		capacity = c.in.int("capacity")
	}
	id, err := c.exec(ctx, `INSERT INTO sessions (org_id, class_type_id, coach_id, starts_at, ends_at, capacity, room, status, note) VALUES (?, ?, ?, ?, ?, ?, ?, 'scheduled', ?)`,
		c.org, c.in.int("class_type_id"), c.in.int("coach_id"), starts.UnixMicro(), starts.Add(time.Duration(minutes)*time.Minute).UnixMicro(),
		capacity, c.in.or("room", "Main floor"), c.in.null("note"))
	if err != nil {
		return nil, err
	}
	if err := c.note(ctx, "session", fmt.Sprintf("Added %v, %s", types[0]["name"], starts.Format("2 Jan at 15:04"))); err != nil {
		return nil, err
	}
	return getSession(ctx, c.with(id))
}

// moment reads a time that is given with an offset or as local time.
func (c *call) moment(field string) (time.Time, error) {
	text := c.in.str(field)
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.In(c.zone), nil
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, c.zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, badField(field, "must be a time such as 2026-03-17T18:00")
}

func updateSession(ctx context.Context, c *call) (any, error) {
	if err := c.staffExists(ctx, "coach_id"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "id", "sessions"); err != nil {
		return nil, err
	}
	booked, err := c.number(ctx, `SELECT `+taken+` FROM sessions s WHERE s.id = ?`, c.in.int("id"))
	if err != nil {
		return nil, err
	}
	if c.in.has("capacity") && c.in.int("capacity") < booked {
		return nil, conflict(fmt.Sprintf("%d are booked, so the session needs that many places.", booked))
	}
	if err := c.change(ctx, "sessions", map[string]string{"coach_id": "coach_id", "capacity": "capacity", "room": "room", "note": "note"}); err != nil {
		return nil, err
	}
	return getSession(ctx, c.with(c.in.int("id")))
}

// cancelSession takes a session off the schedule. Its bookings are cancelled and
// their visits go back onto packs.
func cancelSession(ctx context.Context, c *call) (any, error) {
	found, err := getSession(ctx, c)
	if err != nil {
		return nil, err
	}
	session, _ := found.(object)
	if err := checkTaken(session["status"] == "cancelled", "That session is cancelled already."); err != nil {
		return nil, err
	}
	bookings, _ := session["bookings"].([]object)
	for _, b := range bookings {
		if member, _ := b["member"].(object); b["status"] == "booked" {
			if err := c.spendVisit(ctx, member["id"], 1); err != nil {
				return nil, err
			}
		}
	}
	id := c.in.int("id")
	if _, err := c.exec(ctx, `UPDATE bookings SET status = 'cancelled' WHERE session_id = ? AND status IN ('booked', 'waiting')`, id); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE sessions SET status = 'cancelled', note = coalesce(?, note) WHERE id = ?`, c.in.null("reason"), id); err != nil {
		return nil, err
	}
	class, _ := session["class"].(object)
	if err := c.note(ctx, "session", fmt.Sprintf("Cancelled %v, %s", class["name"], clock(session["starts_at"]))); err != nil {
		return nil, err
	}
	return getSession(ctx, c.with(id))
}
