package gym

import (
	"context"
	"encoding/json"
	"fmt"
)

func (s *seeder) seedOffice(ctx context.Context) {
	s.seedTasks(ctx)
	s.seedForms(ctx)
	s.seedAutomations(ctx)
	s.seedAnnouncements(ctx)
	s.seedHelp(ctx)
	for i, text := range []string{"Opened the desk", "Printed the week's plan", "Counted the cash drawer", "Locked up"} {
		s.insert(ctx, "activity", "org_id, at, kind, text, person_id", s.org, s.ago(3+7*i), "desk", text, s.staff[i%len(s.staff)])
	}
}

func (s *seeder) seedTasks(ctx context.Context) {
	for i, t := range []struct {
		title, priority string
		due             int // days from today; 99: none
		member, lead    bool
		done            bool
	}{
		{"Call about the unpaid month", "high", -1, true, false, false},
		{"Follow up after the trial", "high", 0, false, true, false},
		{"Order chalk and tape", "normal", 0, false, false, false},
		{"Check the knee note before Thursday", "normal", 1, true, false, false},
		{"Send the price list", "normal", 0, false, true, false},
		{"Fix the second rower", "high", 2, false, false, false},
		{"Plan the open day", "normal", 6, false, false, false},
		{"Renewal talk", "normal", 4, true, false, false},
		{"Swap coaches for Friday", "normal", 3, false, false, false},
		{"Photograph the new racks", "low", 99, false, false, false},
		{"Welcome message to new members", "normal", -3, false, false, true},
		{"Insurance papers", "high", -6, false, false, true},
	} {
		due, member, lead, done, status := any(nil), any(nil), any(nil), any(nil), "open"
		if t.due != 99 {
			due = s.day(t.due)
		}
		if t.member {
			member = s.members[i%8]
		}
		if t.lead {
			lead = s.leads[(i*7)%len(s.leads)]
		}
		if t.done {
			status, done = "done", s.ago(20+i)
		}
		s.insert(ctx, "tasks", "org_id, title, due_on, status, priority, assignee_id, member_id, lead_id, created_at, done_at", s.org, t.title, due, status, t.priority,
			s.staff[i%len(s.staff)], member, lead, s.ago(24*(i+1)), done)
	}
}

func (s *seeder) seedForms(ctx context.Context) {
	type question struct{ key, label, kind string }
	for f, form := range []struct {
		name, kind, status string
		questions          []question
		answers            [][]string
	}{
		{
			"Free trial", "lead", "open",
			[]question{{"name", "Your name", "text"}, {"phone", "Phone", "phone"}, {"goal", "What would you like to get better at?", "text"}, {"when", "When can you train?", "choice"}},
			[][]string{{"Yael Peretz", "Getting strong after two kids", "Evenings"}, {"Asaf Dror", "Deadlift", "Mornings"}, {"Liat Bar", "Moving without pain", "Lunch"}, {"Ron Hess", "A first pull-up", "Evenings"}},
		},
		{
			"Health questions", "health", "open",
			[]question{{"name", "Your name", "text"}, {"injuries", "Injuries we should know of", "text"}, {"doctor", "Did a doctor clear you?", "choice"}},
			[][]string{{"Gil Navon", "None", "Yes"}, {"Lea Mizrahi", "Lower back", "Yes"}},
		},
		{
			"After your first month", "feedback", "open",
			[]question{{"name", "Your name", "text"}, {"liked", "What did you like?", "text"}, {"missing", "What is missing?", "text"}},
			[][]string{{"Hila Tzur", "The coaches know my name", "A later mobility class"}, {"Guy Shalev", "Small groups", "More racks at 18:00"}, {"תמר אלון", "האווירה", "חניה"}},
		},
		{"Open day, last autumn", "lead", "closed", []question{{"name", "Your name", "text"}, {"email", "Email", "email"}}, nil},
	} {
		id := s.insert(ctx, "forms", "org_id, name, kind, status, share_link", s.org, form.name, form.kind, form.status, fmt.Sprintf("https://forms.%s/f/%010x", s.plan.mail, s.rand.Uint64()>>24))
		for n, q := range form.questions {
			s.insert(ctx, "form_fields", "form_id, position, key, label, type, required", id, n+1, q.key, q.label, q.kind, asNumber(n < 2))
		}
		for n, answer := range form.answers {
			asked := form.questions[len(form.questions)-2:]
			lines, err := json.Marshal([]object{{"label": asked[0].label, "value": answer[1]}, {"label": asked[1].label, "value": answer[2]}})
			if err != nil {
				s.err = fmt.Errorf("write an answer: %w", err)
				return
			}
			var lead any
			for id, name := range s.leadNames {
				if name == answer[0] {
					lead = id
				}
			}
			s.insert(ctx, "form_answers", "org_id, form_id, name, phone, lead_id, received_at, answers", s.org, id, answer[0], s.phone(), lead, s.ago(5+26*n+3*f), string(lines))
		}
	}
}

func (s *seeder) seedAutomations(ctx context.Context) {
	for i, a := range []struct {
		name, trigger, action string
		steps                 string
		enabled               bool
		runs                  int
	}{
		{"Remind before class", "A booking is 3 hours away", "Send a text", `["Wait until 3 hours before the class","Send the text \"See you soon\""]`, true, 26},
		{"Welcome a new lead", "A lead comes in", "Send a text and add a task", `["Send the text \"Thanks for writing\"","Add a task for the desk, due today"]`, true, 9},
		{"Missed you", "A member was not in for 14 days", "Send a message", `["Check that the member is active","Send the message \"We saved your place\""]`, true, 7},
		{"Payment failed", "A card payment fails", "Send an email and add a task", `["Send the email \"Your payment\"","Add a task for the manager"]`, true, 4},
		{"Birthday", "It is a member's birthday", "Send a text", `["Send the text \"Happy birthday\""]`, false, 0},
	} {
		id := s.insert(ctx, "automations", "org_id, name, trigger, action, steps, enabled", s.org, a.name, a.trigger, a.action, a.steps, asNumber(a.enabled))
		for n := range a.runs {
			outcome, detail := "done", "Sent"
			switch {
			case n%9 == 8:
				outcome, detail = "failed", "The number does not take texts"
			case n%7 == 6:
				outcome, detail = "skipped", "Wrote to them yesterday already"
			}
			s.insert(ctx, "automation_runs", "org_id, automation_id, at, outcome, about, detail", s.org, id, s.ago(4+11*n+i), outcome,
				s.memberNames[s.members[(13*i+7*n)%len(s.members)]], detail)
		}
	}
}

func (s *seeder) seedAnnouncements(ctx context.Context) {
	for i, a := range []struct {
		title, body, audience, status string
		pinned                        bool
		hours                         int
	}{
		{"Holiday hours", "We open at 09:00 on the holiday and close at 14:00. Evening classes are off.", "all", "published", true, 30},
		{"Two new rowers", "They stand by the window. Wipe the handles after use, please.", "active", "published", false, 100},
		{"Coaches' meeting", "Sunday at 13:00 in the studio. Bring your numbers.", "staff", "published", false, 60},
		{"Open day in four weeks", "Bring a friend: the first class is free for both of you.", "all", "draft", false, 0},
		{"Parking behind the market", "The lot behind the market is free after 17:00.", "all", "published", false, 400},
	} {
		published := any(nil)
		if a.status == "published" {
			published = s.ago(a.hours)
		}
		s.insert(ctx, "announcements", "org_id, title, body, audience, status, pinned, author_id, published_at", s.org, a.title, a.body, a.audience, a.status, asNumber(a.pinned), s.staff[i%2], published)
	}
}

func (s *seeder) seedHelp(ctx context.Context) {
	for i, a := range [][4]string{
		{"cancel-a-booking", "Cancel a booking", "classes", "Open the class in Schedule, find the person and choose Cancel. Up to 2 hours before the class the visit goes back onto a pack; later it counts. The first person on the waiting list gets the place and a text."},
		{"waiting-lists", "How waiting lists work", "classes", "When a class is full, bookings go onto its waiting list in the order they came. When somebody cancels, the first in line is booked at once. Nobody is booked within 30 minutes of the start."},
		{"add-a-class", "Put a class on the schedule", "classes", "In Schedule choose Add class, then the kind of class, the coach and the time. Length and places come from the kind of class; you can change the places for one day."},
		{"freeze-a-membership", "Freeze a membership", "members", "Open the member and choose Freeze. Say until when. While it is frozen nothing is charged, and the end moves by as many days."},
		{"who-was-not-in", "Find members who were not in lately", "members", "Reports lists everyone who is active and was not in for 14 days. The automation Missed you writes to them, if it is on."},
		{"lead-stages", "Stages of a lead", "leads", "A lead is New until someone writes or calls. Contacted means we reached them. Trial booked has a place in a class. After the class it is Trial done; then it is won or lost."},
		{"lead-from-form", "Make a lead of a form's answer", "leads", "Open the form, find the answer and choose Make a lead. It starts in the first stage of the first pipeline."},
		{"plan-the-week", "Plan the week's workouts", "training", "In Workouts choose a day and a class, and put a workout on it. It stays a draft until you publish it; members see it from then on."},
		{"log-a-result", "Log a result", "training", "Open the workout, choose Log a result, then the member and the score. Times are in seconds, lifts in kilograms."},
		{"read-revenue", "Why a month's revenue can be unknown", "money", "Card payments come from the payment provider. When its feed is behind or silent the total is not shown, since a part of it is missing. Cash and transfers are always whole."},
	} {
		s.insert(ctx, "articles", "org_id, slug, title, category, body, updated_on", s.org, a[0], a[1], a[2], a[3], s.day(-12-9*i))
	}
}
