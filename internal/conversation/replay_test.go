package conversation

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model"
)

// randomLog makes a log as crashes, stops and cuts leave it: results missing, twice, out of order, or of no call.
func randomLog(r *rand.Rand) []*Entry {
	var out []*Entry
	id := 0
	states := []ReplyState{Whole, Whole, Whole, Cut, Interrupted, SetAside, Stopped, RefusedBy}
	for range 1 + r.IntN(6) {
		out = append(out, &Entry{Kind: KindMessage, Message: &UserMessage{Text: "question"}})
		if r.IntN(4) > 0 {
			out = append(out, &Entry{Kind: KindContext, Context: &TurnContext{Text: "<turn_context>now</turn_context>"}})
		}
		for range r.IntN(4) {
			reply := &Reply{State: states[r.IntN(len(states))], Text: []string{"", " ", "words"}[r.IntN(3)]}
			if reply.Text != "" {
				reply.Blocks = append(reply.Blocks, model.Block{Kind: model.BlockText, Text: reply.Text})
			}
			if r.IntN(3) == 0 {
				reply.Blocks = append(reply.Blocks, model.Block{Kind: model.BlockThinking, Text: "hm", Raw: json.RawMessage(`{}`), Unfinished: r.IntN(3) == 0})
			}
			for range r.IntN(4) {
				id++
				asked := Asked{ID: fmt.Sprint("ours", id), ProviderID: fmt.Sprint("theirs", id), Name: "a.b"}
				reply.Calls = append(reply.Calls, asked)
				reply.Blocks = append(reply.Blocks, model.Block{Kind: model.BlockToolUse, CallID: asked.ProviderID, ToolName: "a"})
			}
			out = append(out, &Entry{Kind: KindReply, Reply: reply})
			for _, c := range reply.Calls {
				for range []int{0, 1, 1, 1, 2}[r.IntN(5)] {
					out = append(out, &Entry{Kind: KindResult, Result: &CallResult{CallID: c.ID, OK: r.IntN(2) == 0, Envelope: "{}"}})
				}
			}
			if r.IntN(8) == 0 {
				out = append(out, &Entry{Kind: KindResult, Result: &CallResult{CallID: "nobody's", Envelope: "{}"}})
			}
		}
		if r.IntN(2) == 0 {
			out = append(out, &Entry{Kind: KindEnd, End: &End{}})
		}
	}
	return out
}

// fault says what a vendor would refuse of a conversation; empty: nothing.
func fault(messages []model.Message) string {
	if len(messages) == 0 || messages[0].Role != model.RoleUser {
		return "the first message is not the user's"
	}
	var open []string
	for i, m := range messages {
		if i > 0 && messages[i-1].Role == m.Role {
			return "two messages of one role"
		}
		if len(m.Blocks) == 0 {
			return "an empty message"
		}
		answered := map[string]bool{}
		words := false
		onlyThinking := true
		for _, b := range m.Blocks {
			if b.Kind != model.BlockThinking {
				onlyThinking = false
			}
			switch b.Kind {
			case model.BlockText:
				words = true
				if strings.TrimSpace(b.Text) == "" {
					return "an empty text"
				}
			case model.BlockToolResult:
				if words {
					return "a result after words"
				}
				if answered[b.CallID] {
					return "a call answered twice"
				}
				answered[b.CallID] = true
			default: // thinking and the rest may stand anywhere; calls are collected below
			}
		}
		if onlyThinking {
			return "a message of thinking alone"
		}
		if m.Role == model.RoleUser {
			for _, id := range open {
				if !answered[id] {
					return "a call that is not answered"
				}
				delete(answered, id)
			}
			if len(answered) > 0 {
				return "a result of no call"
			}
			open = nil
			continue
		}
		for _, b := range m.Blocks {
			if b.Kind == model.BlockToolUse {
				open = append(open, b.CallID)
			}
		}
	}
	if len(open) > 0 {
		return "calls open at the end"
	}
	return ""
}

func TestReplayIsAlwaysTaken(t *testing.T) {
	for seed := range uint64(5000) {
		log := randomLog(rand.New(rand.NewPCG(seed, 1)))
		messages, _ := Replay(log)
		if f := fault(messages); f != "" {
			t.Fatalf("seed %d: %s", seed, f)
		}
		again, _ := Replay(log)
		if a, b := fmt.Sprint(messages), fmt.Sprint(again); a != b {
			t.Fatalf("seed %d: the same log gave two requests", seed)
		}
	}
}

func TestReplayKeepsThePrefix(t *testing.T) {
	for seed := range uint64(500) {
		log := randomLog(rand.New(rand.NewPCG(seed, 2)))
		whole, _ := Replay(log)
		// What was sent before the newest member's message is sent again byte for byte.
		last := 0
		for i, e := range log {
			if e.Kind == KindMessage {
				last = i
			}
		}
		before, _ := Replay(log[:last])
		for i := range before[:max(0, len(before)-1)] {
			if fmt.Sprint(before[i]) != fmt.Sprint(whole[i]) {
				t.Fatalf("seed %d: message %d changed", seed, i)
			}
		}
	}
}

func TestMark(t *testing.T) {
	messages := make([]model.Message, 40)
	for i := range messages {
		messages[i] = model.Message{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: "x"}}}
	}
	Mark(messages, 2)
	var marked []int
	for i, m := range messages {
		if m.Blocks[0].Cache {
			marked = append(marked, i)
		}
	}
	if fmt.Sprint(marked) != "[24 39]" {
		t.Errorf("marks at %v, want the last block and one 15 blocks before", marked)
	}
}
