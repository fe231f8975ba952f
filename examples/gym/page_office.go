package gym

import "context"

func loadReports(ctx context.Context, v *view) error {
	data := object{}
	for name, operation := range map[string]string{
		"attendance": "getAttendance", "fill": "getClassFill", "funnel": "getFunnel", "absent": "listAbsentees",
		"revenue": "getRevenue", "retention": "getRetention",
	} {
		if !v.Can(operation) && operation != "getAttendance" {
			continue
		}
		report, err := v.read(ctx, operation, input{})
		if err != nil {
			return err
		}
		data[name] = report
	}
	// A bar is as wide as its day's share of the busiest one.
	attendance, _ := data["attendance"].(object)
	days, _ := attendance["by_day"].([]object)
	most := 1
	for _, day := range days {
		visits, _ := day["visits"].(int)
		most = max(most, visits)
	}
	for _, day := range days {
		visits, _ := day["visits"].(int)
		day["share"] = 100 * visits / most
	}
	v.Title, v.Data = v.T("reports"), data
	return nil
}

func loadSettings(ctx context.Context, v *view) error {
	data := object{}
	for name, operation := range map[string]string{
		"types": "listClassTypes", "plans": "listPlans", "staff": "listStaff", "automations": "listAutomations", "forms": "listForms",
		"announcements": "listAnnouncements",
	} {
		list, err := v.read(ctx, operation, input{"limit": int64(100)})
		if err != nil {
			return err
		}
		data[name] = list["items"]
	}
	feed, err := v.call.paymentFeed(ctx)
	if err != nil {
		return err
	}
	v.Title, v.Data = v.T("settings"), data
	v.Data["feed"] = feed
	return nil
}
