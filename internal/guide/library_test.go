package guide_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/tool"
)

// library is a product that has nothing in common with a gym: moments instead of days, text ids, camelCase names.
func library(tb testing.TB) *host {
	tb.Helper()
	between := `"dueAfter":{"type":"string","format":"date-time"},"dueBefore":{"type":"string","format":"date-time"}`
	definitions := []tool.Definition{
		read("loans.list", between+`,"readerId":{"type":"string","format":"uuid"},"state":{"type":"string","enum":["on_loan","overdue","returned"]}`, nil, map[string][]string{
			"en": {"loans of {readerId:reader}", "{state} loans", "what is due back {dueAfter} {dueBefore}"},
			"he": {"השאלות של {readerId:reader}", "השאלות"},
			"ru": {"выдачи читателя {readerId:reader}", "выдачи"},
		}),
		read("readers.search", `"filter":{"type":"object","properties":{"name":{"type":"string"}}}`, nil, nil),
		read("catalogue.search", `"query":{"type":"string"},"year":{"type":"integer","minimum":1450,"maximum":2100}`, []string{"query"}, map[string][]string{
			"en": {"find the book {query}", "do you have {query}"},
			"he": {"למצוא את הספר {query}"},
			"ru": {"найти книгу {query}"},
		}),
		read("rooms.free", `"at":{"type":"string","format":"date-time"}`, []string{"at"}, map[string][]string{
			"en": {"free reading rooms {date} at {time}"},
			"he": {"חדרי קריאה פנויים {date} בשעה {time}"},
			"ru": {"свободные залы {date} в {time}"},
		}),
		read("events.list", `"onDay":{"type":"string","format":"date"},"startsAt":{"type":"string","format":"time"},"seats":{"type":"integer","minimum":1,"maximum":50}`, []string{"onDay", "seats"}, map[string][]string{
			"en": {"story hours on {onDay} for {seats} children"},
		}),
		read("fines.mine", "", nil, map[string][]string{"en": {"my fines", "what do I owe"}, "ru": {"мои штрафы"}}),
	}
	c := guide.Config{
		Entities: map[string]config.Entity{
			"reader": {Search: "readers.search", Query: "/filter/name", Items: "/data/people", ID: "/uuid", Label: "/display"},
			"book":   {Search: "catalogue.search", Query: "/query", Items: "/data", ID: "/isbn", Label: "/title"},
		},
		Words: map[string]map[string][]string{"en": {"overdue": {"late", "past due"}, "reader": {"reader", "patron"}}},
		Find:  pages(map[string][]string{"/catalogue": {"Catalogue", "catalogue", "catalog"}, "/loans": {"Loans", "loans", "loan"}}),
	}
	return newHost(tb, c, "America/New_York", definitions, func(name string, in map[string]any) tool.Result {
		if name != "readers.search" {
			return ok(`{"data":[]}`, rows(2))
		}
		filter, isObject := in["filter"].(map[string]any)
		query, isText := filter["name"].(string)
		if !isObject || !isText {
			return tool.Result{Status: tool.StatusUnreadable}
		}
		all := []map[string]any{}
		for id, n := range map[string]string{"8d6f0d4e-0000-4000-8000-000000000001": "Ana de Armas"} {
			if strings.Contains(strings.ToLower(n), strings.ToLower(query)) {
				all = append(all, map[string]any{"uuid": id, "display": n})
			}
		}
		b, err := json.Marshal(map[string]any{"data": map[string]any{"people": all}})
		if err != nil {
			return tool.Result{Status: tool.StatusUnreadable}
		}
		return ok(string(b), nil)
	})
}

func TestAnotherHost(t *testing.T) {
	t.Parallel()
	const ana = `loans.list {"readerId":"8d6f0d4e-0000-4000-8000-000000000001"}`
	check(t, library(t), "en", []want{
		{"loans of Ana de Armas", ana},
		{"show me the loans of patron Ana", ana},
		{"Ana's loans", ana},
		{"overdue loans", `loans.list {"state":"overdue"}`},
		{"late loans", `loans.list {"state":"overdue"}`},
		{"past due loans", `loans.list {"state":"overdue"}`},
		{"returned loans", `loans.list {"state":"returned"}`},
		{"what is due back today", `loans.list {"dueAfter":"2026-03-17T00:00:00-04:00","dueBefore":"2026-03-18T00:00:00-04:00"}`},
		{"what is due back next week", `loans.list {"dueAfter":"2026-03-23T00:00:00-04:00","dueBefore":"2026-03-30T00:00:00-04:00"}`},
		{"free reading rooms tomorrow at 5 pm", `rooms.free {"at":"2026-03-18T17:00:00-04:00"}`},
		{"are there free reading rooms at 10:30 on Friday?", `rooms.free {"at":"2026-03-20T10:30:00-04:00"}`},
		{"free reading rooms", "text: To look that up I need a day and an hour."},
		{"find the book Moby Dick", `catalogue.search {"query":"Moby Dick"}`},
		{"do you have “War and Peace”?", `catalogue.search {"query":"War and Peace"}`},
		{"story hours on Saturday for 12 children", `events.list {"onDay":"2026-03-21","seats":12}`},
		{"story hours on Saturday", "text: To look that up I need a number from 1 to 50 (seats)."},
		{"story hours on Saturday for 80 children", "text: To look that up I need a number from 1 to 50 (seats)."},
		{"my fines", `fines.mine {}`},
		{"what do I owe?", `fines.mine {}`},
		{"catalog", "text: I found this page."},
		{"return Moby Dick for me", "text: I can’t answer that without a model."},
		{"renew the loan of Ana", "text: The guide changes nothing"},
	})
	check(t, library(t), "ru", []want{
		{"выдачи читателя Ana", ana},
		{"свободные залы завтра в 17:00", `rooms.free {"at":"2026-03-18T17:00:00-04:00"}`},
		{"мои штрафы", `fines.mine {}`},
	})
	check(t, library(t), "he", []want{
		{"השאלות של Ana de Armas", ana},
		{"חדרי קריאה פנויים מחר בשעה 17:00", `rooms.free {"at":"2026-03-18T17:00:00-04:00"}`},
		{"למצוא את הספר Moby Dick", `catalogue.search {"query":"Moby Dick"}`},
	})
}
