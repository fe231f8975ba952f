package agui

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
)

// translated gives the types of what a list of events becomes, "|" where the run ended, and all of it as text.
func translated(t *testing.T, tr *Translator, payloads ...event.Payload) (kinds, all string) {
	t.Helper()
	var types, texts []string
	for _, p := range payloads {
		data, err := event.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		out, done, err := tr.Next(event.KindOf(p), data)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range out {
			var e struct{ Type, Name string }
			if err := json.Unmarshal(d, &e); err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			if e.Name != "" {
				e.Type = e.Name
			}
			types, texts = append(types, e.Type), append(texts, string(d))
		}
		if done {
			types = append(types, "|")
		}
	}
	return strings.Join(types, " "), strings.Join(texts, "\n")
}

func newTranslator() *Translator {
	return &Translator{
		ThreadID: "the thread", RunID: "the run", Answered: []string{"mine"}, Locale: "en",
		History: func() ([]conversation.Message, error) {
			return []conversation.Message{{ID: "1", Role: conversation.User, Text: "Hi", SentAs: "m"}}, nil
		},
	}
}

func TestTranslatorKinds(t *testing.T) {
	done := event.Complete{TurnID: "turn", Outcome: event.OutcomeCompleted, Messages: json.RawMessage("[]")}
	fault := event.RunError{Message: "No.", Code: "internal"}
	for name, c := range map[string]struct {
		in   []event.Payload
		want string
	}{
		"the run's beginning is told once, at its start": {[]event.Payload{event.RunStarted{}}, ""},
		"messages come in snapshots":                     {[]event.Payload{event.Message{Message: json.RawMessage(`{}`)}}, ""},
		"a text":                                         {[]event.Payload{event.TextStart{MessageID: "a"}, event.TextContent{MessageID: "a", Delta: "x"}, event.TextEnd{MessageID: "a"}}, "TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END"},
		"a text whose beginning was missed":              {[]event.Payload{event.TextContent{MessageID: "a", Delta: "x"}, event.TextEnd{MessageID: "a"}}, ""},
		"the end of another text":                        {[]event.Payload{event.TextStart{MessageID: "a"}, event.TextEnd{MessageID: "b"}}, "TEXT_MESSAGE_START"},
		"a call of the server":                           {[]event.Payload{event.ToolCallStart{ToolCallID: "c"}, event.ToolCallArgs{ToolCallID: "c"}, event.ToolCallEnd{ToolCallID: "c"}, event.ToolCallResult{ToolCallID: "c"}}, "TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT"},
		"a result that the front end gave":               {[]event.Payload{event.ToolCallResult{ToolCallID: "mine"}, event.ToolResult{ToolCallID: "mine"}}, "steward.tool_result"},
		"what AG-UI has no event for":                    {[]event.Payload{event.Meta{}, event.Title{}, event.ToolStarted{}, event.Usage{}, event.Citation{}, event.FollowUps{}}, "steward.meta steward.title steward.tool_started steward.usage steward.citation steward.follow_ups"},
		"a whole run":                                    {[]event.Payload{event.TextStart{MessageID: "a"}, event.TextEnd{MessageID: "a"}, event.RunFinished{Result: done}}, "TEXT_MESSAGE_START TEXT_MESSAGE_END RUN_FINISHED |"},
		"an end with a text still open":                  {[]event.Payload{event.TextStart{MessageID: "a"}, event.RunFinished{Result: done}}, "TEXT_MESSAGE_START TEXT_MESSAGE_END RUN_FINISHED |"},
		"an error with a text still open":                {[]event.Payload{event.TextStart{MessageID: "a"}, fault}, "TEXT_MESSAGE_START RUN_ERROR |"},
		"a dead draft":                                   {[]event.Payload{event.TextStart{MessageID: "a"}, event.TextContent{MessageID: "a", Delta: "x"}, event.Reset{MessageID: "a"}, event.TextContent{MessageID: "a", Delta: "y"}, event.TextEnd{MessageID: "a"}, event.TextStart{MessageID: "b"}, event.TextEnd{MessageID: "b"}}, "TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END MESSAGES_SNAPSHOT TEXT_MESSAGE_START TEXT_MESSAGE_END"},
		"catching up":                                    {[]event.Payload{event.TextStart{MessageID: "a"}, event.RunStarted{}, event.Reset{}, event.Message{Message: json.RawMessage(`{}`)}, event.TextContent{MessageID: "a", Delta: "lost"}, event.CaughtUp{}, event.TextStart{MessageID: "a"}, event.TextContent{MessageID: "a", Delta: "x"}}, "TEXT_MESSAGE_START TEXT_MESSAGE_END MESSAGES_SNAPSHOT TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT"},
		"catching up with a turn at rest":                {[]event.Payload{event.Reset{}, event.CaughtUp{}, event.RunFinished{Result: done}}, "MESSAGES_SNAPSHOT RUN_FINISHED |"},
		"a token that is wanted while the turn goes on":  {[]event.Payload{event.Reauth{}, event.RunFinished{Result: done}}, "steward.reauth RUN_FINISHED |"},
		"a turn that waits for a token":                  {[]event.Payload{event.TextStart{MessageID: "a"}, event.Reauth{}, event.RunFinished{Result: event.Complete{TurnID: "turn"}}}, "TEXT_MESSAGE_START steward.reauth TEXT_MESSAGE_END RUN_ERROR |"},
		"a turn that waits for the browser":              {[]event.Payload{event.Reauth{}, event.RunFinished{Outcome: &event.Ending{Type: "success", PendingToolCallIDs: []string{"c"}}, Result: event.Complete{TurnID: "turn"}}}, "steward.reauth RUN_FINISHED |"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, all := translated(t, newTranslator(), c.in...); got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, all)
			}
		})
	}
}

// TestTranslatorKnowsEveryKind holds that no kind breaks a run, whatever comes in whatever place.
func TestTranslatorKnowsEveryKind(t *testing.T) {
	for _, p := range event.Payloads {
		switch v := p.(type) {
		case event.Message:
			v.Message = json.RawMessage(`{}`)
			p = v
		case event.Card:
			v.Card = json.RawMessage(`{}`)
			p = v
		case event.Pick:
			v.Pick = json.RawMessage(`{}`)
			p = v
		case event.UI:
			v.Detail = json.RawMessage(`{}`)
			p = v
		case event.RunFinished:
			v.Result.Messages = json.RawMessage("[]")
			p = v
		case event.RunError:
			v.Result.Messages = json.RawMessage("[]")
			p = v
		}
		got, _ := translated(t, newTranslator(), p)
		ends := strings.HasSuffix(got, "|")
		if k := event.KindOf(p); ends != (k == event.KindRunFinished || k == event.KindRunError) {
			t.Errorf("%s became %q", k, got)
		}
	}
}

func TestTranslatorEnd(t *testing.T) {
	tr := newTranslator()
	start, err := tr.Start()
	if err != nil || string(start) != `{"type":"RUN_STARTED","threadId":"the thread","runId":"the run"}` {
		t.Errorf("start %s, %v", start, err)
	}
	_, got := translated(t, tr, event.RunFinished{
		ThreadID: "the conversation", RunID: "the turn", Outcome: &event.Ending{Type: "success"},
		Result: event.Complete{
			TurnID: "the turn", Provider: "p", Model: "m", Outcome: event.OutcomeCompleted, Messages: json.RawMessage("[]"),
			Usage: event.Usage{InputTokens: new(int64(10)), OutputTokens: new(int64(5)), CacheReadTokens: new(int64(100)), CacheWriteTokens: new(int64(20))},
		},
	})
	var end struct {
		ThreadID, RunID string
		Usage           []map[string]any
	}
	if err := json.Unmarshal([]byte(got), &end); err != nil {
		t.Fatal(err)
	}
	if end.ThreadID != "the thread" || end.RunID != "the run" {
		t.Errorf("told back %q and %q", end.ThreadID, end.RunID)
	}
	want := map[string]any{"provider": "p", "model": "m", "inputTokens": 130., "outputTokens": 5., "cachedInputTokens": 100., "cacheWriteInputTokens": 20.}
	if len(end.Usage) != 1 {
		t.Fatalf("usage %v", end.Usage)
	}
	for k, v := range want {
		if end.Usage[0][k] != v {
			t.Errorf("%s is %v, want %v", k, end.Usage[0][k], v)
		}
	}
	// A count that nobody knows is left out, and so is a usage of nothing known.
	for _, c := range []struct {
		usage      event.Usage
		has, lacks string
	}{
		{event.Usage{OutputTokens: new(int64(5))}, `"usage":[{"outputTokens":5}]`, `"inputTokens":0`},
		{event.Usage{InputTokens: new(int64(0))}, `"usage":[{"inputTokens":0}]`, `"outputTokens":0`},
		{event.Usage{}, `"runId":"the run"`, `"usage":[`},
	} {
		_, got := translated(t, newTranslator(), event.RunFinished{Result: event.Complete{TurnID: "t", Usage: c.usage, Outcome: event.OutcomeCompleted, Messages: json.RawMessage("[]")}})
		if !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
			t.Errorf("%+v gives %s", c.usage, got)
		}
	}
}

// TestTranslatorEarly holds that a front end from before 1.0, which refuses outcomes that it does not know, is told none.
func TestTranslatorEarly(t *testing.T) {
	for _, outcome := range []event.Ending{{Type: "success", PendingToolCallIDs: []string{"c"}}, {Type: "cancelled"}} {
		end := event.RunFinished{Outcome: &outcome, Result: event.Complete{TurnID: "t", Messages: json.RawMessage("[]")}}
		early := newTranslator()
		early.Early = true
		if _, got := translated(t, early, end); strings.Contains(got, `"outcome":{`) {
			t.Errorf("an early front end is told %s", got)
		}
		if _, got := translated(t, newTranslator(), end); !strings.Contains(got, `"outcome":{"type":"`+outcome.Type+`"`) {
			t.Errorf("told %s", got)
		}
	}
}

func TestTranslatorWaitsForCredential(t *testing.T) {
	_, got := translated(t, newTranslator(), event.Reauth{}, event.RunFinished{Result: event.Complete{TurnID: "t", TraceID: "trace", Messages: json.RawMessage("[]")}})
	if !strings.Contains(got, `"code":"unauthorized"`) || !strings.Contains(got, `"action":"sign_in"`) || !strings.Contains(got, `"traceId":"trace"`) {
		t.Errorf("got %s", got)
	}
}

// TestTranslatorError holds that an error has AG-UI's own members alone.
func TestTranslatorError(t *testing.T) {
	_, got := translated(t, newTranslator(), event.RunError{
		Message: "No.", Code: "provider_overloaded", TraceID: "trace", Action: event.ActionRetry,
		Result: event.Complete{TurnID: "t", Provider: "p", Usage: event.Usage{InputTokens: new(int64(3))}, Messages: json.RawMessage("[]")},
	})
	if want := `{"type":"RUN_ERROR","message":"No.","code":"provider_overloaded","usage":[{"provider":"p","inputTokens":3}],"metadata":{"traceId":"trace","action":"retry"}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTranslatorDone(t *testing.T) {
	out, err := newTranslator().Done(event.RunFinished{Outcome: &event.Ending{Type: "success"}})
	if err != nil || len(out) != 1 || string(out[0]) != `{"type":"RUN_FINISHED","threadId":"the thread","runId":"the run","outcome":{"type":"success"}}` {
		t.Errorf("got %s, %v", out, err)
	}
	out, err = newTranslator().Done(event.RunError{Message: "No.", Code: "internal", Result: event.Complete{Messages: json.RawMessage("[]")}})
	if err != nil || len(out) != 1 || string(out[0]) != `{"type":"RUN_ERROR","message":"No.","code":"internal","metadata":{}}` {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestTranslatorFaults(t *testing.T) {
	unread := errors.New("unread")
	tr := newTranslator()
	tr.History = func() ([]conversation.Message, error) { return nil, unread }
	if _, _, err := tr.Next(event.KindCaughtUp, nil); !errors.Is(err, unread) {
		t.Errorf("a history that cannot be read: %v", err)
	}
	for _, k := range []event.Kind{event.KindTextStart, event.KindTextEnd, event.KindToolCallResult, event.KindReset, event.KindRunFinished, event.KindRunError} {
		if _, _, err := newTranslator().Next(k, []byte("{")); err == nil {
			t.Errorf("%s that cannot be read is no error", k)
		}
	}
}

// TestTranslatorClosesCalls holds that a call which was being told when the line fell behind is closed before the
// snapshot, and that what comes of it later is left out.
func TestTranslatorClosesCalls(t *testing.T) {
	kinds, _ := translated(t, newTranslator(),
		event.ToolCallStart{ToolCallID: "c", ToolCallName: "x.y"}, event.Reset{}, event.CaughtUp{},
		event.ToolCallArgs{ToolCallID: "c", Delta: "{}"}, event.ToolCallEnd{ToolCallID: "c"},
		event.RunFinished{Outcome: &event.Ending{Type: "success", PendingToolCallIDs: []string{"c"}}},
	)
	if want := "TOOL_CALL_START TOOL_CALL_END MESSAGES_SNAPSHOT RUN_FINISHED |"; kinds != want {
		t.Errorf("told %s, want %s", kinds, want)
	}
}
