package gym

import (
	"context"
	"fmt"
)

func classTypeHandlers() map[string]handler {
	return map[string]handler{
		"listClassTypes": listClassTypes, "getClassType": getClassType, "createClassType": createClassType, "updateClassType": updateClassType,
	}
}

func classTypeQuery(c *call) *query {
	start, end := c.bounds(c.today())
	q := &query{
		cols: fmt.Sprintf(`t.id, t.name, t.color, t.minutes, t.capacity, t.about, t.active AS "active@bool",
			(SELECT count(*) FROM sessions s WHERE s.class_type_id = t.id AND s.status = 'scheduled' AND s.starts_at >= %d AND s.starts_at < %d) AS sessions_this_week`,
			start, end+6*dayMicros),
		from: `class_types t`, order: `t.active DESC, t.name`,
	}
	return q.and(`t.org_id = ?`, c.org)
}

func listClassTypes(ctx context.Context, c *call) (any, error) {
	return c.list(ctx, classTypeQuery(c).words(c.in.str("q"), "t.name"))
}

func getClassType(ctx context.Context, c *call) (any, error) {
	return c.one(ctx, classTypeQuery(c).and(`t.id = ?`, c.in.int("id")), nouns["class_types"])
}

func createClassType(ctx context.Context, c *call) (any, error) {
	id, err := c.exec(ctx, `INSERT INTO class_types (org_id, name, color, minutes, capacity, about) VALUES (?, ?, ?, ?, ?, ?)`,
		c.org, c.in.str("name"), c.in.str("color"), c.in.int("minutes"), c.in.int("capacity"), c.in.str("about"))
	if err != nil {
		return nil, err
	}
	if err := c.note(ctx, "class_type", "Added class "+c.in.str("name")); err != nil {
		return nil, err
	}
	return getClassType(ctx, c.with(id))
}

func updateClassType(ctx context.Context, c *call) (any, error) {
	if err := c.change(ctx, "class_types", map[string]string{
		"name": "name", "color": "color", "minutes": "minutes", "capacity": "capacity", "about": "about", "active": "active",
	}); err != nil {
		return nil, err
	}
	return getClassType(ctx, c.with(c.in.int("id")))
}
