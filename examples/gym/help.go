package gym

import "context"

func helpHandlers() map[string]handler {
	return map[string]handler{"searchHelp": searchHelp, "getArticle": getArticle}
}

func articleQuery(c *call) *query {
	q := &query{cols: `id, slug, title, category, substr(body, 1, 140) AS excerpt, updated_on`, from: `articles`, order: `category, title`}
	return q.and(`org_id = ?`, c.org)
}

func searchHelp(ctx context.Context, c *call) (any, error) {
	q := articleQuery(c).words(c.in.str("q"), "title", "body")
	c.same(q, "category", "category")
	return c.list(ctx, q)
}

func getArticle(ctx context.Context, c *call) (any, error) {
	q := articleQuery(c).and(`slug = ?`, c.in.str("slug"))
	q.cols += `, body`
	return c.one(ctx, q, "article")
}
