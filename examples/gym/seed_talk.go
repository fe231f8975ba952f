package gym

import (
	"context"
	"strings"
)

// seedTalk fills the inbox. Lines are in turns: those that begin with ">" were
// sent by the gym.
func (s *seeder) seedTalk(ctx context.Context) {
	for _, t := range [][3]string{
		{"See you soon", "text", "Hi {name}, see you at {time} for {class}. Can't come? Cancel in the app up to 2 hours before."},
		{"Thanks for writing", "text", "Hi {name}, thanks for writing. When would you like to try a class?"},
		{"We saved your place", "whatsapp", "Hi {name}, we have not seen you for a while. Shall we book you in this week?"},
		{"Your payment", "email", "Hi {name}, this month's payment did not go through. You can settle it at the desk or in the app."},
	} {
		s.insert(ctx, "message_templates", "org_id, name, channel, body", s.org, t[0], t[1], t[2])
	}
	for i, t := range s.plan.threads {
		member, lead := any(nil), any(nil)
		for id, name := range s.memberNames {
			if name == t.who {
				member = id
			}
		}
		for id, name := range s.leadNames {
			if name == t.who && member == nil {
				lead = id
			}
		}
		status := "open"
		if !t.unread && i%3 == 2 {
			status = "closed"
		}
		thread := s.insert(ctx, "threads", "org_id, person_id, lead_id, channel, subject, unread, status, assignee_id", s.org, member, lead, t.channel, orNull(t.subject),
			asNumber(t.unread), status, s.staff[i%len(s.staff)])
		for n, line := range t.lines {
			direction, author, state := "in", t.who, "received"
			text, sent := strings.CutPrefix(line, ">")
			if sent {
				direction, author, state = "out", s.plan.staff[i%len(s.plan.staff)][0], "delivered"
				if t.channel == "text" && n == 0 && i%4 == 3 {
					state = "failed"
				}
			}
			at := s.ago(t.hours) - int64(len(t.lines)-1-n)*17*60*1e6
			s.insert(ctx, "messages", "org_id, thread_id, at, direction, author, body, status", s.org, thread, at, direction, author, strings.TrimSpace(text), state)
		}
	}
}

func harbourThreads() []threadSeed {
	return []threadSeed{
		{"Maya Stern", "whatsapp", "", true, 3, []string{"> Hi Maya, this is Noa from Harbour Row. You asked about classes?", "Yes! Do you have anything in the evening? I work until five."}},
		{"Dana Levy", "text", "", true, 6, []string{"Hi, can I move my Thursday class to Friday morning?", "My kid has a school play on Thursday"}},
		{"נועם ביטון", "whatsapp", "", true, 9, []string{"היי, אפשר לדעת אם יש מקום במחר בשש בערב?", "ואם לא, תרשמו אותי להמתנה בבקשה"}},
		{"Guy Shalev", "email", "Your payment", false, 28, []string{"> Hi Guy, this month's payment did not go through.", "Sorry, new card. I will come by the desk on Sunday.", "> Thanks, see you then."}},
		{"Hila Tzur", "text", "", false, 40, []string{"Is the mobility class broadcast tonight?", "> It is; the link is in the app from 19:00.", "Great, thanks"}},
		{"Fania Gur", "whatsapp", "", false, 52, []string{"Добрый день! Можно продлить абонемент ещё на месяц?", "> Да, конечно. Подойдите на стойку или ответьте здесь."}},
		{"Omer Adler", "text", "", false, 60, []string{"> Hi Omer, shall we book you into Barbell on Wednesday?", "Let me check and reply tomorrow"}},
		{"Itay Ron", "email", "One visit left", false, 75, []string{"How much is another ten-pack?", "> 650, and it has no end date."}},
		{"Michal Dor", "text", "", false, 130, []string{"Left my blue bottle in the studio, did anyone find it?", "> It is at the desk."}},
		{"Eitan Mor", "whatsapp", "", false, 170, []string{"Thanks for the help with the deadlift today", "> Any time. Same weight on Thursday, slower."}},
	}
}

func northsideThreads() []threadSeed {
	return []threadSeed{
		{"Grace Okafor", "email", "Card update", true, 4, []string{"> Hi Grace, your card was declined this month.", "I got a new one. Can I update it over the phone?"}},
		{"Ben Sherman", "text", "", true, 11, []string{"Hey, is the Intro class fine for someone who never lifted?"}},
		{"Dana Lewis", "text", "", false, 30, []string{"Running late for 6 pm, keep my platform?", "> Ten minutes, then it goes to the list."}},
		{"Andre Bishop", "email", "Meet in May", false, 70, []string{"Could we talk about openers?", "> Friday after class."}},
	}
}
