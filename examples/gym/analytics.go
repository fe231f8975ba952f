package gym

import (
	"context"
	"fmt"
	"time"
)

func analyticsHandlers() map[string]handler {
	return map[string]handler{
		"getAttendance": getAttendance, "getClassFill": getClassFill, "getRetention": getRetention, "getFunnel": getFunnel,
	}
}

func getAttendance(ctx context.Context, c *call) (any, error) {
	span, err := c.span(-6, 0)
	if err != nil {
		return nil, err
	}
	first, err := time.ParseInLocation(time.DateOnly, span.firstDay, c.zone)
	if err != nil {
		return nil, badField("from", "must be a day such as 2026-03-17")
	}
	if span.to-span.from > 93*dayMicros {
		return nil, badField("to", "must be within three months of from")
	}
	rows, err := c.rows(ctx, `SELECT b.status, s.starts_at FROM bookings b JOIN sessions s ON s.id = b.session_id
		WHERE b.org_id = ? AND s.starts_at >= ? AND s.starts_at < ? AND b.status IN ('attended', 'no_show', 'cancelled')`, c.org, span.from, span.to)
	if err != nil {
		return nil, err
	}
	type count struct{ visits, noShows int }
	days, cancelled, all := map[string]*count{}, 0, count{}
	var byDay []object
	for day := first; day.UnixMicro() < span.to; day = day.AddDate(0, 0, 1) {
		days[day.Format(time.DateOnly)] = &count{}
	}
	for _, row := range rows {
		micros, _ := row["starts_at"].(int64)
		day := days[time.UnixMicro(micros).In(c.zone).Format(time.DateOnly)]
		switch row["status"] {
		case "attended":
			day.visits++
			all.visits++
		case "no_show":
			day.noShows++
			all.noShows++
		default:
			cancelled++
		}
	}
	for day := first; day.UnixMicro() < span.to; day = day.AddDate(0, 0, 1) {
		name := day.Format(time.DateOnly)
		byDay = append(byDay, object{"date": name, "visits": days[name].visits, "no_shows": days[name].noShows})
	}
	return object{
		"from": span.firstDay, "to": span.lastDay, "visits": all.visits, "no_shows": all.noShows, "cancellations": cancelled, "by_day": byDay,
	}, nil
}

func getClassFill(ctx context.Context, c *call) (any, error) {
	span, err := c.span(-6, 0)
	if err != nil {
		return nil, err
	}
	q := &query{
		cols: `id AS "class.id", name AS "class.name", color AS "class.color", count(*) AS sessions, sum(booked >= capacity) AS full_sessions,
			sum(min(booked, capacity)) AS booked, sum(capacity) AS places, 100 * sum(min(booked, capacity)) / max(1, sum(capacity)) AS fill_percent`,
		from: `(SELECT t.id, t.name, t.color, s.org_id, s.starts_at, s.capacity, ` + taken + ` AS booked FROM sessions s
			JOIN class_types t ON t.id = s.class_type_id WHERE s.status = 'scheduled')`,
		group: `id, name, color`, order: `fill_percent DESC, name`,
	}
	return c.list(ctx, q.and(`org_id = ? AND starts_at >= ? AND starts_at < ?`, c.org, span.from, span.to))
}

// month reads `month` and answers its first day and the first day after it.
func (c *call) month() (first, after time.Time, err error) {
	first, err = time.ParseInLocation("2006-01", c.in.or("month", c.today()[:len("2006-01")]), c.zone)
	if err != nil {
		return first, after, badField("month", "must be a month such as 2026-03")
	}
	if first.After(c.now) {
		return first, after, badField("month", "must not be in the future")
	}
	return first, first.AddDate(0, 1, 0), nil
}

func getRetention(ctx context.Context, c *call) (any, error) {
	first, after, err := c.month()
	if err != nil {
		return nil, err
	}
	from, to := first.Format(time.DateOnly), after.Format(time.DateOnly)
	q := &query{
		cols: fmt.Sprintf(`(SELECT count(*) FROM memberships m WHERE m.org_id = o.id AND m.starts_on < '%[1]s' AND (m.status <> 'ended' OR m.ends_on >= '%[1]s')) AS at_start,
			(SELECT count(*) FROM memberships m WHERE m.org_id = o.id AND m.starts_on >= '%[1]s' AND m.starts_on < '%[2]s') AS joined,
			(SELECT count(*) FROM memberships m WHERE m.org_id = o.id AND m.status = 'ended' AND m.starts_on < '%[1]s' AND m.ends_on >= '%[1]s' AND m.ends_on < '%[2]s') AS left`, from, to),
		from: `orgs o`,
	}
	report, err := c.one(ctx, q.and(`o.id = ?`, c.org), "organisation")
	if err != nil {
		return nil, err
	}
	start, _ := report["at_start"].(int64)
	left, _ := report["left"].(int64)
	report["retention_percent"] = int64(100)
	if start > 0 {
		report["retention_percent"] = 100 * (start - left) / start
	}
	report["month"] = first.Format("2006-01")
	report["at_risk"], err = c.rows(ctx, `SELECT id, name FROM people p WHERE org_id = ? AND role = 'member' AND status = 'active' AND coalesce(`+lastVisit+`, 0) < ? ORDER BY name LIMIT 20`,
		c.org, c.nowMicros()-14*dayMicros)
	return report, err
}

func getFunnel(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "pipeline_id", "pipelines"); err != nil {
		return nil, err
	}
	q := (&query{cols: `id, name`, from: `pipelines`, order: `id`}).and(`org_id = ?`, c.org)
	if c.in.has("pipeline_id") {
		q.and(`id = ?`, c.in.int("pipeline_id"))
	}
	pipeline, err := c.one(ctx, q, "pipeline")
	if err != nil {
		return nil, err
	}
	stages, err := c.stages(ctx, pipeline["id"])
	if err != nil {
		return nil, err
	}
	var open int64
	for _, stage := range stages {
		n, _ := stage["leads"].(int64)
		open += n
	}
	parts := []object{}
	for _, stage := range stages {
		n, _ := stage["leads"].(int64)
		parts = append(parts, object{"stage": object{"id": stage["id"], "name": stage["name"]}, "leads": n, "percent": 100 * n / max(1, open)})
	}
	closed := &query{cols: `coalesce(sum(l.status = 'won'), 0) AS won, coalesce(sum(l.status = 'lost'), 0) AS lost`, from: `leads l JOIN stages t ON t.id = l.stage_id`}
	counts, err := c.one(ctx, closed.and(`t.pipeline_id = ? AND l.closed_at >= ?`, pipeline["id"], c.nowMicros()-30*dayMicros), "pipeline")
	if err != nil {
		return nil, err
	}
	return object{"pipeline": pipeline, "open": open, "won_30_days": counts["won"], "lost_30_days": counts["lost"], "stages": parts}, nil
}
