package approval_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/approval"
)

// TestPickIsOfWhatWasRead holds that a person picks among things that the product knows, each under its own name.
func TestPickIsOfWhatWasRead(t *testing.T) {
	t.Parallel()
	results := []json.RawMessage{
		json.RawMessage(`{"items":[{"id":7,"name":"Dana Levi","plan":{"id":1,"name":"Unlimited"}},{"id":8,"name":"דנה לוי"}]}`),
		json.RawMessage(`[{"id":"s1","class":{"name":"Engine"},"starts_at":"2026-03-19T05:00:00Z"}]`),
		json.RawMessage(`not JSON`),
	}
	zone := time.FixedZone("IST", 2*3600)
	for candidates, want := range map[string]string{
		`[{"id":"7","label":"Dana Levi"},{"id":"8","label":"דנה לוי"}]`:                      "",
		`[{"id":"7","label":"Dana Levi, Unlimited"},{"id":"s1","label":"Thu 07:00 Engine"}]`: "",
		`[{"id":"7","label":"Dana Levi"},{"id":"s1","label":"05:00 Engine"}]`:                "candidates[1].label is not what",
		`[{"id":"7","label":"Dana Levi"},{"id":"9","label":"Dana Levin"}]`:                   "candidates[1].id is in no result",
		`[{"id":"7","label":"דנה לוי"},{"id":"8","label":"דנה לוי"}]`:                        "candidates[0].label is not what",
		`[{"id":"1","label":"Dana"},{"id":"7","label":"Dana"}]`:                              "candidates[0].label is not what",
		`[{"id":"7","label":"Dana Levi"}]`:                                                   "candidates must be 2 to 8, and there are 1",
		`[{"id":"7","label":"Dana"},{"id":"7","label":"Levi"}]`:                              "candidates[1].id stands twice",
		`[{"id":"7","label":"\u202e"},{"id":"8","label":"דנה"}]`:                             "candidates[0] must have an id and a label",
		`[{"id":7}]`: "a pick has kind, prompt and candidates",
	} {
		p, err := approval.ReadPick(json.RawMessage(`{"kind":"member","prompt":"Which Dana?","candidates":` + candidates + `}`))
		if err == nil {
			err = p.Check(results, zone)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\n got %q\nwant %q", candidates, got, want)
		}
	}
}

func TestPicked(t *testing.T) {
	t.Parallel()
	p := &approval.Pick{Kind: "member", Candidates: []approval.Candidate{{ID: "7", Label: "Dana Levi"}, {ID: "8", Label: "Dana Levy"}}}
	if got, ok := p.Picked("8"); !ok || string(got) != `{"pickedId":"8","pickedLabel":"Dana Levy","kind":"member"}` {
		t.Errorf("got %s, %v", got, ok)
	}
	if got, ok := p.Picked("9"); ok {
		t.Errorf("picked %s, which nobody offered", got)
	}
}
