package turn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/tool"
)

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
		answers: in.Answers,
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

// answerRun brings the browser's answers.
func (e *Engine) answerRun(ctx context.Context, by Asker, in AgentRun, f found) (AgentStarted, error) {
	sub, err := e.cfg.Feed.Subscribe(ctx, f.row.Ref, feed.Now)
	if err != nil {
		return AgentStarted{}, fmt.Errorf("subscribe: %w", err)
	}
	done, err := e.answer(ctx, by, f.row, in.RunID, in.Answers)
	if err != nil {
		sub.Close()
		return AgentStarted{}, err
	}
	out := AgentStarted{Answered: done.ids, Before: usageOf(f.turn)}
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
	}, by.Credential, &by.Principal, true, nil)
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
