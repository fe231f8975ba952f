package model

// chatStops maps a finish reason to ours: OpenAI's own, and what servers that copy its wire write instead. A reason
// that is not here ends the call with CodeUnavailable and the type unknown_stop_reason: calls must not run, and words
// must not pass for complete, on an end that nobody understands.
var chatStops = map[string]StopReason{
	"stop":           StopEndTurn,
	"end_turn":       StopEndTurn,
	"eos":            StopEndTurn,
	"tool_calls":     StopToolUse,
	"function_call":  StopToolUse,
	"length":         StopMaxTokens,
	"max_tokens":     StopMaxTokens,
	"model_length":   StopMaxTokens,
	"content_filter": StopRefusal,
	"refusal":        StopRefusal,
	"sensitive":      StopRefusal,
}

// end yields the blocks and the stop. The reply has a finish reason.
func (r *chatReply) end() error {
	switch r.finish {
	case "error", "network_error":
		return &Error{Code: CodeUnavailable, Type: r.finish}
	case "insufficient_system_resource":
		return &Error{Code: CodeOverloaded, Type: r.finish}
	}
	stop, known := chatStops[r.finish]
	switch {
	case !known:
		return &Error{Code: CodeUnavailable, Type: "unknown_stop_reason"}
	case stop == StopToolUse && len(r.calls) == 0:
		return &Error{Code: CodeUnavailable, Type: "no_tool_calls"} // they were lost on the way
	case stop == StopEndTurn && len(r.calls) > 0:
		stop = StopToolUse
	}
	if r.refused && (stop == StopEndTurn || stop == StopToolUse) {
		stop = StopRefusal
	}
	for _, c := range r.calls {
		if c.name == "" {
			return malformed()
		}
	}
	if err := r.blocks(stop == StopMaxTokens); err != nil {
		return err
	}
	if err := r.tell(Event{Kind: EventStop, Stop: stop, Usage: r.usage, Model: r.model}); err != nil {
		return err
	}
	return errDone
}

// blocks yields the blocks. cut says that the reply ended at its cap: what came last has no end.
func (r *chatReply) blocks(cut bool) error {
	if r.thinking != nil {
		b, err := r.thinking.block()
		if err != nil {
			return malformed()
		}
		b.Unfinished = cut && r.text == nil && len(r.calls) == 0
		if err := r.endBlock(r.thinking.index, b); err != nil {
			return err
		}
	}
	if r.text != nil {
		text, err := unquote(r.text.escaped)
		if err != nil {
			return malformed()
		}
		b := Block{Kind: BlockText, Text: text, Unfinished: cut && len(r.calls) == 0}
		if err := r.endBlock(r.text.index, b); err != nil {
			return err
		}
	}
	for i, c := range r.calls {
		if err := r.tellCall(c); err != nil {
			return err
		}
		b, err := c.block()
		if err != nil {
			return malformed()
		}
		b.Unfinished = b.Unfinished || cut && i == len(r.calls)-1
		if err := r.endBlock(c.index, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *chatReply) endBlock(index int, b Block) error {
	b.Provider, b.Model = r.provider, r.model
	return r.tell(Event{Kind: EventBlockEnd, Index: index, Block: b})
}

// count takes a usage; counts are cumulative, so what is said again replaces. What is never said stays unknown.
func (r *chatReply) count(u tokenCounts) {
	if u == nil {
		return
	}
	details := u.in("prompt_tokens_details")
	prompt, completion, cached := u.of("prompt_tokens"), u.of("completion_tokens"), details.of("cached_tokens")
	if cached == nil {
		cached = u.of("prompt_cache_hit_tokens") // DeepSeek's
	}
	r.usage.set(prompt, completion, cached, details.of("cache_write_tokens"))
	// xAI leaves reasoning out of completion_tokens and in total_tokens; it is billed as output.
	total, n := u.of("total_tokens"), u.in("completion_tokens_details").of("reasoning_tokens")
	if n != nil && *n > 0 && prompt != nil && completion != nil && total != nil && *total == *prompt+*completion+*n {
		output := *completion + *n
		r.usage.OutputTokens = &output
	}
}

// set takes OpenAI's counts, whose input holds what was read from the cache and written to it.
func (u *Usage) set(input, output, cached, written *int64) {
	if cached != nil {
		u.CacheReadTokens = cached
	}
	if written != nil {
		u.CacheWriteTokens = written
	}
	if output != nil {
		u.OutputTokens = output
	}
	if input == nil {
		return
	}
	rest := *input
	for _, part := range []*int64{cached, written} {
		if part != nil {
			rest -= *part
		}
	}
	rest = max(rest, 0)
	u.InputTokens = &rest
}
