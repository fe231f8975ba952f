package gym

import (
	"context"
	"fmt"
	"strings"
)

func profileHandlers() map[string]handler {
	return map[string]handler{
		"getProfile": getProfile, "getMe": getMe, "listMyBookings": listMyBookings, "getToday": getToday,
		"listStaff": listStaff, "search": search, "listActivity": listActivity,
	}
}

func getMe(ctx context.Context, c *call) (any, error) {
	q := &query{
		cols: `p.id, p.name, p.role, p.email, p.locale, o.id AS "organisation.id", o.name AS "organisation.name", o.about AS "organisation.about",
			o.tz AS "organisation.time_zone", o.currency AS "organisation.currency"`,
		from: `people p JOIN orgs o ON o.id = p.org_id`,
	}
	return c.one(ctx, q.and(`p.id = ?`, c.who.person), "person")
}

func getProfile(ctx context.Context, c *call) (any, error) {
	me, err := getMe(ctx, c)
	if err != nil {
		return nil, err
	}
	q := &query{
		cols: `o.plan, o.features,
			(SELECT count(*) FROM people WHERE org_id = o.id AND role = 'member' AND status <> 'lapsed') AS "counts.members",
			(SELECT count(*) FROM leads WHERE org_id = o.id AND status = 'open') AS "counts.open_leads",
			(SELECT count(*) FROM threads WHERE org_id = o.id AND unread = 1) AS "counts.unread_threads",
			(SELECT count(*) FROM tasks WHERE org_id = o.id AND status = 'open') AS "counts.open_tasks"`,
		from: `orgs o`,
	}
	profile, err := c.one(ctx, q.and(`o.id = ?`, c.org), "organisation")
	if err != nil {
		return nil, err
	}
	features, _ := profile["features"].(string)
	profile["features"] = strings.Fields(features)
	profile["me"] = me
	return profile, nil
}

func listMyBookings(ctx context.Context, c *call) (any, error) {
	q := bookingQuery(c).and(`b.person_id = ?`, c.who.person).and(`b.status IN ('booked', 'waiting')`).and(`s.starts_at >= ?`, c.nowMicros())
	return c.list(ctx, q)
}

func getToday(ctx context.Context, c *call) (any, error) {
	day := c.in.or("date", c.today())
	from, to := c.bounds(day)
	sessions, err := c.all(ctx, sessionQuery(c).and(`s.starts_at >= ? AND s.starts_at < ?`, from, to))
	if err != nil {
		return nil, err
	}
	q := &query{
		cols: `(SELECT count(*) FROM bookings b JOIN sessions s ON s.id = b.session_id WHERE s.org_id = o.id AND s.starts_at >= ?1 AND s.starts_at < ?2 AND b.status IN ('booked', 'attended', 'no_show')) AS booked,
			(SELECT count(*) FROM bookings b JOIN sessions s ON s.id = b.session_id WHERE s.org_id = o.id AND s.starts_at >= ?1 AND s.starts_at < ?2 AND b.status = 'attended') AS checked_in,
			(SELECT count(*) FROM bookings b JOIN sessions s ON s.id = b.session_id WHERE s.org_id = o.id AND s.starts_at >= ?1 AND s.starts_at < ?2 AND b.status = 'waiting') AS waiting,
			(SELECT count(*) FROM leads WHERE org_id = o.id AND status = 'open' AND last_contact_at IS NULL) AS leads_not_contacted,
			(SELECT count(*) FROM threads WHERE org_id = o.id AND unread = 1) AS unread_threads,
			(SELECT count(*) FROM tasks WHERE org_id = o.id AND status = 'open' AND due_on <= ?3) AS tasks_due`,
		from: `orgs o`, args: []any{from, to, day},
	}
	today, err := c.one(ctx, q.and(`o.id = ?4`, c.org), "organisation")
	if err != nil {
		return nil, err
	}
	birthdays, err := c.rows(ctx, `SELECT id, name FROM people WHERE org_id = ? AND role = 'member' AND substr(birthday, 6) = ? ORDER BY name`, c.org, day[5:])
	if err != nil {
		return nil, err
	}
	today["date"], today["sessions"], today["birthdays"] = day, sessions, birthdays
	return today, nil
}

func listStaff(ctx context.Context, c *call) (any, error) {
	start, end := c.bounds(c.today())
	q := &query{
		cols: fmt.Sprintf(`p.id, p.name, p.role, p.title, p.email, (SELECT count(*) FROM sessions s WHERE s.coach_id = p.id AND s.status = 'scheduled'
			AND s.starts_at >= %d AND s.starts_at < %d) AS sessions_this_week`, start, end+6*dayMicros),
		from: `people p`, order: `p.id`,
	}
	q.and(`p.org_id = ? AND p.role <> 'member'`, c.org)
	return c.list(ctx, q.words(c.in.str("q"), "p.name", "p.title"))
}

// dayMicros is 24 hours; where a day's own length matters, bounds is used.
const dayMicros = int64(24*60*60) * 1e6

func search(ctx context.Context, c *call) (any, error) {
	q := &query{cols: `kind, id, name, detail`, order: `rank, name`, from: `(
		SELECT 1 AS rank, org_id, 'member' AS kind, id, name, email AS detail FROM people WHERE role = 'member'
		UNION ALL SELECT 2, org_id, 'lead', id, name, interest FROM leads
		UNION ALL SELECT 3, org_id, 'workout', id, title, kind FROM workouts
		UNION ALL SELECT 4, org_id, 'program', id, name, goal FROM programs
		UNION ALL SELECT 5, org_id, 'class_type', id, name, about FROM class_types
		UNION ALL SELECT 6, org_id, 'article', id, title, category FROM articles)`}
	return c.list(ctx, q.and(`org_id = ?`, c.org).words(c.in.str("q"), "name"))
}

func listActivity(ctx context.Context, c *call) (any, error) {
	q := &query{
		cols: `a.id, a.at AS "at@time", a.kind, a.text, p.id AS "by.id", p.name AS "by.name"`,
		from: `activity a LEFT JOIN people p ON p.id = a.person_id`, order: `a.at DESC, a.id DESC`,
	}
	q.and(`a.org_id = ?`, c.org)
	c.same(q, "kind", "a.kind")
	return c.list(ctx, q)
}
