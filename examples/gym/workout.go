package gym

import (
	"context"
	"fmt"
)

func workoutHandlers() map[string]handler {
	return map[string]handler{
		"listWorkouts": listWorkouts, "getWorkout": getWorkout, "listExercises": listExercises, "listResults": listResults,
		"getLeaderboard": getLeaderboard,
	}
}

func workoutWrites() map[string]handler {
	return map[string]handler{
		"createWorkout": createWorkout, "updateWorkout": updateWorkout, "deleteWorkout": deleteWorkout, "logResult": logResult,
	}
}

func workoutQuery(c *call) *query {
	q := &query{
		cols: `w.id, w.title, w.kind, w.minutes, w.level, a.id AS "author.id", a.name AS "author.name",
			(SELECT count(*) FROM workout_parts x WHERE x.workout_id = w.id) AS exercises,
			(SELECT count(*) FROM results r WHERE r.workout_id = w.id) AS results, w.updated_at AS "updated_at@time"`,
		from: `workouts w JOIN people a ON a.id = w.author_id`, order: `w.title, w.id`,
	}
	return q.and(`w.org_id = ?`, c.org)
}

func listWorkouts(ctx context.Context, c *call) (any, error) {
	q := workoutQuery(c).words(c.in.str("q"), "w.title", "w.description")
	c.same(q, "kind", "w.kind")
	c.same(q, "level", "w.level")
	return c.list(ctx, q)
}

func getWorkout(ctx context.Context, c *call) (any, error) {
	q := workoutQuery(c).and(`w.id = ?`, c.in.int("id"))
	q.cols += `, w.description`
	workout, err := c.one(ctx, q, "workout")
	if err != nil {
		return nil, err
	}
	workout["parts"], err = c.rows(ctx, `SELECT e.id AS exercise_id, e.name, x.sets, x.reps, x.load FROM workout_parts x
		JOIN exercises e ON e.id = x.exercise_id WHERE x.workout_id = ? ORDER BY x.position`, c.in.int("id"))
	return workout, err
}

func listExercises(ctx context.Context, c *call) (any, error) {
	q := &query{cols: `id, name, category, unit, cue`, from: `exercises`, order: `name`}
	q.and(`org_id = ?`, c.org).words(c.in.str("q"), "name")
	c.same(q, "category", "category")
	return c.list(ctx, q)
}

func resultQuery(c *call) *query {
	q := &query{
		cols: `r.id, p.id AS "member.id", p.name AS "member.name", w.id AS "workout.id", w.title AS "workout.title", r.score, r.unit,
			r.as_written AS "as_written@bool", r.note, r.logged_at AS "logged_at@time"`,
		from: `results r JOIN people p ON p.id = r.person_id JOIN workouts w ON w.id = r.workout_id`, order: `r.logged_at DESC, r.id DESC`,
	}
	return q.and(`r.org_id = ?`, c.org)
}

func listResults(ctx context.Context, c *call) (any, error) {
	q := resultQuery(c)
	if err := c.filter(ctx, q, "workout_id", "workouts", "r.workout_id"); err != nil {
		return nil, err
	}
	if err := c.filter(ctx, q, "member_id", "people", "r.person_id"); err != nil {
		return nil, err
	}
	return c.list(ctx, q)
}

// getLeaderboard ranks each member's best result. Seconds are better when fewer,
// all else when more.
func getLeaderboard(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "workouts"); err != nil {
		return nil, err
	}
	q := &query{
		cols: `rank() OVER (ORDER BY best) AS rank, person_id AS "member.id", name AS "member.name", score, unit, as_written AS "as_written@bool", logged_at AS "logged_at@time"`,
		from: fmt.Sprintf(`(SELECT r.*, p.name, CASE r.unit WHEN 'seconds' THEN r.score ELSE -r.score END AS best,
			row_number() OVER (PARTITION BY r.person_id ORDER BY CASE r.unit WHEN 'seconds' THEN r.score ELSE -r.score END, r.logged_at) AS turn
			FROM results r JOIN people p ON p.id = r.person_id WHERE r.workout_id = %d)`, c.in.int("id")),
		order: `best, logged_at`,
	}
	return c.list(ctx, q.and(`turn = 1`))
}

func createWorkout(ctx context.Context, c *call) (any, error) {
	id, err := c.exec(ctx, `INSERT INTO workouts (org_id, title, kind, minutes, level, description, author_id, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		c.org, c.in.str("title"), c.in.str("kind"), c.in.int("minutes"), c.in.or("level", "all"), c.in.str("description"), c.who.person, c.nowMicros())
	if err != nil {
		return nil, err
	}
	if err := c.note(ctx, "workout", "Added workout "+c.in.str("title")); err != nil {
		return nil, err
	}
	return getWorkout(ctx, c.with(id))
}

func updateWorkout(ctx context.Context, c *call) (any, error) {
	if err := c.change(ctx, "workouts", map[string]string{
		"title": "title", "kind": "kind", "minutes": "minutes", "level": "level", "description": "description",
	}); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE workouts SET updated_at = ? WHERE id = ?`, c.nowMicros(), c.in.int("id")); err != nil {
		return nil, err
	}
	return getWorkout(ctx, c.with(c.in.int("id")))
}

func deleteWorkout(ctx context.Context, c *call) (any, error) {
	used, err := c.number(ctx, `SELECT (SELECT count(*) FROM results WHERE workout_id = ?1) + (SELECT count(*) FROM programming WHERE workout_id = ?1)
		+ (SELECT count(*) FROM program_days WHERE workout_id = ?1) + (SELECT count(*) FROM template_days WHERE workout_id = ?1)
		FROM workouts WHERE id = ?1 AND org_id = ?2`, c.in.int("id"), c.org)
	if err != nil {
		return nil, err
	}
	if err := checkTaken(used > 0, "Results, programmes or classes use that workout, so it stays."); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "id", "workouts"); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `DELETE FROM workout_parts WHERE workout_id = ?`, c.in.int("id")); err != nil {
		return nil, err
	}
	return c.remove(ctx, "workouts")
}

func logResult(ctx context.Context, c *call) (any, error) {
	if err := c.memberExists(ctx, "member_id"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "workout_id", "workouts"); err != nil {
		return nil, err
	}
	if c.in.num("score") <= 0 {
		return nil, badField("score", "must be more than 0")
	}
	units, err := c.rows(ctx, `SELECT coalesce((SELECT unit FROM results WHERE workout_id = w.id LIMIT 1),
		CASE w.kind WHEN 'strength' THEN 'kg' WHEN 'conditioning' THEN 'seconds' ELSE 'reps' END) AS unit FROM workouts w WHERE w.id = ?`, c.in.int("workout_id"))
	if err != nil || len(units) == 0 {
		return nil, err
	}
	id, err := c.exec(ctx, `INSERT INTO results (org_id, person_id, workout_id, score, unit, as_written, note, logged_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		c.org, c.in.int("member_id"), c.in.int("workout_id"), c.in.num("score"), units[0]["unit"], asNumber(!c.in.has("as_written") || c.in.bool("as_written")),
		c.in.null("note"), c.nowMicros())
	if err != nil {
		return nil, err
	}
	return c.one(ctx, resultQuery(c).and(`r.id = ?`, id), "result")
}
