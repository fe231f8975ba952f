package event

import "encoding/json"

// RunStarted opens a turn on the wire.
type RunStarted struct {
	ThreadID string `json:"threadId"`
	RunID    string `json:"runId"`
}

// Meta says what answers this turn and on whose account.
type Meta struct {
	TurnID         string `json:"turnId"`
	ConversationID string `json:"conversationId"`
	// MessageID is the id of the member's message that the turn answers.
	MessageID string `json:"messageId"`
	// Answers is "model" or "guide".
	Answers string `json:"answers"`
	// GuideReason says why the guide answers: "no_key", "unavailable", "budget", "agent_off" or "asked"; else empty.
	GuideReason string `json:"guideReason,omitempty"`
	Provider    string `json:"provider,omitempty"`
	Model       string `json:"model,omitempty"`
	// Rail is who pays for and carries the model call: "operator", or "none" for the guide.
	Rail       string `json:"rail"`
	Persona    string `json:"persona"`
	PromptHash string `json:"promptHash,omitempty"`
}

// Message is a message as it stands in the log, for a follower that did not send it or that catches up.
type Message struct {
	Message json.RawMessage `json:"message" ts:"Message"`
}

// TextStart begins a text of the assistant.
type TextStart struct {
	MessageID string `json:"messageId"`
	Role      string `json:"role"`
}

// TextContent brings more of a text. It is a draft until the turn's terminal event.
type TextContent struct {
	MessageID string `json:"messageId"`
	Delta     string `json:"delta"`
}

// TextEnd closes a text.
type TextEnd struct {
	MessageID string `json:"messageId"`
}

// ReasoningStart begins a summary of thinking.
type ReasoningStart struct {
	MessageID string `json:"messageId"`
}

// ReasoningContent brings more of a summary of thinking.
type ReasoningContent struct {
	MessageID string `json:"messageId"`
	Delta     string `json:"delta"`
}

// ReasoningEnd closes a summary of thinking.
type ReasoningEnd struct {
	MessageID string `json:"messageId"`
}

// ToolCallStart announces a call of a whole reply.
type ToolCallStart struct {
	ToolCallID string `json:"toolCallId"`
	// ToolCallName is the tool's name in the host's file: "bookings.list".
	ToolCallName    string `json:"toolCallName"`
	ParentMessageID string `json:"parentMessageId,omitempty"`
}

// ToolCallArgs brings a call's arguments, JSON as text.
type ToolCallArgs struct {
	ToolCallID string `json:"toolCallId"`
	Delta      string `json:"delta"`
}

// ToolCallEnd closes a call's arguments.
type ToolCallEnd struct {
	ToolCallID string `json:"toolCallId"`
}

// ToolStarted says that a call really runs now.
type ToolStarted struct {
	ToolCallID string `json:"toolCallId"`
	// Label is the tool's progress line in the member's language.
	Label string `json:"label"`
}

// ToolCallResult is a call's result as the model is given it, without fences.
type ToolCallResult struct {
	MessageID  string `json:"messageId"`
	ToolCallID string `json:"toolCallId"`
	Content    string `json:"content"`
}

// ToolResult says how a call ended.
type ToolResult struct {
	ToolCallID string `json:"toolCallId"`
	OK         bool   `json:"ok"`
	// Code is an outcome of a call when OK is false, or "not_configured", "unreadable" or
	// "not_available" where the read said so.
	Code string `json:"code,omitempty"`
	// Sentence tells a person how it ended, in the member's language; empty when OK.
	Sentence string `json:"sentence,omitempty"`
	// DurationMS is how long it ran, in milliseconds.
	DurationMS int64 `json:"durationMs"`
	// UndoOffered says that the call can be taken back.
	UndoOffered bool `json:"undoOffered"`
	// Table is the result drawn as a small table, where the host's file says how.
	Table *Table `json:"table,omitempty"`
}

// Table is a result as a small table: Rows have as many cells as Columns.
type Table struct {
	Title   string     `json:"title,omitempty"`
	Note    string     `json:"note,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	// Total is how many rows there are in all; at least len(Rows).
	Total int `json:"total"`
}

// Card asks for a decision on a call.
type Card struct {
	ToolCallID string          `json:"toolCallId"`
	Card       json.RawMessage `json:"card" ts:"unknown"`
}

// Pick asks which of several things is meant.
type Pick struct {
	ToolCallID string          `json:"toolCallId"`
	Pick       json.RawMessage `json:"pick" ts:"unknown"`
}

// CallState says that a call was held, discarded, lapsed or superseded.
type CallState struct {
	ToolCallID string `json:"toolCallId"`
	State      string `json:"state"`
	Code       string `json:"code,omitempty"`
}

// UI asks the page to do something that changes nothing: navigate, highlight, open a command, start a tour.
type UI struct {
	Intent string          `json:"intent"`
	Detail json.RawMessage `json:"detail" ts:"unknown"`
}

// Correction replaces what was drawn of a message, or adds to it.
type Correction struct {
	MessageID string `json:"messageId"`
	// Mode is "replace" or "append".
	Mode string `json:"mode"`
	Text string `json:"text"`
}

// Citation names a source of a message.
type Citation struct {
	MessageID string `json:"messageId"`
	Number    int    `json:"number"`
	Title     string `json:"title"`
	Path      string `json:"path"`
}

// Title is the conversation's title.
type Title struct {
	Title string `json:"title"`
}

// FollowUps are up to three things to ask next.
type FollowUps struct {
	Texts []string `json:"texts"`
}

// Usage is what a turn has used so far. A null count is unknown, which is not zero.
type Usage struct {
	InputTokens      *int64 `json:"inputTokens"`
	OutputTokens     *int64 `json:"outputTokens"`
	CacheReadTokens  *int64 `json:"cacheReadTokens"`
	CacheWriteTokens *int64 `json:"cacheWriteTokens"`
	// Rounds counts model calls.
	Rounds int `json:"rounds"`
}

// Reset tells a client to set a draft aside: the message's text is dead and will come anew, or not at all. An empty
// MessageID sets every draft aside.
type Reset struct {
	MessageID string `json:"messageId"`
}

// CaughtUp says that everything before it is what was missed.
type CaughtUp struct{}

// Reauth asks for a new token, because the one in use ends soon or a step needs one.
type Reauth struct{}

// RunFinished ends a turn, or a part of it that waits.
type RunFinished struct {
	ThreadID string   `json:"threadId"`
	RunID    string   `json:"runId"`
	Outcome  *Ending  `json:"outcome,omitempty"`
	Result   Complete `json:"result"`
}

// Ending is AG-UI's outcome of a run: "success" or "cancelled".
type Ending struct {
	Type string `json:"type"`
	// PendingToolCallIDs are the calls that the browser is to answer; none where the turn has ended.
	PendingToolCallIDs []string `json:"pendingToolCallIds,omitempty"`
}

// RunError ends a turn with a fault.
type RunError struct {
	// Message is a sentence in the member's language.
	Message string `json:"message"`
	Code    string `json:"code"`
	TraceID string `json:"traceId"`
	// Action is what the member can do next.
	Action Action   `json:"action"`
	Result Complete `json:"result"`
}

// Complete is the truth of a turn; a client puts it in place of what it drew.
type Complete struct {
	TurnID string `json:"turnId"`
	// MessageID is the member's message that the turn answers.
	MessageID string `json:"messageId"`
	// Text is the assistant's words of the whole turn as finally shown.
	Text     string          `json:"text"`
	Messages json.RawMessage `json:"messages" ts:"Message[]"`
	Usage    Usage           `json:"usage"`
	Provider string          `json:"provider,omitempty"`
	Model    string          `json:"model,omitempty"`
	Answers  string          `json:"answers"`
	Outcome  Outcome         `json:"outcome"`
	Code     Code            `json:"code,omitempty"`
	TraceID  string          `json:"traceId"`
}

func (RunStarted) kind() Kind       { return KindRunStarted }
func (RunFinished) kind() Kind      { return KindRunFinished }
func (RunError) kind() Kind         { return KindRunError }
func (TextStart) kind() Kind        { return KindTextStart }
func (TextContent) kind() Kind      { return KindTextContent }
func (TextEnd) kind() Kind          { return KindTextEnd }
func (ReasoningStart) kind() Kind   { return KindReasoningStart }
func (ReasoningContent) kind() Kind { return KindReasoningContent }
func (ReasoningEnd) kind() Kind     { return KindReasoningEnd }
func (ToolCallStart) kind() Kind    { return KindToolCallStart }
func (ToolCallArgs) kind() Kind     { return KindToolCallArgs }
func (ToolCallEnd) kind() Kind      { return KindToolCallEnd }
func (ToolCallResult) kind() Kind   { return KindToolCallResult }
func (Meta) kind() Kind             { return KindMeta }
func (ToolStarted) kind() Kind      { return KindToolStarted }
func (ToolResult) kind() Kind       { return KindToolResult }
func (Card) kind() Kind             { return KindCard }
func (Pick) kind() Kind             { return KindPick }
func (CallState) kind() Kind        { return KindCallState }
func (UI) kind() Kind               { return KindUI }
func (Correction) kind() Kind       { return KindCorrection }
func (Citation) kind() Kind         { return KindCitation }
func (Title) kind() Kind            { return KindTitle }
func (FollowUps) kind() Kind        { return KindFollowUps }
func (Usage) kind() Kind            { return KindUsage }
func (Reset) kind() Kind            { return KindReset }
func (CaughtUp) kind() Kind         { return KindCaughtUp }
func (Reauth) kind() Kind           { return KindReauth }
func (Message) kind() Kind          { return KindMessage }
