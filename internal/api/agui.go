package api

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/steward-assistant/steward/internal/agui"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/tool"
)

// maxRunBytes is the longest body of a run: a front end sends its whole copy of the conversation each time.
const maxRunBytes = 4 << 20

// historyMost is how many of a conversation's newest turns a front end is given of the history.
const historyMost = 200

// run begins a run of a front end that speaks AG-UI, or follows it.
func (s *server) run(x *exchange) error {
	in, _ := x.body.(*agui.Input)
	read, err := in.Read()
	if wrong := (*agui.InputError)(nil); errors.As(err, &wrong) {
		return &fault{field: wrong.Field, want: wrong.Want}
	}
	x.body = nil // a stream may be long, and a copy of the conversation too
	ask := turn.AgentRun{
		ConversationID: id.FromText("agui.thread", read.ThreadID), RunID: read.RunID, Seen: read.Seen,
		Surface: x.query["surface"],
	}
	for _, m := range read.Said {
		said := turn.Said{ID: id.FromText("agui.message", m.ID), Text: m.Text, Field: m.Field, Unfit: m.Unfit}
		if said.ID != m.ID {
			said.SentAs = m.ID
		}
		ask.Said = append(ask.Said, said)
	}
	for _, r := range read.Results {
		ask.Answers = append(ask.Answers, turn.Answer{CallID: r.CallID, ClientAnswer: tool.ClientAnswer{Content: r.Content, Fault: r.Error}})
	}
	for _, t := range read.Tools {
		ask.Tools = append(ask.Tools, tool.ClientTool(t))
	}
	for _, c := range read.Context {
		ask.Context = append(ask.Context, page.Note(c))
	}
	history := func() ([]conversation.Message, error) {
		v, err := s.engine.Load(x.r.Context(), x.by, ask.ConversationID, 0, historyMost)
		return v.Messages, err
	}
	started, err := s.engine.Run(x.r.Context(), x.by, ask)
	if refused := (*turn.Refusal)(nil); errors.As(err, &refused) && refused.Code == event.HistoryDiverged {
		messages, err := history()
		if err != nil {
			return err
		}
		x.extra = map[string]any{"messages": agui.History(messages)}
		return refused
	}
	if err != nil {
		return err
	}
	x.turn = started.Started
	f := &runFollower{t: &agui.Translator{
		ThreadID: read.ThreadID, RunID: read.RunID, Early: read.Early, Answered: started.Answered, Before: started.Before,
		Locale: x.locale, History: history,
	}, started: started}
	if started.Done == nil {
		if f.follower, err = s.engine.FollowRun(x.r.Context(), x.by, started); err != nil {
			return err
		}
	}
	x.broken = f.t.Broken
	return x.stream(f, false)
}

// runFollower follows a conversation as one run of a front end.
type runFollower struct {
	follower // nil where the run is done
	t        *agui.Translator
	started  turn.AgentStarted
	begun    bool
	over     bool
}

// Close lets go of what is followed.
func (f *runFollower) Close() {
	if f.follower != nil {
		f.follower.Close()
	}
}

// Next gives the run's next events; its first ones come at once.
func (f *runFollower) Next(ctx context.Context) ([]turn.Frame, error) {
	if !f.begun {
		f.begun = true
		return f.begin()
	}
	if f.over || f.follower == nil {
		return nil, io.EOF
	}
	for {
		frames, err := f.follower.Next(ctx)
		if err != nil {
			return nil, err
		}
		var out []turn.Frame
		for _, frame := range frames {
			data, done, err := f.t.Next(frame.Kind, frame.Data)
			if err != nil {
				return nil, err
			}
			for i, d := range data {
				next := turn.Frame{Data: d, Terminal: done && i == len(data)-1}
				if i == len(data)-1 {
					next.ID = frame.ID
				}
				out = append(out, next)
			}
			if f.over = done; done {
				break
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
}

func (f *runFollower) begin() ([]turn.Frame, error) {
	start, err := f.t.Start()
	if err != nil {
		return nil, err
	}
	out := []turn.Frame{{Data: start}}
	if f.started.Behind {
		snapshot, err := f.t.Snapshot()
		if err != nil {
			return nil, err
		}
		for _, d := range snapshot {
			out = append(out, turn.Frame{Data: d})
		}
	}
	if f.started.Done == nil {
		return out, nil
	}
	end, err := f.t.Done(f.started.Done)
	if err != nil {
		return nil, err
	}
	for i, d := range end {
		out = append(out, turn.Frame{Data: d, Terminal: i == len(end)-1})
	}
	f.over = true
	return out, nil
}

type claimBody struct {
	ClientID string `json:"clientId" minLength:"1" maxLength:"64" doc:"Names the tab that takes the call."`
}

type resultBody struct {
	ClientID string `json:"clientId" minLength:"1" maxLength:"64" doc:"The tab that claimed the call."`
	Content  string `json:"content,omitempty" maxLength:"200000" doc:"The result, JSON or plain text."`
	Error    string `json:"error,omitempty" maxLength:"4000" doc:"Why there is no result; left out where there is one."`
}

// claim takes a browser call for one tab.
func (s *server) claim(x *exchange) error {
	conversationID, err := x.id()
	if err != nil {
		return err
	}
	in, _ := x.body.(*claimBody)
	if err := s.engine.Claim(x.r.Context(), x.by, conversationID, x.r.PathValue("callId"), in.ClientID); err != nil {
		return err
	}
	return x.nothing()
}

// result takes a tab's answer to a browser call; the turn goes on, and is followed as any other.
func (s *server) result(x *exchange) error {
	conversationID, err := x.id()
	if err != nil {
		return err
	}
	in, _ := x.body.(*resultBody)
	err = s.engine.Answer(x.r.Context(), x.by, conversationID, turn.Answer{
		CallID: x.r.PathValue("callId"), ClientID: in.ClientID,
		ClientAnswer: tool.ClientAnswer{Content: in.Content, Fault: in.Error},
	})
	if err != nil {
		return err
	}
	return x.nothing()
}

// nothing answers that all is well.
func (x *exchange) nothing() error {
	x.Header().Set("Cache-Control", "no-store")
	x.WriteHeader(http.StatusNoContent)
	return nil
}
