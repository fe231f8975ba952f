package gym

import (
	"context"
	"fmt"
	"strconv"
)

// pageSize is how many rows a list page shows.
const pageSize = int64(50)

func loadMembers(ctx context.Context, v *view) error {
	query := v.request.URL.Query()
	in := input{"q": shorten(query.Get("q"), 80), "limit": pageSize}
	if status := query.Get("status"); v.g.doc.operations["findMembers"].knows("status", status) {
		in["status"] = status
	}
	if offset, err := strconv.ParseInt(query.Get("offset"), 10, 32); err == nil && offset > 0 {
		in["offset"] = offset
	}
	found, err := v.read(ctx, "findMembers", in)
	if err != nil {
		return err
	}
	v.Title, v.Data = v.T("members"), found
	v.Data["q"], v.Data["status"] = query.Get("q"), in.str("status")
	v.Data["statuses"] = []string{"active", "paused", "ending", "payment_due", "lapsed"}
	if offset := in.int("offset"); offset > 0 {
		v.Data["previous"] = fmt.Sprint(max(0, offset-pageSize))
	}
	return nil
}

// knows tells whether text is one of a query parameter's values.
func (op *operation) knows(name, text string) bool {
	for _, p := range op.params {
		if p.Name == name {
			_, err := p.Schema.parse(name, text)
			return err == nil
		}
	}
	return false
}

func loadMember(ctx context.Context, v *view) error {
	if err := v.loadOne(ctx, "getMember"); err != nil {
		return err
	}
	v.Title = fmt.Sprint(v.Data["name"])
	id, _ := v.Data["id"].(int64)
	attendance, err := v.read(ctx, "getMemberAttendance", input{"id": id})
	if err != nil {
		return err
	}
	next, err := v.read(ctx, "nextSessions", input{"limit": int64(12)})
	if err != nil {
		return err
	}
	v.Data["attendance"], v.Data["next"] = attendance, next["items"]
	v.Data["freezeUntil"] = v.call.dayAfter(30)
	return nil
}

func loadTasks(ctx context.Context, v *view) error {
	open, err := v.read(ctx, "listTasks", input{"limit": int64(100)})
	if err != nil {
		return err
	}
	done, err := v.read(ctx, "listTasks", input{"status": "done", "limit": int64(20)})
	if err != nil {
		return err
	}
	v.Title, v.Data = v.T("tasks"), object{"open": open["items"], "done": done["items"], "today": v.call.today()}
	return nil
}
