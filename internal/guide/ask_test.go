package guide_test

import (
	"strings"
	"testing"
)

// want is what a question must lead to: a call, or the start of a text with no call of the host's own reads.
type want struct{ question, want string }

func check(t *testing.T, h *host, locale string, table []want) {
	t.Helper()
	for _, c := range table {
		t.Run(c.question, func(t *testing.T) {
			t.Parallel()
			r := h.ask(t, locale, c.question)
			got := r.last()
			if rest, isText := strings.CutPrefix(c.want, "text: "); isText {
				got = r.Text
				if !strings.HasPrefix(got, rest) || strings.Contains(r.last(), "bookings") {
					t.Fatalf("got %q after %q\nwant text %q", got, r.last(), rest)
				}
				return
			}
			if got != c.want {
				t.Fatalf("got  %q\nwant %q\ntext %q notes %q", got, c.want, r.Text, r.Notes)
			}
		})
	}
}

func TestEnglish(t *testing.T) {
	t.Parallel()
	const (
		six    = `bookings.list {"date":"2026-03-18","time":"18:00"}`
		cannot = "text: I can’t answer that without a model."
		writes = "text: The guide changes nothing"
	)
	check(t, studio(t), "en", []want{
		{"who is booked at 6pm tomorrow?", six},
		{"Who is booked tomorrow at 18:00?", six},
		{"who's booked tomorrow at 6 pm", six},
		{"whos booked tomorow at 6 p.m.", six},
		{"Tomorrow at six in the evening, who is booked?", six},
		{"who is booked on Wednesday at 18:00", six},
		{"who is booked on Wed 18 March at 18.00", six},
		{"who is booked on March 18th at 6 pm", six},
		{"who is booked 18/3 at 18:00", six},
		{"who is booked 2026-03-18 at 18:00", six},
		{"who is boked tomorrow at 18:00", six},
		{"WHO IS BOOKED TOMORROW AT 18:00!!!", six},
		{"please tell me who is booked tomorrow at 6:00 pm, thanks", six},
		{"who is booked at 6 tomorrow evening", six},
		{"who is booked tomorrow at half past six in the morning", `bookings.list {"date":"2026-03-18","time":"06:30"}`},
		{"who is booked tomorrow at 6:30", `bookings.list {"date":"2026-03-18","time":"18:30"}`},
		{"who is booked tomorrow at 06:30", `bookings.list {"date":"2026-03-18","time":"06:30"}`},
		{"who is booked tomorrow at noon", `bookings.list {"date":"2026-03-18","time":"12:00"}`},
		{"who is booked tomorrow at quarter to seven pm", `bookings.list {"date":"2026-03-18","time":"18:45"}`},
		{"who is booked tomorrow", `bookings.list {"date":"2026-03-18"}`},
		{"how many are booked today", `bookings.list {"date":"2026-03-17"}`},
		{"who was booked yesterday", `bookings.list {"date":"2026-03-16"}`},
		{"who is booked the day after tomorrow", `bookings.list {"date":"2026-03-19"}`},
		{"who is booked next Thursday at 10", `bookings.list {"date":"2026-03-26","time":"10:00"}`},
		{"who was booked last Friday", `bookings.list {"date":"2026-03-13"}`},
		{"who is booked in 3 days", `bookings.list {"date":"2026-03-20"}`},
		{"who was booked two days ago", `bookings.list {"date":"2026-03-15"}`},
		{"who is booked on the 20th", `bookings.list {"date":"2026-03-20"}`},
		{"who is booked tomorrow after 18:00", `bookings.list {"date":"2026-03-18"}`},
		{"bookings this week", `bookings.list {"from":"2026-03-15","to":"2026-03-21"}`},
		{"bookings next week", `bookings.list {"from":"2026-03-22","to":"2026-03-28"}`},
		{"bookings for last month", `bookings.list {"from":"2026-02-01","to":"2026-02-28"}`},
		{"bookings from 1 to 8 March", `bookings.list {"from":"2026-03-01","to":"2026-03-08"}`},
		{"bookings from Monday to Thursday", `bookings.list {"from":"2026-03-23","to":"2026-03-26"}`},
		{"bookings in the last 7 days", `bookings.list {"from":"2026-03-11","to":"2026-03-17"}`},
		{"bookings since 1 March", `bookings.list {"from":"2026-03-01","to":"2026-03-17"}`},
		{"bookings of Noa Bar", `bookings.list {"member_id":9}`},
		{"show me Noa's bookings", `bookings.list {"member_id":9}`},
		{"bookings of “Noa Bar” this week", `bookings.list {"from":"2026-03-15","member_id":9,"to":"2026-03-21"}`},
		{"cancelled bookings of Noa Bar", `bookings.list {"member_id":9,"status":"cancelled"}`},
		{"missed bookings tomorrow", `bookings.list {"date":"2026-03-18","status":"no_show"}`},
		{"bookings of “May Sunday”", `bookings.list {"member_id":14}`},
		{"which classes are on tomorrow", `class_sessions.list {"date":"2026-03-18"}`},
		{"what's on the schedule on Friday?", `class_sessions.list {"date":"2026-03-20"}`},
		{"classes this weekend", `class_sessions.list {"from":"2026-03-20","to":"2026-03-21"}`},
		{"profile of Noa Bar", `members.get {"id":9}`},
		{"details of member Bar Refaeli", `members.get {"id":15}`},
		{"who has been absent for 14 days", `members.absent {"days":14}`},
		{"who has been absent for twelve days", `members.absent {"days":12}`},
		{"absent members", `members.absent {}`},
		{"list of leads", `leads.list {}`},
		{"show leads", `leads.list {}`},
		{"won leads", `leads.list {"status":"won"}`},
		{"top 5 leads", `leads.list {"limit":5}`},
		{"revenue in February", `analytics.revenue {"month":"2026-02"}`},
		{"revenue last month", `analytics.revenue {"month":"2026-02"}`},
		{"how much did we earn in march 2025?", `analytics.revenue {"month":"2025-03"}`},
		{"attendance last week", `analytics.attendance {"from":"2026-03-08","to":"2026-03-14"}`},
		{"overdue tasks", `tasks.list {"due":"overdue"}`},
		{"open tasks", `tasks.list {}`},
		{"revenue", "text: To look that up I need a month."},
		{"attendance report", "text: To look that up I need the days"},
		{"profile", "text: To look that up I need a name (member)."},
		{"top 500 leads", `leads.list {}`},
		{"bookings of Dana", "text: Which one (member)?"},
		{"bookings of Zelda", "text: No one and nothing was found under the name “Zelda” (member)."},
		{"why is Noa not booked tomorrow", cannot},
		{"who is not booked tomorrow", cannot},
		{"write a poem about rowing", cannot},
		{"what is the meaning of life", cannot},
		{"weather in Paris", cannot},
		{"cancel Dana's booking", writes},
		{"please book Noa into yoga tomorrow at 18:00", writes},
		{"can you move Noa to Thursday?", writes},
		{"I want to delete the lead", writes},
		{"open the schedule page", "text: I found this page."},
		{"where are the settings?", "text: I found this page."},
		{"timetable", "text: I found this page."},
		{"hello", "text: Hello. I am the guide"},
		{"good morning!", "text: Hello. I am the guide"},
		{"thanks a lot", "text: You are welcome."},
		{"help", "text: I find pages and read records."},
		{"what can you do?", "text: I find pages and read records."},
		{"are you an AI?", "text: I am the guide of Harbour Row, not an AI model."},
		{"???", "text: I find pages and read records."},
	})
}

func TestHebrew(t *testing.T) {
	t.Parallel()
	const (
		six    = `bookings.list {"date":"2026-03-18","time":"18:00"}`
		cannot = "text: אי אפשר לענות על זה בלי מודל."
		writes = "text: המדריך לא משנה דבר"
	)
	check(t, studio(t), "he", []want{
		{"מי רשום מחר בשעה 18:00?", six},
		{"מי רשום מחר בשש בערב", six},
		{"מי רשום מחר ב-18:00", six},
		{"מי רשום מחר ב18", six},
		{"מִי רָשׁוּם מָחָר בְּשָׁעָה 18:00", six},
		{"ומי רשום למחר בשעה שש בערב?", six},
		{"מי רשומים ביום רביעי ב-18:00", six},
		{"מי רשום ב-18 במרץ בשעה 18:00", six},
		{"מי רשום ב-18/3 בשעה 18:00", six},
		{"מי רשום ביום ד׳ בשש בערב", six},
		{"מי רשום מחר בשש וחצי בערב", `bookings.list {"date":"2026-03-18","time":"18:30"}`},
		{"מי רשום היום", `bookings.list {"date":"2026-03-17"}`},
		{"מי רשום מחרתיים", `bookings.list {"date":"2026-03-19"}`},
		{"מי היה רשום אתמול", `bookings.list {"date":"2026-03-16"}`},
		{"מי רשום ביום חמישי הבא", `bookings.list {"date":"2026-03-26"}`},
		{"מי רשום בחמישי", `bookings.list {"date":"2026-03-19"}`},
		{"מי רשום בשבת", `bookings.list {"date":"2026-03-21"}`},
		{"מי רשום בעוד שלושה ימים", `bookings.list {"date":"2026-03-20"}`},
		{"מי היה רשום לפני יומיים", `bookings.list {"date":"2026-03-15"}`},
		{"ההזמנות של יעל כהן", `bookings.list {"member_id":12}`},
		{"הזמנות של יעל", `bookings.list {"member_id":12}`},
		{"הזמנות ליעל כהן השבוע", `bookings.list {"from":"2026-03-15","member_id":12,"to":"2026-03-21"}`},
		{"אילו שיעורים יש מחר", `class_sessions.list {"date":"2026-03-18"}`},
		{"אילו אימונים יש ביום שישי", `class_sessions.list {"date":"2026-03-20"}`},
		{"שיעורים בשבוע הבא", `class_sessions.list {"from":"2026-03-22","to":"2026-03-28"}`},
		{"הפרופיל של יעל כהן", `members.get {"id":12}`},
		{"מי נעדר 14 ימים", `members.absent {"days":14}`},
		{"לידים", `leads.list {}`},
		{"תראה לי את הלידים", `leads.list {}`},
		{"הכנסות בחודש שעבר", `analytics.revenue {"month":"2026-02"}`},
		{"כמה הרווחנו בפברואר", `analytics.revenue {"month":"2026-02"}`},
		{"נוכחות בשבוע שעבר", `analytics.attendance {"from":"2026-03-08","to":"2026-03-14"}`},
		{"משימות פתוחות", `tasks.list {}`},
		{"הכנסות", "text: כדי לבדוק חסר: חודש."},
		{"ההזמנות של זלדה", "text: לא נמצא דבר בשם"},
		{"בטל את ההזמנה של דנה", writes},
		{"לבטל את ההזמנה של דנה", writes},
		{"תרשום את נועה למחר", writes},
		{"למה נועה לא רשומה מחר", cannot},
		{"מה משמעות החיים", cannot},
		{"שלום", "text: שלום. כאן המדריך"},
		{"תודה רבה!", "text: בשמחה."},
		{"עזרה", "text: המדריך מוצא עמודים"},
		{"איפה ההגדרות", cannot},
		{"מה במערכת מחר", `class_sessions.list {"date":"2026-03-18"}`},
		{"who is booked tomorrow at 18:00", six},
	})
}

func TestRussian(t *testing.T) {
	t.Parallel()
	const (
		six    = `bookings.list {"date":"2026-03-18","time":"18:00"}`
		cannot = "text: Без модели на это не ответить."
		writes = "text: Справочник ничего не меняет"
	)
	check(t, studio(t), "ru", []want{
		{"Кто записан завтра на 18:00?", six},
		{"кто записан завтра в шесть вечера", six},
		{"кто записан завтра в 6 вечера", six},
		{"кто завтра записан на 18 часов", six},
		{"кто записан в среду в 18:00", six},
		{"кто записан 18 марта в 18:00", six},
		{"кто записан 18.03 в 18:00", six},
		{"на 18:00 завтра кто записан", six},
		{"кто записан завтра в половину седьмого вечера", `bookings.list {"date":"2026-03-18","time":"18:30"}`},
		{"кто записан завтра в семь утра", `bookings.list {"date":"2026-03-18","time":"07:00"}`},
		{"кто записан завтра в полдень", `bookings.list {"date":"2026-03-18","time":"12:00"}`},
		{"кто записан сегодня", `bookings.list {"date":"2026-03-17"}`},
		{"кто был записан вчера", `bookings.list {"date":"2026-03-16"}`},
		{"кто записан послезавтра", `bookings.list {"date":"2026-03-19"}`},
		{"кто записан в следующий четверг", `bookings.list {"date":"2026-03-26"}`},
		{"кто был записан в прошлую пятницу", `bookings.list {"date":"2026-03-13"}`},
		{"кто записан через 3 дня", `bookings.list {"date":"2026-03-20"}`},
		{"кто был записан два дня назад", `bookings.list {"date":"2026-03-15"}`},
		{"записи клиента Анна Петрова", `bookings.list {"member_id":13}`},
		{"записи Анны Петровой", `bookings.list {"member_id":13}`},
		{"записи клиента Анны на этой неделе", `bookings.list {"from":"2026-03-15","member_id":13,"to":"2026-03-21"}`},
		{"какие занятия завтра", `class_sessions.list {"date":"2026-03-18"}`},
		{"какие тренировки в пятницу", `class_sessions.list {"date":"2026-03-20"}`},
		{"расписание на четверг", `class_sessions.list {"date":"2026-03-19"}`},
		{"занятия на следующей неделе", `class_sessions.list {"from":"2026-03-22","to":"2026-03-28"}`},
		{"профиль Анны Петровой", `members.get {"id":13}`},
		{"кто не приходил 14 дней", `members.absent {"days":14}`},
		{"список лидов", `leads.list {}`},
		{"покажи лиды", `leads.list {}`},
		{"выручка за прошлый месяц", `analytics.revenue {"month":"2026-02"}`},
		{"сколько мы заработали в феврале?", `analytics.revenue {"month":"2026-02"}`},
		{"посещаемость за последние 7 дней", `analytics.attendance {"from":"2026-03-11","to":"2026-03-17"}`},
		{"открытые задачи", `tasks.list {}`},
		{"выручка", "text: Чтобы посмотреть, нужно указать: месяц."},
		{"отмени запись Анны", writes},
		{"пожалуйста, запишите Анну на завтра", writes},
		{"почему Анна не записана завтра", cannot},
		{"в чём смысл жизни", cannot},
		{"привет", "text: Здравствуйте. Это справочник"},
		{"спасибо", "text: Пожалуйста."},
		{"что ты умеешь?", "text: Справочник находит страницы"},
		{"ты бот?", "text: Это справочник Harbour Row"},
		{"настройки", "text: Найдена эта страница."},
	})
}
