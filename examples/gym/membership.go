package gym

import (
	"context"
	"fmt"
	"time"
)

func membershipHandlers() map[string]handler {
	return map[string]handler{
		"listMemberships": listMemberships, "getMembership": getMembership, "listPlans": listPlans, "listExpiring": listExpiring,
		"createMembership": createMembership, "freezeMembership": freezeMembership, "resumeMembership": resumeMembership,
	}
}

func membershipQuery(c *call) *query {
	q := &query{
		cols: `m.id, p.id AS "member.id", p.name AS "member.name", pl.id AS "plan.id", pl.name AS "plan.name", m.status, m.starts_on, m.ends_on,
			m.paused_until, m.visits_left, m.price, o.currency, m.auto_renews AS "auto_renews@bool"`,
		from:  `memberships m JOIN people p ON p.id = m.person_id JOIN plans pl ON pl.id = m.plan_id JOIN orgs o ON o.id = m.org_id`,
		order: `p.name, m.id`,
	}
	return q.and(`m.org_id = ?`, c.org)
}

func listMemberships(ctx context.Context, c *call) (any, error) {
	q := membershipQuery(c)
	if err := c.filter(ctx, q, "member_id", "people", "m.person_id"); err != nil {
		return nil, err
	}
	if err := c.filter(ctx, q, "plan_id", "plans", "m.plan_id"); err != nil {
		return nil, err
	}
	c.same(q, "status", "m.status")
	return c.list(ctx, q)
}

func getMembership(ctx context.Context, c *call) (any, error) {
	return c.one(ctx, membershipQuery(c).and(`m.id = ?`, c.in.int("id")), "membership")
}

func listExpiring(ctx context.Context, c *call) (any, error) {
	q := membershipQuery(c).and(`m.status <> 'ended' AND m.ends_on BETWEEN ? AND ?`, c.today(), c.dayAfter(int(c.in.int("days"))))
	q.order = `m.ends_on, p.name, m.id`
	return c.list(ctx, q)
}

func listPlans(ctx context.Context, c *call) (any, error) {
	q := &query{
		cols: `pl.id, pl.name, pl.kind, pl.price, o.currency, pl.visits, pl.per_week, (SELECT count(*) FROM memberships m WHERE m.plan_id = pl.id AND m.status <> 'ended') AS members`,
		from: `plans pl JOIN orgs o ON o.id = pl.org_id`, order: `pl.id`,
	}
	return c.list(ctx, q.and(`pl.org_id = ?`, c.org))
}

func createMembership(ctx context.Context, c *call) (any, error) {
	if err := c.memberExists(ctx, "member_id"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "plan_id", "plans"); err != nil {
		return nil, err
	}
	running, err := c.number(ctx, `SELECT count(*) FROM memberships WHERE person_id = ? AND status <> 'ended'`, c.in.int("member_id"))
	if err != nil {
		return nil, err
	}
	if err := checkTaken(running > 0, "That member has a running membership already."); err != nil {
		return nil, err
	}
	id, err := c.startPlan(ctx, c.in.int("member_id"), c.in.int("plan_id"), c.in.or("starts_on", c.today()), !c.in.has("auto_renews") || c.in.bool("auto_renews"))
	if err != nil {
		return nil, err
	}
	return c.membershipChanged(ctx, id, "Started")
}

// startPlan gives a member a plan and makes the member active.
func (c *call) startPlan(ctx context.Context, member, plan int64, startsOn string, renews bool) (int64, error) {
	starts, err := time.Parse(time.DateOnly, startsOn)
	if err != nil {
		return 0, badField("starts_on", "must be a day such as 2026-03-17")
	}
	var endsOn any
	if !renews {
		endsOn = starts.AddDate(0, 1, -1).Format(time.DateOnly)
	}
	id, err := c.exec(ctx, `INSERT INTO memberships (org_id, person_id, plan_id, status, starts_on, ends_on, visits_left, price, auto_renews)
		SELECT org_id, ?, id, 'active', ?, ?, visits, price, ? FROM plans WHERE id = ?`, member, startsOn, endsOn, asNumber(renews), plan)
	if err != nil {
		return 0, err
	}
	_, err = c.exec(ctx, `UPDATE people SET status = 'active' WHERE id = ?`, member)
	return id, err
}

func freezeMembership(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "memberships"); err != nil {
		return nil, err
	}
	if c.in.str("until") <= c.today() {
		return nil, badField("until", "must be after today")
	}
	ended, err := c.number(ctx, `SELECT count(*) FROM memberships WHERE id = ? AND status IN ('ended', 'paused')`, c.in.int("id"))
	if err != nil {
		return nil, err
	}
	if err := checkTaken(ended > 0, "That membership is paused or ended already."); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE memberships SET status = 'paused', paused_until = ? WHERE id = ?`, c.in.str("until"), c.in.int("id")); err != nil {
		return nil, err
	}
	return c.membershipChanged(ctx, c.in.int("id"), "Paused")
}

func resumeMembership(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "memberships"); err != nil {
		return nil, err
	}
	paused, err := c.number(ctx, `SELECT count(*) FROM memberships WHERE id = ? AND status = 'paused'`, c.in.int("id"))
	if err != nil {
		return nil, err
	}
	if err := checkTaken(paused == 0, "That membership is not paused."); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE memberships SET status = 'active', paused_until = NULL WHERE id = ?`, c.in.int("id")); err != nil {
		return nil, err
	}
	return c.membershipChanged(ctx, c.in.int("id"), "Resumed")
}

// membershipChanged carries a membership's state over to its member, writes it
// down and answers it.
func (c *call) membershipChanged(ctx context.Context, id int64, verb string) (any, error) {
	found, err := getMembership(ctx, c.with(id))
	if err != nil {
		return nil, err
	}
	m, _ := found.(object)
	member, _ := m["member"].(object)
	plan, _ := m["plan"].(object)
	if _, err := c.exec(ctx, `UPDATE people SET status = ? WHERE id = ?`, m["status"], member["id"]); err != nil {
		return nil, err
	}
	return found, c.note(ctx, "membership", fmt.Sprintf("%s %v of %v", verb, plan["name"], member["name"]))
}
