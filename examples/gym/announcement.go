package gym

import "context"

func announcementHandlers() map[string]handler {
	return map[string]handler{
		"listAnnouncements": listAnnouncements, "getAnnouncement": getAnnouncement, "createAnnouncement": createAnnouncement,
		"publishAnnouncement": publishAnnouncement, "deleteAnnouncement": deleteAnnouncement,
	}
}

func announcementQuery(c *call) *query {
	q := &query{
		cols: `a.id, a.title, a.body, a.audience, a.status, a.pinned AS "pinned@bool", p.id AS "author.id", p.name AS "author.name", a.published_at AS "published_at@time"`,
		from: `announcements a JOIN people p ON p.id = a.author_id`, order: `a.pinned DESC, a.published_at IS NOT NULL, a.published_at DESC, a.id DESC`,
	}
	return q.and(`a.org_id = ?`, c.org)
}

func listAnnouncements(ctx context.Context, c *call) (any, error) {
	q := announcementQuery(c)
	c.same(q, "status", "a.status")
	c.same(q, "audience", "a.audience")
	return c.list(ctx, q)
}

func getAnnouncement(ctx context.Context, c *call) (any, error) {
	return c.one(ctx, announcementQuery(c).and(`a.id = ?`, c.in.int("id")), "announcement")
}

func createAnnouncement(ctx context.Context, c *call) (any, error) {
	id, err := c.exec(ctx, `INSERT INTO announcements (org_id, title, body, audience, status, pinned, author_id) VALUES (?, ?, ?, ?, 'draft', ?, ?)`,
		c.org, c.in.str("title"), c.in.str("body"), c.in.or("audience", "all"), asNumber(c.in.bool("pinned")), c.who.person)
	if err != nil {
		return nil, err
	}
	return getAnnouncement(ctx, c.with(id))
}

func publishAnnouncement(ctx context.Context, c *call) (any, error) {
	found, err := getAnnouncement(ctx, c)
	if err != nil {
		return nil, err
	}
	a, _ := found.(object)
	if err := checkTaken(a["status"] == "published", "That announcement is published already."); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE announcements SET status = 'published', published_at = ? WHERE id = ?`, c.nowMicros(), c.in.int("id")); err != nil {
		return nil, err
	}
	title, _ := a["title"].(string)
	if err := c.note(ctx, "announcement", "Published: "+title); err != nil {
		return nil, err
	}
	return getAnnouncement(ctx, c)
}

func deleteAnnouncement(ctx context.Context, c *call) (any, error) {
	return c.remove(ctx, "announcements")
}
