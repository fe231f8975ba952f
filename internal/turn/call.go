package turn

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// maxStoredData bounds what of a result is kept beside its envelope, for a person who looks at it, in bytes.
const maxStoredData = 256 << 10

// runCalls runs the open calls of the last reply: reads side by side, at most as many as the host allows, settled
// strictly in call order. done says that the turn waits or has ended.
func (r *run) runCalls(open []conversation.Asked) (done bool, err error) {
	if err := r.await(); err != nil {
		return true, err
	}
	if r.stopped() {
		return true, r.abort(open)
	}
	if r.needsCredential(open) {
		return true, r.waitForCredential()
	}
	r.announce(open)
	return r.gather(open, r.start(open))
}

// announce tells the calls of a whole reply, before any of them runs.
func (r *run) announce(calls []conversation.Asked) {
	for _, c := range calls {
		r.tell(event.ToolCallStart{ToolCallID: c.ID, ToolCallName: c.Name, ParentMessageID: lastReply(r.turn).MessageID})
		r.tell(event.ToolCallArgs{ToolCallID: c.ID, Delta: string(orEmpty(c.Input))})
		r.tell(event.ToolCallEnd{ToolCallID: c.ID})
	}
}

// progress is what a running call tells: that it really runs now, or how it ended.
type progress struct {
	index  int
	result *tool.Result // nil: it has begun
}

// gather tells what begins as it begins, and settles results strictly in call order, one commit each.
func (r *run) gather(open []conversation.Asked, news <-chan progress) (done bool, err error) {
	results := make([]*tool.Result, len(open))
	for settled := 0; settled < len(open); {
		select {
		case p := <-news:
			if p.result == nil {
				if err := r.await(); err != nil {
					return true, err
				}
				r.tell(event.ToolStarted{ToolCallID: open[p.index].ID, Label: r.e.label(open[p.index].Name, r.locale)})
				continue
			}
			results[p.index] = p.result
		case <-r.ctx.Done():
			// Reads that were begun are let go: a stop by the member answers them, anything else leaves them open.
			return true, r.cease(open[settled:])
		}
		for settled < len(open) && results[settled] != nil {
			if r.ctx.Err() != nil && !results[settled].OK {
				return true, r.cease(open[settled:])
			}
			if open[settled].Quiet {
				results[settled].Table = nil
			}
			entry := r.resultEntry(open[settled].ID, *results[settled])
			if err := r.write(conversation.Running, "", func() { r.tellResult(entry.Result) }, entry); err != nil {
				return true, err
			}
			settled++
		}
	}
	return false, nil
}

// cease leaves calls without a result because the turn's context has ended.
func (r *run) cease(open []conversation.Asked) error {
	if r.stopped() {
		return r.abort(open)
	}
	return context.Cause(r.ctx)
}

// start runs the calls, as many side by side as the host allows; of one reply no more than MaxCalls run.
func (r *run) start(open []conversation.Asked) <-chan progress {
	news := make(chan progress, 2*len(open))
	slots := make(chan struct{}, max(1, r.e.cfg.Host.Tools.Parallel))
	reply := lastReply(r.turn).Reply
	for i, c := range open {
		if slices.IndexFunc(reply.Calls, func(a conversation.Asked) bool { return a.ID == c.ID }) >= contract.MaxCalls {
			news <- progress{index: i, result: &tool.Result{
				Code: string(event.NotRunTruncated), Status: tool.StatusUnreadable,
				Envelope: envelope("Not run: more than 8 calls in one reply. Call again for what is still needed."),
			}}
			continue
		}
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			news <- progress{index: i}
			result := r.call(reply, c)
			news <- progress{index: i, result: &result}
		}()
	}
	return news
}

// call runs one call. A panic of a host's function is that call's failure and nobody else's.
func (r *run) call(reply *conversation.Reply, c conversation.Asked) (result tool.Result) {
	defer func() {
		if p := recover(); p != nil {
			r.log.ErrorContext(r.ctx, "tool panicked", "tool", c.Name)
			result = tool.Result{Status: tool.StatusUnreadable, Code: string(event.Unreadable), Reason: "The tool failed."}
		}
	}()
	def, input, refused := r.resolve(reply, c)
	if refused != nil {
		return *refused
	}
	if def.Browser {
		return tool.Result{
			Status: tool.StatusNotAvailable, Code: string(event.NotAllowedHere), Reason: pageLacks, Envelope: envelope(pageLacks),
		}
	}
	begun := r.e.cfg.Now()
	by := r.by
	by.Name = r.name
	result = r.e.cfg.Runner.Run(r.ctx, tool.Call{
		ID: c.ID, Tool: def, Input: input, Principal: by, Credential: r.token(), Locale: r.locale,
		TimeZone: r.by.TimeZone, Surface: r.row.Surface,
	}, r.fence)
	r.report(def, result)
	if result.Duration == 0 {
		result.Duration = r.e.cfg.Now().Sub(begun)
	}
	return result
}

// report tells the operator of a call that the product failed or refused: codes and our own words, never what was asked
// or answered.
func (r *run) report(def *tool.Definition, result tool.Result) {
	level := slog.LevelInfo
	switch event.Code(result.Code) {
	case event.Unreadable:
		level = slog.LevelWarn
	case event.RefusedByHost, event.Code(tool.CodeNotFound):
	default:
		return
	}
	attrs := []slog.Attr{
		slog.String("tool", def.Name()), slog.String("source", def.Source), slog.String("operation", def.Operation),
		slog.String("code", result.Code), slog.String("reason", result.Reason),
	}
	if result.Cause != "" {
		attrs = append(attrs, slog.String("cause", result.Cause))
	}
	r.log.LogAttrs(r.ctx, level, "tool call failed", attrs...)
}

// resolve finds the tool that a call of a reply means, by what the model sent or by the name that the guide gave.
func (r *run) resolve(reply *conversation.Reply, c conversation.Asked) (*tool.Definition, json.RawMessage, *tool.Result) {
	if c.Wire == "" {
		return r.offer.ResolveName(c.Name, c.Input)
	}
	if blocks := reply.Blocks; c.Block < len(blocks) && blocks[c.Block].Kind == model.BlockToolUse {
		return r.offer.Resolve(blocks[c.Block].ToolName, inputOf(blocks[c.Block]))
	}
	return r.offer.Resolve(c.Wire, c.Input)
}

// inputOf gives a call's arguments as they came, JSON or not.
func inputOf(b model.Block) json.RawMessage {
	if len(b.Input) == 0 && b.BadInput != "" {
		return json.RawMessage(b.BadInput)
	}
	return b.Input
}

func (r *run) resultEntry(callID string, result tool.Result) *conversation.Entry {
	if len(result.Data) > maxStoredData && r.message.Answers == answersGuide {
		// The guide tells what the log holds. What is too long to keep is not known to it, which is not nothing.
		result.OK, result.Status, result.Code = false, tool.StatusUnreadable, string(event.Unreadable)
		result.Data, result.Table, result.Reason = nil, nil, "The result is too long to read here."
		result.Sentence = words.For(r.locale).Text("tool.too_long", nil)
	}
	return storedResult(callID, result)
}

// storedResult makes the entry of a result.
func storedResult(callID string, result tool.Result) *conversation.Entry {
	out := &conversation.CallResult{
		CallID: callID, OK: result.OK, Status: string(result.Status), Code: result.Code, Envelope: result.Envelope,
		Reason: result.Reason, Said: result.Said, Sentence: result.Sentence, DurationMS: result.Duration.Milliseconds(),
		Table: (*event.Table)(result.Table),
	}
	if out.Envelope == "" {
		out.Envelope = envelope(result.Reason)
	}
	if len(result.Data) <= maxStoredData {
		out.Data = result.Data
	} else if out.Reason == "" {
		out.Reason = "Too long to show here."
	}
	return &conversation.Entry{Kind: conversation.KindResult, Result: out}
}

// failed makes the result of a call that never ran.
func failed(callID string, code event.Code, reason string) *conversation.Entry {
	return &conversation.Entry{Kind: conversation.KindResult, Result: &conversation.CallResult{
		CallID: callID, Status: string(tool.StatusUnreadable), Code: string(code), Envelope: envelope(reason), Reason: reason,
	}}
}

func envelope(reason string) string {
	b, err := json.Marshal(map[string]string{"status": string(tool.StatusUnreadable), "reason": reason})
	if err != nil {
		return "{}"
	}
	return string(b)
}

func orEmpty(input json.RawMessage) json.RawMessage {
	if len(input) == 0 {
		return json.RawMessage("{}")
	}
	return input
}

func (r *run) tellResult(res *conversation.CallResult) {
	r.tell(event.ToolCallResult{MessageID: res.CallID, ToolCallID: res.CallID, Content: res.Content()})
	r.tell(event.ToolResult{
		ToolCallID: res.CallID, OK: res.OK, Code: res.Code, Sentence: res.Sentence, DurationMS: res.DurationMS,
		Table: res.Table,
	})
}

// deny answers calls that came after the last round.
func (r *run) deny(open []conversation.Asked) error {
	entries := make([]*conversation.Entry, 0, len(open))
	for _, c := range open {
		entries = append(entries, failed(c.ID, event.NotRunRoundLimit, "Not run: this turn's rounds were used up."))
	}
	return r.write(conversation.Running, "", func() {
		for _, e := range entries {
			r.tellResult(e.Result)
		}
	}, entries...)
}

// abort answers what has not run when the member stopped, and ends the turn.
func (r *run) abort(open []conversation.Asked) error {
	entries := make([]*conversation.Entry, 0, len(open)+1)
	for _, c := range open {
		entries = append(entries, failed(c.ID, event.Aborted, "The member stopped before this had a result."))
	}
	return r.end(event.OutcomeCancelled, event.Aborted, entries...)
}

// token gives the member's token as it now is.
func (r *run) token() tool.Credential {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.credential
}

// renew takes the token of the member's newest request.
func (r *run) renew(c tool.Credential) {
	if c.Token == "" {
		return
	}
	r.mu.Lock()
	r.credential = c
	r.mu.Unlock()
}

// needsCredential reports whether a call carries the member's own token and there is none that still holds.
func (r *run) needsCredential(open []conversation.Asked) bool {
	c := r.token()
	if c.Token != "" && !c.Ended(r.e.cfg.Now()) {
		return false
	}
	for _, asked := range open {
		def, _, refused := r.resolve(lastReply(r.turn).Reply, asked)
		if refused == nil && r.e.cfg.Registry.NeedsCredential(def) {
			return true
		}
	}
	return false
}

const waitsForCredential = "credential"

// waitForCredential leaves the turn to the member's next request.
func (r *run) waitForCredential() error {
	return r.wait(waitsForCredential, 0, func() {
		r.tell(event.Reauth{})
		r.terminal()
	})
}
