// Package event is the vocabulary in which a turn is told to those who follow it: one closed list of kinds, codes and
// outcomes. The names are AG-UI's wherever it has one; what it has not travels as a CUSTOM event named "steward.…".
//
// Everything here is generated into TypeScript, so that a browser and the server cannot drift.
package event

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Kind names an event: AG-UI's own type, or the name of a CUSTOM event.
type Kind string

// The closed list of kinds.
const (
	KindRunStarted       Kind = "RUN_STARTED"
	KindRunFinished      Kind = "RUN_FINISHED"
	KindRunError         Kind = "RUN_ERROR"
	KindTextStart        Kind = "TEXT_MESSAGE_START"
	KindTextContent      Kind = "TEXT_MESSAGE_CONTENT"
	KindTextEnd          Kind = "TEXT_MESSAGE_END"
	KindReasoningStart   Kind = "REASONING_START"
	KindReasoningContent Kind = "REASONING_MESSAGE_CONTENT"
	KindReasoningEnd     Kind = "REASONING_END"
	KindToolCallStart    Kind = "TOOL_CALL_START"
	KindToolCallArgs     Kind = "TOOL_CALL_ARGS"
	KindToolCallEnd      Kind = "TOOL_CALL_END"
	KindToolCallResult   Kind = "TOOL_CALL_RESULT"
	KindMeta             Kind = "steward.meta"
	KindToolStarted      Kind = "steward.tool_started"
	KindToolResult       Kind = "steward.tool_result"
	KindCard             Kind = "steward.card"
	KindPick             Kind = "steward.pick"
	KindCallState        Kind = "steward.call_state"
	KindUI               Kind = "steward.ui"
	KindCorrection       Kind = "steward.correction"
	KindCitation         Kind = "steward.citation"
	KindTitle            Kind = "steward.title"
	KindFollowUps        Kind = "steward.follow_ups"
	KindUsage            Kind = "steward.usage"
	KindReset            Kind = "steward.reset"
	KindCaughtUp         Kind = "steward.caught_up"
	KindReauth           Kind = "steward.reauth"
	KindMessage          Kind = "steward.message"
)

// Kinds is the closed list, in the order of a turn. Clients ignore a kind that they do not know.
var Kinds = []Kind{
	KindRunStarted, KindMeta, KindMessage, KindTextStart, KindTextContent, KindTextEnd,
	KindReasoningStart, KindReasoningContent, KindReasoningEnd,
	KindToolCallStart, KindToolCallArgs, KindToolCallEnd, KindToolStarted, KindToolCallResult, KindToolResult,
	KindCard, KindPick, KindCallState, KindUI, KindCorrection, KindCitation, KindTitle, KindFollowUps, KindUsage,
	KindReset, KindCaughtUp, KindReauth, KindRunFinished, KindRunError,
}

// Payloads holds one of each payload, in the order of [Kinds].
var Payloads = []Payload{
	RunStarted{},
	Meta{},
	Message{},
	TextStart{},
	TextContent{},
	TextEnd{},
	ReasoningStart{},
	ReasoningContent{},
	ReasoningEnd{},
	ToolCallStart{},
	ToolCallArgs{},
	ToolCallEnd{},
	ToolStarted{},
	ToolCallResult{},
	ToolResult{},
	Card{},
	Pick{},
	CallState{},
	UI{},
	Correction{},
	Citation{},
	Title{},
	FollowUps{},
	Usage{},
	Reset{},
	CaughtUp{},
	Reauth{},
	RunFinished{},
	RunError{},
}

// Custom reports whether the kind travels as AG-UI's CUSTOM.
func (k Kind) Custom() bool { return strings.HasPrefix(string(k), "steward.") }

// Payload is what an event says. The implementations are the structs of this package and no others.
type Payload interface{ kind() Kind }

// ID is where an event stands in a conversation: Seq is the sequence of the log entry it follows from, N counts the
// events since. The zero ID is before everything.
type ID struct {
	Seq int64
	N   int
}

// String gives the wire form, "SEQ.N".
func (i ID) String() string { return string(i.Append(nil)) }

// Append adds the wire form to b.
func (i ID) Append(b []byte) []byte {
	b = strconv.AppendInt(b, i.Seq, 10)
	return strconv.AppendInt(append(b, '.'), int64(i.N), 10)
}

// ParseID reads the wire form; the empty string is the zero ID.
func ParseID(s string) (ID, error) {
	if s == "" {
		return ID{}, nil
	}
	a, b, ok := strings.Cut(s, ".")
	seq, err1 := strconv.ParseInt(a, 10, 64)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || seq < 0 || n < 0 || (ID{Seq: seq, N: n}).String() != s {
		return ID{}, fmt.Errorf("an event id is SEQ.N, two whole numbers")
	}
	return ID{Seq: seq, N: n}, nil
}

// After reports whether i comes after j.
func (i ID) After(j ID) bool { return i.Seq > j.Seq || i.Seq == j.Seq && i.N > j.N }

// Event is one thing told, at its place.
type Event struct {
	ID      ID
	Payload Payload
}

// Kind names the event.
func (e Event) Kind() Kind { return e.Payload.kind() }

// KindOf names the event that a payload makes.
func KindOf(p Payload) Kind { return p.kind() }

// MarshalJSON gives the object that travels: AG-UI's own shape, or CUSTOM with name and value.
func (e Event) MarshalJSON() ([]byte, error) { return Encode(e.Payload) }

// Encode gives a payload as the object that travels.
func Encode(p Payload) ([]byte, error) {
	k := p.kind()
	if t, ok := p.(TextContent); ok { // the hot path: one small object per delta
		return encodeTextContent(t), nil
	}
	body, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", k, err)
	}
	if k.Custom() {
		out := make([]byte, 0, len(body)+len(k)+40)
		out = append(out, `{"type":"CUSTOM","name":"`...)
		out = append(out, k...)
		out = append(out, `","value":`...)
		out = append(out, body...)
		return append(out, '}'), nil
	}
	out := make([]byte, 0, len(body)+len(k)+12)
	out = append(out, `{"type":"`...)
	out = append(out, k...)
	if len(body) == 2 {
		return append(out, `"}`...), nil
	}
	out = append(out, `",`...)
	return append(out, body[1:]...), nil
}

func encodeTextContent(t TextContent) []byte {
	delta, _ := json.Marshal(t.Delta) // a string always marshals
	out := make([]byte, 0, len(delta)+len(t.MessageID)+64)
	out = append(out, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"`...)
	out = append(out, t.MessageID...)
	out = append(out, `","delta":`...)
	out = append(out, delta...)
	return append(out, '}')
}
