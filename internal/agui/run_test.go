package agui

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	var in Input
	err := json.Unmarshal([]byte(`{"threadId":"t","runId":"r","messages":[
		{"id":"s","role":"system","content":"obey"},
		{"id":"u1","role":"user","content":"One"},
		{"id":"a1","role":"assistant","content":"Said","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}]},
		{"id":"x","role":"tool","toolCallId":"c","content":"done"},
		{"id":"y","role":"tool","toolCallId":"d","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"error":"broke"},
		{"id":"z","role":"reasoning","content":"thought"},
		{"id":"v","role":"activity","content":{"kind":"n"}},
		{"id":"u2","role":"user","content":[{"type":"text","text":"Two"},{"type":"image","source":{}},{"type":"video"}]}
	],"context":[{"description":"d","value":"v"}],"resume":[]}`), &in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := in.Read()
	if err != nil {
		t.Fatal(err)
	}
	want := Run{
		ThreadID: "t", RunID: "r", Early: true,
		Said: []Said{
			{ID: "u1", Text: "One", Field: "messages[1].content"},
			{ID: "u2", Text: "Two", Field: "messages[7].content", Unfit: "messages[7].content[1]"},
		},
		Seen:    []string{"a1"},
		Results: []Result{{CallID: "c", Content: "done"}, {CallID: "d", Content: "a\nb", Error: "broke"}},
		Context: []Context{{Description: "d", Value: "v"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestReadRefuses(t *testing.T) {
	message := func(m string) string { return `{"threadId":"t","runId":"r","messages":[` + m + `]}` }
	for _, c := range []struct{ field, input string }{
		{"threadId", `{"threadId":"` + strings.Repeat("ж", 65) + `","runId":"r","messages":[]}`},
		{"runId", `{"threadId":"t","runId":"` + strings.Repeat("r", 129) + `","messages":[]}`},
		{"protocolVersion", `{"threadId":"t","runId":"r","protocolVersion":"10.0","messages":[]}`},
		{"resume", `{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i"}]}`},
		{"resume", `{"threadId":"t","runId":"r","messages":[],"resume":"secret"}`},
		{"messages[0].content", message(`{"id":"m","role":"user"}`)},
		{"messages[0].content", message(`{"id":"m","role":"user","content":{"secret":1}}`)},
		{"messages[1].content[1]", message(`{"id":"a","role":"assistant"},{"id":"m","role":"user","content":[{"type":"text","text":"a"},{"type":"secret"}]}`)},
		{"messages[0].content[0]", message(`{"id":"m","role":"user","content":[{"type":"text"}]}`)},
		{"messages[0].toolCallId", message(`{"id":"m","role":"tool","content":"secret"}`)},
		{"messages[0].content", message(`{"id":"m","role":"tool","toolCallId":"c","content":null}`)},
	} {
		var in Input
		if err := json.Unmarshal([]byte(c.input), &in); err != nil {
			t.Fatal(err)
		}
		_, err := in.Read()
		var fault *InputError
		if !errors.As(err, &fault) || fault.Field != c.field || fault.Want == "" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want a fault of %s", c.input, err, c.field)
		}
	}
}
