package model

// plainResponsesEvent reads an event that holds nothing but words, which nearly all of a stream are, without a JSON
// decoder. ok is false where the full decoder has to look; e says nothing then.
func plainResponsesEvent(data []byte) (e responsesEvent, ok bool) {
	p := plainJSON{data}
	var kind []byte
	ok = p.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "type":
			if kind != nil {
				return false // what comes twice is the full decoder's
			}
			kind, ok = p.word()
		case "output_index":
			e.Output, ok = p.int()
		case "content_index":
			e.Content, ok = p.int()
		case "delta":
			e.Delta, ok = p.text()
		case "item", "part", "response", "error":
		default:
			ok = p.skip(0)
		}
		return ok
	})
	if !ok || !p.done() {
		return responsesEvent{}, false
	}
	e.Type = string(kind)
	return e, true
}
