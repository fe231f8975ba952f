package model

import "bytes"

// maxCacheMarks is the most cache marks that the vendor takes (Anthropic, "Prompt caching").
const maxCacheMarks = 4

// anthropicRequest writes the body of a request by hand: blocks that a model made stand in the store as the bytes that
// came, and go into the body as they are.
type anthropicRequest struct {
	bodyWriter
	req *Request
	// provider and family are whose blocks go back as they came.
	provider, family string
	thinks           bool
	cache            string
	ids              callIDs
}

// encodeAnthropic gives the body of a request that was checked.
func encodeAnthropic(req *Request, provider string, streams bool) []byte {
	traits := anthropicTraits(req.Model)
	w := &anthropicRequest{
		bodyWriter: newBody(req),
		req:        req,
		provider:   provider,
		family:     anthropicFamily(req.Model),
		thinks:     traits.thinksUnasked || traits.adaptive && req.Effort != "",
		cache:      `"cache_control":{"type":"ephemeral"}`,
	}
	if req.CacheLong {
		w.cache = `"cache_control":{"type":"ephemeral","ttl":"1h"}`
	}
	w.raw(`{"model":`)
	w.str(req.Model)
	w.raw(`,"max_tokens":`)
	w.int(req.MaxOutputTokens)
	w.raw(`,"stream":`)
	w.bool(streams)
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
	return w.body
}

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
			w.ids.nextReply()
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
	same := b.isAnthropic() && b.Provider == w.provider && anthropicFamily(b.Model) == w.family
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

// isAnthropic reports whether Raw is a block of this wire: a provider may have changed its wire and kept its name.
func (b *Block) isAnthropic() bool {
	holds := func(kind string) bool { return bytes.Contains(b.Raw, []byte(kind)) }
	switch b.Kind {
	case BlockThinking:
		return holds(`"thinking"`) || holds(`"redacted_thinking"`)
	case BlockToolUse:
		return holds(`"tool_use"`)
	default:
		return len(b.Raw) > 0
	}
}

func (w *anthropicRequest) block(b *Block, f form, cache bool) {
	if f == formRaw && b.Kind == BlockToolUse {
		fits := w.ids.clean(b.CallID) == b.CallID && sentToolName(b.ToolName, w.req.Tools) == b.ToolName
		if w.ids.used[b.CallID] || !fits { // a gateway that repeats its ids, a name that is none: as it came it would be refused
			f = formOwn
		} else {
			w.ids.keep(b.CallID)
		}
	}
	if f == formRaw {
		w.rawBlock(b.Raw, cache)
		return
	}
	switch b.Kind {
	case BlockText:
		w.raw(`{"type":"text","text":`)
		w.str(b.Text)
	case BlockToolUse:
		w.raw(`{"type":"tool_use","id":`)
		w.str(w.ids.take(b.CallID))
		w.raw(`,"name":`)
		w.str(sentToolName(b.ToolName, w.req.Tools))
		w.raw(`,"input":`)
		if len(b.Input) == 0 { // what came was no object, and the vendor takes nothing else
			w.raw(`{}`)
		}
		w.body = append(w.body, b.Input...)
	case BlockToolResult:
		w.raw(`{"type":"tool_result","tool_use_id":`)
		w.str(w.ids.of(b.CallID))
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
