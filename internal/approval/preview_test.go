package approval_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/approval"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

type byID struct {
	ID int `json:"id"`
}

// desk is a product with two leads and one stage.
func desk(t *testing.T) (*approval.Resolver, map[int]map[string]any, *tool.Definition) {
	t.Helper()
	leads := map[int]map[string]any{
		1: {"name": "Maya\u202e Stern", "stage": map[string]any{"name": "Contacted"}, "seen_at": "2026-03-19T18:00:00Z", "version": 3, "debt": 29000, "currency": "ILS", "tags": []any{"a", "b"}},
		2: {"name": "Omer"},
	}
	source, err := tool.NewFunctions("desk",
		tool.Func("leads.get", "A lead.", func(_ context.Context, _ tool.Call, in byID) (map[string]any, error) {
			if lead, ok := leads[in.ID]; ok {
				return lead, nil
			}
			return nil, &tool.RefusedError{Code: tool.CodeNotFound, Reason: "No such lead."}
		}),
		tool.Func("stages.get", "A stage.", func(_ context.Context, _ tool.Call, _ byID) (map[string]any, error) {
			return map[string]any{"name": "Trial booked"}, nil
		}),
		tool.Func("leads.move", "Move a lead.", func(_ context.Context, _ tool.Call, _ map[string]any) (bool, error) {
			t.Error("a preview ran the write")
			return true, nil
		}, tool.WithWrite()),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
	if err != nil {
		t.Fatal(err)
	}
	return &approval.Resolver{Registry: r, Runner: tool.NewRunner(r, nil)}, leads, r.Find("leads.move")
}

func moving() *config.Preview {
	return &config.Preview{
		Read: "leads.get", Input: map[string]string{"id": "/input/id"}, Name: []string{"/name", "/seen_at"},
		Also:  map[string]config.Lookup{"stage": {Read: "stages.get", Input: map[string]string{"id": "/input/stage_id"}}},
		Count: "/target/tags",
		Values: []config.CardValue{
			{Old: "/target/stage/name", New: "/stage/name", Of: "/input/stage_id"},
			{New: "/input/until", As: "date"},
			{Old: "/target/debt", As: "money", Currency: "/target/currency"},
			{Old: "/target/tags"},
		},
		Outbound:     &config.Outbound{Channel: "sms", To: "/target/name", Text: "/input/text"},
		Precondition: &config.Precondition{Value: "/target/version"},
	}
}

func asked(def *tool.Definition, input string) tool.Call {
	return tool.Call{
		ID: "call", Tool: def, Input: json.RawMessage(input),
		Principal: principal.Principal{Member: "noa", Org: "1", Roles: []string{"owner"}},
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	r, _, def := desk(t)
	p, failed := r.Preview(t.Context(), asked(def, `{"id":1,"stage_id":4,"text":"See you\u0000\u202e!"}`), moving())
	if failed != nil {
		t.Fatalf("failed: %+v", failed)
	}
	got, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":[{"kind":"name","value":"Maya Stern"},{"kind":"time","value":"2026-03-19T18:00:00Z"}],"count":2,` +
		`"values":[{"index":0,"old":{"kind":"name","value":"Contacted"},"new":{"kind":"name","value":"Trial booked"}},` +
		`{"index":2,"old":{"kind":"money","value":"29000","currency":"ILS"}},{"index":3,"old":{"kind":"text","value":"a, b"}}],` +
		`"outbound":{"to":{"kind":"name","value":"Maya Stern"},"text":"See you!"},"version":"3"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestWhatIsUnknownIsNotCounted holds that a count which the product does not know is none, and that a list with a hole in
// it still shows what it has.
func TestWhatIsUnknownIsNotCounted(t *testing.T) {
	t.Parallel()
	r, leads, def := desk(t)
	leads[1]["tags"], leads[1]["held"] = []any{nil, "a"}, nil
	holes := moving()
	holes.Count = "/target/held"
	leads[1]["none"] = []any{}
	holes.Values = append(holes.Values, config.CardValue{Old: "/target/held", As: "count"}, config.CardValue{Old: "/target/none", As: "count"})
	p, failed := r.Preview(t.Context(), asked(def, `{"id":1}`), holes)
	if failed != nil {
		t.Fatalf("failed: %+v", failed)
	}
	if p.Count != nil {
		t.Errorf("counted %d of what is unknown", *p.Count)
	}
	shown := map[int]string{}
	for _, row := range p.Values {
		shown[row.Index] = row.Old.Value
	}
	if _, counted := shown[4]; counted || shown[3] != "a" || shown[5] != "0" {
		t.Errorf("rows %v: 3 shows a, 4 is unknown and no row, 5 is 0", shown)
	}
}

// TestNobodyIsAskedAboutNothing holds that a target which is not there is the call's failure and no card.
func TestNobodyIsAskedAboutNothing(t *testing.T) {
	t.Parallel()
	r, _, def := desk(t)
	p, failed := r.Preview(t.Context(), asked(def, `{"id":9,"stage_id":4}`), moving())
	if p != nil || failed == nil || failed.Code != tool.CodeNotFound || !strings.Contains(failed.Reason, "nobody was asked") {
		t.Errorf("got %+v, %+v", p, failed)
	}
	without := moving()
	without.Read = "leads.move"
	if p, failed := r.Preview(t.Context(), asked(def, `{"id":1}`), without); p != nil || failed == nil || failed.Code != tool.CodeNotAllowedHere {
		t.Errorf("a write as preview: %+v, %+v", p, failed)
	}
}

// TestDigestSeesEveryChange changes one thing at a time: what was shown is then not what would be shown.
func TestDigestSeesEveryChange(t *testing.T) {
	t.Parallel()
	r, leads, def := desk(t)
	digest := func(key string, call tool.Call) string {
		p, failed := r.Preview(t.Context(), call, moving())
		if failed != nil {
			t.Fatalf("failed: %+v", failed)
		}
		d, err := approval.Digest([]byte(key), call, p)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const input = `{"id":1,"stage_id":4,"text":"hi"}`
	base := digest("k", asked(def, input))
	if again := digest("k", asked(def, `{"text":"hi", "stage_id":4,"id":1}`)); !approval.Same(base, again) {
		t.Error("the same card has another digest")
	}
	other := asked(def, input)
	other.Principal.Member = "lior"
	elsewhere := asked(def, input)
	elsewhere.Principal.Org = "2"
	renamed := asked(def, input)
	renamed.ID = "another"
	changed := map[string]string{
		"key": digest("l", asked(def, input)), "member": digest("k", other), "org": digest("k", elsewhere),
		"call": digest("k", renamed), "input": digest("k", asked(def, `{"id":1,"stage_id":4,"text":"ho"}`)),
	}
	leads[1]["version"] = 4
	changed["version"] = digest("k", asked(def, input))
	leads[1]["version"], leads[1]["stage"] = 3, map[string]any{"name": "Trial done"}
	changed["old value"] = digest("k", asked(def, input))
	for what, d := range changed {
		if approval.Same(base, d) {
			t.Errorf("another %s has the same digest", what)
		}
	}
}
