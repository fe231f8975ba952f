package gym

import (
	"context"
	"fmt"
)

func programmingHandlers() map[string]handler {
	return map[string]handler{
		"listProgramming": listProgramming, "getProgrammingDay": getProgrammingDay,
		"setProgramming": setProgramming, "publishProgramming": publishProgramming,
	}
}

func programmingQuery(c *call) *query {
	q := &query{
		cols: `d.id, d.day AS date, t.id AS "class.id", t.name AS "class.name", t.color AS "class.color", w.id AS "workout.id", w.title AS "workout.title", d.status, d.note`,
		from: `programming d JOIN class_types t ON t.id = d.class_type_id JOIN workouts w ON w.id = d.workout_id`, order: `d.day, t.name`,
	}
	return q.and(`d.org_id = ?`, c.org)
}

func listProgramming(ctx context.Context, c *call) (any, error) {
	span, err := c.span(0, 6)
	if err != nil {
		return nil, err
	}
	q := programmingQuery(c).and(`d.day BETWEEN ? AND ?`, span.firstDay, span.lastDay)
	c.same(q, "status", "d.status")
	if err := c.filter(ctx, q, "class_type_id", "class_types", "d.class_type_id"); err != nil {
		return nil, err
	}
	return c.list(ctx, q)
}

func getProgrammingDay(ctx context.Context, c *call) (any, error) {
	return c.list(ctx, programmingQuery(c).and(`d.day = ?`, c.in.or("date", c.today())))
}

func setProgramming(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "class_type_id", "class_types"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "workout_id", "workouts"); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `INSERT INTO programming (org_id, day, class_type_id, workout_id, status, note) VALUES (?, ?, ?, ?, 'draft', ?)
		ON CONFLICT (class_type_id, day) DO UPDATE SET workout_id = excluded.workout_id, status = 'draft', note = excluded.note`,
		c.org, c.in.str("date"), c.in.int("class_type_id"), c.in.int("workout_id"), c.in.null("note")); err != nil {
		return nil, err
	}
	set, err := c.one(ctx, programmingQuery(c).and(`d.day = ? AND d.class_type_id = ?`, c.in.str("date"), c.in.int("class_type_id")), nouns["programming"])
	if err != nil {
		return nil, err
	}
	return set, c.programmed(ctx, "Set", set)
}

func publishProgramming(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "programming"); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE programming SET status = 'published' WHERE id = ?`, c.in.int("id")); err != nil {
		return nil, err
	}
	set, err := c.one(ctx, programmingQuery(c).and(`d.id = ?`, c.in.int("id")), nouns["programming"])
	if err != nil {
		return nil, err
	}
	return set, c.programmed(ctx, "Published", set)
}

func (c *call) programmed(ctx context.Context, verb string, set object) error {
	class, _ := set["class"].(object)
	workout, _ := set["workout"].(object)
	return c.note(ctx, "programming", fmt.Sprintf("%s %v for %v on %v", verb, workout["title"], class["name"], set["date"]))
}
