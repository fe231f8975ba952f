package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/agui"
)

// FuzzRunBody holds that no body of a run breaks its reader, and that a fault names a field and repeats no value: every
// value of the seeds holds the canary.
func FuzzRunBody(f *testing.F) {
	run := func(more string) string {
		return `{"threadId":"` + canary + `","runId":"` + canary + `","messages":[` + more + `]}`
	}
	for _, seed := range []string{
		run(`{"id":"` + canary + `","role":"user","content":"` + canary + `"}`),
		run(`{"id":"` + canary + `","role":"user","content":[{"type":"` + canary + `","text":"` + canary + `"}]}`),
		run(`{"id":"` + canary + `","role":"` + canary + `"}`),
		run(`{"id":"` + canary + `","role":"tool","content":"` + canary + `","toolCallId":null,"mood":"` + canary + `"}`),
		run(`{"id":"` + canary + `","role":"assistant","toolCalls":[{"id":"` + canary + `","type":"` + canary + `"}]}`),
		`{"threadId":"` + canary + `","runId":["` + canary + `"],"messages":"` + canary + `"}`,
		`{"threadId":"` + canary + `","runId":"r","messages":[],"protocolVersion":"` + canary + `","resume":["` + canary + `"],"state":{"a":["` + canary + `"]},"tools":[{"name":"` + canary + `","parameters":"` + canary + `"}],"context":[{"description":"` + canary + `"}]}`,
		`{"threadId":"` + canary + `","threadId":"` + canary + `"`,
		`{"ThreadId":"` + canary + `","runId":"` + strings.Repeat(canary, 20) + `"}` + canary,
	} {
		f.Add([]byte(seed))
	}
	shape, err := shapeOf(reflect.TypeFor[agui.Input](), true)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var in agui.Input
		err := shape.read(b, &in)
		field := ""
		if wrong := (*fault)(nil); errors.As(err, &wrong) {
			field = wrong.field
		} else if err != nil {
			t.Fatalf("a fault of no field: %v", err)
		} else if _, err = in.Read(); err != nil {
			wrong, ok := errors.AsType[*agui.InputError](err)
			if !ok {
				t.Fatalf("a fault of no field: %v", err)
			}
			field = wrong.Field
		}
		if err == nil {
			return
		}
		if field == "" || strings.Contains(err.Error(), canary) && !named(b) {
			t.Errorf("fault %q of field %q", err, field)
		}
	})
}

// named reports whether a key of JSON holds the canary: what looks like a name is told.
func named(b []byte) bool {
	keyed := string(b)
	for at := strings.Index(keyed, canary); at >= 0; at = strings.Index(keyed, canary) {
		keyed = keyed[at+len(canary):]
		if end := strings.IndexByte(keyed, '"'); end >= 0 && strings.HasPrefix(strings.TrimLeft(keyed[end+1:], " \t\r\n"), ":") {
			return true
		}
	}
	return !json.Valid(b)
}
