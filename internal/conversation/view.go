package conversation

import (
	"time"

	"github.com/steward-assistant/steward/internal/event"
)

// State is what a conversation is doing.
type State string

// The states.
const (
	Resting State = "resting"
	Running State = "running"
	Waiting State = "waiting" // for a person, a browser, or the member's own credential
)

// Summary is a conversation as a list shows it.
type Summary struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	State     State     `json:"state"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// View is a conversation as its member loads it.
type View struct {
	Summary
	// Messages are the newest that were asked for, oldest first.
	Messages []Message `json:"messages"`
	// Head is the event id to follow from.
	Head string `json:"head"`
	// Before is what to pass for the messages before these; zero when there are none.
	Before int64 `json:"before,omitempty"`
}

// Role says whose message it is.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is a message as its member sees it: visible words only.
type Message struct {
	ID        string    `json:"id"`
	Seq       int64     `json:"seq"`
	Role      Role      `json:"role"`
	TurnID    string    `json:"turnId"`
	CreatedAt time.Time `json:"createdAt"`
	Text      string    `json:"text"`
	// RetryOf is the message that this one says again.
	RetryOf string `json:"retryOf,omitempty"`
	// SentAs is the front end's own id of the member's message, where that is another than ID.
	SentAs string `json:"sentAs,omitempty"`
	// Page is where the member was.
	Page *PageRef `json:"page,omitempty"`
	// Turn is what became of the member's message; nil on the assistant's.
	Turn *TurnInfo `json:"turn,omitempty"`
	// State is how the assistant's message ended: "whole", "interrupted", "cut", "stopped" or "draft".
	State string `json:"state,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	// Answers is "model" or "guide".
	Answers  string `json:"answers,omitempty"`
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	// Links are pages that the guide found.
	Links []Link `json:"links,omitempty"`
	// Notes say how the guide read the question, a sentence each.
	Notes []string `json:"notes,omitempty"`
}

// PageRef names a page of the host.
type PageRef struct {
	Route string `json:"route"`
	Title string `json:"title,omitempty"`
}

// Link is a page of the nav index.
type Link struct {
	Path  string `json:"path"`
	Label string `json:"label"`
	// Detail is a short second line; may be empty.
	Detail string `json:"detail,omitempty"`
}

// TurnInfo is what became of a message.
type TurnInfo struct {
	ID string `json:"id"`
	// State is "running", "waiting" or "ended".
	State   string        `json:"state"`
	Outcome event.Outcome `json:"outcome,omitempty"`
	Code    event.Code    `json:"code,omitempty"`
	// Message is a sentence in the reader's language about Code.
	Message     string       `json:"message,omitempty"`
	Action      event.Action `json:"action,omitempty"`
	TraceID     string       `json:"traceId,omitempty"`
	Usage       *event.Usage `json:"usage,omitempty"`
	Answers     string       `json:"answers,omitempty"`
	GuideReason string       `json:"guideReason,omitempty"`
	Provider    string       `json:"provider,omitempty"`
	Model       string       `json:"model,omitempty"`
}

// Call is one use of a tool as its member sees it.
type Call struct {
	ID string `json:"id"`
	// Name is "router.action".
	Name string `json:"name"`
	// Label is the tool's progress line in the reader's language.
	Label string `json:"label,omitempty"`
	// State is "pending", "running", "succeeded" or "failed".
	State      string `json:"state"`
	Code       string `json:"code,omitempty"`
	Sentence   string `json:"sentence,omitempty"`
	DurationMS int64  `json:"durationMs"`
	// Args is the arguments, JSON as text, as TOOL_CALL_ARGS brings them.
	Args    string       `json:"args,omitempty"`
	Content string       `json:"content,omitempty"`
	Table   *event.Table `json:"table,omitempty"`
	// Browser says that the member's browser runs it.
	Browser bool `json:"browser,omitempty"`
}
