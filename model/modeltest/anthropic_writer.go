package modeltest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// messagesEncoder writes Anthropic's Messages API.
type messagesEncoder struct{ *answer }

// contentBlock is a block as it is written: its start, its deltas, and how it reads when it came whole.
type contentBlock struct {
	start  string
	deltas []string
	whole  string
}

func (m messagesEncoder) content() []contentBlock {
	list := make([]contentBlock, 0, len(m.blocks))
	for _, b := range m.blocks {
		list = append(list, m.block(b))
	}
	return list
}

func (m messagesEncoder) block(b answerBlock) contentBlock {
	switch b.kind {
	case "thinking":
		signature := quote(m.sign.thinking(m.req.Model, b.whole))
		return contentBlock{
			`{"type":"thinking","thinking":"","signature":""}`,
			append(deltas(`{"type":"thinking_delta","thinking":`, b.pieces), `{"type":"signature_delta","signature":`+signature+`}`),
			`{"type":"thinking","thinking":` + quote(b.whole) + `,"signature":` + signature + `}`,
		}
	case "redacted_thinking":
		redacted := `{"type":"redacted_thinking","data":` + quote(m.sign.redacted(m.req.Model, b.nonce)) + `}`
		return contentBlock{start: redacted, whole: redacted}
	case "tool_use":
		id := b.id
		if id == "" {
			id = m.sign.itemID("toolu_", m.req.Model, b.nonce, b.thought)
		}
		head := `{"type":"tool_use","id":` + quote(id) + `,"name":` + quote(b.name) + `,"input":`
		input := b.arguments()
		if !json.Valid([]byte(input)) {
			input = `{}`
		}
		return contentBlock{head + `{}}`, deltas(`{"type":"input_json_delta","partial_json":`, b.argumentPieces()), head + input + `}`}
	case "raw":
		return contentBlock{start: string(b.raw), whole: string(b.raw)}
	}
	return contentBlock{`{"type":"text","text":""}`, deltas(`{"type":"text_delta","text":`, b.pieces), `{"type":"text","text":` + quote(b.whole) + `}`}
}

func deltas(head string, pieces []string) []string {
	list := make([]string, 0, len(pieces)+1)
	for _, p := range pieces {
		list = append(list, head+quote(p)+"}")
	}
	return list
}

// namedEvent is an event of server-sent events whose data says its name again.
func namedEvent(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

func (m messagesEncoder) frames() []frame {
	usage := m.usage
	usage.Output = 1
	// The vendor's ping belongs to no number.
	list := []frame{{text: namedEvent("message_start", `{"type":"message_start","message":`+m.message("", "", usage)+`}`) + "event: ping\ndata: {\"type\": \"ping\"}\n\n"}}
	for i, b := range m.content() {
		index := strconv.Itoa(i)
		list = append(list, frame{text: namedEvent("content_block_start", `{"type":"content_block_start","index":`+index+`,"content_block":`+b.start+`}`)})
		for _, d := range b.deltas {
			list = append(list, frame{namedEvent("content_block_delta", `{"type":"content_block_delta","index":`+index+`,"delta":`+d+`}`), true})
		}
		list = append(list, frame{text: namedEvent("content_block_stop", `{"type":"content_block_stop","index":`+index+`}`)})
	}
	return append(
		list,
		frame{text: namedEvent("message_delta", `{"type":"message_delta","delta":{"stop_reason":`+quote(m.reply.stop())+`,"stop_sequence":null},"usage":`+messagesUsage(m.usage)+`}`)},
		frame{text: namedEvent("message_stop", `{"type":"message_stop"}`)},
	)
}

func (m messagesEncoder) whole() []byte {
	var content []string
	for _, b := range m.content() {
		content = append(content, b.whole)
	}
	return []byte(m.message(strings.Join(content, ","), m.reply.stop(), m.usage))
}

func (m messagesEncoder) fault(f Fault) []byte { return messagesProtocol{}.fault(f, "req_"+m.nonce) }

func (m messagesEncoder) failure(f Fault, _ []frame) string {
	return namedEvent("error", string(m.fault(f)))
}

// message writes a message object; an empty stop is null.
func (m messagesEncoder) message(content, stop string, usage Usage) string {
	reason := "null"
	if stop != "" {
		reason = quote(stop)
	}
	return `{"id":"msg_` + m.nonce + `","type":"message","role":"assistant","model":` + quote(m.req.Model) + `,"content":[` + content +
		`],"stop_reason":` + reason + `,"stop_sequence":null,"usage":` + messagesUsage(usage) + `}`
}

func messagesUsage(u Usage) string {
	return `{"input_tokens":` + strconv.Itoa(u.Input) + `,"cache_creation_input_tokens":` + strconv.Itoa(u.CacheWrite) +
		`,"cache_read_input_tokens":` + strconv.Itoa(u.CacheRead) + `,"output_tokens":` + strconv.Itoa(u.Output) + `}`
}
