package gym

import "context"

func programHandlers() map[string]handler {
	return map[string]handler{
		"listPrograms": listPrograms, "getProgram": getProgram, "updateProgram": updateProgram,
		"listTemplates": listTemplates, "getTemplate": getTemplate, "startProgram": startProgram,
	}
}

func programQuery(c *call) *query {
	q := &query{
		cols: `g.id, g.name, g.goal, g.weeks, g.status, k.id AS "coach.id", k.name AS "coach.name",
			(SELECT count(*) FROM assignments a WHERE a.program_id = g.id AND a.status <> 'done') AS assigned`,
		from: `programs g JOIN people k ON k.id = g.coach_id`, order: `g.name, g.id`,
	}
	return q.and(`g.org_id = ?`, c.org)
}

func listPrograms(ctx context.Context, c *call) (any, error) {
	q := programQuery(c).words(c.in.str("q"), "g.name", "g.goal")
	c.same(q, "status", "g.status")
	return c.list(ctx, q)
}

func getProgram(ctx context.Context, c *call) (any, error) {
	program, err := c.one(ctx, programQuery(c).and(`g.id = ?`, c.in.int("id")), "programme")
	if err != nil {
		return nil, err
	}
	program["days"], err = c.rows(ctx, `SELECT d.week, d.day, w.id AS "workout.id", w.title AS "workout.title" FROM program_days d
		JOIN workouts w ON w.id = d.workout_id WHERE d.program_id = ? ORDER BY d.week, d.day`, c.in.int("id"))
	return program, err
}

func updateProgram(ctx context.Context, c *call) (any, error) {
	if err := c.change(ctx, "programs", map[string]string{"name": "name", "goal": "goal", "status": "status"}); err != nil {
		return nil, err
	}
	return getProgram(ctx, c.with(c.in.int("id")))
}

func templateQuery(c *call) *query {
	q := &query{cols: `id, name, goal, weeks, days_per_week, level`, from: `templates`, order: `name, id`}
	return q.and(`org_id = ?`, c.org)
}

func listTemplates(ctx context.Context, c *call) (any, error) {
	q := templateQuery(c).words(c.in.str("q"), "name", "goal")
	c.same(q, "level", "level")
	return c.list(ctx, q)
}

func getTemplate(ctx context.Context, c *call) (any, error) {
	q := templateQuery(c).and(`id = ?`, c.in.int("id"))
	q.cols += `, about`
	template, err := c.one(ctx, q, nouns["templates"])
	if err != nil {
		return nil, err
	}
	template["days"], err = c.rows(ctx, `SELECT d.week, d.day, w.id AS "workout.id", w.title AS "workout.title" FROM template_days d
		JOIN workouts w ON w.id = d.workout_id WHERE d.template_id = ? ORDER BY d.week, d.day`, c.in.int("id"))
	return template, err
}

// startProgram copies a template into a draft that is the caller's to finish.
func startProgram(ctx context.Context, c *call) (any, error) {
	found, err := getTemplate(ctx, c)
	if err != nil {
		return nil, err
	}
	template, _ := found.(object)
	name, _ := template["name"].(string)
	name = c.in.or("name", name)
	id, err := c.exec(ctx, `INSERT INTO programs (org_id, name, goal, weeks, status, coach_id) VALUES (?, ?, ?, ?, 'draft', ?)`,
		c.org, name, template["goal"], template["weeks"], c.who.person)
	if err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `INSERT INTO program_days (program_id, week, day, workout_id) SELECT ?, week, day, workout_id FROM template_days WHERE template_id = ?`,
		id, c.in.int("id")); err != nil {
		return nil, err
	}
	if err := c.note(ctx, "program", "Started programme "+name); err != nil {
		return nil, err
	}
	return getProgram(ctx, c.with(id))
}
