package agui

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
)

// faults is every fault that an input can have. A fault that matches holds no value of the input.
var faults = regexp.MustCompile(`^(threadId|runId): text of 1 to 128 bytes$` +
	`|^protocolVersion: 1\.0, or left out$` +
	`|^resume: none: nothing waits for a decision here$` +
	`|^messages\[\d+\]\.content: text, or a list of parts$` +
	`|^messages\[\d+\]\.content\[\d+\]: a part of type text with a text, or of type image, audio, video or document$` +
	`|^messages\[\d+\]\.toolCallId: the id of the call that this message answers$`)

func FuzzInput(f *testing.F) {
	for _, seed := range []string{
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"Hello"}]}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","value":"u"}}]}]}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}]},{"id":"b","role":"tool","toolCallId":"c","content":"x","error":"e"}]}`,
		`{"threadId":"t","runId":"r","protocolVersion":"2.0","messages":[]}`,
		`{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"resolved","payload":{"a":null}}]}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"tool","content":7}],"resume":{}}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":[{"type":"text","text":null}]}],"resume":null}`,
		`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"activity","content":{"a":1}},{"id":"s","role":"system","content":"x"}],"tools":[{"name":"n","parameters":{}}],"context":[{"description":"d","value":"v"}],"state":[1],"forwardedProps":"p"}`,
		`{"threadId":"` + strings.Repeat("ж", 70) + `","runId":"r","messages":[{"id":"m","role":"user"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var in Input
		if json.Unmarshal(b, &in) != nil {
			t.Skip("the reader of requests refuses it")
		}
		got, err := in.Read()
		if err != nil {
			var fault *InputError
			if !errors.As(err, &fault) || !faults.MatchString(err.Error()) {
				t.Fatalf("error %q is none that an input can have", err)
			}
			return
		}
		var said, seen, results int
		for _, m := range in.Messages {
			switch m.Role {
			case "user":
				said++
			case "assistant":
				seen++
			case "tool":
				results++
			}
		}
		if len(got.Said) != said || len(got.Seen) != seen || len(got.Results) != results {
			t.Errorf("took %d, %d and %d messages of %d, %d and %d", len(got.Said), len(got.Seen), len(got.Results), said, seen, results)
		}
		for _, s := range got.Said {
			if s.Unfit != "" && !strings.HasPrefix(s.Unfit, s.Field+"[") {
				t.Errorf("the unfit part %q is not of %q", s.Unfit, s.Field)
			}
		}
		for _, r := range got.Results {
			if r.CallID == "" {
				t.Error("a result of no call was taken")
			}
		}
	})
}
