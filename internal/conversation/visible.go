package conversation

import (
	"strings"

	"github.com/steward-assistant/steward/internal/event"
)

// Reader is for whom messages are made visible.
type Reader struct {
	// Sentence gives the sentence of a code in the reader's language.
	Sentence func(event.Code) string
	// Label gives a tool's progress line in the reader's language.
	Label func(tool string) string
	// Running says that the conversation's newest turn is not at its end, and how it waits.
	State State
}

// Messages gives what a person sees of a run of entries that begins with a message: visible words, calls with their
// outcomes, and on each member's message what became of its turn.
func Messages(entries []*Entry, r Reader) []Message {
	var out []Message
	calls := map[string]*Call{}
	turn := -1 // index in out of the message that began the turn
	usage := event.Usage{}
	for _, e := range entries {
		switch e.Kind {
		case KindMessage:
			m := e.Message
			usage = event.Usage{}
			turn = len(out)
			out = append(out, Message{
				ID: e.MessageID, Seq: e.Seq, Role: User, TurnID: e.TurnID, CreatedAt: e.CreatedAt, Text: m.Text,
				RetryOf: m.RetryOf, SentAs: m.SentAs, Page: m.Page,
				Turn: &TurnInfo{
					ID: e.TurnID, State: "running", TraceID: m.TraceID, Answers: m.Answers, GuideReason: m.GuideReason,
					Provider: m.Provider, Model: m.Model,
				},
			})
		case KindReply:
			if e.Reply.Round {
				usage = AddUsage(usage, e.Reply)
			}
			if m, ok := replyMessage(e, r); ok {
				out = append(out, m)
				for i := range out[len(out)-1].Calls {
					calls[m.Calls[i].ID] = &out[len(out)-1].Calls[i]
				}
			}
		case KindResult:
			if c := calls[e.Result.CallID]; c != nil {
				settle(c, e.Result)
			}
		case KindEnd:
			if turn >= 0 {
				t := out[turn].Turn
				t.State, t.Outcome, t.Code, t.TraceID = "ended", e.End.Outcome, e.End.Code, e.End.TraceID
				u := e.End.Usage
				t.Usage = &u
				if e.End.Code != "" {
					t.Message, t.Action = r.Sentence(e.End.Code), event.FactOf(e.End.Code).Action
				}
			}
			turn = -1
		case KindContext, KindHint, KindRest, KindClaim:
		}
	}
	if turn >= 0 {
		if r.State == Waiting {
			out[turn].Turn.State = "waiting"
		}
		out[turn].Turn.Usage = &usage
	}
	return out
}

func replyMessage(e *Entry, r Reader) (Message, bool) {
	rep := e.Reply
	text := rep.Text
	if rep.State == SetAside || rep.State == RefusedBy {
		return Message{}, false
	}
	if rep.State == Cut && !rep.Discarded && strings.TrimSpace(text) == "" {
		text = CutOff
	}
	m := Message{
		ID: e.MessageID, Seq: e.Seq, Role: Assistant, TurnID: e.TurnID, CreatedAt: e.CreatedAt, Text: text,
		State: string(rep.State), Answers: rep.Answers, Provider: rep.Provider, Model: rep.Model,
		Links: rep.Links, Notes: rep.Notes,
	}
	if !rep.Discarded {
		for _, c := range rep.Calls {
			m.Calls = append(m.Calls, Call{ID: c.ID, Name: c.Name, Label: r.Label(c.Name), State: "pending", Args: string(c.Input), Browser: c.Browser})
		}
	}
	empty := strings.TrimSpace(text) == "" && len(m.Calls) == 0 && len(m.Links) == 0
	return m, !empty
}

func settle(c *Call, r *CallResult) {
	c.State = "failed"
	if r.OK {
		c.State = "succeeded"
	}
	c.Code, c.Sentence, c.DurationMS, c.Table = r.Code, r.Sentence, r.DurationMS, r.Table
	c.Content = r.Content()
}

// AddUsage adds what a model call used to what its turn has used. A count that one call did not report makes the sum
// unknown: unknown is not zero.
func AddUsage(u event.Usage, r *Reply) event.Usage {
	first := u.Rounds == 0
	u.Rounds++
	u.InputTokens = addCount(u.InputTokens, r.Usage.InputTokens, first)
	u.OutputTokens = addCount(u.OutputTokens, r.Usage.OutputTokens, first)
	u.CacheReadTokens = addCount(u.CacheReadTokens, r.Usage.CacheReadTokens, first)
	u.CacheWriteTokens = addCount(u.CacheWriteTokens, r.Usage.CacheWriteTokens, first)
	return u
}

func addCount(sum, more *int64, first bool) *int64 {
	if more == nil || (sum == nil && !first) {
		return nil
	}
	n := *more
	if sum != nil {
		n += *sum
	}
	return &n
}
