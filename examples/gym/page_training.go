package gym

import (
	"context"
	"fmt"
)

func loadWorkouts(ctx context.Context, v *view) error {
	q := shorten(v.request.URL.Query().Get("q"), 80)
	workouts, err := v.read(ctx, "listWorkouts", input{"q": q, "limit": int64(100)})
	if err != nil {
		return err
	}
	week, err := v.read(ctx, "listProgramming", input{"limit": int64(100)})
	if err != nil {
		return err
	}
	programs, err := v.read(ctx, "listPrograms", nil)
	if err != nil {
		return err
	}
	v.Title = v.T("workouts")
	v.Data = object{"workouts": workouts["items"], "week": week["items"], "programs": programs["items"], "q": q}
	return nil
}

func loadWorkout(ctx context.Context, v *view) error {
	if err := v.loadOne(ctx, "getWorkout"); err != nil {
		return err
	}
	v.Title = fmt.Sprint(v.Data["title"])
	id, _ := v.Data["id"].(int64)
	board, err := v.read(ctx, "getLeaderboard", input{"id": id, "limit": int64(10)})
	v.Data["board"] = board["items"]
	return err
}
