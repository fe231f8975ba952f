package gym

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// weeksBack and weeksAhead are how far the schedule reaches around this week.
const (
	weeksBack  = 3
	weeksAhead = 3
)

func (s *seeder) seedClasses(ctx context.Context) {
	types, coaches := map[string]int{}, map[string]int64{}
	for i, t := range s.plan.types {
		s.types = append(s.types, s.insert(ctx, "class_types", "org_id, name, color, minutes, capacity, about", s.org, t.name, t.color, t.minutes, t.capacity, t.about))
		types[t.name] = i
	}
	for _, id := range s.staff {
		coaches[strings.Fields(s.staffNames[id])[0]] = id
	}
	sunday := s.now.AddDate(0, 0, -int(s.now.Weekday()))
	for n := -7 * weeksBack; n < 7*(weeksAhead+1); n++ {
		day := sunday.AddDate(0, 0, n)
		for entry := range strings.SplitSeq(s.plan.week[day.Weekday()], ", ") {
			words := strings.Fields(entry)
			at, err := time.Parse("15:04", words[0])
			if err != nil {
				s.err = fmt.Errorf("class %q: %w", entry, err)
				return
			}
			name := strings.Join(words[1:len(words)-1], " ")
			i := types[name]
			starts := time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, s.zone)
			s.seedSession(ctx, starts, s.types[i], s.plan.types[i], coaches[words[len(words)-1]])
		}
	}
	s.seedProgramming(ctx)
}

func (s *seeder) seedSession(ctx context.Context, starts time.Time, typeID int64, t typeSeed, coach int64) {
	ends := starts.Add(time.Duration(t.minutes) * time.Minute)
	status, note, link := "scheduled", any(nil), any(nil)
	today := s.now.Format(time.DateOnly) == starts.Format(time.DateOnly)
	tomorrow := s.day(1) == starts.Format(time.DateOnly)
	after := s.day(2) == starts.Format(time.DateOnly)
	six := starts.Hour() == 18 && starts.Minute() == 0
	switch {
	case t.name == "Mobility":
		link = fmt.Sprintf("https://live.%s/room/%08x", s.plan.mail, s.rand.Uint32())
	case len(s.sessions)%41 == 40 && !today && !tomorrow && !after:
		status, note = "cancelled", "Coach is ill"
	case len(s.sessions)%17 == 3:
		note = "Bring a rope"
	}
	room := "Main floor"
	if t.color == "olive" || t.color == "plum" {
		room = "Studio"
	}
	id := s.insert(ctx, "sessions", "org_id, class_type_id, coach_id, starts_at, ends_at, capacity, room, status, note, live_link",
		s.org, typeID, coach, starts.UnixMicro(), ends.UnixMicro(), t.capacity, room, status, note, link)
	s.sessions = append(s.sessions, id)
	if status == "cancelled" {
		return
	}
	wanted := s.demand(starts, t.capacity)
	switch {
	case tomorrow && six:
		wanted = t.capacity - 2
	case (today || after) && six:
		// Full today; and in two days, so that somebody waits for a place also late in the evening.
		wanted = t.capacity + 2
	}
	if starts.After(s.now.Add(24*time.Hour)) && wanted < t.capacity && len(s.trialSession) < 8 && len(s.sessions)%3 == 0 {
		s.trialSession = append(s.trialSession, id)
	}
	s.seedBookings(ctx, id, starts, t.capacity, wanted)
}

// demand is how many want a place: evenings fill first, and far days are empty yet.
func (s *seeder) demand(starts time.Time, capacity int) int {
	fill := 0.45 + 0.3*s.rand.Float64()
	if starts.Hour() >= 17 && starts.Hour() < 20 {
		fill += 0.3
	}
	switch ahead := starts.Sub(s.now); {
	case ahead > 14*24*time.Hour:
		fill *= 0.25
	case ahead > 7*24*time.Hour:
		fill *= 0.45
	case ahead > 3*24*time.Hour:
		fill *= 0.75
	}
	return min(capacity+3, int(fill*float64(capacity)))
}

func (s *seeder) seedBookings(ctx context.Context, session int64, starts time.Time, capacity, wanted int) {
	over := starts.Before(s.now)
	recent := starts.After(s.now.AddDate(0, 0, -15))
	placed := 0
	first := s.rand.IntN(len(s.members))
	step := []int{7, 11, 13, 17, 19, 23}[s.rand.IntN(6)] // coprime to both member counts, so nobody comes twice
	for n := 0; placed < wanted && n < len(s.members); n++ {
		member := s.members[(first+n*step)%len(s.members)]
		if s.away[member] && recent {
			continue
		}
		status := "booked"
		chance := s.rand.IntN(100)
		switch {
		case chance < 6:
			status = "cancelled"
		case over && chance < 13:
			status = "no_show"
		case over:
			status = "attended"
		case placed >= capacity:
			status = "waiting"
		}
		if over && placed >= capacity && status != "cancelled" {
			break
		}
		booked := starts.Add(-time.Duration(30+s.rand.IntN(90)) * time.Hour)
		if booked.After(s.now) {
			booked = s.now.Add(-time.Duration(5*(wanted-placed)+1) * time.Minute)
		}
		if status != "cancelled" {
			placed++
		}
		s.insert(ctx, "bookings", "org_id, session_id, person_id, status, booked_at, source, check_in_code", s.org, session, member, status,
			booked.UnixMicro(), []string{"app", "app", "app", "desk", "website"}[s.rand.IntN(5)], fmt.Sprintf("%08X", s.rand.Uint32()))
	}
}

// seedProgramming plans two weeks back and ten days ahead; the last are drafts.
func (s *seeder) seedProgramming(ctx context.Context) {
	for n := -14; n <= 10; n++ {
		for i, t := range s.plan.types {
			library := s.classWorkouts[t.name]
			if len(library) == 0 {
				continue
			}
			status := "published"
			if n > 4 {
				status = "draft"
			}
			s.insert(ctx, "programming", "org_id, day, class_type_id, workout_id, status, note", s.org, s.day(n), s.types[i],
				library[(n+14+i)%len(library)], status, nil)
		}
	}
}
