package modeltest

import (
	"strconv"
	"strings"
)

// responsesEncoder writes OpenAI's Responses API.
type responsesEncoder struct {
	*answer
	sequence int // of the next event
}

// outputItem is a block as an item of the output.
type outputItem struct {
	id string
	// begun and done are the item as its two events have it.
	begun, done string
}

func (r *responsesEncoder) frames() []frame {
	r.sequence = 0
	created := r.response("in_progress", "", "null")
	list := []frame{{text: r.event("response.created", `"response":`+created) + r.event("response.in_progress", `"response":`+created)}}
	items := make([]string, 0, len(r.blocks))
	for i, b := range r.blocks {
		item := r.item(b)
		items = append(items, item.done)
		list = append(list, r.itemFrames(b, item, strconv.Itoa(i))...)
	}
	status := r.status()
	return append(list, frame{}, frame{text: r.event("response."+status, `"response":`+r.response(status, strings.Join(items, ","), r.usageText()))})
}

// event writes one event; fields are the members of its data behind type and number.
func (r *responsesEncoder) event(name, fields string) string {
	text := namedEvent(name, `{"type":"`+name+`","sequence_number":`+strconv.Itoa(r.sequence)+","+fields+"}")
	r.sequence++
	return text
}

// item makes the item of a block.
func (r *responsesEncoder) item(b answerBlock) outputItem {
	status := `"completed"`
	if b.last && r.status() == "incomplete" {
		status = `"incomplete"`
	}
	switch b.kind {
	case "thinking", "redacted_thinking":
		id := r.sign.itemID("rs_", r.req.Model, b.nonce, true)
		head := `{"id":` + quote(id) + `,"type":"reasoning","summary":`
		if !r.req.includeEncrypted {
			return outputItem{id, head + `[]}`, head + r.summary(b) + `}`}
		}
		// As the vendor's: what the first event bears is not yet what can be sent back.
		return outputItem{
			id, head + `[],"encrypted_content":"gAAAAABbeginning"}`,
			head + r.summary(b) + `,"encrypted_content":` + quote(r.sign.encrypted(r.req.Model, b.nonce)) + `}`,
		}
	case "tool_use":
		id := r.sign.itemID("fc_", r.req.Model, b.nonce, b.thought)
		call := b.id
		if call == "" {
			call = "call_" + b.nonce
		}
		tail := `,"call_id":` + quote(call) + `,"name":` + quote(b.name) + `}`
		head := `{"id":` + quote(id) + `,"type":"function_call","status":`
		return outputItem{id, head + `"in_progress","arguments":""` + tail, head + status + `,"arguments":` + quote(b.arguments()) + tail}
	case "raw":
		return outputItem{begun: string(b.raw), done: string(b.raw)}
	}
	id := r.sign.itemID("msg_", r.req.Model, b.nonce, b.thought)
	head := `{"id":` + quote(id) + `,"type":"message","status":`
	return outputItem{id, head + `"in_progress","content":[],"role":"assistant"}`, head + status + `,"content":[` + part(b, b.whole) + `],"role":"assistant"}`}
}

// part is a part of a message's content.
func part(b answerBlock, text string) string {
	if b.kind == "refusal" {
		return `{"type":"refusal","refusal":` + quote(text) + `}`
	}
	return `{"type":"output_text","annotations":[],"logprobs":[],"text":` + quote(text) + `}`
}

// summary is what a thought shows of itself: nothing, unless the request asks for it.
func (r *responsesEncoder) summary(b answerBlock) string {
	if !r.req.summary || b.whole == "" {
		return `[]`
	}
	return `[{"type":"summary_text","text":` + quote(b.whole) + `}]`
}

func (r *responsesEncoder) itemFrames(b answerBlock, item outputItem, index string) []frame {
	at := `"item_id":` + quote(item.id) + `,"output_index":` + index
	open := r.event("response.output_item.added", `"output_index":`+index+`,"item":`+item.begun)
	shut := func() string {
		return r.event("response.output_item.done", `"output_index":`+index+`,"item":`+item.done)
	}
	var list []frame
	pieces := func(name string, texts []string, more string) {
		for _, p := range texts {
			f := frame{piece: true}
			if p != "" {
				f.text = r.event(name, at+`,"delta":`+quote(p)+more)
			}
			list = append(list, f)
		}
	}
	switch b.kind {
	case "thinking", "redacted_thinking":
		const name = "response.reasoning_summary_"
		list = append(list, frame{text: open})
		if !r.req.summary || b.whole == "" {
			list = append(list, make([]frame, len(b.pieces)+1)...)
			return append(list, frame{text: shut()})
		}
		list[0].text += r.event(name+"part.added", at+`,"summary_index":0,"part":{"type":"summary_text","text":""}`)
		pieces(name+"text.delta", b.pieces, `,"summary_index":0`)
		return append(list, frame{}, frame{text: r.event(name+"text.done", at+`,"summary_index":0,"text":`+quote(b.whole)) +
			r.event(name+"part.done", at+`,"summary_index":0,"part":{"type":"summary_text","text":`+quote(b.whole)+`}`) + shut()})
	case "tool_use":
		list = append(list, frame{text: open})
		texts := b.argumentPieces()
		if len(b.input) == 0 {
			texts = []string{b.arguments()}
		}
		pieces("response.function_call_arguments.delta", texts, "")
		return append(list, frame{text: r.event("response.function_call_arguments.done", at+`,"name":`+quote(b.name)+`,"arguments":`+quote(b.arguments())) + shut()})
	case "raw":
		return append(list, frame{text: open}, frame{text: shut()})
	}
	at += `,"content_index":0`
	name, key, more := "response.output_text.", "text", `,"logprobs":[]`
	if b.kind == "refusal" {
		name, key, more = "response.refusal.", "refusal", ""
	}
	list = append(list, frame{text: open + r.event("response.content_part.added", at+`,"part":`+part(b, ""))})
	pieces(name+"delta", b.pieces, more)
	return append(list, frame{text: r.event(name+"done", at+`,"`+key+`":`+quote(b.whole)+more) + r.event("response.content_part.done", at+`,"part":`+part(b, b.whole)) + shut()})
}

// status is how the response ends.
func (r *responsesEncoder) status() string {
	if r.incomplete() != "" {
		return "incomplete"
	}
	return "completed"
}

// incomplete is why the response is not complete; empty where it is.
func (r *responsesEncoder) incomplete() string {
	switch r.reply.stop() {
	case "max_tokens", "model_context_window_exceeded":
		return "max_output_tokens"
	case "refusal":
		return "content_filter"
	}
	return ""
}

// response writes the response object, which says the whole request again.
func (r *responsesEncoder) response(status, output, usage string) string {
	return r.responseWith(status, output, usage, "null")
}

func (r *responsesEncoder) responseWith(status, output, usage, failure string) string {
	details := "null"
	if status == "incomplete" {
		details = `{"reason":` + quote(r.incomplete()) + `}`
	}
	effort := "null"
	if r.req.Effort != "" {
		effort = quote(r.req.Effort)
	}
	echo := r.req.echo
	return `{"id":"resp_` + r.nonce + `","object":"response","created_at":` + strconv.FormatInt(r.created, 10) + `,"status":"` + status + `","background":false,"error":` + failure +
		`,"incomplete_details":` + details + `,"instructions":` + jsonOr(echo["instructions"], "null") + `,"max_output_tokens":` + jsonOr(echo["max_output_tokens"], "null") +
		`,"model":` + quote(r.req.Model) + `,"output":[` + output + `],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":` + effort +
		`,"summary":null},"service_tier":"default","store":` + strconv.FormatBool(r.req.stored) + `,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":` +
		orDefault(echo["tool_choice"], `"auto"`) + `,"tools":` + orDefault(echo["tools"], "[]") + `,"top_p":1,"truncation":"disabled","usage":` + usage + `,"user":null,"metadata":{}}`
}

// orDefault writes a value, or the default where it is absent.
func orDefault(v any, otherwise string) string {
	if v == nil {
		return otherwise
	}
	return jsonOr(v, otherwise)
}

func (r *responsesEncoder) usageText() string {
	input := r.usage.Input + r.usage.CacheRead + r.usage.CacheWrite
	return `{"input_tokens":` + strconv.Itoa(input) + `,"input_tokens_details":{"cached_tokens":` + strconv.Itoa(r.usage.CacheRead) +
		`},"output_tokens":` + strconv.Itoa(r.usage.Output) + `,"output_tokens_details":{"reasoning_tokens":` + strconv.Itoa(r.thought) +
		`},"total_tokens":` + strconv.Itoa(input+r.usage.Output) + `}`
}

func (r *responsesEncoder) whole() []byte {
	items := make([]string, 0, len(r.blocks))
	for _, b := range r.blocks {
		items = append(items, r.item(b).done)
	}
	return []byte(r.response(r.status(), strings.Join(items, ","), r.usageText()))
}

func (r *responsesEncoder) fault(f Fault) []byte { return openaiFault(f) }

// failure is the failed response; its number follows those that were sent.
func (r *responsesEncoder) failure(f Fault, sent []frame) string {
	r.sequence = 0
	for _, s := range sent {
		r.sequence += strings.Count(s.text, "\ndata: ") // a line break within a text is written otherwise
	}
	code := f.Code
	if code == "" {
		code = "server_error"
	}
	return r.event("response.failed", `"response":`+r.responseWith("failed", "", "null", `{"code":`+quote(code)+`,"message":`+quote(f.Message)+`}`))
}
