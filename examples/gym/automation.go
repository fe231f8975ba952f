package gym

import (
	"context"
	"fmt"
)

func automationHandlers() map[string]handler {
	return map[string]handler{
		"listAutomations": listAutomations, "getAutomation": getAutomation, "listRuns": listRuns, "updateAutomation": updateAutomation,
	}
}

func automationQuery(c *call) *query {
	since := c.nowMicros() - 30*dayMicros
	q := &query{
		cols: fmt.Sprintf(`a.id, a.name, a.trigger, a.action, a.enabled AS "enabled@bool",
			(SELECT count(*) FROM automation_runs r WHERE r.automation_id = a.id AND r.at >= %d) AS runs_30_days,
			(SELECT count(*) FROM automation_runs r WHERE r.automation_id = a.id AND r.at >= %d AND r.outcome = 'failed') AS failures_30_days,
			(SELECT max(at) FROM automation_runs r WHERE r.automation_id = a.id) AS "last_run_at@time"`, since, since),
		from: `automations a`, order: `a.name, a.id`,
	}
	return q.and(`a.org_id = ?`, c.org)
}

func listAutomations(ctx context.Context, c *call) (any, error) {
	q := automationQuery(c)
	if c.in.has("enabled") {
		q.and(`a.enabled = ?`, asNumber(c.in.bool("enabled")))
	}
	return c.list(ctx, q)
}

func getAutomation(ctx context.Context, c *call) (any, error) {
	q := automationQuery(c).and(`a.id = ?`, c.in.int("id"))
	q.cols += `, a.steps AS "steps@json"`
	return c.one(ctx, q, "automation")
}

func listRuns(ctx context.Context, c *call) (any, error) {
	q := &query{
		cols: `r.id, a.id AS "automation.id", a.name AS "automation.name", r.at AS "at@time", r.outcome, r.about, r.detail`,
		from: `automation_runs r JOIN automations a ON a.id = r.automation_id`, order: `r.at DESC, r.id DESC`,
	}
	q.and(`r.org_id = ?`, c.org)
	if err := c.filter(ctx, q, "automation_id", "automations", "a.id"); err != nil {
		return nil, err
	}
	c.same(q, "outcome", "r.outcome")
	return c.list(ctx, q)
}

func updateAutomation(ctx context.Context, c *call) (any, error) {
	if err := c.change(ctx, "automations", map[string]string{"name": "name", "enabled": "enabled"}); err != nil {
		return nil, err
	}
	return getAutomation(ctx, c.with(c.in.int("id")))
}
