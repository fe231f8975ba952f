package turn

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// Asker is who makes a request, as the server found it.
type Asker struct {
	Principal principal.Principal
	// Credential is the member's token of this request; it is held in memory only.
	Credential tool.Credential
	// Locale is the request's: the element's attribute or X-Locale, then the token's, then Accept-Language, then "en".
	Locale string
}

// Send is a message to a conversation.
type Send struct {
	// ConversationID is the client's UUID; a conversation that does not exist is made.
	ConversationID string
	// MessageID is the client's UUID of the message; the same again follows its turn. Empty: one is made.
	MessageID string
	Text      string
	// Page is what the page told of itself, as it came; nil where it told nothing.
	Page json.RawMessage
	// ClientID names the tab that sent it.
	ClientID     string
	Capabilities []string
	// Engine is "", "model" or "guide": who is asked to answer, by name.
	Engine string
	// RetryOf is the message of this conversation that this one says again; empty: none.
	RetryOf string
	// Queue waits for a running turn to end instead of being refused.
	Queue bool
	// Surface is the surface's name; empty: the first.
	Surface string

	agent *agentSend
}

// answers are the browser's to what waits, which come with the message.
func (s *Send) answers() []Answer {
	if s.agent == nil {
		return nil
	}
	return s.agent.answers
}

// Started is a turn that was begun, or found running or ended under the same message id.
type Started struct {
	ConversationID string
	TurnID         string
	MessageID      string
	// From is where to follow from to see the turn whole.
	From event.ID

	sub feed.Subscription
	run *run
	ref string // the conversation's; set where sub is or a run of a front end was found
}

// Refusal is why a request was not taken, told as a problem document. It holds no value that was sent.
type Refusal struct { //nolint:errname // named for what it is: an answer to a request, not a failure
	Code event.Code
	// Field names what was wrong with the request; empty where it is about no field.
	Field string
	// Detail says in English, for a developer, what would be right; empty: the code's sentence says all.
	Detail string
	// RetryAfter is when to try again; zero: unknown.
	RetryAfter time.Duration
	// Scope says whose budget is spent; empty on other codes.
	Scope string
}

func (r *Refusal) Error() string {
	if r.Field != "" {
		return fmt.Sprintf("%s: %s: %s", r.Code, r.Field, r.Detail)
	}
	return string(r.Code) + ": " + r.Detail
}

// Frame is one event, encoded for the wire.
type Frame struct {
	// ID is the zero ID on events that concern this connection alone.
	ID event.ID
	// Kind is the event's.
	Kind event.Kind
	// Data is the event's JSON object.
	Data []byte
	// Terminal says that nothing follows.
	Terminal bool
}
