package guide_test

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// host is a made-up product: its reads, what they answer, and what the guide knows of it.
type host struct {
	guide    *guide.Guide
	registry *tool.Registry
	offer    *tool.Offer
	zone     *time.Location
	// route is the page; empty: the schedule.
	route  string
	answer func(tool string, input map[string]any) tool.Result
}

type source struct{ definitions []tool.Definition }

func (source) Name() string { return "api" }

func (s source) Definitions(context.Context) ([]tool.Definition, error) { return s.definitions, nil }

func (source) Run(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }

func newHost(tb testing.TB, c guide.Config, zone string, definitions []tool.Definition, answer func(string, map[string]any) tool.Result) *host {
	tb.Helper()
	r, err := tool.NewRegistry(context.Background(), tool.RegistryOptions{}, source{definitions})
	if err != nil {
		tb.Fatal(err)
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		tb.Fatal(err)
	}
	h := &host{guide: guide.New(c), registry: r, zone: loc, answer: answer}
	h.offer = r.Offer(tool.Asker{Principal: principal.Principal{Member: "m1", Org: "o1", Roles: []string{"staff"}}})
	return h
}

// now is a Tuesday.
func (h *host) now() time.Time { return time.Date(2026, time.March, 17, 10, 0, 0, 0, h.zone) }

// reply is a whole answer: its end, and the calls that led there.
type reply struct {
	guide.Step
	calls []guide.Done
}

// last is the last call as "name {arguments}".
func (r reply) last() string {
	if len(r.calls) == 0 {
		return ""
	}
	c := r.calls[len(r.calls)-1]
	return c.Tool + " " + string(c.Input)
}

// first is the first call of a tool as "name {arguments}"; empty when it was not called.
func (r reply) first(tool string) string {
	for _, c := range r.calls {
		if c.Tool == tool {
			return c.Tool + " " + string(c.Input)
		}
	}
	return ""
}

// ask runs a question to its end, as the engine does, and checks every call against its schema.
func (h *host) ask(tb testing.TB, locale, text string, earlier ...string) reply {
	tb.Helper()
	q := guide.Question{
		Text: text, Locale: locale, Now: h.now(), Offer: h.offer, Reason: "no_key", Earlier: earlier, Route: cmp.Or(h.route, "/schedule"),
		Principal: principal.Principal{Member: "m1", Org: "o1", Roles: []string{"staff"}},
	}
	var r reply
	for range 12 {
		r.Step = h.guide.Next(context.Background(), q, r.calls)
		if len(r.Calls) == 0 {
			return r
		}
		for _, c := range r.Calls {
			d := h.registry.Find(c.Tool)
			if d == nil || d.Effect != tool.Read {
				tb.Fatalf("%q: called %q, which is no read of the host", text, c.Tool)
			}
			if _, err := h.registry.Validate(d, c.Input); err != nil {
				tb.Fatalf("%q: called %s with %s: %v", text, c.Tool, c.Input, err)
			}
			var in map[string]any
			if err := json.Unmarshal(c.Input, &in); err != nil {
				tb.Fatalf("%q: %v", text, err)
			}
			r.calls = append(r.calls, guide.Done{Tool: c.Tool, Input: c.Input, Result: h.answer(c.Tool, in)})
		}
	}
	tb.Fatalf("%q: no end after %d calls", text, len(r.calls))
	return r
}

func schema(properties string, required ...string) json.RawMessage {
	req := ""
	if len(required) > 0 {
		req = `,"required":["` + strings.Join(required, `","`) + `"]`
	}
	return json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` + properties + `}` + req + `}`)
}

const (
	dateProp  = `"date":{"type":"string","format":"date"}`
	timeProp  = `"time":{"type":"string","pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"}`
	rangeProp = `"from":{"type":"string","format":"date"},"to":{"type":"string","format":"date"}`
	limitProp = `"limit":{"type":"integer","minimum":1,"maximum":100}`
	monthProp = `"month":{"type":"string","pattern":"^[0-9]{4}-(0[1-9]|1[0-2])$"}`
)

func read(name, input string, required []string, asks map[string][]string) tool.Definition {
	router, action, _ := strings.Cut(name, ".")
	return tool.Definition{
		Router: router, Action: action, Source: "api", Summary: name, Effect: tool.Read, Named: true,
		Input: schema(input, required...), Asks: asks,
	}
}

func table(rows ...[]string) *tool.Table {
	return &tool.Table{Columns: []string{"Name"}, Rows: rows, Total: len(rows)}
}

func rows(n int) *tool.Table {
	out := make([][]string, n)
	for i := range out {
		out[i] = []string{"row"}
	}
	return table(out...)
}

func ok(data string, t *tool.Table) tool.Result {
	return tool.Result{OK: true, Status: tool.StatusRead, Data: json.RawMessage(data), Table: t}
}

// studio is a gym, much like the product's own example.
func studio(tb testing.TB) *host {
	tb.Helper()
	definitions := []tool.Definition{
		read("bookings.list", dateProp+","+timeProp+","+rangeProp+`,"member_id":{"type":"integer","minimum":1},"status":{"type":"string","enum":["booked","attended","no_show","cancelled","waiting"]},`+limitProp, nil, map[string][]string{
			"en": {"who is booked {date} at {time}", "bookings of {member_id:member}", "bookings {from} {to}"},
			"he": {"מי רשום {date} בשעה {time}", "ההזמנות של {member_id:member}"},
			"ru": {"кто записан {date} на {time}", "записи клиента {member_id:member}"},
		}),
		read("class_sessions.list", dateProp+","+rangeProp+`,"open_only":{"type":"boolean"}`, nil, map[string][]string{
			"en": {"which classes are on {date}", "what is on the schedule {date}"},
			"he": {"אילו שיעורים יש {date}", "מה במערכת {date}"},
			"ru": {"какие занятия {date}", "расписание на {date}"},
		}),
		read("read.find_members", `"q":{"type":"string","minLength":1,"maxLength":80},`+limitProp, nil, nil),
		read("members.get", `"id":{"type":"integer","minimum":1}`, []string{"id"}, map[string][]string{
			"en": {"profile of {id:member}", "details of member {id:member}"},
			"he": {"הפרופיל של {id:member}", "פרטים של {id:member}"},
			"ru": {"карточка клиента {id:member}", "профиль {id:member}"},
		}),
		read("members.absent", `"days":{"type":"integer","minimum":1,"maximum":365}`, nil, map[string][]string{
			"en": {"who has been absent for {days} days", "absent members"},
			"he": {"מי נעדר {days} ימים", "מתאמנים שנעדרו"},
			"ru": {"кто не приходил {days} дней", "кто пропал"},
		}),
		read("leads.list", `"status":{"type":"string","enum":["open","won","lost"]},`+limitProp, nil, map[string][]string{
			"en": {"{status} leads", "list of leads", "top {limit} leads"},
			"he": {"לידים", "רשימת הלידים"},
			"ru": {"список лидов", "лиды"},
		}),
		read("analytics.revenue", monthProp, []string{"month"}, map[string][]string{
			"en": {"revenue in {month}", "how much did we earn {month}"},
			"he": {"הכנסות {month}", "כמה הרווחנו {month}"},
			"ru": {"выручка {month}", "сколько мы заработали {month}"},
		}),
		read("analytics.attendance", rangeProp, []string{"from", "to"}, map[string][]string{
			"en": {"attendance {from} {to}", "attendance report"},
			"he": {"נוכחות {from}", "דוח נוכחות"},
			"ru": {"посещаемость {from}", "отчет о посещаемости"},
		}),
		read("tasks.list", `"due":{"type":"string","enum":["overdue","today","week"]}`, nil, map[string][]string{
			"en": {"open tasks", "tasks to do"},
			"he": {"משימות פתוחות"},
			"ru": {"открытые задачи"},
		}),
		{Router: "bookings", Action: "cancel", Source: "api", Summary: "Cancel a booking", Effect: tool.Write, Named: true, Input: schema(`"id":{"type":"integer"}`, "id"), Asks: map[string][]string{"en": {"cancel the booking of {id}"}}},
	}
	c := guide.Config{
		Product: config.Text{"": "Harbour Row"}, Locales: []string{"en", "he", "ru"},
		Entities: map[string]config.Entity{"member": {Search: "read.find_members", Query: "/q", Items: "/items", ID: "/id", Label: "/name"}},
		Words: map[string]map[string][]string{
			"en": {"no_show": {"no-shows", "missed"}},
			"he": {"member": {"מתאמן", "מנוי"}, "class": {"שיעור", "אימון"}, "waiting": {"ממתין"}},
			"ru": {"member": {"клиент", "участник"}, "class": {"занятие", "тренировка"}},
		},
		Starters: []config.Starter{
			{Pages: []string{"/schedule"}, Text: tool.Text{"en": "Who is booked tomorrow at 18:00?", "he": "מי רשום מחר בשעה 18:00?", "ru": "Кто записан завтра на 18:00?"}},
			{Text: tool.Text{"en": "Write a poem about rowing"}},
		},
		Find: pages(map[string][]string{
			"/schedule": {"Schedule", "schedule", "timetable", "מערכת", "שעות", "расписание"},
			"/members":  {"Members", "members", "מתאמנים", "клиенты"},
			"/bookings": {"Bookings", "booking", "bookings", "הזמנה", "הזמנות", "ההזמנה", "запись"},
			"/settings": {"Settings", "settings", "opening", "הגדרות", "настройки"},
		}),
	}
	return newHost(tb, c, "Asia/Jerusalem", definitions, studioAnswer)
}

// pages makes a finder over labels and words.
func pages(index map[string][]string) func(principal.Principal, string, string) []conversation.Link {
	return func(_ principal.Principal, _, query string) []conversation.Link {
		var out []conversation.Link
		for _, path := range []string{"/schedule", "/members", "/bookings", "/settings", "/catalogue", "/loans"} {
			for _, w := range index[path] {
				if strings.Contains(" "+strings.ToLower(query)+" ", " "+strings.ToLower(w)+" ") {
					out = append(out, conversation.Link{Path: path, Label: index[path][0]})
					break
				}
			}
		}
		return out
	}
}

var people = []struct {
	id   int
	name string
}{{7, "Dana Levi"}, {8, "Dana Cohen"}, {9, "Noa Bar"}, {11, "דנה לוי"}, {12, "יעל כהן"}, {13, "Анна Петрова"}, {14, "May Sunday"}, {15, "Bar Refaeli"}, {16, `<b>Eve</b> [x](http://evil) *hi*`}}

func findPeople(q string) string {
	type person struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	out := []person{}
	for _, p := range people {
		if strings.Contains(strings.ToLower(p.name), strings.ToLower(q)) {
			out = append(out, person{p.id, p.name})
		}
	}
	b, err := json.Marshal(map[string]any{"items": out})
	if err != nil {
		return "{}"
	}
	return string(b)
}

func studioAnswer(name string, in map[string]any) tool.Result {
	switch name {
	case "read.find_members":
		q, _ := in["q"].(string)
		return ok(findPeople(q), nil)
	case "bookings.list":
		if in["time"] == "05:00" {
			return ok(`{"items":[]}`, rows(0))
		}
		return ok(`{"items":[]}`, rows(8))
	case "members.get":
		return ok(`{"id":7,"name":"Dana Levi","plan":"10-pack","joined_on":"2025-01-04","paused":false,"note":null}`, nil)
	case "analytics.revenue":
		return tool.Result{Status: tool.StatusUnreadable, Code: "unreadable", Sentence: ""}
	default:
		return ok(`{"items":[]}`, rows(3))
	}
}
