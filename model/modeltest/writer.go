package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// writer writes one reply.
type writer struct {
	w     http.ResponseWriter
	flush *http.ResponseController
	ctx   context.Context //nolint:containedctx // a writer lives for one request
	sign  signer
	req   *Request
	reply *Reply
	usage Usage
	nonce string

	buf    []byte
	events int
	total  int // the events of the whole reply, message_stop not counted
	timer  *time.Timer
	output int // characters
}

// errEnded says that the stream was ended as the script wants, or that the client has left.
var errEnded = errors.New("the stream has ended")

func (w *writer) write() {
	defer func() {
		if w.timer != nil {
			w.timer.Stop()
		}
	}()
	if w.sleep(w.reply.Wait) != nil {
		return
	}
	if w.reply.Fault != nil {
		writeFault(w.w, *w.reply.Fault)
		return
	}
	blocks := w.blocks()
	if w.usage.Output == 0 {
		w.usage.Output = max(1, (w.output+3)/4)
	}
	if !w.req.Stream {
		w.whole(blocks)
		return
	}
	w.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.w.Header().Set("Cache-Control", "no-cache")
	w.total = 2
	for _, b := range blocks {
		w.total += 2 + len(b.deltas)
	}
	err := w.stream(blocks)
	if err == nil || w.ctx.Err() == nil {
		w.send()
	}
	if errors.Is(err, http.ErrAbortHandler) {
		// The one way that net/http offers to break a connection in the middle of a reply.
		panic(http.ErrAbortHandler)
	}
}

// wireBlock is a block as it is written: its start, its deltas, and how it reads when it came whole.
type wireBlock struct {
	start  string
	deltas []string
	whole  map[string]any
	raw    json.RawMessage
}

func (w *writer) blocks() []wireBlock {
	var list []wireBlock
	thought := false
	for i, b := range w.reply.Blocks {
		nonce := w.nonce + "x" + strconv.Itoa(i)
		whole := strings.Join(b.pieces, "")
		out := wireBlock{}
		switch b.kind {
		case "text":
			out.start = `{"type":"text","text":""}`
			out.deltas = deltas(`{"type":"text_delta","text":`, b.pieces)
			out.whole = map[string]any{"type": "text", "text": whole}
		case "thinking", "redacted_thinking":
			if !w.req.Thinks {
				continue
			}
			thought = true
			if b.kind == "redacted_thinking" {
				out.start = `{"type":"redacted_thinking","data":` + quote(w.sign.redacted(w.req.Model, nonce)) + `}`
				out.raw = json.RawMessage(out.start)
				break
			}
			signature := w.sign.thinking(w.req.Model, whole)
			out.start = `{"type":"thinking","thinking":"","signature":""}`
			out.deltas = append(deltas(`{"type":"thinking_delta","thinking":`, b.pieces), `{"type":"signature_delta","signature":`+quote(signature)+`}`)
			out.whole = map[string]any{"type": "thinking", "thinking": whole, "signature": signature}
		case "tool_use":
			id := b.id
			if id == "" {
				id = w.sign.callID(w.req.Model, nonce, thought)
			}
			out.start = `{"type":"tool_use","id":` + quote(id) + `,"name":` + quote(b.name) + `,"input":{}}`
			out.deltas = deltas(`{"type":"input_json_delta","partial_json":`, append([]string{""}, cutEvery(string(b.input), 12)...))
			input := b.input
			if !json.Valid(input) {
				input = json.RawMessage(`{}`)
			}
			out.whole = map[string]any{"type": "tool_use", "id": id, "name": b.name, "input": input}
			w.output += len(b.input)
		case "raw":
			out.start, out.raw = string(b.raw), b.raw
		}
		w.output += len(whole)
		list = append(list, out)
	}
	return list
}

func deltas(head string, pieces []string) []string {
	list := make([]string, 0, len(pieces)+1)
	for _, p := range pieces {
		list = append(list, head+quote(p)+"}")
	}
	return list
}

// cutEvery cuts a text into pieces of about n bytes, between characters.
func cutEvery(s string, n int) []string {
	var list []string
	for len(s) > n {
		at := n
		for at < len(s) && !utf8.RuneStart(s[at]) {
			at++
		}
		list, s = append(list, s[:at]), s[at:]
	}
	if s != "" {
		list = append(list, s)
	}
	return list
}

// quote writes a JSON string.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(text)
}

func (w *writer) stream(blocks []wireBlock) error {
	usage := w.usage
	usage.Output = 1
	if err := w.event("message_start", `{"type":"message_start","message":`+w.message(nil, "", usage)+`}`); err != nil {
		return err
	}
	w.buf = append(w.buf, "event: ping\ndata: {\"type\": \"ping\"}\n\n"...) // as the vendor does; not counted
	for i, b := range blocks {
		index := strconv.Itoa(i)
		if err := w.event("content_block_start", `{"type":"content_block_start","index":`+index+`,"content_block":`+b.start+`}`); err != nil {
			return err
		}
		for _, d := range b.deltas {
			if w.reply.Pace > 0 {
				w.send()
				if err := w.sleep(w.reply.Pace); err != nil {
					return err
				}
			}
			if err := w.event("content_block_delta", `{"type":"content_block_delta","index":`+index+`,"delta":`+d+`}`); err != nil {
				return err
			}
		}
		if err := w.event("content_block_stop", `{"type":"content_block_stop","index":`+index+`}`); err != nil {
			return err
		}
	}
	if err := w.event("message_delta", `{"type":"message_delta","delta":{"stop_reason":`+quote(w.reply.stop())+`,"stop_sequence":null},"usage":`+usageText(w.usage)+`}`); err != nil {
		return err
	}
	return w.event("message_stop", `{"type":"message_stop"}`)
}

// event writes one event, or ends the stream where the script says so.
func (w *writer) event(name, data string) error {
	if until, ok := w.reply.Hold[w.events]; ok {
		w.send()
		select {
		case <-until:
		case <-w.ctx.Done():
			return errEnded
		}
	}
	end := w.reply.End
	if end.Way != Whole && (end.After > 0 && w.events == end.After || w.events == w.total) {
		return w.end(end)
	}
	w.events++
	w.buf = append(append(append(append(append(w.buf, "event: "...), name...), "\ndata: "...), data...), "\n\n"...)
	return nil
}

func (w *writer) end(end End) error {
	switch end.Way {
	case Cut:
		w.send()
		return http.ErrAbortHandler
	case Stall:
		w.send()
		<-w.ctx.Done()
	case Whole, Close:
	case Fail:
		fault := Overloaded
		if end.Fault != nil {
			fault = *end.Fault
		}
		w.buf = append(append(append(w.buf, "event: error\ndata: "...), faultDocument(fault, "req_"+w.nonce)...), "\n\n"...)
	}
	return errEnded
}

// send puts what was written on the wire.
func (w *writer) send() {
	_, _ = w.w.Write(w.buf) // a client that has left is seen by its context
	w.buf = w.buf[:0]
	_ = w.flush.Flush() // as above
}

func (w *writer) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	select {
	case <-w.timer.C:
		return nil
	case <-w.ctx.Done():
		return errEnded
	}
}

// whole answers a request that does not stream.
func (w *writer) whole(blocks []wireBlock) {
	content := make([]any, 0, len(blocks))
	for _, b := range blocks {
		if b.raw != nil {
			content = append(content, b.raw)
			continue
		}
		content = append(content, b.whole)
	}
	w.w.Header().Set("Content-Type", "application/json")
	_, _ = w.w.Write([]byte(w.message(content, w.reply.stop(), w.usage))) // the client may have left
}

// message writes a message object; an empty stop is null.
func (w *writer) message(content []any, stop string, usage Usage) string {
	blocks := []byte("[]")
	if len(content) > 0 {
		text, err := json.Marshal(content)
		if err == nil {
			blocks = text
		}
	}
	reason := "null"
	if stop != "" {
		reason = quote(stop)
	}
	return `{"id":"msg_` + w.nonce + `","type":"message","role":"assistant","model":` + quote(w.req.Model) + `,"content":` + string(blocks) +
		`,"stop_reason":` + reason + `,"stop_sequence":null,"usage":` + usageText(usage) + `}`
}

func usageText(u Usage) string {
	return `{"input_tokens":` + strconv.Itoa(u.Input) + `,"cache_creation_input_tokens":` + strconv.Itoa(u.CacheWrite) +
		`,"cache_read_input_tokens":` + strconv.Itoa(u.CacheRead) + `,"output_tokens":` + strconv.Itoa(u.Output) + `}`
}
