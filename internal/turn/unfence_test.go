package turn

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store/storetest"
	"github.com/steward-assistant/steward/model/modeltest"
	"github.com/steward-assistant/steward/tool"
)

func TestMarkersAreTakenOutWhereverTheStreamIsCut(t *testing.T) {
	fence := tool.NewFence()
	for _, text := range []string{
		"The dog is " + fence.Open() + "Rex" + fence.Close() + ".",
		fence.Open() + fence.Close() + fence.Open() + "a: b << c" + fence.Close(),
		"No marker: 1 < 2, a << b, :: and >>", "ends in :", "ends in <", "ends in " + fence.Open()[:5], "",
	} {
		want := fence.Strip(text)
		for range 200 {
			u := unfence{fence: fence}
			var got strings.Builder
			for rest := text; rest != ""; {
				n := 1 + rand.IntN(len(rest))
				got.WriteString(u.take(rest[:n]))
				rest = rest[n:]
			}
			got.WriteString(u.rest())
			if got.String() != want {
				t.Fatalf("%q became %q, want %q", text, got.String(), want)
			}
		}
	}
}

func TestAModelThatRepeatsMarkersShowsNone(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	h.script.SetScript(func(r modeltest.Request) modeltest.Reply {
		if results := r.Results(); len(results) > 0 {
			return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say(strings.SplitAfter("It says "+results[0].Text, "")...)}}
		}
		return call("shop-stock", map[string]any{"item": "tea"})
	})
	by, c := owner("m"), id.New()
	_, f := h.send(t, h.Engine, by, Send{ConversationID: c, Text: "Tea?"})
	got := read(t, f, nil)
	if !strings.Contains(got.text, `"item":"tea"`) || strings.Contains(got.text, "<<") || got.complete.Text != got.text {
		t.Errorf("drawn %q, told %q", got.text, got.complete.Text)
	}
	// What goes back to the model is what was shown.
	_, f = h.send(t, h.Engine, by, Send{ConversationID: c, Text: "And?"})
	read(t, f, nil)
	asked := h.script.Requests()
	last := asked[len(asked)-1]
	for _, m := range last.Messages {
		for _, p := range m.Parts {
			if m.Role == "assistant" && p.Type == "text" && strings.Contains(p.Text, "<<") {
				t.Errorf("sent back as %q", p.Text)
			}
		}
	}
}
