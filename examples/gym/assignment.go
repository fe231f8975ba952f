package gym

import (
	"context"
	"fmt"
	"time"
)

func assignmentHandlers() map[string]handler {
	return map[string]handler{
		"listAssignments": listAssignments, "getAssignment": getAssignment, "createAssignment": createAssignment, "updateAssignment": updateAssignment,
	}
}

func assignmentQuery(c *call) *query {
	const days = `(SELECT count(*) FROM program_days d WHERE d.program_id = g.id)`
	q := &query{
		cols: `a.id, p.id AS "member.id", p.name AS "member.name", g.id AS "program.id", g.name AS "program.name", k.id AS "assigned_by.id", k.name AS "assigned_by.name",
			a.starts_on, a.due_on, a.status, a.days_done, ` + days + ` AS days_total, min(100, 100 * a.days_done / max(1, ` + days + `)) AS progress_percent`,
		from:  `assignments a JOIN people p ON p.id = a.person_id JOIN programs g ON g.id = a.program_id JOIN people k ON k.id = a.assigned_by`,
		order: `a.due_on, p.name, a.id`,
	}
	return q.and(`a.org_id = ?`, c.org)
}

func listAssignments(ctx context.Context, c *call) (any, error) {
	q := assignmentQuery(c)
	if err := c.filter(ctx, q, "member_id", "people", "a.person_id"); err != nil {
		return nil, err
	}
	if err := c.filter(ctx, q, "program_id", "programs", "a.program_id"); err != nil {
		return nil, err
	}
	c.same(q, "status", "a.status")
	if c.in.has("overdue") {
		q.and(`(a.status = 'active' AND a.due_on < ?) = ?`, c.today(), asNumber(c.in.bool("overdue")))
	}
	return c.list(ctx, q)
}

func getAssignment(ctx context.Context, c *call) (any, error) {
	return c.one(ctx, assignmentQuery(c).and(`a.id = ?`, c.in.int("id")), "assignment")
}

func createAssignment(ctx context.Context, c *call) (any, error) {
	if err := c.memberExists(ctx, "member_id"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "program_id", "programs"); err != nil {
		return nil, err
	}
	program, err := c.one(ctx, programQuery(c).and(`g.id = ?`, c.in.int("program_id")), "programme")
	if err != nil {
		return nil, err
	}
	starts, err := time.Parse(time.DateOnly, c.in.or("starts_on", c.today()))
	if err != nil {
		return nil, badField("starts_on", "must be a day such as 2026-03-17")
	}
	weeks, _ := program["weeks"].(int64)
	id, err := c.exec(ctx, `INSERT INTO assignments (org_id, person_id, program_id, assigned_by, starts_on, due_on, status, days_done) VALUES (?, ?, ?, ?, ?, ?, 'active', 0)`,
		c.org, c.in.int("member_id"), c.in.int("program_id"), c.who.person, starts.Format(time.DateOnly), starts.AddDate(0, 0, int(7*weeks)-1).Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	if err := c.note(ctx, "assignment", fmt.Sprintf("Gave out programme %v", program["name"])); err != nil {
		return nil, err
	}
	return getAssignment(ctx, c.with(id))
}

func updateAssignment(ctx context.Context, c *call) (any, error) {
	if err := c.change(ctx, "assignments", map[string]string{"status": "status", "days_done": "days_done"}); err != nil {
		return nil, err
	}
	return getAssignment(ctx, c.with(c.in.int("id")))
}
