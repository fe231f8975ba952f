package modeltest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
)

// wired is a model that is asked on a wire.
type wired struct {
	model    string
	provider model.Provider
	odd      modeltest.Odd
}

// clients are models of every kind, at one server.
func clients(t *testing.T, s *modeltest.Server) []wired {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	a, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: server.URL, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := model.NewChat(model.ChatConfig{Name: "compatible", BaseURL: server.URL + "/v1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := model.NewResponses(model.ResponsesConfig{BaseURL: server.URL + "/v1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	return []wired{
		{"claude-sonnet-5", a, modeltest.Odd{}},
		{"claude-haiku-4-5", a, modeltest.Odd{}},
		{"gpt-4.1", c, modeltest.Odd{}},
		{"qwen3", c, modeltest.Odd{RepeatIDs: true, WholeCalls: true, Reasoning: modeltest.ReasoningContent, NoUsage: true}},
		{"llama3.2", c, modeltest.Odd{RepeatIDs: true, Reasoning: modeltest.ReasoningText, UsageInFinish: true}},
		{"x-ai/grok-4", c, modeltest.Odd{Comments: 3, Reasoning: modeltest.ReasoningDetails, RouterErrors: true}},
		{"gpt-5.6-terra", r, modeltest.Odd{}},
		{"gpt-5.6-sol-2026-07-02", r, modeltest.Odd{}},
		{"gpt-4.1-mini", r, modeltest.Odd{}},
	}
}

// blocksOf makes up a reply.
func blocksOf(random *rand.Rand) []modeltest.Block {
	var blocks []modeltest.Block
	if random.IntN(2) == 0 {
		blocks = append(blocks, modeltest.Think("hm", " so"))
		if random.IntN(3) == 0 {
			blocks = append(blocks, modeltest.Redacted())
		}
	}
	if random.IntN(3) > 0 {
		blocks = append(blocks, modeltest.Say("A ", "moment."))
	}
	for range random.IntN(4) {
		blocks = append(blocks, modeltest.Call("read", []any{nil, json.RawMessage(`{"q":"שלום"}`), `{"q":`, `[1]`, `not JSON`}[random.IntN(5)]))
	}
	if len(blocks) == 0 || random.IntN(8) == 0 {
		blocks = append(blocks, modeltest.Say("Done."))
	}
	return blocks
}

// Whatever a conversation has been through, its next request is accepted on each wire: replies of other models, calls
// whose arguments are no JSON, ids that repeat, replies that broke.
func TestClientsAreNeverRefused(t *testing.T) {
	var next modeltest.Reply
	s := modeltest.New(modeltest.Config{Script: func(modeltest.Request) modeltest.Reply { return next }, Keep: -1})
	all := clients(t, s)
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 1))
		req := request("who?")
		var path []string
		for range 2 + random.IntN(8) {
			asked := all[random.IntN(len(all))]
			path = append(path, asked.model)
			next = modeltest.Reply{Blocks: blocksOf(random), Odd: asked.odd}
			if random.IntN(4) == 0 {
				next.End = modeltest.End{Way: []modeltest.Way{modeltest.Cut, modeltest.Fail, modeltest.Close}[random.IntN(3)], After: random.IntN(12)}
			}
			req.Model, req.Effort = asked.model, model.EffortMedium
			if strings.HasPrefix(asked.model, "gpt-4") || strings.Contains(asked.model, "haiku") {
				req.Effort = ""
			}
			got, err := call(t.Context(), asked.provider, req)
			if rejected := s.Rejected(); len(rejected) > 0 {
				t.Fatalf("seed %d, %s: %v, rejected %v", seed, strings.Join(path, ", "), err, rejected)
			}
			if err != nil && next.End.Way == modeltest.Whole {
				t.Fatalf("seed %d, %s: %v", seed, strings.Join(path, ", "), err)
			}
			if err != nil || len(got.blocks) == 0 {
				continue
			}
			if grown := answer(req, got, "two"); len(grown.Messages[len(grown.Messages)-1].Blocks) > 0 {
				req = grown
				continue
			}
			req.Messages = append(slices.Clip(req.Messages), model.Message{Role: model.RoleAssistant, Blocks: got.blocks},
				model.Message{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: fmt.Sprintf("and %d?", random.IntN(9))}}})
		}
	}
	if s.Accepted() < 500 {
		t.Errorf("only %d requests", s.Accepted())
	}
}
