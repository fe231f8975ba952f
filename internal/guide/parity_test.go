package guide_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/tool"
)

// echo is a host that finds one thing, of the name that was searched for.
func echo(_ string, in map[string]any) tool.Result {
	name, _ := in["q"].(string)
	b, err := json.Marshal(map[string]any{"items": []any{map[string]any{"id": 7, "name": name, "title": name}}, "total": 1})
	if err != nil {
		return tool.Result{Status: tool.StatusUnreadable}
	}
	return ok(string(b), rows(1))
}

// nothing is a host that finds nothing and no one.
func nothing(string, map[string]any) tool.Result { return ok(`{"items":[],"total":0}`, rows(0)) }

func TestTheGymIsAskedAlikeInEachLanguage(t *testing.T) {
	t.Parallel()
	h, _ := gym(t)
	h.answer = echo
	for _, c := range []struct {
		want       string
		en, he, ru string
	}{
		{`tasks.list {"due":"today"}`, "tasks due today", "אילו משימות יש להיום?", "какие задачи на сегодня?"},
		{`inbox.list {"unread":true}`, "any unread messages?", "יש הודעות שלא נקראו?", "есть непрочитанные сообщения?"},
		{`analytics.revenue {"month":"2026-03"}`, "revenue this month", "מה ההכנסות החודש?", "какая выручка за этот месяц?"},
		{`bookings.list {"date":"2026-03-18","time":"18:00"}`, "who is booked tomorrow at 18:00?", "מי רשום מחר בשעה 18:00?", "кто записан завтра на 18:00?"},
		{`class_sessions.list {"date":"2026-03-18","open_only":true}`, "are there free places tomorrow?", "יש מקומות פנויים מחר?", "есть свободные места на завтра?"},
		{`leads.waiting {}`, "which leads are waiting?", "אילו לידים ממתינים?", "какие лиды ждут?"},
		{`memberships.expiring {}`, "which memberships are ending soon?", "אילו מנויים מסתיימים בקרוב?", "какие абонементы скоро кончаются?"},
		{`read.birthdays {}`, "birthdays this week", "למי יש יום הולדת השבוע?", "у кого день рождения на этой неделе?"},
		{`read.absent_members {}`, "who stayed away?", "מי לא הגיע לאחרונה?", "кто давно не был?"},
		{`/help`, "what are the opening hours?", "מה שעות הפתיחה?", "какие часы работы?"},
		{`class_sessions.list {"class_type_id":7}`, "when is the next Barbell class?", "מתי השיעור הבא של Barbell?", "когда следующее занятие Barbell?"},
		// What a new member asked and was not answered.
		{`read.find_members {"status":"paused"}`, "who is on freeze?", "מי בהקפאה?", "кто на заморозке?"},
		{`memberships.list {"member_id":7}`, "when does Dana Levi's membership end?", "מתי נגמר המנוי של Dana Levi?", "когда кончается абонемент Dana Levi?"},
		{`/settings`, "where do I change the opening hours?", "איפה משנים את שעות הפתיחה?", "где изменить часы работы?"},
		{`read.find_members {}`, "how many members do we have?", "כמה מתאמנים יש לנו?", "сколько у нас клиентов?"},
		{`bookings.list {"date":"2026-03-18"}`, "who is coming tomorrow?", "מי מגיע מחר?", "кто придёт завтра?"},
		{`tasks.list {"due":"week"}`, "tasks due this week", "משימות השבוע", "задачи на этой неделе"},
		{`read.member {"id":7}`, "who is Dana Levi?", "מי זאת Dana Levi?", "кто такая Dana Levi?"},
		{`tasks.list {"status":"open"}`, "open tasks", "משימות פתוחות", "открытые задачи"},
	} {
		for lang, question := range map[string]string{"en": c.en, "he": c.he, "ru": c.ru} {
			t.Run(question, func(t *testing.T) {
				t.Parallel()
				alone(t, h, lang, question, c.want)
				alone(t, h, lang, question, c.want, "кто такая Dana Levi")
			})
		}
	}
}

// alone asks a question that means the same whatever was asked before it: a call, or a page.
func alone(t *testing.T, h *host, lang, question, want string, earlier ...string) {
	t.Helper()
	r := h.ask(t, lang, question, earlier...)
	if strings.HasPrefix(want, "/") {
		if len(r.calls) != 0 || !slices.ContainsFunc(r.Links, func(l conversation.Link) bool { return l.Path == want }) {
			t.Errorf("%s after %q: got %q with links %v after %q, want the page %s", lang, earlier, r.Text, r.Links, r.last(), want)
		}
		return
	}
	if r.last() != want {
		t.Errorf("%s after %q: got %q, want %q (%q, notes %q)", lang, earlier, r.last(), want, r.Text, r.Notes)
	}
	leftOut, _, _ := strings.Cut(words.For(lang).Text("guide.left_out", words.Args{"said": "|"}), "|")
	if i := slices.IndexFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, leftOut) }); i >= 0 {
		t.Errorf("%s after %q: %s", lang, earlier, r.Notes[i])
	}
}

func TestNoNameIsSearchedInWordsOfTheProduct(t *testing.T) {
	t.Parallel()
	h, _ := gym(t)
	h.answer = nothing
	for _, c := range []struct{ lang, text, earlier string }{
		{"en", "when do we open?", "bookings of Dana Levi"},
		{"en", "what are the opening hours?", ""},
		{"he", "מה שעות הפתיחה?", "ההזמנות של דנה לוי"},
		{"ru", "где изменить часы работы?", "записи Анны Петровой"},
		{"ru", "какие часы работы?", ""},
	} {
		if r := h.ask(t, c.lang, c.text, c.earlier); len(r.calls) != 0 {
			t.Errorf("%q was looked up: %q", c.text, r.last())
		}
	}
	if r := h.ask(t, "he", "ההזמנות של דנה"); r.last() != `read.find_members {"q":"דנה"}` || !strings.Contains(r.Text, "דנה") {
		t.Errorf("got %q after %q", r.Text, r.last())
	}
}

func TestLookUpsAreQuiet(t *testing.T) {
	t.Parallel()
	h := studio(t)
	q := guide.Question{Locale: "en", Now: h.now(), Offer: h.offer}
	for _, c := range []struct {
		text  string
		quiet []bool
	}{
		{"bookings of Noa Bar", []bool{true, false}},
		{"who is booked tomorrow at 5 in the morning", []bool{false, true}},
	} {
		q.Text = c.text
		var done []guide.Done
		for i, want := range c.quiet {
			step := h.guide.Next(t.Context(), q, done)
			if len(step.Calls) != 1 || step.Calls[0].Quiet != want {
				t.Fatalf("%q: step %d gave %+v, want quiet %t", c.text, i, step.Calls, want)
			}
			call := step.Calls[0]
			var in map[string]any
			if err := json.Unmarshal(call.Input, &in); err != nil {
				t.Fatal(err)
			}
			done = append(done, guide.Done{Tool: call.Tool, Input: call.Input, Result: h.answer(call.Tool, in)})
		}
	}
}

func TestUndrawnListsAreCountedWhole(t *testing.T) {
	t.Parallel()
	h := studio(t)
	h.answer = func(_ string, in map[string]any) tool.Result {
		if in["time"] != nil {
			return ok(`{"items":[],"total":0}`, rows(0))
		}
		return ok(`{"items":[{"name":"A"},{"name":"B"}],"total":54}`, nil)
	}
	want := "Nothing found for Wed 18 March, 18:00. Without the hour, there are 54 on that day."
	if r := h.ask(t, "en", "who is booked tomorrow at 18:00"); r.Text != want {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

func TestRepliesNameWhatNarrowedThem(t *testing.T) {
	t.Parallel()
	h, _ := gym(t)
	h.answer = echo
	for _, c := range []struct{ lang, question, want string }{
		{"en", "any unread messages?", "Filter: unread."},
		{"en", "which memberships are paused", "Filter: frozen."},
		{"en", "who has not been in for 12 days", "Filter: 12 days."},
		{"en", "tasks due this week", "Filter: this week."},
		{"he", "יש הודעות שלא נקראו?", "סינון: שלא נקראו."},
		{"ru", "кто на заморозке?", "Отбор: на заморозке."},
		{"ru", "кто не был 12 дней", "Отбор: 12 дней."},
	} {
		if r := h.ask(t, c.lang, c.question); !strings.HasSuffix(r.Text, c.want) {
			t.Errorf("%q: got %q, want the end %q", c.question, r.Text, c.want)
		}
	}
	if r := studio(t).ask(t, "en", "who is booked to attend tomorrow"); r.last() != `bookings.list {"date":"2026-03-18"}` {
		t.Errorf("a verb was read as a status: %q", r.last())
	}
	if r := h.ask(t, "en", "active", "find member Dana"); r.last() != `read.find_members {"q":"Dana","status":"active"}` || !strings.Contains(r.Text, "Dana") || !strings.Contains(r.Text, "Filter: active.") {
		t.Errorf("got %q after %q", r.Text, r.last())
	}
	if r := h.ask(t, "en", "who teaches Barbell Class?"); r.first("class_types.list") != `class_types.list {"q":"Barbell"}` {
		t.Errorf("looked up %q", r.first("class_types.list"))
	}
	if r := h.ask(t, "en", "tasks due next week"); strings.Contains(r.last(), "week") {
		t.Errorf("next week was read as this one: %q", r.last())
	}
	if r := h.ask(t, "en", "when does Mor Zohar's membership end?"); r.last() != `memberships.list {"member_id":7}` || strings.Contains(r.Text, "Filter") {
		t.Errorf("got %q after %q", r.Text, r.last())
	}
}

func TestQuestionsAreNoWrites(t *testing.T) {
	t.Parallel()
	h := studio(t)
	for _, c := range []struct {
		lang, text string
		write      bool
	}{
		{"en", "cancel Dana's booking", true},
		{"en", "please cancel Dana's booking", true},
		{"en", "can you cancel Dana's booking?", true},
		{"en", "I want to delete the lead", true},
		{"en", "can I cancel Dana's booking?", false},
		{"en", "who can cancel bookings?", false},
		{"en", "where do I change the opening hours?", false},
		{"en", "how do I cancel a booking", false},
		{"en", "what happens when we cancel a booking", false},
		{"he", "בטל את ההזמנה", true},
		{"he", "איפה לשנות את שעות הפתיחה", false},
		{"ru", "отмени запись", true},
		{"ru", "где изменить часы работы?", false},
		{"ru", "кто может отменить запись?", false},
	} {
		refused := words.For(c.lang).Text("guide.changes_nothing", nil)
		if r := h.ask(t, c.lang, c.text); strings.HasPrefix(r.Text, refused) != c.write {
			t.Errorf("%q: got %q, want a write %t", c.text, r.Text, c.write)
		}
	}
}

func TestReadsWithoutPhrasesAreReached(t *testing.T) {
	t.Parallel()
	orders := read("orders.list", `"status":{"type":"string","enum":["open","shipped"]}`, nil, nil)
	orders.Summary = "Orders of the shop, newest first."
	customers := read("api.list_customers", "", nil, nil)
	customers.Summary = "Customers"
	customers.Table = &tool.TableMap{Title: tool.Text{"en": "Customers", "he": "לקוחות", "ru": "Покупатели"}}
	one := read("orders.get", `"id":{"type":"integer"}`, []string{"id"}, nil)
	one.Summary = "One order"
	h := newHost(t, guide.Config{Locales: []string{"en", "he", "ru"}}, "UTC", []tool.Definition{
		orders, customers, one,
		read("parcels.list", "", nil, map[string][]string{"en": {"orders on their way", "refunds"}}),
		read("refunds.list", "", nil, nil),
	}, echo)
	for _, c := range []struct{ lang, question, want string }{
		{"en", "list orders", "orders.list {}"},
		{"en", "show me the open orders", `orders.list {"status":"open"}`},
		{"en", "List customers", "api.list_customers {}"},
		{"he", "רשימת לקוחות", "api.list_customers {}"},
		{"ru", "покажи покупателей", "api.list_customers {}"},
		{"en", "orders on their way", "parcels.list {}"},
		{"en", "list refunds", "parcels.list {}"},
		{"en", "write a poem about orders and the sea", ""},
	} {
		if r := h.ask(t, c.lang, c.question); r.last() != c.want {
			t.Errorf("%q: got %q (%q), want %q", c.question, r.last(), r.Text, c.want)
		}
	}
}

func TestSuggestionsAreWholeQuestions(t *testing.T) {
	t.Parallel()
	h, _ := gym(t)
	h.answer = echo
	for _, c := range []struct{ lang, text string }{
		{"en", "explain the bookings and leads"},
		{"en", "why did the members leave"},
		{"en", "compare the workouts"},
		{"en", "help"},
		{"he", "הסבר את הלידים"},
		{"he", "למה המתאמנים עזבו"},
		{"he", "עזרה"},
		{"ru", "объясни лиды"},
		{"ru", "объясни абонементы"},
		{"ru", "почему клиенты ушли"},
		{"ru", "помощь"},
	} {
		r := h.ask(t, c.lang, c.text)
		_, list, found := strings.Cut(r.Text, "\n\n")
		if !found || strings.Contains(r.Text, "…") || strings.Contains(list, "{") {
			t.Errorf("%q: got %q", c.text, r.Text)
			continue
		}
		seen := map[string]bool{}
		for line := range strings.SplitSeq(list, "\n") {
			if said := strings.ToLower(strings.TrimRight(line, "?.")); seen[said] {
				t.Errorf("%q: suggested %q twice", c.text, line)
			} else {
				seen[said] = true
			}
			question, item := strings.CutPrefix(line, "- ")
			if question = strings.ReplaceAll(question, `\`, ""); !item {
				t.Errorf("%q: %q is no list item", c.text, line)
			} else if a := h.ask(t, c.lang, question); len(a.calls) == 0 {
				t.Errorf("%q: suggested %q, which gave %q", c.text, question, a.Text)
			}
		}
	}
}
