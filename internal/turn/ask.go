package turn

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/model"
)

// draft is a reply while it streams.
type draft struct {
	messageID string
	text      strings.Builder
	// started says that the message's beginning was published.
	started bool
	// lastBlock is the index of the text block that streams.
	lastBlock int
	unfence   unfence
	blocks    []model.Block
	usage     model.Usage
	stop      model.StopReason
	model     string
	saved     time.Time
}

// askModel asks for one reply and stores it. done says that the turn has ended with it.
func (r *run) askModel(last bool) (done bool, err error) {
	if r.stopped() {
		return true, r.end(event.OutcomeCancelled, event.Aborted)
	}
	if last && len(r.turn) > 2 && !hinted(r.turn) {
		hint := &conversation.Entry{Kind: conversation.KindHint, Hint: &conversation.Hint{Text: contract.LastRound}}
		if err := r.write(conversation.Running, "", nil, hint); err != nil {
			return true, err
		}
	}
	request := r.request()
	d := &draft{messageID: r.e.cfg.NewID(), lastBlock: -1, unfence: unfence{fence: r.fence}, saved: r.e.cfg.Now(), model: request.Model}
	var fault error
	for ev, err := range r.e.cfg.Provider.Stream(r.ctx, request) {
		if err != nil {
			fault = err
			break
		}
		// The model may be asked while the message's commit is under way; nothing that it says leaves before.
		if err := r.await(); err != nil {
			return true, err
		}
		r.take(d, ev)
	}
	if err := r.await(); err != nil {
		return true, err
	}
	r.takeText(d, d.lastBlock, d.unfence.rest()) // of a block whose end never came
	reply := r.reply(d)
	entry := &conversation.Entry{Kind: conversation.KindReply, MessageID: d.messageID, Reply: reply}
	switch {
	case r.stopped():
		reply.State = conversation.Stopped
		dropCalls(reply)
		return true, r.end(event.OutcomeCancelled, event.Aborted, entry)
	case r.ctx.Err() != nil:
		r.saveDraft(d)
		r.e.drafts.flush()
		return true, context.Cause(r.ctx)
	case fault != nil:
		code := faultCode(fault)
		r.log.WarnContext(r.ctx, "model call failed", "code", code, "error", fault)
		reply.State = conversation.Interrupted
		dropCalls(reply)
		return true, r.end(event.FactOf(code).Outcome, code, entry)
	}
	return r.keep(entry)
}

// hinted reports whether the model was told already since the last result that this is its last round.
func hinted(turn []*conversation.Entry) bool {
	for i := len(turn) - 1; i >= 0 && turn[i].Kind != conversation.KindResult; i-- {
		if turn[i].Kind == conversation.KindHint && turn[i].Hint.Text == contract.LastRound {
			return true
		}
	}
	return false
}

// keep stores a reply that came whole, or was cut at its cap.
func (r *run) keep(entry *conversation.Entry) (done bool, err error) {
	reply := entry.Reply
	switch {
	case reply.Stop == model.StopRefusal:
		reply.State = conversation.RefusedBy
		dropCalls(reply)
		return true, r.end(event.OutcomeRefused, event.Refused, entry)
	case reply.Stop == model.StopMaxTokens:
		return r.keepCut(entry)
	case len(reply.Calls) == 0 && strings.TrimSpace(reply.Text) == "" && reply.Stop != model.StopPause:
		return true, r.end(event.OutcomeFailed, event.Unavailable, entry)
	case len(reply.Calls) == 0 && reply.Stop != model.StopPause:
		return true, r.end(event.OutcomeCompleted, "", entry)
	}
	return false, r.write(conversation.Running, "", func() {
		r.closeText(entry)
		r.tellUsage()
	}, entry)
}

// keepCut stores a reply that ended at its cap. None of its calls is run: what was cut is not a whole plan.
func (r *run) keepCut(entry *conversation.Entry) (done bool, err error) {
	reply := entry.Reply
	reply.State = conversation.Cut
	again := callsIn(reply.Blocks) && !anyCut(r.turn)
	if !again {
		dropCalls(reply)
		return true, r.end(event.OutcomeTruncated, event.ProviderOutputTruncated, entry)
	}
	reply.Discarded = true
	entries := []*conversation.Entry{entry}
	if len(reply.Calls) == 0 {
		entries = append(entries, &conversation.Entry{
			Kind: conversation.KindHint, Hint: &conversation.Hint{Text: cutBatch},
		})
	}
	for i, c := range reply.Calls {
		reason := "Not run: the reply was cut off."
		if i == 0 {
			reason = cutBatch
		}
		entries = append(entries, failed(c.ID, event.NotRunTruncated, reason))
	}
	return false, r.write(conversation.Running, "", func() {
		r.closeText(entry)
		r.tellUsage()
	}, entries...)
}

// cutBatch tells a model that its calls were cut off.
const cutBatch = "Nothing of this reply ran, because it was cut off at its longest. Do it again with a bulk tool, or with at most 8 calls in a reply."

// callsIn reports whether a reply began a call, finished or not.
func callsIn(blocks []model.Block) bool {
	for _, b := range blocks {
		if b.Kind == model.BlockToolUse {
			return true
		}
	}
	return false
}

func anyCut(turn []*conversation.Entry) bool {
	for _, e := range turn {
		if e.Kind == conversation.KindReply && e.Reply.State == conversation.Cut {
			return true
		}
	}
	return false
}

// request builds what the model is sent, from the log and the offer alone.
func (r *run) request() model.Request {
	loop := r.e.cfg.Host.Models.Loop
	p := r.e.prompt(r.row.Surface, r.e.cfg.Host.Surfaces[r.row.Surface], r.offer)
	all := make([]*conversation.Entry, 0, len(r.history)+len(r.turn))
	all = append(append(all, r.history...), r.turn...)
	messages, repairs := conversation.Replay(all)
	if repairs.Any() {
		r.log.WarnContext(r.ctx, "replay repaired", "unanswered", repairs.Unanswered, "orphaned", repairs.Orphaned)
	}
	asker := r.by
	asker.Name = r.name
	req := model.Request{
		Model: loop.Model, Effort: model.Effort(loop.Effort), MaxOutputTokens: loop.OutputCap,
		CacheLong: time.Duration(r.e.cfg.Host.Models.CacheTTL) > 5*time.Minute,
		System:    []model.SystemBlock{{Text: p.static}, {Text: contract.Caller(asker, r.locale)}},
		Tools:     p.tools, Messages: messages,
	}
	if spare := r.e.cfg.Provider.Capabilities().CacheMarks; spare > 0 {
		markRequest(&req, spare, p.bytes)
	}
	return req
}

// markRequest sets cache marks, as far as what stands before them is long enough to be cached.
func markRequest(req *model.Request, spare, staticBytes int) {
	if contract.Cacheable(req.Model, staticBytes) {
		req.System[0].Cache = true
		spare--
		if len(req.System) > 1 {
			req.System[1].Cache = true
			spare--
		}
	}
	total := staticBytes
	for _, m := range req.Messages {
		for _, b := range m.Blocks {
			total += len(b.Text) + len(b.Input) + len(b.Raw)
		}
	}
	if contract.Cacheable(req.Model, total) {
		conversation.Mark(req.Messages, min(spare, 2))
	}
}

// take handles one event of the stream.
func (r *run) take(d *draft, ev model.Event) {
	switch ev.Kind {
	case model.EventStart:
		d.usage = ev.Usage
		if ev.Model != "" {
			d.model = ev.Model
		}
	case model.EventTextDelta:
		r.takeText(d, ev.Index, d.unfence.take(ev.Text))
	case model.EventBlockEnd:
		r.takeText(d, ev.Index, d.unfence.rest())
		d.blocks = append(d.blocks, ev.Block)
	case model.EventStop:
		d.stop, d.usage = ev.Stop, ev.Usage
	case model.EventThinkingDelta, model.EventToolStart:
		// Thinking is shown to nobody, and no call is told before the reply's stop reason is known.
	}
}

// takeText shows more of a text.
func (r *run) takeText(d *draft, index int, text string) {
	if text == "" {
		return
	}
	if d.lastBlock >= 0 && d.lastBlock != index && d.text.Len() > 0 {
		text = "\n\n" + text
	}
	d.lastBlock = index
	if !d.started {
		d.started = true
		r.publish(feed.Frame{Draft: true, Kind: event.KindTextStart, MessageID: d.messageID},
			event.TextStart{MessageID: d.messageID, Role: "assistant"})
	}
	d.text.WriteString(text)
	r.publish(feed.Frame{Draft: true, Kind: event.KindTextContent, MessageID: d.messageID, Text: text}, nil)
	if now := r.e.cfg.Now(); now.Sub(d.saved) >= r.e.cfg.DraftEvery {
		d.saved = now
		r.saveDraft(d)
	}
}

// saveDraft has what has streamed so far stored, beside the stream.
func (r *run) saveDraft(d *draft) {
	r.hasDraft = true
	r.e.drafts.put(savedDraft{
		ref: r.row.Ref, messageID: d.messageID, text: d.text.String(), fence: r.row.Fence, at: r.e.cfg.Now(),
	})
}

// reply makes of the draft what is stored. Calls get our ids here.
func (r *run) reply(d *draft) *conversation.Reply {
	reply := &conversation.Reply{
		State: conversation.Whole, Blocks: d.blocks, Text: d.text.String(), Stop: d.stop, Usage: d.usage,
		Answers: answersModel, Provider: r.e.cfg.Provider.Name(), Model: d.model, Round: true,
	}
	if d.stop == "" {
		reply.Usage.OutputTokens = nil // what was said before the end is only the opening count
	}
	for i, b := range d.blocks {
		if b.Kind == model.BlockText {
			if shown := r.fence.Strip(b.Text); shown != b.Text {
				reply.Shown = append(reply.Shown, make([]string, i+1-len(reply.Shown))...)
				reply.Shown[i] = shown
			}
			continue
		}
		if b.Kind != model.BlockToolUse || b.Unfinished {
			continue
		}
		asked := conversation.Asked{
			ID: r.e.cfg.NewID(), Block: i, ProviderID: b.CallID, Wire: b.ToolName, Name: b.ToolName, Input: b.Input,
		}
		if def, input, refused := r.offer.Resolve(b.ToolName, inputOf(b)); def != nil {
			asked.Name = def.Name()
			asked.Browser = def.Browser && refused == nil && len(reply.Calls) < contract.MaxCalls && r.brings(def.Name())
			if json.Valid(input) {
				asked.Input = input
			}
		}
		reply.Calls = append(reply.Calls, asked)
	}
	return reply
}

// dropCalls takes the calls out of a reply that will not be gone on with.
func dropCalls(reply *conversation.Reply) {
	reply.Calls = nil
	kept := reply.Blocks[:0:0]
	for _, b := range reply.Blocks {
		if b.Kind != model.BlockToolUse {
			kept = append(kept, b)
		}
	}
	reply.Blocks = kept
}

// closeText closes the message that was streamed, once its reply is stored.
func (r *run) closeText(entry *conversation.Entry) {
	if entry.Reply.Text != "" {
		r.tell(event.TextEnd{MessageID: entry.MessageID})
	}
}

func (r *run) tellUsage() { r.tell(usageOf(r.turn)) }

func lastReply(entries []*conversation.Entry) *conversation.Entry {
	for _, e := range slices.Backward(entries) {
		if e.Kind == conversation.KindReply {
			return e
		}
	}
	return nil
}

// faultCode classifies what ended a stream.
func faultCode(err error) event.Code {
	if fault, ok := errors.AsType[*model.Error](err); ok {
		return event.Code(fault.Code)
	}
	return event.ProviderUnavailable
}
