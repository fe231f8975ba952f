package gym

import (
	"context"
	"fmt"
)

func leadHandlers() map[string]handler {
	return map[string]handler{
		"listLeads": listLeads, "getLead": getLead, "listPipelines": listPipelines, "listWaitingLeads": listWaitingLeads,
	}
}

func leadQuery(c *call) *query {
	q := &query{
		cols: fmt.Sprintf(`l.id, l.name, l.phone, l.email, l.source, l.interest, l.status, g.id AS "pipeline.id", g.name AS "pipeline.name",
			t.id AS "stage.id", t.name AS "stage.name", o.id AS "owner.id", o.name AS "owner.name", l.created_at AS "created_at@time",
			l.last_contact_at AS "last_contact_at@time", max(0, (%d - coalesce(l.last_contact_at, l.created_at)) / %d) AS waiting_days, l.note,
			s.id AS "trial.id", s.starts_at AS "trial.starts_at@time", y.name AS "trial.class"`, c.nowMicros(), dayMicros),
		from: `leads l JOIN stages t ON t.id = l.stage_id JOIN pipelines g ON g.id = t.pipeline_id LEFT JOIN people o ON o.id = l.owner_id
			LEFT JOIN sessions s ON s.id = l.trial_session_id LEFT JOIN class_types y ON y.id = s.class_type_id`,
		order: `g.id, t.position, coalesce(l.last_contact_at, l.created_at) DESC, l.id`,
	}
	return q.and(`l.org_id = ?`, c.org)
}

func listLeads(ctx context.Context, c *call) (any, error) {
	q := leadQuery(c).words(c.in.str("q"), "l.name", "l.phone", "l.email").and(`l.status = ?`, c.in.or("status", "open"))
	for _, f := range [][3]string{{"pipeline_id", "pipelines", "g.id"}, {"stage_id", "stages", "t.id"}, {"owner_id", "people", "l.owner_id"}} {
		if err := c.filter(ctx, q, f[0], f[1], f[2]); err != nil {
			return nil, err
		}
	}
	return c.list(ctx, q)
}

func getLead(ctx context.Context, c *call) (any, error) {
	lead, err := c.one(ctx, leadQuery(c).and(`l.id = ?`, c.in.int("id")), "lead")
	if err != nil {
		return nil, err
	}
	lead["events"], err = c.rows(ctx, `SELECT e.at AS "at@time", e.kind, e.text, p.name AS by FROM lead_events e LEFT JOIN people p ON p.id = e.person_id
		WHERE e.lead_id = ? ORDER BY e.at DESC, e.id DESC`, c.in.int("id"))
	return lead, err
}

func listPipelines(ctx context.Context, c *call) (any, error) {
	page, err := c.list(ctx, (&query{cols: `id, name`, from: `pipelines`, order: `id`}).and(`org_id = ?`, c.org))
	if err != nil {
		return nil, err
	}
	pipelines, _ := page["items"].([]object)
	for _, pipeline := range pipelines {
		if pipeline["stages"], err = c.stages(ctx, pipeline["id"]); err != nil {
			return nil, err
		}
	}
	return page, nil
}

// stages reads a pipeline's stages with the number of open leads in each.
func (c *call) stages(ctx context.Context, pipeline any) ([]object, error) {
	return c.rows(ctx, `SELECT t.id, t.name, t.position, t.color, (SELECT count(*) FROM leads l WHERE l.stage_id = t.id AND l.status = 'open') AS leads
		FROM stages t WHERE t.pipeline_id = ? AND t.org_id = ? ORDER BY t.position`, pipeline, c.org)
}

func listWaitingLeads(ctx context.Context, c *call) (any, error) {
	q := leadQuery(c).and(`l.status = 'open' AND coalesce(l.last_contact_at, l.created_at) <= ?`, c.nowMicros()-c.in.int("days")*dayMicros)
	q.order = `coalesce(l.last_contact_at, l.created_at), l.id`
	return c.list(ctx, q)
}
