package gym

import (
	"context"
	"fmt"
	"strings"
	"time"
)

func memberHandlers() map[string]handler {
	return map[string]handler{
		"findMembers": findMembers, "getMember": getMember, "getMemberAttendance": getMemberAttendance,
		"listAbsentees": listAbsentees, "listBirthdays": listBirthdays,
	}
}

func memberWrites() map[string]handler {
	return map[string]handler{"createMember": createMember, "updateMember": updateMember}
}

const (
	lastVisit = `(SELECT max(s.starts_at) FROM bookings b JOIN sessions s ON s.id = b.session_id WHERE b.person_id = p.id AND b.status = 'attended')`
	// current joins a member to the membership that counts: the one that has not ended.
	current    = `people p LEFT JOIN memberships m ON m.person_id = p.id AND m.status <> 'ended' LEFT JOIN plans pl ON pl.id = m.plan_id`
	memberCols = `p.id, p.name, p.email, p.phone, p.status, pl.name AS plan, m.visits_left, p.joined_on, ` + lastVisit + ` AS "last_visit_at@time"`
)

func findMembers(ctx context.Context, c *call) (any, error) {
	q := &query{cols: memberCols, from: current, order: `p.name, p.id`}
	q.and(`p.org_id = ? AND p.role = 'member'`, c.org).words(c.in.str("q"), "p.name", "p.email", "p.phone")
	c.same(q, "status", "p.status")
	if err := c.filter(ctx, q, "plan_id", "plans", "m.plan_id"); err != nil {
		return nil, err
	}
	return c.list(ctx, q)
}

func getMember(ctx context.Context, c *call) (any, error) {
	id := c.in.int("id")
	q := &query{cols: memberCols + `, p.birthday, p.locale, p.note`, from: current}
	member, err := c.one(ctx, q.and(`p.org_id = ? AND p.role = 'member' AND p.id = ?`, c.org, id), "member")
	if err != nil {
		return nil, err
	}
	memberships, err := c.all(ctx, membershipQuery(c).and(`m.person_id = ? AND m.status <> 'ended'`, id))
	if err != nil {
		return nil, err
	}
	member["membership"] = nil
	if len(memberships) > 0 {
		member["membership"] = memberships[0]
	}
	upcoming := bookingQuery(c).and(`b.person_id = ? AND b.status IN ('booked', 'waiting') AND s.starts_at >= ?`, id, c.nowMicros())
	if member["upcoming"], err = c.all(ctx, upcoming); err != nil {
		return nil, err
	}
	if member["visits_30_days"], err = c.number(ctx, `SELECT count(*) FROM bookings b JOIN sessions s ON s.id = b.session_id
		WHERE b.person_id = ? AND b.status = 'attended' AND s.starts_at >= ?`, id, c.nowMicros()-30*dayMicros); err != nil {
		return nil, err
	}
	member["open_tasks"], err = c.number(ctx, `SELECT count(*) FROM tasks WHERE member_id = ? AND status = 'open'`, id)
	return member, err
}

func getMemberAttendance(ctx context.Context, c *call) (any, error) {
	span, err := c.span(-30, 0)
	if err != nil {
		return nil, err
	}
	id := c.in.int("id")
	who, err := c.one(ctx, (&query{cols: `id, name`, from: `people`}).and(`org_id = ? AND role = 'member' AND id = ?`, c.org, id), "member")
	if err != nil {
		return nil, err
	}
	q := &query{
		cols: `coalesce(sum(b.status = 'attended'), 0) AS visits, coalesce(sum(b.status = 'no_show'), 0) AS no_shows, coalesce(sum(b.status = 'cancelled'), 0) AS cancellations`,
		from: `bookings b JOIN sessions s ON s.id = b.session_id`,
	}
	report, err := c.one(ctx, q.and(`b.person_id = ? AND s.starts_at >= ? AND s.starts_at < ?`, id, span.from, span.to), "member")
	if err != nil {
		return nil, err
	}
	favourite, err := c.rows(ctx, `SELECT t.name FROM bookings b JOIN sessions s ON s.id = b.session_id JOIN class_types t ON t.id = s.class_type_id
		WHERE b.person_id = ? AND b.status = 'attended' AND s.starts_at >= ? AND s.starts_at < ? GROUP BY t.id ORDER BY count(*) DESC, t.name LIMIT 1`, id, span.from, span.to)
	if err != nil {
		return nil, err
	}
	report["favourite_class"] = nil
	if len(favourite) > 0 {
		report["favourite_class"] = favourite[0]["name"]
	}
	recent := bookingQuery(c).and(`b.person_id = ? AND s.starts_at >= ? AND s.starts_at < ?`, id, span.from, span.to)
	recent.order = `s.starts_at DESC, b.id LIMIT 10`
	if report["recent"], err = c.all(ctx, recent); err != nil {
		return nil, err
	}
	report["member"], report["from"], report["to"] = who, span.firstDay, span.lastDay
	return report, nil
}

func listAbsentees(ctx context.Context, c *call) (any, error) {
	before, _ := c.bounds(c.dayAfter(-int(c.in.int("days"))))
	q := &query{
		cols: fmt.Sprintf(`id, name, phone, plan, last AS "last_visit_at@time", (%d - last) / %d AS days_away`, c.nowMicros(), dayMicros),
		from: `(SELECT p.id, p.org_id, p.name, p.phone, pl.name AS plan, ` + lastVisit + ` AS last FROM ` + current + ` WHERE p.role = 'member' AND p.status = 'active')`,
		// Those who were never in come last: nothing is known of how long they are away.
		order: `last IS NULL, last, name`,
	}
	return c.list(ctx, q.and(`org_id = ? AND (last IS NULL OR last < ?)`, c.org, before))
}

func listBirthdays(ctx context.Context, c *call) (any, error) {
	today, err := time.Parse(time.DateOnly, c.today())
	if err != nil {
		return nil, fmt.Errorf("read today: %w", err)
	}
	all, err := c.rows(ctx, `SELECT id, name, phone, birthday FROM people WHERE org_id = ? AND role = 'member' AND birthday IS NOT NULL ORDER BY name`, c.org)
	if err != nil {
		return nil, err
	}
	var coming []object
	for ahead := range int(c.in.int("days")) + 1 {
		day := today.AddDate(0, 0, ahead)
		for _, person := range all {
			birthday, err := time.Parse(time.DateOnly, fmt.Sprint(person["birthday"]))
			if err != nil || birthday.Month() != day.Month() || birthday.Day() != day.Day() {
				continue
			}
			person["turns"], person["on"] = day.Year()-birthday.Year(), day.Format(time.DateOnly)
			coming = append(coming, person)
		}
	}
	return c.slice(coming), nil
}

// slice is list for items that are already read.
func (c *call) slice(items []object) object {
	total, limit := int64(len(items)), c.in.int("limit")
	offset := min(c.in.int("offset"), total)
	end := min(offset+limit, total)
	page := object{"items": append([]object{}, items[offset:end]...), "total": total, "offset": c.in.int("offset"), "next_offset": nil}
	if end < total {
		page["next_offset"] = end
	}
	return page
}

func createMember(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "plan_id", "plans"); err != nil {
		return nil, err
	}
	if err := checkMail(c.in); err != nil {
		return nil, err
	}
	taken, err := c.number(ctx, `SELECT count(*) FROM people WHERE org_id = ? AND email = ?`, c.org, c.in.str("email"))
	if err != nil {
		return nil, err
	}
	if err := checkTaken(taken > 0, "Someone here has that email already."); err != nil {
		return nil, err
	}
	status := "lapsed"
	if c.in.has("plan_id") {
		status = "active"
	}
	id, err := c.exec(ctx, `INSERT INTO people (org_id, name, email, phone, role, status, locale, joined_on, birthday, note) VALUES (?, ?, ?, ?, 'member', ?, ?, ?, ?, ?)`,
		c.org, c.in.str("name"), c.in.str("email"), c.in.str("phone"), status, c.in.or("locale", "en"), c.today(), c.in.null("birthday"), c.in.null("note"))
	if err != nil {
		return nil, err
	}
	if c.in.has("plan_id") {
		if _, err := c.startPlan(ctx, id, c.in.int("plan_id"), c.today(), true); err != nil {
			return nil, err
		}
	}
	if err := c.note(ctx, "member", "Added member "+c.in.str("name")); err != nil {
		return nil, err
	}
	return getMember(ctx, c.with(id))
}

func updateMember(ctx context.Context, c *call) (any, error) {
	if err := c.memberExists(ctx, "id"); err != nil {
		return nil, err
	}
	if err := checkMail(c.in); err != nil {
		return nil, err
	}
	if err := c.change(ctx, "people", map[string]string{
		"name": "name", "email": "email", "phone": "phone", "birthday": "birthday", "locale": "locale", "note": "note",
	}); err != nil {
		return nil, err
	}
	return getMember(ctx, c.with(c.in.int("id")))
}

func checkMail(in input) error {
	if at := strings.IndexByte(in.str("email"), '@'); in.has("email") && (at < 1 || at == len(in.str("email"))-1) {
		return badField("email", "must be an address such as name@example.com")
	}
	return nil
}

// memberExists refuses an id, given as field, that is not a member's.
func (c *call) memberExists(ctx context.Context, field string) error {
	n, err := c.number(ctx, `SELECT count(*) FROM people WHERE id = ? AND org_id = ? AND role = 'member'`, c.in.int(field), c.org)
	if err != nil {
		return err
	}
	if n == 0 {
		return missingField(field, "member")
	}
	return nil
}

// staffExists refuses an id, given as field, that is nobody's of the team.
func (c *call) staffExists(ctx context.Context, field string) error {
	if !c.in.has(field) {
		return nil
	}
	n, err := c.number(ctx, `SELECT count(*) FROM people WHERE id = ? AND org_id = ? AND role <> 'member'`, c.in.int(field), c.org)
	if err != nil {
		return err
	}
	if n == 0 {
		return missingField(field, "person of the team")
	}
	return nil
}
