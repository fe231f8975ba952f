package gym

import (
	"context"
	"fmt"
	"strconv"
)

// column is one stage of the board.
type column struct {
	Stage object
	Leads []object
}

func loadLeads(ctx context.Context, v *view) error {
	pipelines, err := v.read(ctx, "listPipelines", nil)
	if err != nil {
		return err
	}
	all, _ := pipelines["items"].([]object)
	chosen := all[0]
	if id, err := strconv.ParseInt(v.request.URL.Query().Get("pipeline"), 10, 64); err == nil {
		for _, pipeline := range all {
			if pipeline["id"] == id {
				chosen = pipeline
			}
		}
	}
	leads, err := v.read(ctx, "listLeads", input{"pipeline_id": chosen["id"], "limit": int64(100)})
	if err != nil {
		return err
	}
	stages, _ := chosen["stages"].([]object)
	items, _ := leads["items"].([]object)
	var board []column
	for _, stage := range stages {
		c := column{Stage: stage}
		for _, lead := range items {
			if at, _ := lead["stage"].(object); at["id"] == stage["id"] {
				c.Leads = append(c.Leads, lead)
			}
		}
		board = append(board, c)
	}
	v.Title = v.T("leads")
	v.Data = object{"pipelines": all, "chosen": chosen, "board": board, "total": leads["total"]}
	return nil
}

func loadLead(ctx context.Context, v *view) error {
	if err := v.loadOne(ctx, "getLead"); err != nil {
		return err
	}
	v.Title = fmt.Sprint(v.Data["name"])
	pipeline, _ := v.Data["pipeline"].(object)
	var err error
	if v.Data["stages"], err = v.call.stages(ctx, pipeline["id"]); err != nil {
		return err
	}
	next, err := v.read(ctx, "nextSessions", input{"limit": int64(12)})
	v.Data["next"] = next["items"]
	return err
}
