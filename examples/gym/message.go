package gym

import (
	"context"
	"fmt"
)

func messageHandlers() map[string]handler {
	return map[string]handler{
		"listMessages": listMessages, "listMessageTemplates": listMessageTemplates, "sendMessage": sendMessage, "writeToMember": writeToMember,
	}
}

func messageQuery(c *call, order string) *query {
	q := &query{cols: `m.id, m.thread_id, m.at AS "at@time", m.direction, m.author, m.body, m.status`, from: `messages m`, order: order}
	return q.and(`m.org_id = ?`, c.org)
}

func listMessages(ctx context.Context, c *call) (any, error) {
	q := messageQuery(c, `m.at DESC, m.id DESC`).words(c.in.str("q"), "m.body", "m.author")
	if err := c.filter(ctx, q, "thread_id", "threads", "m.thread_id"); err != nil {
		return nil, err
	}
	c.same(q, "direction", "m.direction")
	c.same(q, "status", "m.status")
	return c.list(ctx, q)
}

func listMessageTemplates(ctx context.Context, c *call) (any, error) {
	q := &query{cols: `id, name, channel, body`, from: `message_templates`, order: `name`}
	q.and(`org_id = ?`, c.org)
	c.same(q, "channel", "channel")
	return c.list(ctx, q)
}

func sendMessage(ctx context.Context, c *call) (any, error) {
	thread, err := c.one(ctx, threadQuery(c).and(`h.id = ?`, c.in.int("id")), "conversation")
	if err != nil {
		return nil, err
	}
	with, _ := thread["with"].(object)
	return c.send(ctx, c.in.int("id"), with["name"])
}

func writeToMember(ctx context.Context, c *call) (any, error) {
	if err := c.memberExists(ctx, "id"); err != nil {
		return nil, err
	}
	channel := c.in.or("channel", "text")
	thread, err := c.number(ctx, `SELECT id FROM threads WHERE person_id = ? AND channel = ? AND status = 'open' ORDER BY id DESC LIMIT 1`, c.in.int("id"), channel)
	if err != nil {
		return nil, err
	}
	if thread == 0 {
		if thread, err = c.exec(ctx, `INSERT INTO threads (org_id, person_id, channel, unread, status, assignee_id) VALUES (?, ?, ?, 0, 'open', ?)`,
			c.org, c.in.int("id"), channel, c.who.person); err != nil {
			return nil, err
		}
	}
	names, err := c.rows(ctx, `SELECT name FROM people WHERE id = ?`, c.in.int("id"))
	if err != nil || len(names) == 0 {
		return nil, err
	}
	return c.send(ctx, thread, names[0]["name"])
}

// send writes the call's body into a thread, which is then read and open.
func (c *call) send(ctx context.Context, thread int64, to any) (any, error) {
	id, err := c.exec(ctx, `INSERT INTO messages (org_id, thread_id, at, direction, author, body, status) VALUES (?, ?, ?, 'out', ?, ?, 'sent')`,
		c.org, thread, c.nowMicros(), c.who.name, c.in.str("body"))
	if err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE threads SET unread = 0, status = 'open' WHERE id = ?`, thread); err != nil {
		return nil, err
	}
	if err := c.note(ctx, "message", fmt.Sprintf("Wrote to %v", to)); err != nil {
		return nil, err
	}
	return c.one(ctx, messageQuery(c, `m.id`).and(`m.id = ?`, id), "message")
}
