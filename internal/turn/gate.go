package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/tool"
)

// gate is one thing that a new message passes. A gate that stops the message returns an error: a *Refusal, or errKnown
// when the message's turn is there already.
type gate struct {
	name string
	pass func(ctx context.Context, a *attempt) error
}

// order is the list of what a new message passes, in this order and no other. Up to "budget" nothing is stored of what
// is refused. "rounds" is what the stored turn then goes through; see run.advance.
func (e *Engine) order() []gate {
	return []gate{
		{"kill_switches", e.killSwitches},
		{"identity", e.identity},
		{"abuse_guard", e.abuseGuard},
		{"safety_catalogue", e.safetyCatalogue},
		{"screening_hook", e.screeningHook},
		{"quota", e.quota},
		{"budget", e.budget},
		{"stale_claims", e.staleClaims},
		{"turn_context", e.turnContext},
		{"store_message", e.storeMessage},
		{"seeded_reads", e.seededReads},
		{"quick_lane", e.quickLane},
		{"ambient_search", e.ambientSearch},
		{"compaction", e.compaction},
		{"rounds", e.rounds},
	}
}

// attempt is a message on its way through the gates.
type attempt struct {
	by   Asker
	send Send

	surface     string
	host        config.Surface
	answers     string
	guideReason string
	locale      string
	offer       *tool.Offer
	now         time.Time
	// waits says that the conversation was found waiting; what waits is answered before the message is stored.
	waits   bool
	context *conversation.TurnContext
	message *conversation.Entry
	row     conversation.Row
	entries []*conversation.Entry
	commit  *store.Commit
	started Started
}

var (
	// errKnown says that the message was sent before, under the same id and with the same words.
	errKnown = errors.New("the message's turn is there already")
	// errWaits says that the conversation waits, so that what waits must be answered first.
	errWaits = errors.New("the conversation waits")
)

func (e *Engine) key(by Asker, conversationID string) conversation.Key {
	return conversation.Key{Org: by.Principal.Org, Member: by.Principal.Member, ID: conversationID}
}

// killSwitches refuses where the assistant is off, and decides who answers.
func (e *Engine) killSwitches(_ context.Context, a *attempt) error {
	a.answers, a.guideReason = e.answers(a.send.Engine)
	switch {
	case e.cfg.Disabled:
		return &Refusal{Code: event.AgentDisabled, Detail: "the assistant is switched off"}
	case a.answers == answersNone && a.guideReason == "agent_off":
		return &Refusal{Code: event.AgentDisabled, Detail: "the agent is switched off"}
	case a.answers == answersNone,
		a.send.Engine == answersModel && a.answers != answersModel:
		return &Refusal{Code: event.NotConfigured, Detail: "no model is configured"}
	}
	return nil
}

// identity refuses who may not send here, and what is malformed.
func (e *Engine) identity(_ context.Context, a *attempt) error {
	if !e.may(a.by, config.RightSend) {
		return &Refusal{Code: event.Forbidden, Detail: "this role may not send messages"}
	}
	var ok bool
	if a.surface, a.host, ok = e.surface(a.send.Surface); !ok {
		return &Refusal{Code: event.BadRequest, Field: "surface", Detail: "a surface of the host's file"}
	}
	s := &a.send
	switch {
	case !id.IsUUID(s.ConversationID):
		return &Refusal{Code: event.BadRequest, Field: "conversation", Detail: "the conversation's id is a UUID"}
	case s.MessageID != "" && !id.IsUUID(s.MessageID):
		return &Refusal{Code: event.BadRequest, Field: "id", Detail: "a message's id is a UUID"}
	case s.RetryOf != "" && !id.IsUUID(s.RetryOf):
		return &Refusal{Code: event.BadRequest, Field: "retryOf", Detail: "the id of a message, a UUID"}
	case !hasWords(s.Text):
		return &Refusal{Code: event.BadRequest, Field: "text", Detail: "at least one character that is not white space"}
	case utf8.RuneCountInString(s.Text) > e.cfg.Host.Turn.MaxText:
		return &Refusal{
			Code: event.BadRequest, Field: "text",
			Detail: fmt.Sprintf("at most %d characters", e.cfg.Host.Turn.MaxText),
		}
	case s.Engine != "" && s.Engine != answersModel && s.Engine != answersGuide:
		return &Refusal{Code: event.BadRequest, Field: "engine", Detail: `"model" or "guide"`}
	}
	if s.MessageID == "" {
		s.MessageID = e.cfg.NewID()
	}
	a.locale = contract.Locale(e.cfg.Host, a.by.Locale)
	a.offer = e.cfg.Registry.Offer(tool.Asker{
		Principal: a.by.Principal, Surface: a.surface, Capabilities: s.Capabilities,
	})
	if s.agent != nil {
		a.offer = a.offer.With(s.agent.tools, tool.Fence{Mark: s.agent.mark})
	}
	return nil
}

func (e *Engine) may(by Asker, right string) bool {
	for _, role := range by.Principal.Roles {
		if slices.Contains(e.cfg.Host.Identity.Roles[role], right) {
			return true
		}
	}
	return false
}

// The gates between identity and stale claims have nothing to hold yet: no guard, catalogue, hook, quota or budget can
// be set in a host's file, so every message passes.

func (e *Engine) abuseGuard(context.Context, *attempt) error      { return nil }
func (e *Engine) safetyCatalogue(context.Context, *attempt) error { return nil }
func (e *Engine) screeningHook(context.Context, *attempt) error   { return nil }
func (e *Engine) quota(context.Context, *attempt) error           { return nil }
func (e *Engine) budget(context.Context, *attempt) error          { return nil }

// staleClaims answers the calls of a conversation that waits with errors and ends their turn: the member goes on to
// something else. Almost no conversation waits, so it acts only once storing has found that this one does. Orphaned
// calls of ended turns are answered when the log is replayed.
func (e *Engine) staleClaims(ctx context.Context, a *attempt) error {
	if !a.waits {
		return nil
	}
	err := e.supersede(ctx, e.key(a.by, a.send.ConversationID), event.Superseded,
		"The member went on to something else before this ran.", a.send.answers())
	if errors.Is(err, conversation.ErrFenced) || errors.Is(err, conversation.ErrNotFound) {
		return nil // somebody else was faster; storing tells what is so now
	}
	return err
}

// turnContext fixes the turn's one clock and what the model is told beside the member's words.
func (e *Engine) turnContext(_ context.Context, a *attempt) error {
	a.now = e.cfg.Now()
	ctx := page.Read(a.send.Page)
	a.context = &conversation.TurnContext{Now: a.now, Route: ctx.Route}
	a.message = &conversation.Entry{
		Kind: conversation.KindMessage, MessageID: a.send.MessageID,
		Message: &conversation.UserMessage{
			Text: a.send.Text, RetryOf: a.send.RetryOf, ClientID: a.send.ClientID, Capabilities: a.send.Capabilities,
			Answers: a.answers, GuideReason: a.guideReason, OfferHash: a.offer.Hash, Surface: a.surface,
			Locale: a.locale, TraceID: e.cfg.NewID(),
			Asker: conversation.Asker{
				Roles: a.by.Principal.Roles, Scopes: a.by.Principal.Scopes, Features: a.by.Principal.Features,
				Plan: a.by.Principal.Plan, TimeZone: a.by.Principal.TimeZone,
			},
		},
	}
	if agent := a.send.agent; agent != nil {
		m := a.message.Message
		m.Agent, m.SentAs, m.Brings = true, agent.sentAs, agent.brings
		if agent.first {
			m.ClientTools = agent.tools
		}
	}
	if ctx.Route != "" || ctx.Title != "" {
		a.message.Message.Page = &conversation.PageRef{Route: ctx.Route, Title: ctx.Title}
	}
	if a.answers == answersModel {
		a.message.Message.Provider = e.cfg.Provider.Name()
		a.message.Message.Model = e.cfg.Host.Models.Loop.Model
		a.message.Message.PromptHash = e.prompt(a.surface, a.host, a.offer).hash
	}
	return nil
}

// storeMessage writes the message, its context, the turn and its lease in one commit. The context names the
// conversation's fence, which a conversation that exists already has: its text is made inside.
func (e *Engine) storeMessage(ctx context.Context, a *attempt) error {
	surface := a.host.Persona.Name
	row := conversation.Row{
		Ref: e.cfg.NewID(), Key: e.key(a.by, a.send.ConversationID), Surface: a.surface, Persona: surface,
		Title: contract.Title(a.send.Text), Mark: tool.NewFence().Mark, TurnID: e.cfg.NewID(),
	}
	a.entries = []*conversation.Entry{a.message, {Kind: conversation.KindContext, Context: a.context}}
	for _, entry := range a.entries {
		entry.TurnID = row.TurnID
	}
	agent := a.send.agent
	if agent != nil {
		row.Mark = agent.mark
	}
	var err error
	a.commit, err = e.cfg.Store.Write(ctx, func(tx *store.Tx) error {
		err := e.keep(ctx, tx)
		if err != nil {
			return err
		}
		a.row, err = conversation.Begin(ctx, tx, row, e.worker, a.entries, a.now, func(r conversation.Row) {
			a.context.Text = e.contextText(a, r)
		})
		if err != nil || agent == nil {
			return err
		}
		if a.row.Mark != agent.mark { // made by another meanwhile, with another mark and perhaps other tools
			return conversation.ErrBusy
		}
		return conversation.PutRun(ctx, tx, a.row.Ref, conversation.AgentRun{ID: agent.runID, TurnID: row.TurnID, Seq: a.row.Head})
	})
	if err != nil {
		e.renewed.Store(0) // what was renewed may have been rolled back with it
	}
	switch {
	case errors.Is(err, conversation.ErrBusy), errors.Is(err, store.ErrUnique):
		return e.known(ctx, a)
	case err != nil:
		return fmt.Errorf("store message: %w", err)
	}
	a.started = Started{
		ConversationID: a.send.ConversationID, TurnID: row.TurnID, MessageID: a.send.MessageID,
		From: event.ID{Seq: a.row.Head},
	}
	return nil
}

func (e *Engine) contextText(a *attempt, r conversation.Row) string {
	fence := tool.Fence{Mark: r.Mark}
	told := page.Render(a.send.Page, fence)
	if agent := a.send.agent; agent != nil {
		told = page.RenderNotes(agent.context, fence)
	}
	return contract.Turn{
		Now: a.now, Zone: contract.Zone(a.by.Principal.TimeZone), Locale: a.locale, Page: told, Fence: fence,
	}.Text()
}

// known tells a message that was sent before from one that comes while another turn runs.
func (e *Engine) known(ctx context.Context, a *attempt) error {
	var found *conversation.Entry
	var row conversation.Row
	err := e.cfg.Store.Read(ctx, func(tx *store.Tx) error {
		var err error
		if row, err = conversation.Get(ctx, tx, e.key(a.by, a.send.ConversationID)); err != nil {
			return err
		}
		found, err = conversation.ByMessage(ctx, tx, row.Ref, a.send.MessageID)
		return err
	})
	switch {
	case errors.Is(err, conversation.ErrNotFound) && row.State == conversation.Waiting && !a.waits:
		a.waits = true
		return errWaits
	case errors.Is(err, conversation.ErrNotFound):
		return &Refusal{Code: event.TurnInProgress, Detail: "a turn of this conversation is running"}
	case err != nil:
		return fmt.Errorf("look for message: %w", err)
	case found.Message.Text != a.send.Text || found.Message.RetryOf != a.send.RetryOf:
		return &Refusal{Code: event.DuplicateMismatch, Field: "id", Detail: "this id names a message with other words"}
	}
	a.started = Started{
		ConversationID: a.send.ConversationID, TurnID: found.TurnID, MessageID: found.MessageID,
		From: event.ID{Seq: found.Seq},
	}
	a.row = row
	return errKnown
}

// What a turn may do before its rounds has no setting yet: no seeded reads, no quick lane, no ambient search, and no
// compaction, so that every turn goes straight to its rounds.

func (e *Engine) seededReads(context.Context, *attempt) error   { return nil }
func (e *Engine) quickLane(context.Context, *attempt) error     { return nil }
func (e *Engine) ambientSearch(context.Context, *attempt) error { return nil }
func (e *Engine) compaction(context.Context, *attempt) error    { return nil }

func hasWords(s string) bool {
	for _, r := range s {
		if r > ' ' && r != 0x7f && r != 0xa0 && r != 0x200b && r != 0xfeff {
			return true
		}
	}
	return false
}
