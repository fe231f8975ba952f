package gym

import "context"

func inboxHandlers() map[string]handler {
	return map[string]handler{"listThreads": listThreads, "getThread": getThread, "updateThread": updateThread}
}

func threadQuery(c *call) *query {
	q := &query{
		cols: `h.id, coalesce(p.id, l.id) AS "with.id", CASE WHEN p.id IS NULL THEN 'lead' ELSE 'member' END AS "with.kind", coalesce(p.name, l.name) AS "with.name",
			h.channel, h.subject, h.unread AS "unread@bool", h.status, a.id AS "assignee.id", a.name AS "assignee.name",
			(SELECT count(*) FROM messages x WHERE x.thread_id = h.id) AS messages,
			m.at AS "last_message.at@time", m.direction AS "last_message.direction", m.body AS "last_message.body"`,
		from: `threads h JOIN messages m ON m.id = (SELECT x.id FROM messages x WHERE x.thread_id = h.id ORDER BY x.at DESC, x.id DESC LIMIT 1)
			LEFT JOIN people p ON p.id = h.person_id LEFT JOIN leads l ON l.id = h.lead_id LEFT JOIN people a ON a.id = h.assignee_id`,
		order: `m.at DESC, h.id DESC`,
	}
	return q.and(`h.org_id = ?`, c.org)
}

func listThreads(ctx context.Context, c *call) (any, error) {
	q := threadQuery(c).words(c.in.str("q"), "p.name", "l.name", "h.subject")
	if c.in.has("unread") {
		q.and(`h.unread = ?`, asNumber(c.in.bool("unread")))
	}
	c.same(q, "status", "h.status")
	c.same(q, "channel", "h.channel")
	if err := c.filter(ctx, q, "assignee_id", "people", "h.assignee_id"); err != nil {
		return nil, err
	}
	return c.list(ctx, q)
}

func getThread(ctx context.Context, c *call) (any, error) {
	thread, err := c.one(ctx, threadQuery(c).and(`h.id = ?`, c.in.int("id")), "conversation")
	if err != nil {
		return nil, err
	}
	thread["history"], err = c.all(ctx, messageQuery(c, `m.at, m.id`).and(`m.thread_id = ?`, c.in.int("id")))
	return thread, err
}

func updateThread(ctx context.Context, c *call) (any, error) {
	if err := c.staffExists(ctx, "assignee_id"); err != nil {
		return nil, err
	}
	if err := c.change(ctx, "threads", map[string]string{"unread": "unread", "status": "status", "assignee_id": "assignee_id"}); err != nil {
		return nil, err
	}
	return getThread(ctx, c.with(c.in.int("id")))
}
