package model

// plainChunk reads a chunk that holds nothing but words, which nearly all of a stream are, without a JSON decoder, and
// gives its one choice. ok is false where the full decoder has to look; c says nothing then.
func plainChunk(data []byte) (c chatChoice, ok bool) {
	p := plainJSON{data}
	choices := 0
	ok = p.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "choices":
			choices++
			return p.next('[') && c.plain(&p) && p.next(']')
		case "model":
			_, ok = p.word()
		case "usage", "error", "x_groq":
			ok = p.null()
		default:
			ok = p.skip(0)
		}
		return ok
	})
	return c, ok && choices == 1 && p.done()
}

// plain reads a choice.
func (c *chatChoice) plain(p *plainJSON) bool {
	return p.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "index":
			c.Index, ok = p.int()
			return ok && c.Index == 0
		case "delta":
			if c.Delta != nil {
				return false // what comes twice is the full decoder's
			}
			c.Delta = new(chatDelta)
			return c.Delta.plain(p)
		case "finish_reason", "message", "error":
			return p.null()
		}
		return p.skip(0)
	})
}

// plain reads a delta.
func (d *chatDelta) plain(p *plainJSON) bool {
	return p.object(func(key []byte) (ok bool) {
		to := &d.Content
		switch string(key) {
		case "content":
		case "refusal":
			to = &d.Refusal
		case "reasoning":
			to = &d.Reasoning
		case "reasoning_content":
			to = &d.ReasoningContent
		case "reasoning_details", "tool_calls", "function_call":
			return p.null()
		default:
			return p.skip(0)
		}
		if p.null() {
			*to = nil
			return true
		}
		*to, ok = p.text()
		return ok
	})
}
