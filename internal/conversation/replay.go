package conversation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/model"
)

// CutOff is shown, and sent back, in place of a reply that was cut before it said a word.
const CutOff = "(reply cut off)"

// Repairs counts what replay had to put right; it names roles and block types only.
type Repairs struct {
	// Unanswered is how many tool uses had no result; Orphaned how many results had no tool use.
	Unanswered, Orphaned int
}

// Any reports whether anything was put right.
func (r Repairs) Any() bool { return r.Unanswered+r.Orphaned > 0 }

// Replay gives what a model is sent of a log: every tool use answered exactly once in the next user message, in call
// order, no empty text, the member's words first in their message and the turn's context after them. It depends on the
// entries alone, so that the same log gives the same bytes and stays cached.
func Replay(entries []*Entry) ([]model.Message, Repairs) {
	var b replay
	for _, e := range entries {
		switch e.Kind {
		case KindMessage:
			b.close()
			b.user(model.Block{Kind: model.BlockText, Text: e.Message.Text})
		case KindContext:
			b.user(model.Block{Kind: model.BlockText, Text: e.Context.Text})
		case KindHint:
			b.close()
			b.user(model.Block{Kind: model.BlockText, Text: e.Hint.Text})
		case KindReply:
			b.close()
			b.reply(e.Reply)
		case KindResult:
			b.result(e.Result)
		case KindEnd:
			b.close()
		case KindRest, KindClaim: // a model is told how a call ended, not who ran it
		}
	}
	b.close()
	return b.out, b.repairs
}

// replay collects messages. open are the calls of the last reply that have no result yet, in call order.
type replay struct {
	out     []model.Message
	open    []Asked
	results map[string]*CallResult
	repairs Repairs
}

func (b *replay) add(role model.Role, blocks ...model.Block) {
	if n := len(b.out); n > 0 && b.out[n-1].Role == role {
		b.out[n-1].Blocks = append(b.out[n-1].Blocks, blocks...)
		return
	}
	b.out = append(b.out, model.Message{Role: role, Blocks: blocks})
}

func (b *replay) user(block model.Block) {
	if strings.TrimSpace(block.Text) != "" {
		b.add(model.RoleUser, block)
	}
}

func (b *replay) reply(r *Reply) {
	if r.State == SetAside || r.State == RefusedBy {
		return
	}
	if len(r.Blocks) == 0 || r.State == Interrupted || r.State == Stopped {
		// The guide's words, or a reply whose blocks never closed: its visible words are all that may go back.
		if text := strings.TrimSpace(r.Text); text != "" {
			b.add(model.RoleAssistant, model.Block{Kind: model.BlockText, Text: text})
		}
		return
	}
	byProvider := make(map[string]bool, len(r.Calls))
	for _, c := range r.Calls {
		byProvider[c.ProviderID] = true
	}
	var blocks []model.Block
	for i, block := range r.Blocks {
		if block.Unfinished && block.Kind != model.BlockText {
			continue
		}
		switch block.Kind {
		case model.BlockText:
			if i < len(r.Shown) && r.Shown[i] != "" {
				block.Text = r.Shown[i]
			}
			if strings.TrimSpace(block.Text) == "" {
				continue
			}
			block.Raw = nil
		case model.BlockToolUse:
			if !byProvider[block.CallID] {
				continue
			}
		case model.BlockThinking, model.BlockToolResult, model.BlockOther:
		}
		blocks = append(blocks, block)
	}
	if !said(blocks) {
		blocks = append(blocks, model.Block{Kind: model.BlockText, Text: CutOff})
	}
	b.add(model.RoleAssistant, blocks...)
	b.open = r.Calls
	b.results = make(map[string]*CallResult, len(r.Calls))
}

// said reports whether blocks hold anything beside thinking: a message of thinking alone is refused.
func said(blocks []model.Block) bool {
	for _, b := range blocks {
		if b.Kind != model.BlockThinking {
			return true
		}
	}
	return false
}

func (b *replay) result(r *CallResult) {
	if b.results == nil || b.results[r.CallID] != nil || !b.asked(r.CallID) {
		b.repairs.Orphaned++
		return
	}
	b.results[r.CallID] = r
}

func (b *replay) asked(id string) bool {
	for _, c := range b.open {
		if c.ID == id {
			return true
		}
	}
	return false
}

// close answers the open calls in call order.
func (b *replay) close() {
	for _, c := range b.open {
		block := model.Block{Kind: model.BlockToolResult, CallID: c.ProviderID}
		if r := b.results[c.ID]; r != nil {
			block.Text, block.IsError = r.Envelope, !r.OK
		} else {
			b.repairs.Unanswered++
			block.Text, block.IsError = notRun, true
		}
		b.add(model.RoleUser, block)
	}
	b.open, b.results = nil, nil
}

var notRun = string(mustJSON(map[string]string{
	"status": "unreadable",
	"reason": "This call was interrupted and has no result. Nothing is known of it. Call again if it is still needed.",
}))

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return b
}

// Mark sets the cache marks of a request's messages: on the last block, and, when more than 15 blocks stand between it
// and the last block of the message before the newest member's message, one in between, because a mark is looked for at
// most 20 blocks back. spare is how many marks the messages may use. The messages must be fresh copies.
func Mark(messages []model.Message, spare int) {
	if len(messages) == 0 || spare <= 0 {
		return
	}
	markLast(messages)
	if spare < 2 {
		return
	}
	count := 0
	for _, message := range slices.Backward(messages) {
		for j := len(message.Blocks) - 1; j >= 0; j-- {
			count++
			if count > 15 && markable(message.Blocks[j]) {
				message.Blocks[j].Cache = true
				return
			}
		}
	}
}

func markLast(messages []model.Message) {
	last := messages[len(messages)-1].Blocks
	for j := len(last) - 1; j >= 0; j-- {
		if markable(last[j]) {
			last[j].Cache = true
			return
		}
	}
}

func markable(b model.Block) bool {
	return b.Kind == model.BlockText && b.Text != "" || b.Kind == model.BlockToolUse || b.Kind == model.BlockToolResult
}
