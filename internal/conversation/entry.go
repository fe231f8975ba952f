// Package conversation is the log: what was said and done in a conversation, in order, and what a model is sent of it.
//
// An entry is written once and never changed. Everything else (what a person sees, what a model is sent, whether a turn
// goes on) is computed from the entries.
package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// Kind tags an entry.
type Kind string

// The kinds of entry.
const (
	KindMessage Kind = "message" // a member's message; begins a turn
	KindContext Kind = "context" // the turn's clock, page and fence, for the model alone
	KindReply   Kind = "reply"   // a reply of a model or the guide, whole or not
	KindResult  Kind = "result"  // how one call ended
	KindHint    Kind = "hint"    // a word of the engine to the model
	KindRest    Kind = "rest"    // the turn waits for the browser
	KindClaim   Kind = "claim"   // a tab has taken a browser call
	KindEnd     Kind = "end"     // how the turn ended
)

// Entry is one line of the log. Exactly one of the pointers is set, the one that Kind names.
type Entry struct {
	Seq       int64
	Kind      Kind
	TurnID    string
	MessageID string
	CreatedAt time.Time

	Message *UserMessage
	Context *TurnContext
	Reply   *Reply
	Result  *CallResult
	Hint    *Hint
	Rest    *Rest
	Claim   *Claim
	End     *End
}

// UserMessage is a member's message.
type UserMessage struct {
	Text     string   `json:"text"`
	RetryOf  string   `json:"retryOf,omitempty"`
	Page     *PageRef `json:"page,omitempty"`
	ClientID string   `json:"clientId,omitempty"`
	// Capabilities are what the client said that it can do.
	Capabilities []string `json:"capabilities,omitempty"`
	// Answers is who answers the turn: "model" or "guide".
	Answers     string `json:"answers"`
	GuideReason string `json:"guideReason,omitempty"`
	Provider    string `json:"provider,omitempty"`
	Model       string `json:"model,omitempty"`
	PromptHash  string `json:"promptHash,omitempty"`
	OfferHash   string `json:"offerHash,omitempty"`
	Surface     string `json:"surface"`
	Locale      string `json:"locale"`
	// TraceID names the turn in the operator's log.
	TraceID string `json:"traceId"`
	// Asker is what of the member's rights a later step needs; no name and no token.
	Asker Asker `json:"asker"`
	// Agent says that a front end of its own sent it, which may bring tools.
	Agent bool `json:"agent,omitempty"`
	// SentAs is the front end's own id of the message, where that is no UUID and the entry's is made from it.
	SentAs string `json:"sentAs,omitempty"`
	// ClientTools are the tools that the front end brought with the conversation's first run; on that message only.
	ClientTools []tool.ClientTool `json:"clientTools,omitempty"`
	// Brings names those of the conversation's client tools that the front end brought with this message.
	Brings []string `json:"brings,omitempty"`
}

// Asker is the member's rights at the time of the message, so that any process can take the next step.
type Asker struct {
	Roles    []string `json:"roles,omitempty"`
	Scopes   []string `json:"scopes,omitempty"`
	Features []string `json:"features,omitempty"`
	Plan     string   `json:"plan,omitempty"`
	TimeZone string   `json:"timeZone,omitempty"`
}

// TurnContext is what a model is told beside the member's words. It is stored as it was sent.
type TurnContext struct {
	Text string `json:"text"`
	// Now is the turn's one clock.
	Now time.Time `json:"now"`
	// Route is the page's path; may be empty.
	Route string `json:"route,omitempty"`
}

// ReplyState is how a reply ended.
type ReplyState string

// The states of a reply.
const (
	Whole       ReplyState = "whole"
	Cut         ReplyState = "cut"         // at its cap
	Interrupted ReplyState = "interrupted" // the stream or the process died
	SetAside    ReplyState = "set_aside"   // interrupted, and asked for again
	Stopped     ReplyState = "stopped"     // by the member
	RefusedBy   ReplyState = "refused"     // by the model
)

// Reply is what a model or the guide answered in one round.
type Reply struct {
	State ReplyState `json:"state"`
	// Blocks are as the model sent them; none for the guide.
	Blocks []model.Block `json:"blocks,omitempty"`
	// Shown is, for each text block, what was shown of it; empty where that is the block's own text.
	Shown []string `json:"shown,omitempty"`
	// Text is the visible words.
	Text  string  `json:"text"`
	Calls []Asked `json:"calls,omitempty"`
	// Discarded says that its calls never ran and are shown to nobody.
	Discarded bool             `json:"discarded,omitempty"`
	Stop      model.StopReason `json:"stop,omitempty"`
	Usage     model.Usage      `json:"usage"`
	Answers   string           `json:"answers"`
	Provider  string           `json:"provider,omitempty"`
	Model     string           `json:"model,omitempty"`
	Links     []Link           `json:"links,omitempty"`
	Notes     []string         `json:"notes,omitempty"`
	// Asked counts as a model call.
	Round bool `json:"round,omitempty"`
}

// Asked is a call that a reply asks for.
type Asked struct {
	// ID is ours.
	ID string `json:"id"`
	// ProviderID is the provider's; it means something within its reply only.
	ProviderID string `json:"providerId,omitempty"`
	// Block is where the call stands among the reply's blocks.
	Block int `json:"block,omitempty"`
	// Wire is the tool's name as the model used it.
	Wire string `json:"wire,omitempty"`
	// Name is "router.action"; where the name is unknown, the wire name.
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input,omitempty"`
	// Quiet says that no table of its result is drawn.
	Quiet bool `json:"quiet,omitempty"`
	// Browser says that the member's browser runs it.
	Browser bool `json:"browser,omitempty"`
}

// CallResult is how one call ended.
type CallResult struct {
	CallID string `json:"callId"`
	OK     bool   `json:"ok"`
	Status string `json:"status,omitempty"`
	Code   string `json:"code,omitempty"`
	// Envelope is what the model is told.
	Envelope string `json:"envelope"`
	// Data is the result without fences, for the guide and for a person who looks at it.
	Data   json.RawMessage `json:"data,omitempty"`
	Reason string          `json:"reason,omitempty"`
	// Said is the host's own sentence about why not; text of others.
	Said       string       `json:"said,omitempty"`
	Sentence   string       `json:"sentence,omitempty"`
	Table      *event.Table `json:"table,omitempty"`
	DurationMS int64        `json:"durationMs"`
}

// Content is what a person who looks at the result sees.
func (r *CallResult) Content() string {
	switch {
	case len(r.Data) > 0:
		return string(r.Data)
	case r.Said != "":
		return r.Said
	}
	return r.Reason
}

// Hint is a word of the engine to the model, as that this is the last round.
type Hint struct {
	Text string `json:"text"`
}

// Rest says that the turn waits for the browser to answer calls.
type Rest struct {
	// Calls are their ids, in call order.
	Calls []string `json:"calls"`
}

// Claim says that a tab has taken a browser call: no other may run it.
type Claim struct {
	CallID   string `json:"callId"`
	ClientID string `json:"clientId"`
}

// End is how a turn ended.
type End struct {
	Outcome event.Outcome `json:"outcome"`
	Code    event.Code    `json:"code,omitempty"`
	Usage   event.Usage   `json:"usage"`
	TraceID string        `json:"traceId"`
}

func (e *Entry) body() any {
	switch e.Kind {
	case KindMessage:
		return e.Message
	case KindContext:
		return e.Context
	case KindReply:
		return e.Reply
	case KindResult:
		return e.Result
	case KindHint:
		return e.Hint
	case KindRest:
		return e.Rest
	case KindClaim:
		return e.Claim
	case KindEnd:
		return e.End
	}
	return nil
}

func (e *Entry) decode(body []byte) error {
	var target any
	switch e.Kind {
	case KindMessage:
		e.Message = new(UserMessage)
		target = e.Message
	case KindContext:
		e.Context = new(TurnContext)
		target = e.Context
	case KindReply:
		e.Reply = new(Reply)
		target = e.Reply
	case KindResult:
		e.Result = new(CallResult)
		target = e.Result
	case KindHint:
		e.Hint = new(Hint)
		target = e.Hint
	case KindRest:
		e.Rest = new(Rest)
		target = e.Rest
	case KindClaim:
		e.Claim = new(Claim)
		target = e.Claim
	case KindEnd:
		e.End = new(End)
		target = e.End
	default:
		return fmt.Errorf("entry %d: unknown kind %q", e.Seq, e.Kind)
	}
	if err := json.Unmarshal(body, target); err != nil {
		return fmt.Errorf("entry %d (%s): %w", e.Seq, e.Kind, err)
	}
	return nil
}
