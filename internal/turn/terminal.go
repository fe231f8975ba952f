package turn

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/words"
)

// reader makes what a person in this locale sees of a log.
func (e *Engine) reader(locale string, state conversation.State) conversation.Reader {
	w := words.For(locale)
	return conversation.Reader{
		State:    state,
		Sentence: func(c event.Code) string { return w.Text("code."+string(c)+".message", nil) },
		Label:    func(name string) string { return e.label(name, locale) },
	}
}

// label gives a tool's progress line; empty where there is no such tool.
func (e *Engine) label(name, locale string) string {
	if def := e.cfg.Registry.Find(name); def != nil {
		return def.Progress.In(locale, e.cfg.Host.FallbackLocale())
	}
	return ""
}

// terminalOf makes the terminal event of a turn that has ended or waits, from its entries.
func terminalOf(row conversation.Row, turn []*conversation.Entry, reader conversation.Reader) event.Payload {
	c := completeOf(turn, reader)
	if c.Code == "" || c.Code == event.Aborted {
		how := "success"
		if c.Code != "" {
			how = "cancelled"
		}
		return event.RunFinished{
			ThreadID: row.Key.ID, RunID: c.TurnID, Outcome: &event.Ending{Type: how, PendingToolCallIDs: pending(turn)}, Result: c,
		}
	}
	return event.RunError{
		Message: reader.Sentence(c.Code), Code: string(c.Code), TraceID: c.TraceID,
		Action: event.FactOf(c.Code).Action, Result: c,
	}
}

// completeOf makes the terminal payload: the truth of a turn.
func completeOf(turn []*conversation.Entry, reader conversation.Reader) event.Complete {
	c := event.Complete{Messages: json.RawMessage("[]")}
	if len(turn) == 0 || turn[0].Message == nil {
		return c
	}
	messages := conversation.Messages(turn, reader)
	first := messages[0].Turn
	c.TurnID, c.MessageID, c.TraceID = turn[0].TurnID, turn[0].MessageID, turn[0].Message.TraceID
	c.Provider, c.Model, c.Answers = first.Provider, first.Model, first.Answers
	c.Outcome, c.Code = first.Outcome, first.Code
	if first.Usage != nil {
		c.Usage = *first.Usage
	}
	var texts []string
	for _, m := range messages[1:] {
		if strings.TrimSpace(m.Text) != "" {
			texts = append(texts, m.Text)
		}
	}
	c.Text = strings.Join(texts, "\n\n")
	if b, err := json.Marshal(messages); err == nil {
		c.Messages = b
	}
	return c
}

// lastTurn gives the entries of the newest turn of a log.
func lastTurn(log []*conversation.Entry) []*conversation.Entry {
	for i, l := range slices.Backward(log) {
		if l.Kind == conversation.KindMessage {
			return log[i:]
		}
	}
	return nil
}
