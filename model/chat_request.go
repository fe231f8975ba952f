package model

import (
	"encoding/json"
	"strings"
)

// chatRequest writes the body of a Chat Completions request.
type chatRequest struct {
	bodyWriter
	req *Request
	// provider and family are whose thinking goes back.
	provider, family string
	vendor           chatVendor
	ids              callIDs
	first            bool // no message is written yet
}

// encodeChat gives the body of a request that was checked.
func encodeChat(req *Request, provider string, vendor chatVendor, streams bool) []byte {
	w := &chatRequest{
		bodyWriter: newBody(req), req: req, provider: provider, family: openAIFamily(req.Model),
		vendor: vendor, ids: vendor.callIDs(), first: true,
	}
	w.raw(`{"model":`)
	w.str(req.Model)
	w.raw(`,"max_`)
	if vendor.completionTokens(req.Model) {
		w.raw(`completion_`)
	}
	w.raw(`tokens":`)
	w.int(req.MaxOutputTokens)
	w.raw(`,"stream":`)
	w.bool(streams)
	if streams && vendor.usageOption() {
		w.raw(`,"stream_options":{"include_usage":true}`)
	}
	if req.Effort != "" {
		w.effort()
	}
	w.tools()
	w.raw(`,"messages":[`)
	if text := systemText(req.System); text != "" {
		w.message("system", text)
		w.raw(`}`)
	}
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

func (w *chatRequest) effort() {
	if w.vendor == vendorOpenRouter { // its one word for every vendor's models
		w.raw(`,"reasoning":{"effort":`)
		w.str(string(w.req.Effort))
		w.raw(`}`)
		return
	}
	w.raw(`,"reasoning_effort":`)
	w.str(string(w.req.Effort))
}

func (w *chatRequest) tools() {
	for i := range w.req.Tools {
		t := &w.req.Tools[i]
		if i == 0 {
			w.raw(`,"tools":[`)
		} else {
			w.raw(`,`)
		}
		w.raw(`{"type":"function","function":{"name":`)
		w.str(t.Name)
		if t.Description != "" {
			w.raw(`,"description":`)
			w.str(t.Description)
		}
		parameters := openAIParameters(t.Input)
		w.raw(`,"parameters":`)
		w.body = append(w.body, parameters...)
		if t.Strict && strictFits(parameters) {
			w.raw(`,"strict":true`)
		}
		w.raw(`}}`)
	}
	if len(w.req.Tools) > 0 {
		w.raw(`]`)
	}
}

// systemText is the system prompt as one text: many servers take one system message, and only as the first.
func systemText(blocks []SystemBlock) string {
	var b strings.Builder
	for _, block := range blocks {
		addParagraph(&b, block.Text)
	}
	return b.String()
}

// addParagraph adds a text behind a blank line. What is blank itself is left out.
func addParagraph(b *strings.Builder, text string) {
	if blank(text) {
		return
	}
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	b.WriteString(text)
}

// message opens a message with its text.
func (w *chatRequest) message(role, text string) {
	if !w.first {
		w.raw(`,`)
	}
	w.first = false
	w.raw(`{"role":"`)
	w.raw(role)
	w.raw(`","content":`)
	w.str(text)
}

// user writes the results of the latest calls, which must follow them directly, and then what was said.
func (w *chatRequest) user(blocks []*Block) {
	var said strings.Builder
	for _, b := range blocks {
		switch b.Kind {
		case BlockToolResult:
			w.message("tool", resultText(b))
			w.raw(`,"tool_call_id":`)
			w.str(w.ids.of(b.CallID))
			w.raw(`}`)
		case BlockText:
			addParagraph(&said, b.Text)
		default: // a user message holds nothing else
		}
	}
	if said.Len() > 0 {
		w.message("user", said.String())
		w.raw(`}`)
	}
}

// resultText is a result's content on the wires that have no mark for a call that failed.
func resultText(b *Block) string {
	if b.IsError {
		return "Error: " + b.Text
	}
	return b.Text
}

// assistant writes one message. One that holds thinking alone is left out: no vendor takes it.
func (w *chatRequest) assistant(blocks []*Block) {
	w.ids.nextReply()
	var said strings.Builder
	var calls []*Block
	var thinking []member
	for _, b := range blocks {
		switch b.Kind {
		case BlockText:
			addParagraph(&said, b.Text)
		case BlockToolUse:
			calls = append(calls, b)
		case BlockThinking:
			if list := w.thinking(b); list != nil {
				thinking = list
			}
		default: // results are the other side's, and no block of this wire is a vendor's own
		}
	}
	if said.Len() == 0 && len(calls) == 0 {
		return
	}
	w.message("assistant", said.String())
	if said.Len() == 0 {
		w.body = append(w.body[:len(w.body)-len(`""`)], `null`...)
	}
	if thinking == nil && w.vendor.wantsThinking(w.family) {
		thinking = []member{{"reasoning_content", json.RawMessage(`""`)}}
	}
	for _, m := range thinking {
		w.raw(`,`)
		w.str(m.key)
		w.raw(`:`)
		w.body = append(w.body, m.value...)
	}
	for i, b := range calls {
		if i == 0 {
			w.raw(`,"tool_calls":[`)
		} else {
			w.raw(`,`)
		}
		w.call(b)
	}
	if len(calls) > 0 {
		w.raw(`]`)
	}
	w.raw(`}`)
}

// same reports whether a block goes back as it came: to the provider and the model family that made it.
func (w *chatRequest) same(b *Block) bool {
	return len(b.Raw) > 0 && !b.Unfinished && b.Provider == w.provider && openAIFamily(b.Model) == w.family
}

// thinking gives the members of a message that carry its thinking back, nil where it does not go back.
func (w *chatRequest) thinking(b *Block) []member {
	if !w.same(b) {
		return nil
	}
	all, err := members(b.Raw)
	if err != nil {
		return nil
	}
	var list []member
	for _, m := range all {
		if w.vendor == vendorOpenRouter && m.key == "reasoning_details" {
			return []member{m} // it says all that the others say
		}
		if w.vendor.takesThinking(m.key) {
			list = append(list, m)
		}
	}
	return list
}

// call writes a tool call. Its arguments are a text on this wire, so they go back as they came in any case; what a
// vendor put beside them goes back to the family that wrote it.
func (w *chatRequest) call(b *Block) {
	w.raw(`{"id":`)
	w.str(w.ids.take(b.CallID))
	w.raw(`,"type":"function","function":{"name":`)
	w.str(sentToolName(b.ToolName, w.req.Tools))
	w.raw(`,"arguments":`)
	w.str(argumentsText(b))
	w.raw(`}`)
	if w.same(b) {
		if list, err := members(b.Raw); err == nil {
			if extra := memberValue(list, "extra_content"); extra != nil {
				w.raw(`,"extra_content":`)
				w.body = append(w.body, extra...)
			}
		}
	}
	w.raw(`}`)
}

// argumentsText is a call's arguments as a text. What came and was no object goes back as an empty one: servers that
// hand the call on to another vendor's models read it.
func argumentsText(b *Block) string {
	if len(b.Input) == 0 {
		return "{}"
	}
	return string(b.Input)
}
