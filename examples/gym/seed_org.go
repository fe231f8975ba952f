package gym

import "time"

// harbourRow is the first organisation: a strength gym in Israel, whose week
// begins on Sunday.
func harbourRow() *orgSeed {
	return &orgSeed{
		name: "Harbour Row", about: "Strength gym", tz: "Asia/Jerusalem", currency: "ILS", plan: "standard",
		features: "automations forms programs live", weekStart: time.Sunday, feedState: "ok", mail: "harbourrow.example", phone: "+972 54 %07d",
		staff: [][4]string{
			{"Noa Bar-On", "owner", "Owner", "en"},
			{"Karin Levin", "admin", "Manager", "he"},
			{"Lior Azran", "staff", "Head coach", "en"},
			{"Saar Golan", "staff", "Coach", "he"},
			{"Noam Peled", "staff", "Coach", "en"},
			{"Dana Ophir", "staff", "Coach", "ru"},
		},
		named: []memberSeed{
			{name: "Dana Levi", plan: "Unlimited", status: "active", note: "Left knee: no box jumps until cleared."},
			{name: "Dana Levy", plan: "10-pack", status: "active", visits: 4},
			{name: "Dana Levin", plan: "Unlimited", status: "paused", note: "Travelling."},
			{name: "Eitan Mor", plan: "2× a week", status: "active"},
			{name: "Fania Gur", plan: "Unlimited", status: "ending", locale: "ru"},
			{name: "Guy Shalev", plan: "2× a week", status: "payment_due"},
			{name: "Hila Tzur", plan: "Unlimited", status: "active"},
			{name: "Itay Ron", plan: "10-pack", status: "active", visits: 1},
			{name: "Karin Azulay", plan: "Unlimited", status: "active"},
			{name: "Lena Volk", plan: "2× a week", status: "active", locale: "ru"},
			{name: "Michal Dor", plan: "Unlimited", status: "active"},
			{name: "Nir Ashkenazi", plan: "10-pack", status: "active", visits: 7},
			{name: "נועם ביטון", plan: "Unlimited", status: "active", locale: "he"},
			{name: "תמר אלון", plan: "2× a week", status: "active", locale: "he"},
			{name: "רוני שקד", plan: "Unlimited", status: "active", locale: "he"},
			{name: "מאיה דגן", plan: "10-pack", status: "active", locale: "he", visits: 6},
			{name: "אורי כהן", plan: "Unlimited", status: "active", locale: "he"},
			{name: "שירה בן-דוד", plan: "2× a week", status: "paused", locale: "he"},
			{name: "Олег Павлов", plan: "Unlimited", status: "active", locale: "ru"},
		},
		first: []string{
			"Adi", "Alon", "Amir", "Avital", "Ben", "Carmel", "Daniel", "Eden", "Efrat", "Gal", "Gili", "Hadar", "Ido", "Ilan", "Inbar", "Keren", "Lihi", "Maor", "Maya",
			"Mor", "Nadav", "Netta", "Ofer", "Omri", "Orly", "Rami", "Reut", "Roee", "Sharon", "Shai", "Sivan", "Tal", "Tomer", "Uri", "Vered", "Yael", "Yaniv", "Yuval", "Ziv",
		},
		last: []string{
			"Abramov", "Amit", "Barak", "Ben-Ami", "Biton", "Carmi", "Cohen", "Dahan", "Eliav", "Friedman", "Gabay", "Hadad", "Harel", "Katz", "Kedar", "Lavi", "Malka",
			"Mizrahi", "Navon", "Oren", "Peretz", "Regev", "Sasson", "Segal", "Shapira", "Sharabi", "Stern", "Tamir", "Vaknin", "Weiss", "Yosef", "Zohar",
		},
		members: 124,
		plans: []planSeed{
			{"Unlimited", "unlimited", 420, 0, 0}, {"2× a week", "weekly", 310, 0, 2}, {"10-pack", "pack", 650, 10, 0}, {"Open gym", "unlimited", 190, 0, 0},
		},
		types: []typeSeed{
			{"Engine", "green", 60, 12, "Intervals on rowers, bikes and ropes. For anyone who can run for ten minutes."},
			{"Barbell", "blue", 75, 10, "Squat, press and pull under a bar, in small groups."},
			{"Foundations", "terracotta", 60, 12, "Where new people start: the eight movements, slowly."},
			{"Mobility", "olive", 60, 14, "Joints, breath and balance. Also broadcast live."},
			{"Open gym", "plum", 90, 16, "The floor is yours; a coach is near."},
		},
		week: map[time.Weekday]string{
			time.Sunday:    "07:00 Engine Lior, 09:00 Barbell Saar, 12:00 Mobility Noam, 16:30 Open gym Dana, 18:00 Foundations Saar, 19:15 Engine Dana",
			time.Monday:    "06:00 Engine Lior, 07:15 Foundations Saar, 12:00 Open gym Noam, 16:45 Barbell Lior, 18:00 Foundations Saar, 19:15 Mobility Noam",
			time.Tuesday:   "07:00 Barbell Lior, 09:00 Mobility Noam, 12:00 Foundations Saar, 16:00 Open gym Dana, 18:00 Engine Dana, 19:15 Foundations Saar",
			time.Wednesday: "07:00 Foundations Saar, 08:15 Engine Lior, 12:00 Mobility Noam, 16:30 Engine Dana, 18:00 Barbell Lior, 19:30 Open gym Noam",
			time.Thursday:  "07:00 Engine Lior, 09:00 Barbell Lior, 12:00 Open gym Noam, 16:30 Mobility Noam, 18:00 Foundations Saar, 19:15 Engine Dana",
			time.Friday:    "07:00 Barbell Lior, 08:15 Foundations Saar, 09:30 Engine Dana, 11:00 Mobility Noam, 18:00 Open gym Karin",
			time.Saturday:  "09:00 Open gym Dana, 11:30 Mobility Noam, 18:00 Engine Dana, 19:15 Foundations Saar",
		},
		leads: harbourLeads(), threads: harbourThreads(),
	}
}

// northside is the second: a barbell club in New York, whose payment feed is
// behind and whose week begins on Monday.
func northside() *orgSeed {
	return &orgSeed{
		name: "Northside Barbell", about: "Barbell club", tz: "America/New_York", currency: "USD", plan: "basic",
		features: "forms programs", weekStart: time.Monday, feedState: "stale", mail: "northside.example", phone: "+1 212 %07d",
		staff: [][4]string{
			{"Marcus Webb", "owner", "Owner", "en"}, {"Priya Nair", "admin", "Manager", "en"}, {"Joel Ortiz", "staff", "Head coach", "en"}, {"Hannah Cole", "staff", "Coach", "en"},
		},
		named: []memberSeed{
			{name: "Dana Lewis", plan: "Full", status: "active"},
			{name: "Andre Bishop", plan: "Full", status: "active"},
			{name: "Yelena Markova", plan: "3× a week", status: "active", locale: "ru"},
			{name: "Sam Whitfield", plan: "Punch card", status: "active", visits: 2},
			{name: "Grace Okafor", plan: "Full", status: "payment_due"},
		},
		first: []string{
			"Aaron", "Abby", "Caleb", "Camila", "Claire", "Derek", "Diego", "Elena", "Felix", "Hugo", "Imani", "Isabel", "Jamal", "June", "Kira", "Leah", "Luis", "Maggie",
			"Nadia", "Nolan", "Omar", "Paige", "Quinn", "Rosa", "Sean", "Tessa", "Theo", "Wes", "Yusuf", "Zoe",
		},
		last: []string{
			"Adams", "Barnes", "Brooks", "Castillo", "Chen", "Diaz", "Ellis", "Fischer", "Grant", "Hayes", "Iverson", "Jensen", "Kim", "Lopez", "Meyer", "Novak", "Owens",
			"Park", "Quintero", "Reyes", "Shaw", "Turner", "Vargas", "Walsh", "Young",
		},
		members: 62,
		plans:   []planSeed{{"Full", "unlimited", 189, 0, 0}, {"3× a week", "weekly", 149, 0, 3}, {"Punch card", "pack", 210, 10, 0}},
		types: []typeSeed{
			{"Weightlifting", "blue", 90, 10, "Snatch, clean and jerk, with a coach on every platform."},
			{"Powerlifting", "terracotta", 90, 10, "Squat, bench and deadlift by the cycle."},
			{"Conditioning", "green", 60, 14, "Short, hard work on sleds and bikes."},
			{"Intro", "olive", 60, 8, "First steps under a bar."},
		},
		week: map[time.Weekday]string{
			time.Monday:    "06:30 Weightlifting Joel, 12:00 Conditioning Hannah, 16:30 Powerlifting Joel, 18:00 Weightlifting Joel, 19:30 Intro Hannah",
			time.Tuesday:   "06:30 Conditioning Hannah, 12:00 Powerlifting Joel, 18:00 Conditioning Hannah, 19:15 Weightlifting Joel",
			time.Wednesday: "06:30 Weightlifting Joel, 12:00 Conditioning Hannah, 18:00 Powerlifting Joel, 19:30 Intro Hannah",
			time.Thursday:  "06:30 Conditioning Hannah, 12:00 Weightlifting Joel, 18:00 Conditioning Hannah, 19:15 Powerlifting Joel",
			time.Friday:    "06:30 Weightlifting Joel, 12:00 Conditioning Hannah, 18:00 Weightlifting Joel",
			time.Saturday:  "09:00 Weightlifting Joel, 11:00 Intro Hannah, 18:00 Powerlifting Joel",
			time.Sunday:    "10:00 Conditioning Hannah, 18:00 Powerlifting Joel",
		},
		leads: northsideLeads(), threads: northsideThreads(),
	}
}
