package gym

import (
	"context"
	"fmt"
)

// loadInbox shows the conversations and one of them: the one of the path, else
// the newest.
func loadInbox(ctx context.Context, v *view) error {
	threads, err := v.read(ctx, "listThreads", input{"limit": int64(100)})
	if err != nil {
		return err
	}
	items, _ := threads["items"].([]object)
	v.Title, v.Data = v.T("inbox"), object{"threads": items}
	var chosen int64
	if len(items) > 0 {
		chosen, _ = items[0]["id"].(int64)
	}
	if v.request.PathValue("id") != "" {
		if chosen, err = v.id(); err != nil {
			return err
		}
		v.Data["open"] = true
	}
	if chosen == 0 {
		return nil
	}
	thread, err := v.read(ctx, "getThread", input{"id": chosen})
	if err != nil {
		return err
	}
	if with, _ := thread["with"].(object); v.request.PathValue("id") != "" {
		v.Title = fmt.Sprintf("%v – %s", with["name"], v.T("inbox"))
	}
	v.Data["thread"] = thread
	return nil
}

func loadHelp(ctx context.Context, v *view) error {
	q := shorten(v.request.URL.Query().Get("q"), 80)
	articles, err := v.read(ctx, "searchHelp", input{"q": q, "limit": int64(100)})
	if err != nil {
		return err
	}
	v.Title, v.Data = v.T("help"), object{"articles": articles["items"], "q": q}
	return nil
}

func loadArticle(ctx context.Context, v *view) error {
	article, err := v.read(ctx, "getArticle", input{"slug": v.request.PathValue("slug")})
	if err != nil {
		return err
	}
	v.Title, v.Data = fmt.Sprint(article["title"]), article
	return nil
}
