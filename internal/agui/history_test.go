package agui

import (
	"encoding/json"
	"testing"

	"github.com/steward-assistant/steward/internal/conversation"
)

func TestHistory(t *testing.T) {
	got, err := json.Marshal(History([]conversation.Message{
		{ID: "u1", Role: conversation.User, Text: "Say \"hi\"", SentAs: "mine"},
		{ID: "a1", Role: conversation.Assistant, Text: "Looking.", Calls: []conversation.Call{
			{ID: "c1", Name: "stock.list", State: "succeeded", Args: `{"q":"tea"}`, Content: `{"left":7}`},
			{ID: "c2", Name: "stock.list", State: "failed", Sentence: "It did not answer."},
			{ID: "c3", Name: "highlight", State: "pending", Browser: true},
		}},
		{ID: "u2", Role: conversation.User, Text: "And?"},
		{ID: "a2", Role: conversation.Assistant, Text: "Seven."},
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"id":"mine","role":"user","content":"Say \"hi\""},` +
		`{"id":"a1","role":"assistant","content":"Looking.","toolCalls":[` +
		`{"id":"c1","type":"function","function":{"name":"stock.list","arguments":"{\"q\":\"tea\"}"}},` +
		`{"id":"c2","type":"function","function":{"name":"stock.list","arguments":"{}"}},` +
		`{"id":"c3","type":"function","function":{"name":"highlight","arguments":"{}"}}]},` +
		`{"id":"c1","role":"tool","content":"{\"left\":7}","toolCallId":"c1"},` +
		`{"id":"c2","role":"tool","content":"It did not answer.","toolCallId":"c2"},` +
		`{"id":"u2","role":"user","content":"And?"},` +
		`{"id":"a2","role":"assistant","content":"Seven."}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if empty, err := json.Marshal(History(nil)); err != nil || string(empty) != "[]" {
		t.Errorf("no messages are %s, %v", empty, err)
	}
	// What a front end was given as history, it may send as its own.
	if _, err := (&Input{ThreadID: "t", RunID: "r", Messages: History([]conversation.Message{{ID: "u", Role: conversation.User, Text: "x"}})}).Read(); err != nil {
		t.Error(err)
	}
}
