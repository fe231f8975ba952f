package gym

import "context"

func taskHandlers() map[string]handler {
	return map[string]handler{
		"listTasks": listTasks, "getTask": getTask, "createTask": createTask, "updateTask": updateTask,
		"completeTask": completeTask, "deleteTask": deleteTask,
	}
}

func taskQuery(c *call) *query {
	q := &query{
		cols: `t.id, t.title, t.due_on, t.status, t.priority, a.id AS "assignee.id", a.name AS "assignee.name", m.id AS "member.id", m.name AS "member.name",
			l.id AS "lead.id", l.name AS "lead.name", t.created_at AS "created_at@time", t.done_at AS "done_at@time"`,
		from:  `tasks t LEFT JOIN people a ON a.id = t.assignee_id LEFT JOIN people m ON m.id = t.member_id LEFT JOIN leads l ON l.id = t.lead_id`,
		order: `t.status DESC, t.due_on IS NULL, t.due_on, t.id`,
	}
	return q.and(`t.org_id = ?`, c.org)
}

func listTasks(ctx context.Context, c *call) (any, error) {
	q := taskQuery(c).and(`t.status = ?`, c.in.or("status", "open"))
	if err := c.filter(ctx, q, "assignee_id", "people", "t.assignee_id"); err != nil {
		return nil, err
	}
	switch c.in.str("due") {
	case "overdue":
		q.and(`t.due_on < ?`, c.today())
	case "today":
		q.and(`t.due_on = ?`, c.today())
	case "week":
		q.and(`t.due_on BETWEEN ? AND ?`, c.today(), c.dayAfter(6))
	}
	return c.list(ctx, q)
}

func getTask(ctx context.Context, c *call) (any, error) {
	return c.one(ctx, taskQuery(c).and(`t.id = ?`, c.in.int("id")), "task")
}

func createTask(ctx context.Context, c *call) (any, error) {
	if err := c.staffExists(ctx, "assignee_id"); err != nil {
		return nil, err
	}
	if c.in.has("member_id") {
		if err := c.memberExists(ctx, "member_id"); err != nil {
			return nil, err
		}
	}
	if err := c.exists(ctx, "lead_id", "leads"); err != nil {
		return nil, err
	}
	id, err := c.exec(ctx, `INSERT INTO tasks (org_id, title, due_on, status, priority, assignee_id, member_id, lead_id, created_at) VALUES (?, ?, ?, 'open', ?, ?, ?, ?, ?)`,
		c.org, c.in.str("title"), c.in.null("due_on"), c.in.or("priority", "normal"), c.in.null("assignee_id"), c.in.null("member_id"), c.in.null("lead_id"), c.nowMicros())
	if err != nil {
		return nil, err
	}
	if err := c.note(ctx, "task", "Added task: "+c.in.str("title")); err != nil {
		return nil, err
	}
	return getTask(ctx, c.with(id))
}

func updateTask(ctx context.Context, c *call) (any, error) {
	if err := c.staffExists(ctx, "assignee_id"); err != nil {
		return nil, err
	}
	if err := c.change(ctx, "tasks", map[string]string{
		"title": "title", "due_on": "due_on", "priority": "priority", "assignee_id": "assignee_id", "status": "status",
	}); err != nil {
		return nil, err
	}
	if c.in.has("status") {
		if _, err := c.exec(ctx, `UPDATE tasks SET done_at = CASE status WHEN 'done' THEN ? END WHERE id = ?`, c.nowMicros(), c.in.int("id")); err != nil {
			return nil, err
		}
	}
	return getTask(ctx, c.with(c.in.int("id")))
}

func completeTask(ctx context.Context, c *call) (any, error) {
	done := *c
	done.in = input{"id": c.in.int("id"), "status": "done"}
	task, err := updateTask(ctx, &done)
	if err != nil {
		return nil, err
	}
	row, _ := task.(object)
	title, _ := row["title"].(string)
	return task, c.note(ctx, "task", "Done: "+title)
}

func deleteTask(ctx context.Context, c *call) (any, error) { return c.remove(ctx, "tasks") }
