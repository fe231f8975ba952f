package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxCacheMarks is the most cache marks that the vendor takes (Anthropic, "Prompt caching").
const maxCacheMarks = 4

// anthropicRequest writes the body of a request by hand: blocks that a model made stand in the store as the bytes that
// came, and go into the body as they are.
type anthropicRequest struct {
	req    *Request
	family string
	thinks bool
	cache  string
	body   []byte
	// ids are the tool use ids of the request so far; renamed holds what the latest reply's ids became.
	ids     map[string]bool
	renamed map[string]string
}

// encodeAnthropic gives the body of a request, or what is wrong with it.
func encodeAnthropic(req *Request) ([]byte, error) {
	if err := checkRequest(req); err != nil {
		return nil, err
	}
	traits := anthropicTraits(req.Model)
	w := &anthropicRequest{
		req:    req,
		family: anthropicFamily(req.Model),
		thinks: traits.thinksUnasked || traits.adaptive && req.Effort != "",
		cache:  `"cache_control":{"type":"ephemeral"}`,
		body:   make([]byte, 0, sizeHint(req)),
		ids:    make(map[string]bool),
	}
	if req.CacheLong {
		w.cache = `"cache_control":{"type":"ephemeral","ttl":"1h"}`
	}
	w.raw(`{"model":`)
	w.str(req.Model)
	w.raw(`,"max_tokens":`)
	w.body = strconv.AppendInt(w.body, int64(req.MaxOutputTokens), 10)
	w.raw(`,"stream":true`)
	if req.Effort != "" && traits.adaptive {
		w.raw(`,"thinking":{"type":"adaptive"}`)
	}
	if req.Effort != "" && traits.effort {
		w.raw(`,"output_config":{"effort":`)
		w.str(string(req.Effort))
		w.raw(`}`)
	}
	w.tools()
	w.system()
	w.messages()
	w.raw(`}`)
	return w.body, nil
}

// checkRequest refuses what cannot be asked, before a byte is sent.
func checkRequest(req *Request) error {
	switch {
	case req.Model == "":
		return errors.New("the request names no model")
	case req.MaxOutputTokens <= 0:
		return errors.New("MaxOutputTokens must be positive")
	case len(req.Messages) == 0:
		return errors.New("the request has no messages")
	}
	marks := 0
	for _, b := range req.System {
		marks += mark(b.Cache && !blank(b.Text))
	}
	for _, m := range req.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant {
			return errors.New(`a message's role is neither "user" nor "assistant"`)
		}
		for i := range m.Blocks {
			marks += mark(m.Blocks[i].Cache)
		}
	}
	if marks > maxCacheMarks {
		return fmt.Errorf("%d cache marks are asked for; the provider takes %d at most", marks, maxCacheMarks)
	}
	return nil
}

// blank reports whether a text is one that the vendor refuses: empty, or white space alone.
func blank(text string) bool { return strings.TrimSpace(text) == "" }

func mark(set bool) int {
	if set {
		return 1
	}
	return 0
}

// sizeHint is about how long the body will be, so that it is allocated once.
func sizeHint(req *Request) int {
	n := 512
	for _, b := range req.System {
		n += len(b.Text) + len(b.Text)/16 + 64
	}
	for i := range req.Tools {
		n += len(req.Tools[i].Description) + len(req.Tools[i].Input) + 160
	}
	for _, m := range req.Messages {
		for i := range m.Blocks {
			b := &m.Blocks[i]
			n += max(len(b.Text)+len(b.Text)/8, len(b.Raw), len(b.Input)) + 160
		}
	}
	return n
}

func (w *anthropicRequest) raw(s string) { w.body = append(w.body, s...) }
func (w *anthropicRequest) str(s string) { w.body = appendString(w.body, s) }

func (w *anthropicRequest) tools() {
	if len(w.req.Tools) == 0 {
		return
	}
	w.raw(`,"tools":[`)
	for i := range w.req.Tools {
		t := &w.req.Tools[i]
		if i > 0 {
			w.raw(`,`)
		}
		w.raw(`{"name":`)
		w.str(t.Name)
		if t.Description != "" {
			w.raw(`,"description":`)
			w.str(t.Description)
		}
		w.raw(`,"input_schema":`)
		if len(t.Input) == 0 {
			w.raw(`{"type":"object"}`)
		}
		w.body = append(w.body, t.Input...)
		if t.Strict {
			w.raw(`,"strict":true`)
		}
		w.raw(`}`)
	}
	w.raw(`],"tool_choice":{"type":"auto"}`)
}

func (w *anthropicRequest) system() {
	first := true
	for _, b := range w.req.System {
		if blank(b.Text) {
			continue
		}
		if first {
			w.raw(`,"system":[`)
		} else {
			w.raw(`,`)
		}
		first = false
		w.raw(`{"type":"text","text":`)
		w.str(b.Text)
		w.mark(b.Cache)
		w.raw(`}`)
	}
	if !first {
		w.raw(`]`)
	}
}

// mark writes a cache mark into the object that is being written.
func (w *anthropicRequest) mark(set bool) {
	if set {
		w.raw(`,`)
		w.raw(w.cache)
	}
}

func (w *anthropicRequest) messages() {
	w.raw(`,"messages":[`)
	first := true
	for i := range w.req.Messages {
		m := &w.req.Messages[i]
		opened := false
		if m.Role == RoleAssistant {
			w.renamed = nil
		}
		last := w.lastPlain(m)
		for j := range m.Blocks {
			form := w.form(&m.Blocks[j])
			if form == formNone || j > last {
				continue
			}
			if opened || !first {
				w.raw(`,`)
			}
			if !opened {
				w.raw(`{"role":`)
				w.str(string(m.Role))
				w.raw(`,"content":[`)
				opened, first = true, false
			}
			w.block(&m.Blocks[j], form, w.marked(m.Blocks[j:]))
		}
		if opened { // a message of which nothing can be sent is left out: an empty one is refused
			w.raw(`]}`)
		}
	}
	w.raw(`]`)
}

// lastPlain is the last block that goes out and is not thinking: a message must not end in thinking, so what is behind
// is left out. -1 where nothing goes out.
func (w *anthropicRequest) lastPlain(m *Message) int {
	for j := len(m.Blocks) - 1; j >= 0; j-- {
		if b := &m.Blocks[j]; b.Kind != BlockThinking && w.form(b) != formNone {
			return j
		}
	}
	return -1
}

// marked reports whether the first of blocks carries a cache mark: its own, or that of a following block that cannot
// carry one (it is not sent, or it is thinking).
func (w *anthropicRequest) marked(blocks []Block) bool {
	for i := range blocks {
		b := &blocks[i]
		can := w.form(b) != formNone && b.Kind != BlockThinking && b.Kind != BlockOther
		switch {
		case can && i > 0, !can && i == 0:
			return false
		case b.Cache:
			return true
		}
	}
	return false
}

// form is how a block goes out.
type form int

const (
	formNone form = iota // not at all
	formRaw              // the bytes that came
	formOwn              // built from our own form
)

// form decides the form of a block in the one place that knows the rule: thinking, tool uses and a vendor's own blocks
// go back as they came to the model family that wrote them, thinking only if this call thinks; text goes as shown; for
// another model what can be built is built from our own form, without thinking.
func (w *anthropicRequest) form(b *Block) form {
	same := len(b.Raw) > 0 && b.Provider == anthropicName && anthropicFamily(b.Model) == w.family
	switch b.Kind {
	case BlockText:
		if blank(b.Text) {
			return formNone
		}
		return formOwn
	case BlockThinking:
		if same && w.thinks && !b.Unfinished {
			return formRaw
		}
		return formNone
	case BlockToolUse:
		if same {
			return formRaw
		}
		return formOwn
	case BlockToolResult:
		return formOwn
	case BlockOther:
		if same && !b.Unfinished {
			return formRaw
		}
	}
	return formNone
}

func (w *anthropicRequest) block(b *Block, f form, cache bool) {
	if f == formRaw {
		if b.Kind == BlockToolUse {
			w.ids[b.CallID] = true
		}
		w.rawBlock(b.Raw, cache)
		return
	}
	switch b.Kind {
	case BlockText:
		w.raw(`{"type":"text","text":`)
		w.str(b.Text)
	case BlockToolUse:
		w.raw(`{"type":"tool_use","id":`)
		w.str(w.callID(b.CallID))
		w.raw(`,"name":`)
		w.str(b.ToolName)
		w.raw(`,"input":`)
		if len(b.Input) == 0 { // what came was no object, and the vendor takes nothing else
			w.raw(`{}`)
		}
		w.body = append(w.body, b.Input...)
	case BlockToolResult:
		id := b.CallID
		if fresh, ok := w.renamed[id]; ok {
			id = fresh
		}
		w.raw(`{"type":"tool_result","tool_use_id":`)
		w.str(id)
		if !blank(b.Text) { // blank text is refused, an absent content is not
			w.raw(`,"content":`)
			w.str(b.Text)
		}
		if b.IsError {
			w.raw(`,"is_error":true`)
		}
	default: // form gives no other kind a form of our own
	}
	w.mark(cache)
	w.raw(`}`)
}

// rawBlock writes an object as it came, with a cache mark added at its end where one is due.
func (w *anthropicRequest) rawBlock(object []byte, cache bool) {
	end := len(object)
	for end > 0 && (object[end-1] == ' ' || object[end-1] == '\n') {
		end--
	}
	if !cache || end < 3 {
		w.body = append(w.body, object[:end]...)
		return
	}
	w.body = append(w.body, object[:end-1]...)
	w.mark(true)
	w.raw(`}`)
}

// callID gives the id under which a tool use built from our own form goes out. The vendor wants ids of letters, digits,
// - and _, each once in a request; other servers repeat theirs from reply to reply.
func (w *anthropicRequest) callID(id string) string {
	clean := []byte(id)
	for i, c := range clean {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			clean[i] = '_'
		}
	}
	if len(clean) == 0 {
		clean = []byte("call")
	}
	unique := string(clean)
	for n := 2; w.ids[unique]; n++ {
		unique = string(clean) + "-" + strconv.Itoa(n)
	}
	w.ids[unique] = true
	if unique != id {
		if w.renamed == nil {
			w.renamed = make(map[string]string)
		}
		w.renamed[id] = unique
	}
	return unique
}
