package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
)

// moveTo sends requests for a vendor's own address to a server of ours.
type moveTo struct{ host string }

func (m moveTo) RoundTrip(r *http.Request) (*http.Response, error) {
	moved := r.Clone(r.Context())
	_, route, _ := strings.Cut(r.URL.Path, "/v1/")
	moved.URL = &url.URL{Scheme: "http", Host: m.host, Path: "/v1/" + route}
	return http.DefaultTransport.RoundTrip(moved)
}

// asked is one of the models that a conversation goes through, on its wire.
type asked struct {
	provider model.Provider
	model    string
	effort   model.Effort
	strict   bool
}

// allWires are models of all wires and of the vendors that differ on one, all answered by one scripted model.
func allWires(t *testing.T, address string) []asked {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: moveTo{u.Host}}
	chat := func(name, base string, without ...string) model.Provider {
		c, err := model.NewChat(model.ChatConfig{Name: name, BaseURL: base, Key: "k", HTTPClient: client, Without: without})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	claude, err := model.NewAnthropic(model.AnthropicConfig{Key: "k", HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	responses, err := model.NewResponses(model.ResponsesConfig{Key: "k", HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := model.NewResponses(model.ResponsesConfig{Name: "pieces", Key: "k", HTTPClient: client, Without: []string{model.CapabilityStreams}})
	if err != nil {
		t.Fatal(err)
	}
	router := chat("openrouter", "https://openrouter.ai/api/v1")
	return []asked{
		{claude, "claude-sonnet-5", model.EffortMedium, true},
		{claude, "claude-haiku-4-5", "", false},
		{responses, "gpt-5.6-terra", model.EffortHigh, true},
		{responses, "gpt-5.6-terra-2026-07-02", "", false},
		{responses, "gpt-4.1", "", false},
		{pieces, "gpt-5.5", model.EffortLow, false},
		{chat("openai", ""), "gpt-4.1", "", true},
		{router, "deepseek/deepseek-v4-flash", model.EffortMedium, false},
		{router, "x-ai/grok-4", "", false},
		{chat("deepseek", "https://api.deepseek.com/v1"), "deepseek-v4-flash", "", false},
		{chat("mistral", "https://api.mistral.ai/v1"), "mistral-small-latest", "", false},
		{chat("local", address+"/v1", model.CapabilityStreams), "qwen3", "", false},
	}
}

// oddNames are names of tools as models call them, and no vendor takes all of them back.
var oddNames = []string{"list", "functions.list", "list read", "list<|channel|>final", "lïst", strings.Repeat("x", 65), strings.Repeat("y", 250)}

// someReply is a reply at random: words, thoughts, calls, some of them with arguments that are no JSON, and now and then
// a cap or a server's oddity.
func someReply(random *rand.Rand, name string) modeltest.Reply {
	var r modeltest.Reply
	if random.IntN(2) == 0 {
		r.Blocks = append(r.Blocks, modeltest.Think("I ", "think."))
	}
	if random.IntN(3) > 0 {
		r.Blocks = append(r.Blocks, modeltest.Say("Some ", "words\n", "😀."))
	}
	for i := range random.IntN(4) {
		switch random.IntN(5) {
		case 0:
			r.Blocks = append(r.Blocks, modeltest.Call("list", `{"q": tru`))
		case 1:
			r.Blocks = append(r.Blocks, modeltest.Call(oddNames[random.IntN(len(oddNames))], nil))
		default:
			r.Blocks = append(r.Blocks, modeltest.Call("read", json.RawMessage(fmt.Sprintf(`{"n": 12345678901234567890, "i":%d}`, i))))
		}
	}
	if len(r.Blocks) == 0 || len(r.Blocks) == 1 && random.IntN(2) == 0 {
		r.Blocks = append(r.Blocks, modeltest.Say("Yes."))
	}
	if random.IntN(8) == 0 {
		r.Stop = "max_tokens"
	}
	if strings.HasPrefix(name, "gpt-") {
		return r
	}
	r.Odd = modeltest.Odd{
		Comments: random.IntN(3), RepeatIDs: random.IntN(2) == 0, WholeCalls: random.IntN(2) == 0, NoUsage: random.IntN(2) == 0, NoDone: random.IntN(2) == 0,
		Reasoning: []modeltest.Reasoning{"", modeltest.ReasoningText, modeltest.ReasoningContent, modeltest.ReasoningDetails}[random.IntN(4)],
	}
	return r
}

// A conversation that goes from provider to provider, over all wires and whatever the servers' oddities, is never
// refused.
func TestConversationsOverAllWires(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	server := modeltest.New(modeltest.Config{Keep: 1})
	vendor := httptest.NewServer(server)
	defer vendor.Close()
	models := allWires(t, vendor.URL)
	for n := range 60 {
		var messages []model.Message
		words := func(text string) model.Block { return model.Block{Kind: model.BlockText, Text: text} }
		for turn := range 4 {
			messages = append(messages, model.Message{Role: model.RoleUser, Blocks: []model.Block{words(fmt.Sprint("question ", turn)), words("page")}})
			by := models[random.IntN(len(models))]
			for range 3 {
				if random.IntN(3) == 0 {
					by = models[random.IntN(len(models))]
				}
				reply := someReply(random, by.model)
				server.SetScript(modeltest.Always(reply))
				blocks, stop := askAll(t, by, messages)
				if t.Failed() {
					t.Fatalf("conversation %d: %s of %s, rejected: %v", n, by.model, by.provider.Name(), server.Rejected())
				}
				messages = append(messages, model.Message{Role: model.RoleAssistant, Blocks: keepable(blocks)})
				results := resultsOf(blocks, random)
				if len(results) == 0 || stop != model.StopToolUse && len(results) == 0 {
					break
				}
				messages = append(messages, model.Message{Role: model.RoleUser, Blocks: results})
			}
		}
	}
	if len(server.Rejected()) > 0 || server.Accepted() < 300 {
		t.Errorf("%d accepted, rejected: %v", server.Accepted(), server.Rejected())
	}
}

func askAll(t *testing.T, by asked, messages []model.Message) (blocks []model.Block, stop model.StopReason) {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"}},"required":["n"],"additionalProperties":false}`)
	req := model.Request{
		Model: by.model, Effort: by.effort, MaxOutputTokens: 1024, Messages: messages,
		System: []model.SystemBlock{{Text: "You help."}, {Text: "The staff of a gym."}},
		Tools:  []model.Tool{{Name: "list"}, {Name: "read", Description: "Reads.", Input: schema, Strict: by.strict}},
	}
	text := ""
	for e, err := range by.provider.Stream(t.Context(), req) {
		if fault, ok := errors.AsType[*model.Error](err); ok {
			t.Errorf("%v", fault)
			return nil, ""
		}
		switch e.Kind {
		case model.EventTextDelta:
			text += e.Text
		case model.EventBlockEnd:
			blocks = append(blocks, e.Block)
		case model.EventStop:
			stop = e.Stop
		default:
		}
	}
	for _, b := range blocks {
		if b.Kind == model.BlockText {
			text = strings.TrimPrefix(text, b.Text)
		}
	}
	if text != "" || stop == "" {
		t.Errorf("%q was said beside the blocks %+v; stop %q", text, blocks, stop)
	}
	return blocks, stop
}

// keepable is what a conversation keeps of a reply: nothing that has no end, save words.
func keepable(blocks []model.Block) []model.Block {
	var list []model.Block
	said := false
	for _, b := range blocks {
		if b.Unfinished && b.Kind != model.BlockText {
			continue
		}
		said = said || b.Kind != model.BlockThinking
		b.Raw = append(json.RawMessage(nil), b.Raw...)
		list = append(list, b)
	}
	if !said {
		list = append(list, model.Block{Kind: model.BlockText, Text: "(cut off)"})
	}
	return list
}

func resultsOf(blocks []model.Block, random *rand.Rand) []model.Block {
	var list []model.Block
	for _, b := range blocks {
		if b.Kind == model.BlockToolUse && !b.Unfinished {
			list = append(list, model.Block{
				Kind: model.BlockToolResult, CallID: b.CallID, Text: []string{"", `{"ok":true}`}[random.IntN(2)], IsError: random.IntN(4) == 0,
			})
		}
	}
	return list
}
