package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/tool"
)

// AgentRun is one run of a front end that keeps a copy of the conversation of its own. The log is what is so; of the copy
// only what is new is taken.
type AgentRun struct {
	ConversationID string
	// RunID is the front end's own; the same again follows that run.
	RunID string
	// Said are the member's messages of the copy, in order.
	Said []Said
	// Seen are the ids of the assistant's messages of the copy.
	Seen []string
	// Answers are the copy's results of calls; those that answer a waiting browser call are taken.
	Answers []Answer
	// Tools are what the front end can do in the page; those of the conversation's first run stay.
	Tools   []tool.ClientTool
	Context []page.Note
	Surface string
}

// Said is a message of the member in a front end's copy.
type Said struct {
	// ID is a UUID; SentAs is the front end's own id, where it was made from that.
	ID, SentAs string
	Text       string
	// Field is where in the request it stands; Unfit the part of it that cannot be taken, empty where all can.
	Field, Unfit string
}

// agentSend is what of a run goes with its message.
type agentSend struct {
	runID, sentAs, mark string
	tools               []tool.ClientTool
	brings              []string
	first               bool // the conversation's first message
	answers             []Answer
	context             []page.Note
}

// AgentStarted is a run that was begun or found.
type AgentStarted struct {
	Started
	// Behind says that the log holds what the front end's copy has not.
	Behind bool
	// Done is how the run ended, where there is nothing to follow.
	Done event.Payload
	// Answered are the calls that this run's front end answered.
	Answered []string
	// Before is what the turn had used when the run began.
	Before event.Usage
}

const (
	// patience is how long a new run waits for the line of the one before to be found closed.
	patience = time.Second
	// stopping is how long a new run waits for the turn before to stop.
	stopping = 10 * time.Second
)

// Run begins a run of a front end, or finds it. Every refusal is a *[Refusal]; event.HistoryDiverged says that the front
// end's copy is not of this log.
func (e *Engine) Run(ctx context.Context, by Asker, in AgentRun) (AgentStarted, error) {
	if err := e.recheck(ctx, by); err != nil {
		return AgentStarted{}, err
	}
	_, host, ok := e.surface(in.Surface)
	if !ok {
		return AgentStarted{}, &Refusal{Code: event.BadRequest, Field: "surface", Detail: "a surface of the host's file"}
	}
	if err := e.checkTools(host, in.Tools); err != nil {
		return AgentStarted{}, err
	}
	for tries := 0; ; tries++ {
		started, err := e.tryRun(ctx, by, in)
		var refused *Refusal
		// The same run may have begun a moment ago in another request.
		if tries < 3 && errors.As(err, &refused) && refused.Code == event.TurnInProgress && refused.Scope == "" {
			select {
			case <-ctx.Done():
				return AgentStarted{}, context.Cause(ctx)
			case <-time.After(20 * time.Millisecond):
			}
			continue
		}
		if !errors.Is(err, errAgain) {
			return started, err
		}
	}
}

var errAgain = errors.New("look again")

func (e *Engine) checkTools(host config.Surface, tools []tool.ClientTool) error {
	if len(tools) == 0 {
		return nil
	}
	if !host.ClientTools {
		return &Refusal{Code: event.BadRequest, Field: "tools", Detail: "none: this surface takes no tools of a front end (client_tools in the host's file)"}
	}
	var wrong *tool.ClientToolError
	if err := e.cfg.Registry.CheckClientTools(tools); errors.As(err, &wrong) {
		return &Refusal{Code: event.BadRequest, Field: "tools" + wrong.Field, Detail: wrong.Want}
	} else if err != nil {
		return fmt.Errorf("check client tools: %w", err)
	}
	return nil
}

// found is what the log holds of a run's conversation.
type found struct {
	row   conversation.Row
	turn  []*conversation.Entry
	first *conversation.UserMessage
	run   conversation.AgentRun
	known bool // the run is
}

func (e *Engine) look(ctx context.Context, by Asker, in AgentRun) (f found, err error) {
	err = e.cfg.Store.Read(ctx, func(tx *store.Tx) error {
		f = found{}
		var err error
		if f.row, err = conversation.Get(ctx, tx, e.key(by, in.ConversationID)); err != nil {
			return err
		}
		if f.run, err = conversation.FindRun(ctx, tx, f.row.Ref, in.RunID); err == nil {
			f.known = true
			f.turn, err = conversation.Turn(ctx, tx, f.row.Ref, f.run.TurnID)
			return err
		}
		if !errors.Is(err, conversation.ErrNotFound) || f.row.Head == 0 {
			return ignoreNotFound(err)
		}
		first, err := conversation.First(ctx, tx, f.row.Ref)
		if err != nil {
			return err
		}
		f.first = first.Message
		f.turn, err = conversation.Turn(ctx, tx, f.row.Ref, f.row.TurnID)
		return err
	})
	return f, ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if errors.Is(err, conversation.ErrNotFound) {
		return nil
	}
	return err
}

func (e *Engine) tryRun(ctx context.Context, by Asker, in AgentRun) (AgentStarted, error) {
	f, err := e.look(ctx, by, in)
	switch {
	case err != nil:
		return AgentStarted{}, fmt.Errorf("look for run: %w", err)
	case f.known:
		if fresh, err := news(in, f); err != nil || len(fresh) > 0 {
			return AgentStarted{}, &Refusal{Code: event.DuplicateMismatch, Field: "runId", Detail: "this id names a run with other messages"}
		}
		return e.knownRun(f), nil
	case f.row.Head == 0 && len(in.Said) == 0:
		return AgentStarted{Done: nothing(in)}, nil
	case f.row.Head == 0:
		return e.sendRun(ctx, by, in, f, in.Said)
	}
	if in.Surface == "" {
		in.Surface = f.row.Surface
	}
	if in.Surface != f.row.Surface { // a conversation is of one surface
		return AgentStarted{}, &Refusal{Code: event.BadRequest, Field: "surface", Detail: "the surface that this thread began on, or none"}
	}
	fresh, err := news(in, f)
	if err != nil {
		return AgentStarted{}, err
	}
	started := AgentStarted{Behind: behind(in, f), Before: usageOf(f.turn)}
	switch {
	case f.row.State == conversation.Running && len(fresh) == 0:
		started.Started = Started{
			ConversationID: in.ConversationID, TurnID: f.row.TurnID, MessageID: f.turn[0].MessageID, ref: f.row.Ref,
			From: event.ID{Seq: f.turn[0].Seq},
		}
		return started, nil
	case f.row.State == conversation.Running:
		return AgentStarted{}, e.makeRoom(ctx, by, f.row)
	case f.row.WaitsFor == waitsForBrowser && len(in.Answers) > 0 && len(fresh) == 0:
		return e.answerRun(ctx, by, in, f)
	case f.row.WaitsFor == waitsForCredential && len(fresh) == 0:
		return e.credentialRun(ctx, by, in, f, started)
	case len(fresh) > 0:
		next, err := e.sendRun(ctx, by, in, f, fresh)
		next.Behind = started.Behind
		return next, err
	}
	started.Done = terminalOf(f.row, f.turn, e.reader(by.Locale, f.row.State))
	return started, nil
}

// nothing ends a run of a conversation that has not begun and says nothing.
func nothing(in AgentRun) event.Payload {
	return event.RunFinished{ThreadID: in.ConversationID, RunID: in.RunID, Outcome: &event.Ending{Type: "success"}}
}

// knownRun finds a run that was begun before: to be followed where it still runs.
func (e *Engine) knownRun(f found) AgentStarted {
	out := AgentStarted{Started: Started{ConversationID: f.row.Key.ID, TurnID: f.run.TurnID, ref: f.row.Ref}}
	if len(f.turn) > 0 {
		out.MessageID = f.turn[0].MessageID
	}
	out.Before = usageBefore(f.turn, f.run.Seq)
	current := f.run.Newest && f.run.TurnID == f.row.TurnID
	if current && f.row.State == conversation.Running {
		out.From = event.ID{Seq: f.run.Seq}
		return out
	}
	out.Behind = true
	row := f.row
	switch {
	case current:
	case len(f.turn) > 0 && f.turn[len(f.turn)-1].Kind == conversation.KindEnd:
		row.State = conversation.Resting
	default: // a later run goes on with its turn
		out.Done = event.RunFinished{ThreadID: row.Key.ID, RunID: f.run.ID, Outcome: &event.Ending{Type: "success"}}
		return out
	}
	out.Done = terminalOf(row, f.turn, e.reader(f.turn[0].Message.Locale, row.State))
	return out
}

// usageBefore is what a turn had used by a place of the log.
func usageBefore(turn []*conversation.Entry, seq int64) event.Usage {
	for i, e := range turn {
		if e.Seq > seq {
			return usageOf(turn[:i])
		}
	}
	return usageOf(turn)
}

// news gives the member's messages of the copy that come after the last one of the log.
func news(in AgentRun, f found) ([]Said, error) {
	if len(in.Said) == 0 {
		return nil, nil
	}
	last := f.turn[0].MessageID
	i := slices.IndexFunc(in.Said, func(s Said) bool { return s.ID == last })
	if i < 0 {
		return nil, &Refusal{Code: event.HistoryDiverged, Field: "messages", Detail: "the conversation's newest message before those that are new; the history is in this answer"}
	}
	return in.Said[i+1:], nil
}

// behind reports whether the newest turn has a visible reply that the copy has not.
func behind(in AgentRun, f found) bool {
	if len(in.Said) == 0 {
		return true
	}
	for _, m := range conversation.Messages(f.turn, conversation.Reader{
		Sentence: func(event.Code) string { return "" }, Label: func(string) string { return "" },
	}) {
		if m.Role == conversation.Assistant && !slices.Contains(in.Seen, m.ID) {
			return true
		}
	}
	return false
}
