package agui

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/words"
)

// Translator turns the events of a conversation into those of one run. For one goroutine.
type Translator struct {
	// ThreadID and RunID are the front end's own; they are told back.
	ThreadID, RunID string
	// Early says that the front end is from before AG-UI 1.0, and refuses an end whose outcome it does not know. It is told
	// none, which means success; the calls that it is to answer are those that it got no results of.
	Early bool
	// Answered are calls that the front end itself has answered: it holds their results.
	Answered []string
	// Before is what the turn had used when the run began: a turn may take several runs.
	Before event.Usage
	// Locale is the reader's language.
	Locale string
	// History reads the conversation as it now stands. Required.
	History func() ([]conversation.Message, error)

	open   string   // the text message that is open; empty: none
	calls  []string // the calls that are open
	guide  bool     // the guide answers: its last text stays open until what it drew is known
	reauth bool
	away   bool // what comes until steward.caught_up is from the log
}

// Start gives the event that begins the run.
func (t *Translator) Start() ([]byte, error) {
	return event.Encode(event.RunStarted{ThreadID: t.ThreadID, RunID: t.RunID})
}

// Snapshot gives the conversation as it stands, which the front end puts in place of its copy. Texts and calls that were
// open are closed first.
func (t *Translator) Snapshot() ([][]byte, error) {
	out, err := t.close()
	if err != nil {
		return nil, err
	}
	messages, err := t.History()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(struct {
		Type     string    `json:"type"`
		Messages []Message `json:"messages"`
	}{"MESSAGES_SNAPSHOT", History(messages)})
	if err != nil {
		return nil, fmt.Errorf("encode history: %w", err)
	}
	return append(out, data), nil
}

// close closes the text and the calls that are open.
func (t *Translator) close() ([][]byte, error) {
	var ends []event.Payload
	if t.open != "" {
		ends = append(ends, event.TextEnd{MessageID: t.open})
	}
	for _, call := range t.calls {
		ends = append(ends, event.ToolCallEnd{ToolCallID: call})
	}
	t.open, t.calls = "", nil
	out := make([][]byte, 0, len(ends))
	for _, p := range ends {
		data, err := event.Encode(p)
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

// call passes a call on, but for parts of one whose beginning was not told.
func (t *Translator) call(kind event.Kind, data []byte) ([][]byte, bool, error) {
	var c event.ToolCallEnd
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, false, fmt.Errorf("read call: %w", err)
	}
	i := slices.Index(t.calls, c.ToolCallID)
	switch {
	case kind == event.KindToolCallStart:
		t.calls = append(t.calls, c.ToolCallID)
	case i < 0:
		return nil, false, nil
	case kind == event.KindToolCallEnd:
		t.calls = slices.Delete(t.calls, i, i+1)
	}
	return [][]byte{data}, false, nil
}

// Next translates one event: none, one or several take its place. done says that the run has ended with them.
func (t *Translator) Next(kind event.Kind, data []byte) (out [][]byte, done bool, err error) {
	switch kind {
	case event.KindTextContent:
		if t.away || t.open == "" {
			return nil, false, nil
		}
	case event.KindTextStart:
		return t.text(data, true)
	case event.KindTextEnd:
		return t.text(data, false)
	case event.KindToolCallStart, event.KindToolCallArgs, event.KindToolCallEnd:
		return t.call(kind, data)
	case event.KindToolCallResult:
		return t.result(data)
	case event.KindRunStarted, event.KindMessage: // the run's own beginning was told; messages come in a snapshot
		return nil, false, nil
	case event.KindReset:
		return t.reset(data)
	case event.KindCaughtUp:
		t.away = false
		out, err = t.Snapshot()
		return out, false, err
	case event.KindReauth:
		t.reauth = true
	case event.KindMeta:
		var e struct {
			Value event.Meta `json:"value"`
		}
		if err := json.Unmarshal(data, &e); err != nil {
			return nil, false, fmt.Errorf("read meta: %w", err)
		}
		t.guide = e.Value.Answers == answersGuide
	case event.KindRunFinished:
		return t.finish(data)
	case event.KindRunError:
		return t.fail(data)
	default: // AG-UI's own as it is, and what AG-UI has no event for as CUSTOM
	}
	return [][]byte{data}, false, nil
}

func (t *Translator) text(data []byte, begins bool) ([][]byte, bool, error) {
	var m event.TextStart
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, false, fmt.Errorf("read text: %w", err)
	}
	var out [][]byte
	switch {
	case begins:
		var err error
		if out, err = t.close(); err != nil {
			return nil, false, err
		}
		t.open = m.MessageID
	case t.open != m.MessageID, t.guide: // a text whose beginning was not told; one that is closed later
		return nil, false, nil
	default:
		t.open = ""
	}
	return append(out, data), false, nil
}

// draw adds to the guide's words what the widget draws beside them.
func (t *Translator) draw(raw json.RawMessage) ([][]byte, error) {
	if !t.guide || len(raw) == 0 {
		return nil, nil
	}
	var messages []conversation.Message
	if err := json.Unmarshal(raw, &messages); err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	if len(messages) < 2 {
		return nil, nil
	}
	words, last := drawn(messages), messages[len(messages)-1]
	if words == "" || last.Role != conversation.Assistant {
		return nil, nil
	}
	var events []event.Payload
	if t.open == "" {
		t.open = last.ID
		events = append(events, event.TextStart{MessageID: t.open, Role: "assistant"})
	} else {
		words = "\n\n" + words
	}
	var out [][]byte
	for _, p := range append(events, event.TextContent{MessageID: t.open, Delta: words}) {
		data, err := event.Encode(p)
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

// result leaves out what the front end knows because it is the one that answered.
func (t *Translator) result(data []byte) ([][]byte, bool, error) {
	var r event.ToolCallResult
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, false, fmt.Errorf("read result: %w", err)
	}
	if slices.Contains(t.Answered, r.ToolCallID) {
		return nil, false, nil
	}
	return [][]byte{data}, false, nil
}

// reset sets a dead draft aside: the front end is given the conversation as it stands. With no message named, what
// follows is from the log, and the snapshot comes at its end.
func (t *Translator) reset(data []byte) ([][]byte, bool, error) {
	var e struct {
		Value event.Reset `json:"value"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, fmt.Errorf("read reset: %w", err)
	}
	if e.Value.MessageID == "" {
		t.away = true
		out, err := t.close()
		return out, false, err
	}
	out, err := t.Snapshot()
	return out, false, err
}

// Done ends the run with a payload of the engine.
func (t *Translator) Done(p event.Payload) ([][]byte, error) {
	data, err := event.Encode(p)
	if err != nil {
		return nil, err
	}
	end := t.finish
	if event.KindOf(p) == event.KindRunError {
		end = t.fail
	}
	out, _, err := end(data)
	return out, err
}

// failure is AG-UI's RUN_ERROR.
type failure struct {
	Type     string   `json:"type"`
	Message  string   `json:"message"`
	Code     string   `json:"code"`
	Usage    []usage  `json:"usage,omitempty"`
	Metadata metadata `json:"metadata"`
}

// metadata is what of a failure AG-UI has no member for.
type metadata struct {
	// TraceID is what to quote to whoever runs the assistant.
	TraceID string `json:"traceId,omitempty"`
	// Action is what the member can do next.
	Action event.Action `json:"action,omitempty"`
}

// Broken gives the end of a run whose stream broke off here.
func (t *Translator) Broken(e event.RunError) ([]byte, error) {
	data, err := event.Encode(e)
	if err != nil {
		return nil, err
	}
	out, _, err := t.fail(data)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// fail ends the run with an error. A text that is open stays as it is: what was said stays, and no end was reached.
func (t *Translator) fail(data []byte) ([][]byte, bool, error) {
	var in event.RunError
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, false, fmt.Errorf("read error: %w", err)
	}
	end := failure{
		Type: string(event.KindRunError), Message: in.Message, Code: in.Code, Usage: usageOf(in.Result, t.Before),
		Metadata: metadata{TraceID: in.TraceID, Action: in.Action},
	}
	body, err := json.Marshal(end)
	if err != nil {
		return nil, false, fmt.Errorf("encode error: %w", err)
	}
	return [][]byte{body}, true, nil
}

// finished is AG-UI's RUN_FINISHED.
type finished struct {
	Type     string          `json:"type"`
	ThreadID string          `json:"threadId"`
	RunID    string          `json:"runId"`
	Outcome  *event.Ending   `json:"outcome,omitempty"`
	Result   *event.Complete `json:"result,omitempty"`
	Usage    []usage         `json:"usage,omitempty"`
}

// usage is AG-UI's TokenUsage: cached and written tokens are parts of the input.
type usage struct {
	Provider              string `json:"provider,omitempty"`
	Model                 string `json:"model,omitempty"`
	InputTokens           *int64 `json:"inputTokens,omitempty"`
	OutputTokens          *int64 `json:"outputTokens,omitempty"`
	CachedInputTokens     *int64 `json:"cachedInputTokens,omitempty"`
	CacheWriteInputTokens *int64 `json:"cacheWriteInputTokens,omitempty"`
}

func (t *Translator) finish(data []byte) ([][]byte, bool, error) {
	var in event.RunFinished
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, false, fmt.Errorf("read end: %w", err)
	}
	out, err := t.draw(in.Result.Messages)
	if err != nil {
		return nil, false, err
	}
	closed, err := t.close()
	if err != nil {
		return nil, false, err
	}
	out = append(out, closed...)
	if t.reauth && (in.Outcome == nil || len(in.Outcome.PendingToolCallIDs) == 0) && in.Result.Outcome == "" {
		// The turn waits for a token that still holds; to a front end that is the run's failure, and its next run goes on.
		fact := event.FactOf(event.Unauthorized)
		data, err := event.Encode(event.RunError{
			Message: words.For(t.Locale).Text("code."+string(fact.Code)+".message", nil), Code: string(fact.Code),
			TraceID: in.Result.TraceID, Action: fact.Action, Result: in.Result,
		})
		if err != nil {
			return nil, false, fmt.Errorf("encode end: %w", err)
		}
		end, _, err := t.fail(data)
		return append(out, end...), true, err
	}
	end := finished{Type: string(event.KindRunFinished), ThreadID: t.ThreadID, RunID: t.RunID, Outcome: in.Outcome}
	if t.Early {
		end.Outcome = nil
	}
	if in.Result.TurnID != "" {
		end.Result = &in.Result
		end.Usage = usageOf(in.Result, t.Before)
	}
	body, err := json.Marshal(end)
	if err != nil {
		return nil, false, fmt.Errorf("encode end: %w", err)
	}
	return append(out, body), true, nil
}

// usageOf tells what a run has used: what its turn has, less what that had before. A count that is unknown is left out,
// never zero.
func usageOf(c event.Complete, before event.Usage) []usage {
	fresh := less(c.Usage.InputTokens, before.InputTokens, before.Rounds)
	u := usage{
		Provider: c.Provider, Model: c.Model,
		OutputTokens:          less(c.Usage.OutputTokens, before.OutputTokens, before.Rounds),
		CachedInputTokens:     less(c.Usage.CacheReadTokens, before.CacheReadTokens, before.Rounds),
		CacheWriteInputTokens: less(c.Usage.CacheWriteTokens, before.CacheWriteTokens, before.Rounds),
	}
	if fresh != nil {
		total := *fresh
		for _, more := range []*int64{u.CachedInputTokens, u.CacheWriteInputTokens} {
			if more != nil {
				total += *more
			}
		}
		u.InputTokens = &total
	}
	if u.InputTokens == nil && u.OutputTokens == nil {
		return nil
	}
	return []usage{u}
}

// less takes what was counted in rounds before from a count; without rounds there was nothing.
func less(all, before *int64, rounds int) *int64 {
	if all == nil || rounds == 0 {
		return all
	}
	if before == nil {
		return nil
	}
	n := *all - *before
	return &n
}
