// Package model asks language models and streams what they answer.
//
// One interface, [Provider], has a thin streaming client for each wire. A client keeps two forms of every block: ours,
// which any provider can be asked with, and the bytes as they came, which go back unchanged to the same model family,
// because thinking is signed over those bytes.
package model

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"
)

// Provider asks one vendor's models. Implementations are safe for concurrent use.
type Provider interface {
	// Name is the provider's name in configuration and in stored blocks: "anthropic".
	Name() string
	// Capabilities says what this provider can do. Asking for what it cannot is an [Error] that names it.
	Capabilities() Capabilities
	// Stream asks for one reply. The request is sent when the sequence is first ranged over; a sequence is used once.
	// It yields events in the order of the reply and, of a whole reply, [EventStop] last. Any fault is yielded once as
	// an *[Error] and ends it: a stream that ends without a stop reason is a fault (CodeUnavailable), never a short
	// reply. Breaking out of the range, or cancelling ctx, ends the upstream call at once.
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// Effort is how hard a model is asked to think; empty means the model's own default. Asking a model that is known to
// take none is a fault; see [TakesEffort].
type Effort string

// The efforts.
const (
	EffortLow    Effort = "low"
	EffortMedium Effort = "medium"
	EffortHigh   Effort = "high"
)

// Request is one question to a model: tools, then system, then messages, in the order in which providers cache them.
type Request struct {
	Model  string
	Effort Effort
	// MaxOutputTokens caps the reply, thinking included; must be positive.
	MaxOutputTokens int
	System          []SystemBlock
	// Tools must be byte-identical through a conversation to stay cached.
	Tools []Tool
	// Messages alternate freely; consecutive messages of one role are one message to the model. The results of a reply's
	// calls stand in the messages right behind it.
	Messages []Message
	// CacheLong asks for one hour of cache life instead of five minutes for what the marks end. Without marks it asks
	// for nothing.
	CacheLong bool
}

// SystemBlock is a part of the system prompt. Cache marks its end.
type SystemBlock struct {
	Text  string
	Cache bool
}

// Tool is a tool as a model sees it.
type Tool struct {
	// Name matches [a-zA-Z0-9_-]{1,64}.
	Name        string
	Description string
	// Input is a JSON Schema of type object.
	Input  json.RawMessage
	Strict bool
}

// Role says whose message it is.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is a part of a conversation as a model is sent it.
type Message struct {
	Role   Role    `json:"role"`
	Blocks []Block `json:"blocks"`
}

// BlockKind tags a Block.
type BlockKind string

// The kinds of block.
const (
	BlockText       BlockKind = "text"
	BlockThinking   BlockKind = "thinking"    // also redacted thinking; goes back only as Raw
	BlockToolUse    BlockKind = "tool_use"    // CallID, ToolName, Input
	BlockToolResult BlockKind = "tool_result" // CallID, Text, IsError
	BlockOther      BlockKind = "other"       // a vendor's own block (server tools, fallback); goes back only as Raw
)

// Block is one block of a message, in our form and, where a model made it, as it came.
type Block struct {
	Kind BlockKind `json:"kind"`
	// Text is the words of a text or thinking block, or the content of a result.
	Text string `json:"text,omitempty"`
	// CallID is the PROVIDER's id of a call: some servers repeat theirs, so it means something within one reply only.
	CallID string `json:"callId,omitempty"`
	// ToolName is the tool's name on the wire.
	ToolName string `json:"toolName,omitempty"`
	// Input is the arguments of a tool use. What came is kept even where it is not JSON: then Input is empty and
	// BadInput holds it.
	Input    json.RawMessage `json:"input,omitempty"`
	BadInput string          `json:"badInput,omitempty"`
	IsError  bool            `json:"isError,omitempty"`
	// Raw is the block as the vendor sent it (reassembled from deltas without re-encoding numbers), by Provider and
	// Model. Thinking and tool uses go back as Raw to the same provider and model family; text goes back as Text.
	Raw      json.RawMessage `json:"raw,omitempty"`
	Provider string          `json:"provider,omitempty"`
	Model    string          `json:"model,omitempty"`
	// Unfinished is a block whose end never came (the reply was cut at its cap).
	Unfinished bool `json:"unfinished,omitempty"`
	// Cache marks the end of a cached prefix. It is set when a request is built and never stored.
	Cache bool `json:"-"`
}

// EventKind tags an Event.
type EventKind int

// The kinds of event, in the order in which a reply brings them.
const (
	EventStart         EventKind = iota + 1 // Model, Usage (what is known so far)
	EventTextDelta                          // Text, Index
	EventThinkingDelta                      // Text, Index
	EventToolStart                          // Index, CallID, ToolName: a tool use began; its arguments are not known yet
	EventBlockEnd                           // Index, Block
	EventStop                               // Stop, Usage; Blocks that had no end are yielded before, Unfinished
)

// Event is one thing that a stream tells.
type Event struct {
	Kind     EventKind
	Index    int
	Text     string
	CallID   string
	ToolName string
	Block    Block
	Stop     StopReason
	Usage    Usage
	Model    string
}

// StopReason says why a reply ended.
type StopReason string

// The stop reasons.
const (
	StopEndTurn   StopReason = "end_turn"
	StopToolUse   StopReason = "tool_use"
	StopMaxTokens StopReason = "max_tokens" // also the vendor's "context window exceeded"
	StopSequence  StopReason = "stop_sequence"
	StopRefusal   StopReason = "refusal"
	StopPause     StopReason = "pause_turn" // the vendor paused a long turn: send what came back and go on
)

// Usage counts tokens. A nil pointer is unknown, which is not zero.
type Usage struct {
	// InputTokens are the uncached ones; cache reads and writes are counted apart.
	InputTokens      *int64 `json:"inputTokens,omitempty"`
	OutputTokens     *int64 `json:"outputTokens,omitempty"`
	CacheReadTokens  *int64 `json:"cacheReadTokens,omitempty"`
	CacheWriteTokens *int64 `json:"cacheWriteTokens,omitempty"`
}

// Code classifies a fault of a provider; the values are codes of the wire.
type Code string

// The codes.
const (
	CodeUnreachable    Code = "provider_unreachable"     // no connection
	CodeOutOfCredit    Code = "provider_out_of_credit"   // 402, or a 4xx that says so
	CodeInvalidRequest Code = "provider_invalid_request" // other 4xx
	CodeUnauthorized   Code = "provider_unauthorized"    // 401, 403
	CodeRateLimited    Code = "provider_rate_limited"    // 429
	CodeOverloaded     Code = "provider_overloaded"      // 529, or by type
	CodeUnavailable    Code = "provider_unavailable"     // 5xx, time-out, a cut stream
)

// Error is a fault of a provider. Its message is for the operator's log and holds no words of a conversation and no key.
type Error struct {
	Code Code
	// Status is the HTTP status; zero when there was none.
	Status int
	// Type is the vendor's own error type, at most 80 characters.
	Type string
	// RequestID is the vendor's, for its support; may be empty.
	RequestID string
	// RetryAfter is what the vendor asked for; zero when it did not.
	RetryAfter time.Duration
	// Err is the cause, where there is one.
	Err error
}

func (e *Error) Error() string {
	s := string(e.Code)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Type != "" {
		s += ": " + e.Type
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
