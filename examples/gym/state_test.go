package gym

import (
	"fmt"
	"net/http"
	"testing"
)

// TestRevenueIsNeverAGuess sets the payment feed to each of its states.
func TestRevenueIsNeverAGuess(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	token := tg.token(t, "owner", 1)
	for _, test := range []struct {
		state, month, want string
		total, card        bool // whether they are known
	}{
		{"ok", "2026-03", "ok", true, true},
		{"stale", "2026-03", "stale", false, true},
		{"error", "2026-03", "error", false, false},
		{"stale", "2026-02", "ok", true, true},
		{"error", "2026-02", "error", false, false},
	} {
		if status, body, _ := tg.do(t, http.MethodPatch, "/api/payment-feed", token, map[string]any{"state": test.state}); status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
		report := tg.get(t, "/api/analytics/revenue?month="+test.month, token)
		card := item(t, report, "parts", 0)
		if report["state"] != test.want || (report["amount"] != nil) != test.total || (item(t, card, "amount") != nil) != test.card {
			t.Errorf("%s %s: got %v, %v, card %v", test.state, test.month, report["state"], report["amount"], card)
		}
		if warnings, _ := report["warnings"].([]any); len(warnings) == 0 && !test.total {
			t.Errorf("%s %s: nobody is told", test.state, test.month)
		}
	}
	if report := tg.get(t, "/api/analytics/revenue", tg.token(t, "owner", 2)); report["state"] != "stale" {
		t.Errorf("organisation 2 begins as %v, want stale", report["state"])
	}
}

// TestWaitingListMovesUp fills a class, waits for a place, and frees one.
func TestWaitingListMovesUp(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	token := tg.token(t, "staff", 1)
	session := item(t, tg.get(t, "/api/bookings?date=2026-03-18&time=18:00", token), "sessions", 0)
	id, left := item(t, session, "id"), int(item(t, session, "places_left").(float64))
	var statuses []string
	var waiting any
	for _, member := range tg.get(t, "/api/members?status=active&limit=100", token)["items"].([]any) {
		if len(statuses) > left {
			break
		}
		status, body, _ := tg.do(t, http.MethodPost, "/api/bookings", token, map[string]any{"session_id": id, "member_id": item(t, member, "id")})
		if status == http.StatusConflict {
			continue
		}
		booking := decode(t, body)
		statuses = append(statuses, fmt.Sprint(booking["status"]))
		waiting = booking["id"]
	}
	if got := statuses[len(statuses)-1]; got != "waiting" || statuses[0] != "booked" {
		t.Fatalf("got %v, want the last one to wait", statuses)
	}
	first := item(t, tg.get(t, fmt.Sprintf("/api/bookings?session_id=%v&status=booked", id), token), "items", 0, "id")
	if status, body, _ := tg.do(t, http.MethodDelete, fmt.Sprintf("/api/bookings/%v", first), token, nil); status != http.StatusOK || decode(t, body)["status"] != "cancelled" {
		t.Fatalf("cancel: %d %s", status, body)
	}
	if got := tg.get(t, fmt.Sprintf("/api/bookings/%v", waiting), token)["status"]; got != "booked" {
		t.Errorf("who waited is %v, want booked", got)
	}
	if status, _, _ := tg.do(t, http.MethodDelete, fmt.Sprintf("/api/bookings/%v", first), token, nil); status != http.StatusConflict {
		t.Errorf("cancelled twice: got %d, want 409", status)
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	token := tg.token(t, "staff", 1)
	seen, next := map[any]bool{}, any(0.0)
	for next != nil {
		page := tg.get(t, fmt.Sprintf("/api/members?limit=50&offset=%v", next), token)
		for _, member := range page["items"].([]any) {
			seen[item(t, member, "id")] = true
		}
		if page["total"] != 124.0 {
			t.Errorf("the total is %v, want 124", page["total"])
		}
		next = page["next_offset"]
	}
	if len(seen) != 124 {
		t.Errorf("the pages hold %d members, want 124", len(seen))
	}
	if item(t, tg.get(t, "/api/members?q=Dana%20Lev", token), "total") != 3.0 {
		t.Error("three members are called Dana Lev…")
	}
	if item(t, tg.get(t, "/api/members?q=%25", token), "total") != 0.0 {
		t.Error("a percent sign finds everyone")
	}
}
