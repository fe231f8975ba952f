// Package agui translates between AG-UI 1.0 and Steward's own vocabulary: what a front end sends to begin a run, and the
// events that it is sent back. It decides nothing.
//
// The events are AG-UI's already wherever it has one (package event), so that most pass as they are.
package agui

import "encoding/json"

// Input is what a front end sends to begin a run (AG-UI's RunAgentInput). Unknown members are left out; the front end's
// own state, its properties and every word that is not a member's are its copy, and are not read.
type Input struct {
	ThreadID        string          `json:"threadId" minLength:"1" maxLength:"128" doc:"Names the conversation among the member's own; any text of at most 128 bytes."`
	RunID           string          `json:"runId" minLength:"1" maxLength:"128" doc:"Names the run; the same again follows it."`
	ProtocolVersion string          `json:"protocolVersion,omitempty" maxLength:"16" doc:"The AG-UI version, 1.0. Left out: one before it, whose front ends are told no outcome of a run."`
	ParentRunID     string          `json:"parentRunId,omitempty" maxLength:"128" doc:"Not used."`
	Messages        []Message       `json:"messages" maxItems:"4000" doc:"The front end's copy of the conversation. Of it the member's messages that are new are taken, and the results of calls that wait for the browser."`
	Tools           []Tool          `json:"tools,omitempty" maxItems:"64" doc:"What the front end can do in its page, on a surface that takes such tools. Those of the conversation's first run stay."`
	Context         []Context       `json:"context,omitempty" maxItems:"64" doc:"What the front end tells of its page; a model is told at most 8 kB of it."`
	Resume          json.RawMessage `json:"resume,omitempty" doc:"None: nothing waits for a decision here."`
	State           json.RawMessage `json:"state,omitempty" doc:"Not read."`
	ForwardedProps  json.RawMessage `json:"forwardedProps,omitempty" doc:"Not read."`
}

// Message is a message of the copy.
type Message struct {
	ID         string          `json:"id" minLength:"1" maxLength:"128"`
	Role       string          `json:"role" enum:"developer,system,assistant,user,tool,activity,reasoning"`
	Content    json.RawMessage `json:"content,omitempty" doc:"Text, or parts of type text."`
	ToolCallID string          `json:"toolCallId,omitempty" maxLength:"128" doc:"On a tool's message: the call that it answers."`
	Error      string          `json:"error,omitempty" maxLength:"4000" doc:"On a tool's message: why there is no result."`
	ToolCalls  []ToolCall      `json:"toolCalls,omitempty" maxItems:"256"`
}

// ToolCall is a call of an assistant's message.
type ToolCall struct {
	ID       string   `json:"id" minLength:"1" maxLength:"128"`
	Type     string   `json:"type" enum:"function"`
	Function Function `json:"function"`
}

// Function is what a call calls. Arguments is JSON as text.
type Function struct {
	Name      string `json:"name" minLength:"1" maxLength:"128"`
	Arguments string `json:"arguments"`
}

// Tool is a tool of the front end.
type Tool struct {
	Name        string          `json:"name" minLength:"1" maxLength:"64"`
	Description string          `json:"description,omitempty" maxLength:"2000"`
	Parameters  json.RawMessage `json:"parameters,omitempty" doc:"A JSON Schema of type object."`
}

// Context is something that a front end tells of its page.
type Context struct {
	Description string `json:"description"`
	Value       string `json:"value"`
}
