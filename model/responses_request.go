package model

import "slices"

// responsesRequest writes the body of a Responses request.
type responsesRequest struct {
	bodyWriter
	req *Request
	// provider and family are whose reasoning and calls go back as they came.
	provider, family string
	reasons          bool
	ids              callIDs
	first            bool // no item is written yet
}

// encodeResponses gives the body of a request that was checked.
func encodeResponses(req *Request, provider string, streams bool) []byte {
	w := &responsesRequest{
		bodyWriter: newBody(req), req: req, provider: provider, family: openAIFamily(req.Model),
		// A model that does not reason refuses to be asked for its reasoning.
		reasons: req.Effort != "" || openAIReasons(req.Model) == yes,
		ids:     callIDs{most: 64}, first: true,
	}
	w.raw(`{"model":`)
	w.str(req.Model)
	w.raw(`,"max_output_tokens":`)
	w.int(req.MaxOutputTokens)
	w.raw(`,"stream":`)
	w.bool(streams)
	w.raw(`,"store":false`)
	if w.reasons {
		w.raw(`,"include":["reasoning.encrypted_content"]`)
	}
	if req.Effort != "" {
		w.raw(`,"reasoning":{"effort":`)
		w.str(string(req.Effort))
		w.raw(`}`)
	}
	w.tools()
	if text := systemText(req.System); text != "" {
		w.raw(`,"instructions":`)
		w.str(text)
	}
	w.raw(`,"input":[`)
	for group := range groups(req.Messages) {
		if group.role == RoleAssistant {
			w.assistant(group.blocks)
		} else {
			w.user(group.blocks)
		}
	}
	w.raw(`]}`)
	return w.body
}

func (w *responsesRequest) tools() {
	for i := range w.req.Tools {
		t := &w.req.Tools[i]
		if i == 0 {
			w.raw(`,"tools":[`)
		} else {
			w.raw(`,`)
		}
		w.raw(`{"type":"function","name":`)
		w.str(t.Name)
		if t.Description != "" {
			w.raw(`,"description":`)
			w.str(t.Description)
		}
		parameters := openAIParameters(t.Input)
		w.raw(`,"parameters":`)
		w.body = append(w.body, parameters...)
		w.raw(`,"strict":`) // left out, it would mean that the vendor tries
		w.bool(t.Strict && strictFits(parameters))
		w.raw(`}`)
	}
	if len(w.req.Tools) > 0 {
		w.raw(`]`)
	}
}

// item opens an input item.
func (w *responsesRequest) item(kind string) {
	if !w.first {
		w.raw(`,`)
	}
	w.first = false
	w.raw(`{"type":"`)
	w.raw(kind)
	w.raw(`"`)
}

// message writes a message of one part for each text.
func (w *responsesRequest) message(role, part string, blocks []*Block) {
	opened := false
	for _, b := range blocks {
		if b.Kind != BlockText || blank(b.Text) {
			continue
		}
		if opened {
			w.raw(`,`)
		} else {
			w.item("message")
			w.raw(`,"role":"`)
			w.raw(role)
			w.raw(`","content":[`)
			opened = true
		}
		w.raw(`{"type":"`)
		w.raw(part)
		w.raw(`","text":`)
		w.str(b.Text)
		w.raw(`}`)
	}
	if opened {
		w.raw(`]}`)
	}
}

// user writes the results of the latest calls and then what was said.
func (w *responsesRequest) user(blocks []*Block) {
	for _, b := range blocks {
		if b.Kind == BlockToolResult {
			w.item("function_call_output")
			w.raw(`,"call_id":`)
			w.str(w.ids.of(b.CallID))
			w.raw(`,"output":`)
			w.str(resultText(b))
			w.raw(`}`)
		}
	}
	w.message("user", "input_text", blocks)
}

// assistant writes the items of what the model said. Reasoning goes out only before an item of the same reply that
// goes out too: the vendor refuses it alone.
func (w *responsesRequest) assistant(blocks []*Block) {
	w.ids.nextReply()
	last := len(blocks) - 1
	for last >= 0 && !goesOut(blocks[last]) {
		last--
	}
	for i := 0; i <= last; i++ {
		switch b := blocks[i]; b.Kind {
		case BlockText:
			from := i
			for i < last && blocks[i+1].Kind == BlockText {
				i++
			}
			w.message("assistant", "output_text", blocks[from:i+1])
		case BlockToolUse:
			w.call(b)
		case BlockThinking:
			if list := w.asCame(b, `"reasoning"`); list != nil && w.reasons {
				w.members(list)
			}
		default: // an item of another kind answers what is never asked for
		}
	}
}

// goesOut reports whether a block of a reply becomes an item that may end it.
func goesOut(b *Block) bool {
	return b.Kind == BlockToolUse || b.Kind == BlockText && !blank(b.Text)
}

// asCame gives the members of a block's item as it came, nil where it does not go back so: it goes to the provider and
// the model family that made it, over this wire.
func (w *responsesRequest) asCame(b *Block, kind string) []member {
	if len(b.Raw) == 0 || b.Unfinished || b.Provider != w.provider || openAIFamily(b.Model) != w.family {
		return nil
	}
	list, err := members(b.Raw)
	if err != nil || string(memberValue(list, "type")) != kind { // a provider may have changed its wire
		return nil
	}
	return list
}

func (w *responsesRequest) call(b *Block) {
	id, name := w.ids.take(b.CallID), sentToolName(b.ToolName, w.req.Tools)
	if list := w.asCame(b, `"function_call"`); list != nil {
		list = setMember(list, "call_id", appendString(nil, id))
		if name != b.ToolName {
			list = setMember(list, "name", appendString(nil, name))
		}
		w.members(list)
		return
	}
	w.item("function_call")
	w.raw(`,"call_id":`)
	w.str(id)
	w.raw(`,"name":`)
	w.str(name)
	w.raw(`,"arguments":`)
	w.str(argumentsText(b))
	w.raw(`}`)
}

// members writes an item as it came. Its own id and status are left out: nothing is stored at the vendor's, where an id
// would be looked up, and not found.
func (w *responsesRequest) members(list []member) {
	if !w.first {
		w.raw(`,`)
	}
	w.first = false
	w.body = appendMembers(w.body, slices.DeleteFunc(list, func(m member) bool { return m.key == "id" || m.key == "status" }))
}
