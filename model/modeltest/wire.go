package modeltest

import "net/http"

// Wire names the protocol that a request came on.
type Wire string

// The wires.
const (
	WireMessages  Wire = "messages"  // Anthropic's POST /v1/messages
	WireChat      Wire = "chat"      // OpenAI's POST /v1/chat/completions
	WireResponses Wire = "responses" // OpenAI's POST /v1/responses
)

// protocol is what the server has to know of a wire. Implementations hold nothing.
type protocol interface {
	wire() Wire
	// requestID is the header that bears a reply's id.
	requestID() string
	// authorize refuses a request by its headers. key is the only key, empty for any; keyless takes none at all.
	authorize(h http.Header, key string, keyless bool) error
	// check fills req from the body, or says what the vendor refuses in it.
	check(s *Server, req *Request, body map[string]any) error
	// prefix lists the parts of a body in the order in which they are cached.
	prefix(body map[string]any) prefix
	// encoder writes an answer.
	encoder(a *answer) encoder
	// fault is the body of the server's own error answer.
	fault(f Fault, requestID string) []byte
	// local is a fault as this vendor has it.
	local(f Fault) Fault
}

// encoder writes one answer in the form of its wire.
type encoder interface {
	// frames are the answer as a stream: one that begins it, one where each block begins, one for each of its pieces, one
	// where it ends, one before the end and the end. So a frame of one number is the same point of an answer on every
	// wire; where a wire has nothing to say there, the frame is empty.
	frames() []frame
	// whole is the answer in one document.
	whole() []byte
	// fault is the body of the script's error answer.
	fault(f Fault) []byte
	// failure is the event of an error behind so many frames that are sent.
	failure(f Fault, sent []frame) string
}

// frame is a part of a stream: no event of server-sent events, one, or several.
type frame struct {
	text string
	// piece is a part of a block, which comes at the script's pace.
	piece bool
}

// protocols are the wires by their path.
var protocols = map[string]protocol{
	"/v1/messages":         messagesProtocol{},
	"/v1/chat/completions": chatProtocol{},
	"/v1/responses":        responsesProtocol{},
}
