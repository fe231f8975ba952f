package gym

import (
	"context"
	"fmt"
	"strings"
	"time"
)

func (s *seeder) seedPeople(ctx context.Context) {
	const columns = "org_id, name, email, phone, role, title, status, locale, joined_on, birthday, note"
	s.staffNames, s.memberNames = map[int64]string{}, map[int64]string{}
	s.packs, s.away = map[int64]bool{}, map[int64]bool{}
	for i, who := range s.plan.staff {
		id := s.insert(ctx, "people", columns, s.org, who[0], s.email(who[0]), s.phone(), who[1], who[2], "active", who[3], s.day(-900+60*i), nil, nil)
		s.staff = append(s.staff, id)
		s.staffNames[id] = who[0]
	}
	plans := map[string]int{}
	for i, p := range s.plan.plans {
		s.plans = append(s.plans, s.insert(ctx, "plans", "org_id, name, kind, price, visits, per_week", s.org, p.name, p.kind, p.price, orNull(p.visits), orNull(p.weekly)))
		plans[p.name] = i
	}
	used := map[string]bool{}
	for i := range s.plan.members {
		m := memberSeed{status: "active"}
		if i < len(s.plan.named) {
			m = s.plan.named[i]
		} else {
			for m.name = ""; m.name == "" || used[m.name]; {
				m.name = pick(s, s.plan.first) + " " + pick(s, s.plan.last)
			}
			m.plan = s.plan.plans[[]int{0, 0, 0, 1, 1, 2}[s.rand.IntN(6)]].name
			switch s.rand.IntN(24) {
			case 0:
				m.status = "payment_due"
			case 1:
				m.status = "ending"
			case 2:
				m.status = "lapsed"
			case 3:
				m.status = "paused"
			}
		}
		used[m.name] = true
		if m.locale == "" {
			m.locale = "en"
		}
		joined := -20 - s.rand.IntN(900)
		if i%15 == 14 {
			joined = -s.rand.IntN(18)
		}
		birthday := time.Date(1968+s.rand.IntN(38), time.Month(1+s.rand.IntN(12)), 1+s.rand.IntN(28), 0, 0, 0, 0, time.UTC)
		if i%23 == 5 { // some birthdays lie ahead, whatever day it is
			birthday = time.Date(1975+i%20, s.now.Month(), s.now.Day(), 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%9)
		}
		id := s.insert(ctx, "people", columns, s.org, m.name, s.email(m.name), s.phone(), "member", "", m.status, m.locale, s.day(joined), birthday.Format(time.DateOnly), orNull(m.note))
		s.members = append(s.members, id)
		s.memberNames[id] = m.name
		s.away[id] = m.status == "lapsed" || m.status == "paused" || i%13 == 12
		s.seedMembership(ctx, id, m, plans[m.plan], joined)
	}
}

func (s *seeder) seedMembership(ctx context.Context, member int64, m memberSeed, planIndex, joined int) {
	plan := s.plan.plans[planIndex]
	status, endsOn, pausedUntil, visits := m.status, any(nil), any(nil), any(nil)
	switch m.status {
	case "lapsed":
		status, endsOn = "ended", s.day(-1-s.rand.IntN(40))
		joined = min(joined, -60)
	case "ending":
		endsOn = s.day(3 + s.rand.IntN(20))
	case "paused":
		pausedUntil = s.day(10 + s.rand.IntN(30))
	}
	if plan.visits > 0 {
		left := m.visits
		if left == 0 {
			left = 1 + s.rand.IntN(plan.visits)
		}
		visits = left
		s.packs[member] = true
	}
	id := s.insert(ctx, "memberships", "org_id, person_id, plan_id, status, starts_on, ends_on, paused_until, visits_left, price, auto_renews",
		s.org, member, s.plans[planIndex], status, s.day(joined), endsOn, pausedUntil, visits, plan.price, asNumber(endsOn == nil && plan.visits == 0))
	if status == "ended" {
		return
	}
	for month := range 3 {
		first := time.Date(s.now.Year(), s.now.Month()-time.Month(month), 1, 0, 0, 0, 0, s.zone)
		paid := first.AddDate(0, 0, s.rand.IntN(27))
		unpaid := month == 0 && status == "payment_due"
		if paid.After(s.now) || paid.Before(s.now.AddDate(0, 0, joined)) || unpaid {
			continue
		}
		method := []string{"card", "card", "card", "card", "card", "transfer", "transfer", "cash"}[s.rand.IntN(8)]
		if method == "card" && s.plan.feedState != "ok" && paid.UnixMicro() > s.feedAsOf() {
			continue
		}
		s.insert(ctx, "payments", "org_id, membership_id, amount, method, paid_on", s.org, id, plan.price, method, paid.Format(time.DateOnly))
	}
}

// email makes an address of a name, by its letters; a Hebrew name gets a number.
func (s *seeder) email(name string) string {
	local := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == ' ':
			return '.'
		}
		return -1
	}, strings.ToLower(name))
	if len(local) < 4 {
		local = fmt.Sprintf("member%d", len(s.members)+100)
	}
	return local + "@" + s.plan.mail
}

func (s *seeder) phone() string { return fmt.Sprintf(s.plan.phone, 1000000+s.rand.IntN(8999999)) }

// orNull is a value for a column in which the zero value stands for nothing.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}
