package turn

import (
	"encoding/json"
	"slices"

	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/tool"
)

// askGuide takes the guide's next step. It is stored like a model's reply, so that a turn of the guide goes on from the
// log as well. done says that the turn has ended with it.
func (r *run) askGuide() (done bool, err error) {
	if r.stopped() {
		return true, r.end(event.OutcomeCancelled, event.Aborted)
	}
	context := r.turn[1].Context
	answer := r.e.cfg.Guide.Next(r.ctx, guide.Question{
		Text: r.message.Text, Locale: r.locale, Principal: r.by, Now: context.Now.In(contract.Zone(r.by.TimeZone)),
		Route: context.Route, Offer: r.offer, Reason: r.message.GuideReason, Earlier: r.earlier(),
	}, r.guideCalls())
	reply := &conversation.Reply{
		State: conversation.Whole, Text: answer.Text, Notes: answer.Notes, Links: answer.Links, Answers: answersGuide,
	}
	for _, c := range answer.Calls {
		reply.Calls = append(reply.Calls, conversation.Asked{ID: r.e.cfg.NewID(), Name: c.Tool, Input: c.Input, Quiet: c.Quiet})
	}
	entry := &conversation.Entry{Kind: conversation.KindReply, MessageID: r.e.cfg.NewID(), Reply: reply}
	if err := r.await(); err != nil {
		return true, err
	}
	if answer.Text != "" {
		r.publish(feed.Frame{Draft: true, Kind: event.KindTextStart, MessageID: entry.MessageID},
			event.TextStart{MessageID: entry.MessageID, Role: "assistant"})
		r.publish(feed.Frame{
			Draft: true, Kind: event.KindTextContent, MessageID: entry.MessageID, Text: answer.Text,
		}, nil)
	}
	if len(reply.Calls) == 0 {
		return true, r.end(event.OutcomeCompleted, "", entry)
	}
	return false, r.write(conversation.Running, "", func() {
		r.closeText(entry)
		r.tellMessage(entry)
	}, entry)
}

// maxEarlier is how many earlier messages the guide is told of.
const maxEarlier = 4

// earlier gives the member's messages before this one that the guide answered, without a model's answer between, the
// newest last.
func (r *run) earlier() []string {
	var out []string
	for i := len(r.history) - 1; i >= 0 && len(out) < maxEarlier; i-- {
		if m := r.history[i].Message; m != nil {
			if m.Answers != answersGuide {
				break
			}
			out = append(out, m.Text)
		}
	}
	slices.Reverse(out)
	return out
}

// guideCalls gives the turn's calls with their results, as the guide asked for them.
func (r *run) guideCalls() []guide.Done {
	asked := map[string]conversation.Asked{}
	var out []guide.Done
	for _, e := range r.turn {
		switch e.Kind {
		case conversation.KindReply:
			for _, c := range e.Reply.Calls {
				asked[c.ID] = c
			}
		case conversation.KindResult:
			c := asked[e.Result.CallID]
			out = append(out, guide.Done{Tool: c.Name, Input: c.Input, Result: toolResult(e.Result)})
		case conversation.KindMessage, conversation.KindContext, conversation.KindHint, conversation.KindEnd,
			conversation.KindRest, conversation.KindClaim:
		}
	}
	return out
}

func toolResult(res *conversation.CallResult) tool.Result {
	return tool.Result{
		OK: res.OK, Status: tool.Status(res.Status), Code: res.Code, Data: res.Data, Reason: res.Reason, Said: res.Said,
		Envelope: res.Envelope, Sentence: res.Sentence,
		Table: (*tool.Table)(res.Table),
	}
}

// tellMessage tells a stored message whole, for what no other event carries: the guide's notes.
func (r *run) tellMessage(entry *conversation.Entry) {
	for _, m := range conversation.Messages([]*conversation.Entry{entry}, r.e.reader(r.locale, r.row.State)) {
		if b, err := json.Marshal(m); err == nil {
			r.tell(event.Message{Message: b})
		}
	}
}
