package gym

import (
	"context"
	"time"
)

type exerciseSeed struct{ name, category, unit, cue string }

func exerciseSeeds() []exerciseSeed {
	return []exerciseSeed{
		{"Back squat", "lift", "kg", "Knees follow the toes; stand up through the whole foot."},
		{"Front squat", "lift", "kg", "Elbows high, chest proud."},
		{"Deadlift", "lift", "kg", "Bar over the middle of the foot; push the floor away."},
		{"Bench press", "lift", "kg", "Shoulder blades together, feet on the ground."},
		{"Strict press", "lift", "kg", "Squeeze everything below the bar."},
		{"Power clean", "lift", "kg", "Jump, then pull yourself under."},
		{"Snatch", "lift", "kg", "Stay over the bar as long as you can."},
		{"Kettlebell swing", "lift", "reps", "Hinge, do not squat."},
		{"Pull-up", "gymnastics", "reps", "Hang, then pull the elbows down."},
		{"Push-up", "gymnastics", "reps", "One straight line from head to heel."},
		{"Toes to bar", "gymnastics", "reps", "Press down on the bar first."},
		{"Box jump", "gymnastics", "reps", "Land softly, step down."},
		{"Wall ball", "gymnastics", "reps", "Catch high, ride it down."},
		{"Row", "cardio", "metres", "Legs, hips, arms; and back the other way."},
		{"Bike", "cardio", "metres", "Smooth circles."},
		{"Ski", "cardio", "metres", "Fall into it, then finish with the arms."},
		{"Run", "cardio", "metres", "Short steps, quick feet."},
		{"Rope skipping", "cardio", "reps", "Wrists turn, arms rest."},
		{"Couch stretch", "mobility", "seconds", "Squeeze the back glute."},
		{"Pigeon", "mobility", "seconds", "Breathe out, sink."},
		{"Thread the needle", "mobility", "seconds", "Reach long before you rest."},
		{"Ankle rocks", "mobility", "reps", "Heel stays down."},
	}
}

type workoutSeed struct {
	title, kind, level, text string
	minutes                  int
	parts                    []partSeed
}

type partSeed struct {
	exercise int
	sets     int
	reps     string
	load     string
}

func workoutSeeds() []workoutSeed {
	return []workoutSeed{
		{"Five by five", "strength", "all", "Five sets of five. Add weight when all five move well.", 50, []partSeed{{0, 5, "5", "75 %"}, {4, 5, "5", "70 %"}}},
		{"Heavy single", "strength", "advanced", "Build to one heavy lift, then two lighter sets.", 60, []partSeed{{2, 6, "1", "90 %"}, {8, 3, "8", ""}}},
		{"Press and pull", "strength", "intermediate", "Alternate sets; rest 90 seconds.", 50, []partSeed{{3, 4, "8", "65 %"}, {8, 4, "6", ""}, {9, 3, "12", ""}}},
		{"Clean ladder", "strength", "advanced", "One clean each minute; add 5 kg every third.", 45, []partSeed{{5, 12, "1", "60–85 %"}}},
		{"Front rack day", "strength", "intermediate", "Front squats for legs that stay upright.", 50, []partSeed{{1, 5, "3", "80 %"}, {10, 3, "8", ""}}},
		{"Snatch in pieces", "strength", "advanced", "Pause below the knee, then go.", 60, []partSeed{{6, 8, "2", "65 %"}}},
		{"Harbour 2k", "conditioning", "all", "Row 2,000 metres for time.", 20, []partSeed{{13, 1, "2000 m", ""}}},
		{"Ten rounds", "conditioning", "intermediate", "Ten rounds for time: 10 swings, 10 push-ups, 200 m run.", 30, []partSeed{{7, 10, "10", "24 kg"}, {9, 10, "10", ""}, {16, 10, "200 m", ""}}},
		{"Engine builder", "conditioning", "all", "Forty minutes at a pace at which you can speak.", 45, []partSeed{{13, 4, "1000 m", ""}, {14, 4, "2000 m", ""}, {15, 4, "800 m", ""}}},
		{"Stairs", "conditioning", "beginner", "Box steps and wall balls, 21-15-9.", 25, []partSeed{{11, 3, "21-15-9", "50 cm"}, {12, 3, "21-15-9", "6 kg"}}},
		{"Rope and row", "conditioning", "all", "Six rounds for time: 50 skips, 250 m row.", 25, []partSeed{{17, 6, "50", ""}, {13, 6, "250 m", ""}}},
		{"Sprint bikes", "conditioning", "advanced", "Twelve times 20 seconds hard, 100 easy.", 30, []partSeed{{14, 12, "20 s", ""}}},
		{"First squat", "skill", "beginner", "From a box, to a goblet, to a bar.", 40, []partSeed{{0, 4, "8", "light"}, {21, 2, "10", ""}}},
		{"First hinge", "skill", "beginner", "Learn the hinge with a bell, then lift from blocks.", 40, []partSeed{{7, 4, "10", "12 kg"}, {2, 4, "6", "light"}}},
		{"First press", "skill", "beginner", "Push-ups on a box, then a bar overhead.", 40, []partSeed{{9, 4, "8", ""}, {4, 4, "8", "light"}}},
		{"Hanging", "skill", "beginner", "Scapular pulls and slow lowers.", 35, []partSeed{{8, 5, "3", ""}, {10, 3, "5", ""}}},
		{"Hips and ankles", "mobility", "all", "Two minutes each; breathe through the nose.", 45, []partSeed{{18, 2, "120 s", ""}, {19, 2, "120 s", ""}, {21, 2, "20", ""}}},
		{"Shoulders", "mobility", "all", "Open the upper back, then hang.", 45, []partSeed{{20, 3, "60 s", ""}, {8, 3, "hang 30 s", ""}}},
		{"Slow flow", "mobility", "all", "One long breath each move.", 50, []partSeed{{18, 1, "180 s", ""}, {20, 1, "180 s", ""}}},
	}
}

func (s *seeder) seedTraining(ctx context.Context) {
	seeds := exerciseSeeds()
	for _, e := range seeds {
		s.exercises = append(s.exercises, s.insert(ctx, "exercises", "org_id, name, category, unit, cue", s.org, e.name, e.category, e.unit, e.cue))
	}
	byKind := map[string][]int64{}
	for i, w := range workoutSeeds() {
		author := s.staff[2+i%(len(s.staff)-2)]
		id := s.insert(ctx, "workouts", "org_id, title, kind, minutes, level, description, author_id, updated_at", s.org, w.title, w.kind, w.minutes, w.level, w.text, author, s.ago(30*i+5))
		s.workouts = append(s.workouts, id)
		byKind[w.kind] = append(byKind[w.kind], id)
		for n, p := range w.parts {
			s.insert(ctx, "workout_parts", "workout_id, position, exercise_id, sets, reps, load", id, n+1, s.exercises[p.exercise], p.sets, p.reps, orNull(p.load))
		}
		s.seedResults(ctx, i, id, w.kind)
	}
	s.classWorkouts = map[string][]int64{
		"Engine": byKind["conditioning"], "Conditioning": byKind["conditioning"], "Barbell": byKind["strength"], "Powerlifting": byKind["strength"],
		"Weightlifting": byKind["strength"], "Foundations": byKind["skill"], "Intro": byKind["skill"], "Mobility": byKind["mobility"],
	}
	s.seedPrograms(ctx)
}

func (s *seeder) seedResults(ctx context.Context, i int, workout int64, kind string) {
	count := map[string]int{"strength": 9, "conditioning": 11}[kind]
	for n := range count {
		score, unit := float64(60+5*s.rand.IntN(19)), "kg"
		if kind == "conditioning" {
			score, unit = float64(430+s.rand.IntN(500)), "seconds"
		}
		s.insert(ctx, "results", "org_id, person_id, workout_id, score, unit, as_written, note, logged_at", s.org, s.members[(7*i+3*n)%len(s.members)], workout,
			score, unit, asNumber(s.rand.IntN(4) > 0), nil, s.now.Add(-time.Duration(1+s.rand.IntN(24*24))*time.Hour).UnixMicro())
	}
}

func (s *seeder) seedPrograms(ctx context.Context) {
	templates := []struct {
		name, goal, level, about string
		weeks, days              int
	}{
		{"First twelve weeks", "From the first class to a safe squat, press and pull", "beginner", "Two days a week beside Foundations.", 12, 2},
		{"Strong in eight", "A heavier squat and deadlift", "intermediate", "Three days; every fourth week is light.", 8, 3},
		{"Row faster", "A better 2,000 metres", "all", "Two rows and one strength day.", 6, 3},
		{"Back to the bar", "After a break or an injury", "all", "Half the weight, all of the range.", 4, 2},
		{"Meet prep", "A peak on one day", "advanced", "Four days; counts back from the meet.", 10, 4},
	}
	for i, t := range templates {
		id := s.insert(ctx, "templates", "org_id, name, goal, weeks, days_per_week, level, about", s.org, t.name, t.goal, t.weeks, t.days, t.level, t.about)
		for n := range t.days {
			s.insert(ctx, "template_days", "template_id, week, day, workout_id", id, 1, 1+2*n%7, s.workouts[(3*i+n)%len(s.workouts)])
		}
	}
	for i, p := range []struct {
		name, goal, status string
		weeks, days        int
	}{
		{"Strong in eight, spring", "A heavier squat and deadlift", "active", 8, 3},
		{"Row faster", "A better 2,000 metres", "active", 6, 3},
		{"Back to the bar", "After a break or an injury", "active", 4, 2},
		{"Summer cut", "Same strength, less weight", "draft", 6, 4},
		{"Winter base", "Long and easy", "archived", 8, 3},
	} {
		id := s.insert(ctx, "programs", "org_id, name, goal, weeks, status, coach_id", s.org, p.name, p.goal, p.weeks, p.status, s.staff[2+i%(len(s.staff)-2)])
		s.programs = append(s.programs, id)
		for week := range p.weeks {
			for n := range p.days {
				s.insert(ctx, "program_days", "program_id, week, day, workout_id", id, week+1, 1+2*n%7, s.workouts[(5*i+week+3*n)%len(s.workouts)])
			}
		}
		if p.status == "active" {
			s.seedAssignments(ctx, i, id, p.weeks, p.weeks*p.days)
		}
	}
}

func (s *seeder) seedAssignments(ctx context.Context, i int, program int64, weeks, days int) {
	for n := range 6 {
		begun := 3 + (i+n)*9%50
		status, done := "active", min(days, max(0, begun*days/(7*weeks)-n%3))
		switch {
		case done == days:
			status = "done"
		case n == 4:
			status = "paused"
		}
		s.insert(ctx, "assignments", "org_id, person_id, program_id, assigned_by, starts_on, due_on, status, days_done", s.org,
			s.members[(11*i+5*n)%len(s.members)], program, s.staff[2+n%(len(s.staff)-2)], s.day(-begun), s.day(7*weeks-begun-1), status, done)
	}
}
