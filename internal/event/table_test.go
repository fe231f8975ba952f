package event_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
)

func TestFacts(t *testing.T) {
	seen := map[event.Code]bool{}
	for _, f := range event.Facts {
		if seen[f.Code] {
			t.Errorf("%s stands twice", f.Code)
		}
		seen[f.Code] = true
		if f.Action == "" {
			t.Errorf("%s has no next action", f.Code)
		}
		refused, turn := slices.Contains(f.Levels, event.LevelRefused), slices.Contains(f.Levels, event.LevelTurn)
		if refused != (f.Status != 0) {
			t.Errorf("%s: status %d", f.Code, f.Status)
		}
		if turn && f.Outcome == "" {
			t.Errorf("%s ends a turn and says no outcome", f.Code)
		}
		if f.Outcome != "" && !slices.Contains(event.Outcomes, f.Outcome) {
			t.Errorf("%s: outcome %q is not on the list", f.Code, f.Outcome)
		}
	}
	if got := event.FactOf("made_up").Code; got != event.Internal {
		t.Errorf("a code outside the list is %q", got)
	}
}

func TestKindsAreClosed(t *testing.T) {
	var kinds []event.Kind
	for _, p := range event.Payloads {
		kinds = append(kinds, event.Event{Payload: p}.Kind())
		b, err := event.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Type, Name string }
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		k := event.Event{Payload: p}.Kind()
		if k.Custom() && (got.Type != "CUSTOM" || got.Name != string(k)) || !k.Custom() && got.Type != string(k) {
			t.Errorf("%s travels as %s", k, b)
		}
	}
	if !slices.Equal(kinds, event.Kinds) {
		t.Errorf("the payloads are %v\nthe list is   %v", kinds, event.Kinds)
	}
}

func TestParseID(t *testing.T) {
	for _, id := range []event.ID{{}, {Seq: 1, N: 2}, {Seq: 1 << 40, N: 1 << 20}} {
		got, err := event.ParseID(id.String())
		if err != nil || got != id {
			t.Errorf("%v reads back as %v, %v", id, got, err)
		}
	}
	for _, bad := range []string{"1", "1.", ".1", "-1.0", "1.-1", "+1.2", "01.2", "1.2.3", "a.b", "1.2 ", "99999999999999999999.1"} {
		if got, err := event.ParseID(bad); err == nil {
			t.Errorf("%q reads as %v", bad, got)
		}
	}
	if !(event.ID{Seq: 2}).After(event.ID{Seq: 1, N: 9}) || (event.ID{Seq: 1}).After(event.ID{Seq: 1}) {
		t.Error("order is wrong")
	}
}

func FuzzTextContent(f *testing.F) {
	f.Add("a\u2028<b>\x00\"")
	f.Fuzz(func(t *testing.T, delta string) {
		b, err := event.Encode(event.TextContent{MessageID: "m", Delta: delta})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Delta string }
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if want := fmt.Sprint([]rune(delta)); fmt.Sprint([]rune(got.Delta)) != want {
			t.Errorf("%q came back as %q", delta, got.Delta)
		}
	})
}
