package modeltest

import (
	"strconv"
	"strings"
)

// chatEncoder writes OpenAI's Chat Completions, or what its imitators make of it.
type chatEncoder struct{ *answer }

func (c chatEncoder) frames() []frame {
	odd := c.reply.Odd
	comment := ""
	if odd.Comments > 0 {
		comment = ": OPENROUTER PROCESSING\n\n"
	}
	content := "null"
	for _, b := range c.blocks {
		if b.kind == "text" {
			content = `""`
		}
	}
	list := []frame{{text: strings.Repeat(comment, odd.Comments) + c.chunk(`{"role":"assistant","content":`+content+`,"refusal":null}`, "")}}
	calls := 0
	for _, b := range c.blocks {
		list = append(list, frame{text: comment})
		at := len(list) - 1
		switch b.kind {
		case "text", "refusal":
			key := map[string]string{"text": "content", "refusal": "refusal"}[b.kind]
			for _, p := range b.pieces {
				list = append(list, frame{c.chunk(`{"`+key+`":`+quote(p)+`}`, ""), true})
			}
		case "thinking", "redacted_thinking":
			list = append(list, c.reasoning(b)...)
		case "tool_use":
			pieces := b.argumentPieces()
			if odd.WholeCalls {
				list[at].text += c.chunk(`{"tool_calls":[{"id":`+quote(c.callID(b, calls))+`,"function":{"name":`+quote(b.name)+`,"arguments":`+quote(b.arguments())+`}}]}`, "")
				list = append(list, make([]frame, len(pieces))...)
			} else {
				list[at].text += c.chunk(`{"tool_calls":[{"index":`+strconv.Itoa(calls)+`,"id":`+quote(c.callID(b, calls))+`,"type":"function","function":{"name":`+quote(b.name)+`,"arguments":""}}]}`, "")
				list = append(list, c.argumentFrames(b, calls)...)
			}
			calls++
		case "raw":
			list[at].text += c.chunk(string(b.raw), "")
		}
		list = append(list, frame{})
	}
	return append(list, frame{}, frame{text: c.end()})
}

// argumentFrames are a call's arguments piece by piece. A call without input has "{}", as the vendor writes it.
func (c chatEncoder) argumentFrames(b answerBlock, index int) []frame {
	var list []frame
	for _, p := range b.argumentPieces() {
		f := frame{piece: true}
		if len(b.input) == 0 {
			p = b.arguments()
		}
		if p != "" {
			f.text = c.chunk(`{"tool_calls":[{"index":`+strconv.Itoa(index)+`,"function":{"arguments":`+quote(p)+`}}]}`, "")
		}
		list = append(list, f)
	}
	return list
}

// reasoning are the frames of a thought, which OpenAI itself does not show on this wire.
func (c chatEncoder) reasoning(b answerBlock) []frame {
	list := make([]frame, 0, len(b.pieces)+1)
	for _, p := range b.pieces {
		f := frame{piece: true}
		switch field := c.reply.Odd.Reasoning; field {
		case "":
		case ReasoningDetails:
			f.text = c.chunk(`{"content":"","reasoning":`+quote(p)+`,"reasoning_details":[{"type":"reasoning.text","text":`+quote(p)+`,"format":"scripted-v1","index":0}]}`, "")
		default:
			f.text = c.chunk(`{"content":null,`+quote(string(field))+`:`+quote(p)+`}`, "")
		}
		list = append(list, f)
	}
	if c.reply.Odd.Reasoning != ReasoningDetails {
		return append(list, frame{piece: true})
	}
	detail := `{"type":"reasoning.text","signature":` + quote(c.sign.thinking(c.req.Model, b.whole)) + `,"format":"scripted-v1","index":0}`
	if b.kind == "redacted_thinking" {
		detail = `{"type":"reasoning.encrypted","data":` + quote(c.sign.redacted(c.req.Model, b.nonce)) + `,"id":"rs_` + b.nonce + `","format":"scripted-v1","index":0}`
	}
	return append(list, frame{c.chunk(`{"content":"","reasoning":null,"reasoning_details":[`+detail+`]}`, ""), true})
}

// callID is a call's id; index is the call's place among the calls of its reply.
func (c chatEncoder) callID(b answerBlock, index int) string {
	switch {
	case b.id != "":
		return b.id
	case c.reply.Odd.RepeatIDs:
		return "call_" + strconv.Itoa(index)
	}
	return "call_" + b.nonce
}

// finish is the wire's word for why a reply ends.
func (c chatEncoder) finish() string {
	switch stop := c.reply.stop(); stop {
	case "end_turn", "stop_sequence", "pause_turn":
		return "stop"
	case "tool_use":
		return "tool_calls"
	case "max_tokens", "model_context_window_exceeded":
		return "length"
	case "refusal":
		return "content_filter"
	default:
		return stop
	}
}

// end is the last that comes: why the reply ends, what it cost, and the mark of the end.
func (c chatEncoder) end() string {
	odd := c.reply.Odd
	counted := c.req.includeUsage && !odd.NoUsage
	text := c.chunk(`{}`, c.finish())
	switch {
	case counted && odd.UsageInFinish:
		text = c.chunkWith(`[{"index":0,"delta":{},"logprobs":null,"finish_reason":`+quote(c.finish())+`}]`, c.usageText())
	case counted:
		text += c.chunkWith(`[]`, c.usageText())
	}
	if odd.NoDone {
		return text
	}
	return text + "data: [DONE]\n\n"
}

// chunk writes a chunk with one choice; an empty finish is null.
func (c chatEncoder) chunk(delta, finish string) string {
	reason := "null"
	if finish != "" {
		reason = quote(finish)
	}
	return c.chunkWith(`[{"index":0,"delta":`+delta+`,"logprobs":null,"finish_reason":`+reason+`}]`, "null")
}

// chunkWith writes a chunk; usage is told, be it as null, where the request asks for it.
func (c chatEncoder) chunkWith(choices, usage string) string {
	text := "data: {" + c.head("chat.completion.chunk") + `,"choices":` + choices
	if c.req.includeUsage && !c.reply.Odd.NoUsage {
		text += `,"usage":` + usage
	}
	return text + "}\n\n"
}

func (c chatEncoder) head(object string) string {
	return `"id":"chatcmpl-` + c.nonce + `","object":"` + object + `","created":` + strconv.FormatInt(c.created, 10) + `,"model":` + quote(c.req.Model) +
		`,"service_tier":"default","system_fingerprint":"fp_scripted"`
}

func (c chatEncoder) usageText() string {
	input := c.usage.Input + c.usage.CacheRead + c.usage.CacheWrite
	return `{"prompt_tokens":` + strconv.Itoa(input) + `,"completion_tokens":` + strconv.Itoa(c.usage.Output) + `,"total_tokens":` + strconv.Itoa(input+c.usage.Output) +
		`,"prompt_tokens_details":{"cached_tokens":` + strconv.Itoa(c.usage.CacheRead) + `,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":` +
		strconv.Itoa(c.thought) + `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`
}

func (c chatEncoder) whole() []byte {
	var said, refused, thought strings.Builder
	var calls, details []string
	spoke := false
	for _, b := range c.blocks {
		switch b.kind {
		case "text":
			spoke = true
			said.WriteString(b.whole)
		case "refusal":
			refused.WriteString(b.whole)
		case "thinking":
			thought.WriteString(b.whole)
			details = append(details, `{"type":"reasoning.text","text":`+quote(b.whole)+`,"signature":`+quote(c.sign.thinking(c.req.Model, b.whole))+`,"format":"scripted-v1","index":0}`)
		case "tool_use":
			calls = append(calls, `{"id":`+quote(c.callID(b, len(calls)))+`,"type":"function","function":{"name":`+quote(b.name)+`,"arguments":`+quote(b.arguments())+`}}`)
		}
	}
	message := `{"role":"assistant","content":` + orNull(spoke, said.String()) + `,"refusal":` + orNull(refused.Len() > 0, refused.String()) + `,"annotations":[]`
	switch field := c.reply.Odd.Reasoning; field {
	case "":
	case ReasoningDetails:
		message += `,"reasoning":` + orNull(thought.Len() > 0, thought.String()) + `,"reasoning_details":[` + strings.Join(details, ",") + `]`
	default:
		message += `,` + quote(string(field)) + `:` + orNull(thought.Len() > 0, thought.String())
	}
	if len(calls) > 0 {
		message += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
	}
	text := "{" + c.head("chat.completion") + `,"choices":[{"index":0,"message":` + message + `},"logprobs":null,"finish_reason":` + quote(c.finish()) + `}]`
	if !c.reply.Odd.NoUsage {
		text += `,"usage":` + c.usageText()
	}
	return []byte(text + "}")
}

// orNull is a string, or null where there is none.
func orNull(there bool, text string) string {
	if !there {
		return "null"
	}
	return quote(text)
}

func (c chatEncoder) fault(f Fault) []byte {
	if !c.reply.Odd.RouterErrors {
		return openaiFault(f)
	}
	return []byte("{" + routerError(f) + `,"user_id":"user_scripted"}`)
}

// routerError is an error as OpenRouter has it.
func routerError(f Fault) string {
	return `"error":{"code":` + strconv.Itoa(f.status()) + `,"message":` + quote(f.Message) + `}`
}

func (c chatEncoder) failure(f Fault, _ []frame) string {
	if !c.reply.Odd.RouterErrors {
		return "data: " + string(openaiFault(f)) + "\n\n"
	}
	return "data: {" + c.head("chat.completion.chunk") + `,"provider":"Scripted",` + routerError(f) +
		`,"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","native_finish_reason":"error"}]}` + "\n\n"
}
