package agui

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
)

// guided is a turn of the guide with a look-up that is drawn as a table, and a page that it found.
var guided = []conversation.Message{
	{ID: "u", Role: conversation.User, Text: "Which dogs?"},
	{ID: "a", Role: conversation.Assistant, Answers: answersGuide, Calls: []conversation.Call{{
		ID: "c", Name: "pets.list", State: "succeeded", Content: "[]",
		Table: &event.Table{Title: "Pets", Columns: []string{"Name", "Age"}, Rows: [][]string{{"Rex | *Max*", "3"}}, Total: 4},
	}}},
	{ID: "b", Role: conversation.Assistant, Answers: answersGuide, Text: "4 found.", Links: []conversation.Link{{Path: "/pets", Label: "Pets", Detail: "All of them"}}},
}

const drawnPets = "**Pets**\n\n| Name | Age |\n|---|---|\n| Rex \\| \\*Max\\* | 3 |\n\n+ 3\n\n- [Pets](/pets): All of them"

func TestTheGuideDrawsInWords(t *testing.T) {
	if got := drawn(guided[1:]); got != drawnPets {
		t.Errorf("drawn\n%s", got)
	}
	history := History(guided)
	var last string
	if err := json.Unmarshal(history[len(history)-1].Content, &last); err != nil || last != "4 found.\n\n"+drawnPets {
		t.Errorf("the history ends in %q (%v)", last, err)
	}
	messages, err := json.Marshal(guided)
	if err != nil {
		t.Fatal(err)
	}
	end := event.RunFinished{Result: event.Complete{TurnID: "t", Answers: answersGuide, Outcome: event.OutcomeCompleted, Messages: messages}}
	for name, tt := range map[string]struct {
		answers, kinds string
		text           []event.Payload
	}{
		"after its words": {
			answersGuide, "steward.meta TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED |",
			[]event.Payload{event.TextStart{MessageID: "b", Role: "assistant"}, event.TextContent{MessageID: "b", Delta: "4 found."}, event.TextEnd{MessageID: "b"}},
		},
		"without any": {answersGuide, "steward.meta TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED |", nil},
		"not a model": {"model", "steward.meta RUN_FINISHED |", nil},
	} {
		events := append([]event.Payload{event.Meta{Answers: tt.answers}}, tt.text...)
		kinds, all := translated(t, newTranslator(), append(events, end)...)
		if kinds != tt.kinds || (tt.answers == answersGuide) != strings.Contains(all, `\n|---|---|`) {
			t.Errorf("%s: %s\n%s", name, kinds, all)
		}
	}
}
