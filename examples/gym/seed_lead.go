package gym

import (
	"context"
	"strings"
)

var (
	stageNames  = []string{"New", "Contacted", "Trial booked", "Trial done"}
	stageColors = []string{"grey", "blue", "olive", "green"}
)

func (s *seeder) seedLeads(ctx context.Context) {
	s.leadNames = map[int64]string{}
	stages := map[string]int64{}
	for p, name := range []string{"Spring trial", "Companies"} {
		pipeline := s.insert(ctx, "pipelines", "org_id, name", s.org, name)
		s.pipelines = append(s.pipelines, pipeline)
		names := stageNames
		if p == 1 {
			names = []string{"New", "Meeting", "Offer sent", "Signed"}
		}
		for i, stage := range names {
			id := s.insert(ctx, "stages", "org_id, pipeline_id, name, position, color", s.org, pipeline, stage, i+1, stageColors[i])
			s.stages = append(s.stages, id)
			if _, taken := stages[stage]; !taken {
				stages[stage] = id
			}
		}
	}
	for i, l := range s.plan.leads {
		s.seedLead(ctx, i, l, stages[l.stage])
	}
}

func (s *seeder) seedLead(ctx context.Context, i int, l leadSeed, stage int64) {
	created, last, trial, status, closed := s.ago(l.hours), any(nil), any(nil), "open", any(nil)
	if l.contacted {
		created, last = s.ago(l.hours+72), s.ago(l.hours)
	}
	switch l.stage {
	case "Trial booked":
		if len(s.trialSession) > 0 {
			trial = s.trialSession[i%len(s.trialSession)]
		}
	case "Trial done":
		if i%5 == 4 {
			status, closed = "won", s.ago(l.hours-12)
		}
	}
	owner := any(s.staff[i%len(s.staff)])
	if l.stage == "New" && i%3 != 0 {
		owner = nil
	}
	name := strings.ToLower(strings.ReplaceAll(l.name, " ", "."))
	id := s.insert(ctx, "leads", "org_id, stage_id, name, phone, email, source, interest, status, owner_id, created_at, last_contact_at, closed_at, note, trial_session_id",
		s.org, stage, l.name, s.phone(), name+"@mail.example", l.source, l.interest, status, owner, created, last, closed, orNull(l.note), trial)
	s.leads = append(s.leads, id)
	s.leadNames[id] = l.name
	const columns = "lead_id, at, kind, text, person_id"
	s.insert(ctx, "lead_events", columns, id, created, "created", "Came in by "+l.source, nil)
	if l.contacted {
		s.insert(ctx, "lead_events", columns, id, s.ago(l.hours), []string{"text", "call"}[i%2], l.note, s.staff[i%len(s.staff)])
	}
	if trial != nil {
		s.insert(ctx, "lead_events", columns, id, s.ago(max(1, l.hours-1)), "trial", "Trial booked", s.staff[i%len(s.staff)])
	}
}

func harbourLeads() []leadSeed {
	return []leadSeed{
		{"Yael Peretz", "New", "Instagram form", "Foundations", "", 2, false},
		{"Daniel Koch", "New", "Walk-in", "Barbell", "", 5, false},
		{"Rina Malka", "New", "Website", "Mobility", "", 26, false},
		{"Amit Shaul", "New", "Referred by Lior", "Engine", "", 50, false},
		{"Ella Frid", "New", "Open day", "Foundations", "", 52, false},
		{"Asaf Dror", "New", "Instagram form", "Barbell", "", 74, false},
		{"Neta Gal", "New", "Website", "Foundations", "", 77, false},
		{"Pavel Orlov", "New", "Walk-in", "Open gym", "", 99, false},
		{"Maya Stern", "Contacted", "Instagram form", "Foundations", "Asked about evenings", 20, true},
		{"Omer Adler", "Contacted", "Open day", "Barbell", "Called, will reply", 30, true},
		{"Tal Rosen", "Contacted", "Website", "Engine", "Text sent Sunday", 49, true},
		{"Ruth Amar", "Contacted", "Walk-in", "Mobility", "Wants mornings", 53, true},
		{"Hadas Levin", "Contacted", "Referred by Karin", "Foundations", "Asked for prices", 76, true},
		{"Erez Tal", "Contacted", "Instagram form", "Engine", "Left a voicemail", 100, true},
		{"Gil Navon", "Trial booked", "Website", "Foundations", "Sent the address", 24, true},
		{"Shir Ben-Ami", "Trial booked", "Open day", "Barbell", "Comes with a friend", 28, true},
		{"Yoni Hadar", "Trial booked", "Instagram form", "Foundations", "Asked what to wear", 31, true},
		{"Lea Mizrahi", "Trial booked", "Website", "Mobility", "Back pain, told Noam", 46, true},
		{"Boaz Tal", "Trial booked", "Walk-in", "Engine", "Runs marathons", 55, true},
		{"Inbal Shor", "Trial booked", "Referred by Dana", "Foundations", "Sent the address", 60, true},
		{"Noga Katz", "Trial done", "Website", "Foundations", "Wants twice a week", 90, true},
		{"Ido Sela", "Trial done", "Walk-in", "Open gym", "Liked it", 150, true},
		{"Mika Oren", "Trial done", "Open day", "Barbell", "Comparing gyms", 170, true},
		{"Roni Paz", "Trial done", "Instagram form", "Engine", "Liked it", 190, true},
		{"Shani Alon", "Trial done", "Website", "Foundations", "Signed up at the desk", 192, true},
		{"Tomer Gil", "Trial done", "Website", "Foundations", "Back from trip Sunday", 195, true},
		{"Kinneret Software", "Meeting", "Referred by Noa", "Engine for a team of 18", "Meets on Thursday", 40, true},
		{"Port Authority", "Offer sent", "Website", "Mobility at noon", "Offer for 12 places", 120, true},
		{"Lumen Studio", "Meeting", "Website", "Open gym for 6", "", 60, false},
	}
}

func northsideLeads() []leadSeed {
	return []leadSeed{
		{"Ben Sherman", "New", "Website", "Intro", "", 3, false},
		{"Alicia Cruz", "New", "Walk-in", "Weightlifting", "", 30, false},
		{"Tom Becker", "New", "Instagram form", "Intro", "", 80, false},
		{"Nora Blake", "Contacted", "Website", "Powerlifting", "Asked for a price list", 20, true},
		{"Victor Hale", "Contacted", "Referred by Joel", "Weightlifting", "Trains elsewhere until May", 70, true},
		{"Simone Reed", "Trial booked", "Walk-in", "Intro", "Sent the address", 15, true},
		{"Ty Coleman", "Trial booked", "Website", "Conditioning", "Shift worker", 44, true},
		{"Erin Gallo", "Trial done", "Instagram form", "Intro", "Wants mornings", 110, true},
		{"Ray Dunn", "Trial done", "Website", "Powerlifting", "Joined", 130, true},
		{"Hudson Fire Dept", "Meeting", "Referred by Marcus", "Conditioning for 20", "Budget in two weeks", 90, true},
	}
}
