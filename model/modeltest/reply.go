package modeltest

import (
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// Reply is what the script answers to one request. The zero Reply is an empty reply that ends the turn.
type Reply struct {
	Blocks []Block
	// Stop is the stop reason in Anthropic's words; empty means "tool_use" where the reply has a call and "end_turn"
	// elsewhere. Each wire says it in its own words; one that it has no word for comes as it stands.
	Stop string
	// Fault, when set, is the answer instead of a stream.
	Fault *Fault
	// Wait passes before the first byte, Pace between the pieces of a block. Zero: none; an unpaced reply is written at
	// once.
	Wait, Pace time.Duration
	// Hold stops before the event of that number until the channel is closed or the client leaves;
	// what was written before is on the wire by then. The numbers are those of Anthropic's events (message_start is 0, each
	// block has a start, its pieces and a stop, message_delta and message_stop follow) and mean the same point on every wire.
	Hold map[int]<-chan struct{}
	// End says how the stream ends; the zero End is a whole reply.
	End End
	// Usage replaces the counts that the server makes up.
	Usage *Usage
	// Odd has the reply come as from a server that is not quite compatible. Only the Chat wire has such servers.
	Odd Odd
}

// Odd are the ways in which servers that call themselves compatible with Chat Completions differ from OpenAI. The zero
// Odd is OpenAI's own way.
type Odd struct {
	// Comments is how many comment lines come before the first chunk; where there are any, each block has one more.
	Comments int `json:"comments,omitempty"`
	// RepeatIDs calls the calls of each reply call_0, call_1 and so on.
	RepeatIDs bool `json:"repeatIds,omitempty"`
	// WholeCalls sends a call in one piece, without its index and type.
	WholeCalls bool `json:"wholeCalls,omitempty"`
	// Reasoning is the field in which thoughts come; empty: they are not shown. OpenAI shows none and takes none back, so
	// it is for models of others.
	Reasoning Reasoning `json:"reasoning,omitempty"`
	// NoUsage never tells the usage, UsageInFinish tells it in the chunk that has the finish_reason.
	NoUsage       bool `json:"noUsage,omitempty"`
	UsageInFinish bool `json:"usageInFinish,omitempty"`
	// NoDone leaves out [DONE].
	NoDone bool `json:"noDone,omitempty"`
	// RouterErrors has errors as OpenRouter has them: a number for a code, and that of a Fail in a chunk with the
	// finish_reason "error".
	RouterErrors bool `json:"routerErrors,omitempty"`
}

// Reasoning is a field of a Chat chunk that shows thoughts.
type Reasoning string

// The fields that are in use.
const (
	ReasoningText    Reasoning = "reasoning"
	ReasoningContent Reasoning = "reasoning_content"
	ReasoningDetails Reasoning = "reasoning_details" // signed, beside "reasoning"
)

// Way is how a stream ends.
type Way string

// The ways in which a stream ends.
const (
	Whole Way = ""
	Cut   Way = "cut"   // the connection breaks
	Stall Way = "stall" // nothing more comes until the client leaves
	Fail  Way = "fail"  // an error event (response.failed on the Responses wire), then the end
	Close Way = "close" // the body ends in good order, too early
)

// End is the way a stream ends, and after how many events, counted as those of Hold. An After beyond the reply's events,
// or zero, means just before the end: before message_stop, before the chunk with the finish_reason, before
// response.completed.
type End struct {
	Way   Way
	After int
	// Fault is the error event of Fail; nil means Overloaded.
	Fault *Fault
}

// Block is one block of a reply.
type Block struct {
	kind   string
	pieces []string
	name   string
	input  json.RawMessage
	id     string
	raw    json.RawMessage
}

// Say is a text block that comes in the given pieces.
func Say(pieces ...string) Block { return Block{kind: "text", pieces: pieces} }

// Words is a text block of n words, a piece each.
func Words(n int) Block {
	const lorem = "the gym opens at six and the first class of the day is full but two places are free at noon"
	words := strings.Fields(lorem)
	pieces := make([]string, 0, n)
	for i := range n {
		word := words[i%len(words)]
		if i > 0 {
			word = " " + word
		}
		pieces = append(pieces, word)
	}
	return Say(pieces...)
}

// Think is a thinking block that the server signs. It is left out where the request does not make the model think.
func Think(pieces ...string) Block { return Block{kind: "thinking", pieces: pieces} }

// Redacted is a thought that cannot be read. It is left out where the request does not make the model think.
func Redacted() Block { return Block{kind: "redacted_thinking"} }

// Refuse is a text that declines: a refusal on OpenAI's wires, words on Anthropic's.
func Refuse(pieces ...string) Block { return Block{kind: "refusal", pieces: pieces} }

// Call is a tool use. input is what encoding/json makes of it; a json.RawMessage or a string is sent as it stands, in
// pieces of a few bytes, whether it is JSON or not.
func Call(name string, input any) Block {
	b := Block{kind: "tool_use", name: name}
	switch v := input.(type) {
	case nil:
	case json.RawMessage:
		b.input = v
	case string:
		b.input = json.RawMessage(v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte(`"the script's input cannot be written as JSON"`)
		}
		b.input = text
	}
	return b
}

// CallWithID is a Call under an id of the script's choice.
func CallWithID(id, name string, input any) Block {
	b := Call(name, input)
	b.id = id
	return b
}

// Raw is a block that is sent as it stands: in its start event, as the delta of a chunk, or as an item of a response.
func Raw(object string) Block { return Block{kind: "raw", raw: json.RawMessage(object)} }

// Script answers requests. It is called from many goroutines.
type Script func(Request) Reply

// Turns is a script of replies in their order; behind the last every request gets a 500 that says so.
func Turns(replies ...Reply) Script {
	var mu sync.Mutex
	next := 0
	return func(Request) Reply {
		mu.Lock()
		defer mu.Unlock()
		if next == len(replies) {
			return Reply{Fault: &Fault{Status: 500, Type: "api_error", Message: "the script has ended"}}
		}
		next++
		return replies[next-1]
	}
}

// Always is a script that gives the same reply each time.
func Always(reply Reply) Script { return func(Request) Reply { return reply } }

func (r Reply) stop() string {
	if r.Stop != "" {
		return r.Stop
	}
	for _, b := range r.Blocks {
		if b.kind == "tool_use" {
			return "tool_use"
		}
	}
	return "end_turn"
}
