package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
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
	if err := e.recheck(by); err != nil {
		return AgentStarted{}, err
	}
	surface, host, ok := e.surface(in.Surface)
	if !ok {
		return AgentStarted{}, &Refusal{Code: event.BadRequest, Field: "surface", Detail: "a surface of the host's file"}
	}
	in.Surface = surface
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
		return e.knownRun(f), nil
	case f.row.Head == 0 && len(in.Said) == 0:
		return AgentStarted{Done: nothing(in)}, nil
	case f.row.Head == 0:
		return e.sendRun(ctx, by, in, f, in.Said)
	}
	fresh, err := news(in, f)
	if err != nil {
		return AgentStarted{}, err
	}
	started := AgentStarted{Behind: behind(in, f)}
	switch {
	case f.row.State == conversation.Running && len(fresh) == 0:
		started.Started = Started{
			ConversationID: in.ConversationID, TurnID: f.row.TurnID, MessageID: f.turn[0].MessageID, ref: f.row.Ref,
			From: event.ID{Seq: f.turn[0].Seq},
		}
		return started, nil
	case f.row.State == conversation.Running:
		return AgentStarted{}, e.makeRoom(ctx, by, f.row)
	case f.row.WaitsFor == waitsForBrowser && len(in.Answers) > 0:
		return e.answerRun(ctx, by, in, f, fresh)
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

// makeRoom stops a turn that nobody follows, so that the run's message can begin another.
func (e *Engine) makeRoom(ctx context.Context, by Asker, row conversation.Row) error {
	until := e.cfg.Now().Add(patience)
	for e.readers.following(row.Ref) { // a line that its reader closed is found closed a moment later
		if e.cfg.Now().After(until) {
			return &Refusal{Code: event.TurnInProgress, Scope: "conversation", Detail: "a turn of this conversation is running and followed"}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
	if _, err := e.Cancel(ctx, by, row.Key.ID, row.TurnID); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, stopping)
	defer cancel()
	if _, err := e.waitIdle(bounded, by, row.Key.ID); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return &Refusal{Code: event.TurnInProgress, Scope: "conversation", Detail: "the turn before is still stopping"}
	}
	return errAgain
}

// sendRun begins a turn with what the member said.
func (e *Engine) sendRun(ctx context.Context, by Asker, in AgentRun, f found, fresh []Said) (AgentStarted, error) {
	last := fresh[len(fresh)-1]
	texts := make([]string, 0, len(fresh))
	for _, s := range fresh {
		if s.Unfit != "" {
			return AgentStarted{}, &Refusal{Code: event.UnsupportedAttachment, Field: s.Unfit, Detail: "a part of type text: nothing else is taken here"}
		}
		texts = append(texts, s.Text)
	}
	agent := &agentSend{
		runID: in.RunID, sentAs: last.SentAs, mark: f.row.Mark, tools: in.Tools, first: f.first == nil, context: in.Context,
	}
	if f.first != nil {
		agent.tools = f.first.ClientTools
	}
	if agent.mark == "" {
		agent.mark = tool.NewFence().Mark
	}
	for _, t := range in.Tools {
		agent.brings = append(agent.brings, t.Name)
	}
	started, err := e.Send(ctx, by, Send{
		ConversationID: in.ConversationID, MessageID: last.ID, Text: strings.Join(texts, "\n\n"), Surface: in.Surface,
		agent: agent,
	})
	var refused *Refusal
	if errors.As(err, &refused) && (refused.Field == "text" || refused.Field == "id") {
		refused.Field = last.Field
	}
	return AgentStarted{Started: started}, err
}

// answerRun brings the browser's answers; a message that comes with them begins a turn of its own after them.
func (e *Engine) answerRun(ctx context.Context, by Asker, in AgentRun, f found, fresh []Said) (AgentStarted, error) {
	sub, err := e.cfg.Feed.Subscribe(ctx, f.row.Ref, feed.Now)
	if err != nil {
		return AgentStarted{}, fmt.Errorf("subscribe: %w", err)
	}
	done, err := e.answer(ctx, by, f.row, in.RunID, in.Answers, len(fresh) > 0)
	if err != nil {
		sub.Close()
		return AgentStarted{}, err
	}
	out := AgentStarted{Answered: done.ids}
	if len(fresh) > 0 {
		sub.Close()
		next, err := e.sendRun(ctx, by, in, f, fresh)
		next.Answered = done.ids
		return next, err
	}
	if done.open != nil || len(done.ids) == 0 {
		sub.Close()
		if done.open == nil || done.row.State != conversation.Waiting {
			return AgentStarted{}, errAgain
		}
		out.Done = terminalOf(done.row, done.open, e.reader(by.Locale, conversation.Waiting))
		return out, nil
	}
	out.Started = Started{
		ConversationID: in.ConversationID, TurnID: f.row.TurnID, MessageID: f.turn[0].MessageID, ref: f.row.Ref, sub: sub,
		From: event.ID{Seq: done.row.Head},
	}
	return out, nil
}

// credentialRun goes on with a turn that waits for the member's own token, with the one of this request.
func (e *Engine) credentialRun(ctx context.Context, by Asker, in AgentRun, f found, out AgentStarted) (AgentStarted, error) {
	sub, err := e.cfg.Feed.Subscribe(ctx, f.row.Ref, feed.Now)
	if err != nil {
		return AgentStarted{}, fmt.Errorf("subscribe: %w", err)
	}
	err = e.resume(ctx, func(tx *store.Tx) (conversation.Row, error) {
		row, err := conversation.Wake(ctx, tx, f.row.Ref, e.worker, waitsForCredential)
		if err != nil {
			return row, err
		}
		return row, conversation.PutRun(ctx, tx, row.Ref, conversation.AgentRun{ID: in.RunID, TurnID: row.TurnID, Seq: row.Head})
	}, by.Credential, &by.Principal, nil)
	if err != nil {
		sub.Close()
		if errors.Is(err, conversation.ErrFenced) {
			err = errAgain
		}
		return AgentStarted{}, err
	}
	out.Started = Started{
		ConversationID: in.ConversationID, TurnID: f.row.TurnID, MessageID: f.turn[0].MessageID, ref: f.row.Ref, sub: sub,
		From: event.ID{Seq: f.row.Head},
	}
	return out, nil
}

// FollowRun follows a run that was begun or found and is not done.
func (e *Engine) FollowRun(ctx context.Context, by Asker, s AgentStarted) (*Follower, error) {
	if s.sub != nil {
		return e.follow(ctx, by, s.ref, s.From, s.sub)
	}
	if s.ref == "" {
		return e.FollowStarted(ctx, by, s.Started)
	}
	f, err := e.follow(ctx, by, s.ref, s.From, nil)
	if err == nil && e.may(by, config.RightSend) {
		f.leave = e.readers.enter(s.ref, by.Credential)
		if r := e.running(s.ref); r != nil {
			r.renew(by.Credential)
		}
	}
	return f, err
}
