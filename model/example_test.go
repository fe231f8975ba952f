package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
)

// A scripted model stands in for the vendor; without BaseURL the vendor itself is asked.
func ExampleNewAnthropic() {
	vendor := httptest.NewServer(modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{
		Blocks: []modeltest.Block{modeltest.Say("I will ", "look."), modeltest.Call("bookings", map[string]any{"date": "2026-12-01"})},
	})}))
	defer vendor.Close()

	claude, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: vendor.URL, Key: "sk-ant-example"})
	if err != nil {
		log.Fatal(err)
	}
	request := model.Request{
		Model:           "claude-sonnet-5",
		Effort:          model.EffortMedium,
		MaxOutputTokens: 16384,
		System:          []model.SystemBlock{{Text: "You help the staff of a gym.", Cache: true}},
		Tools:           []model.Tool{{Name: "bookings", Description: "Who is booked on a day.", Input: json.RawMessage(`{"type":"object","properties":{"date":{"type":"string"}}}`)}},
		Messages:        []model.Message{{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: "Who is booked tomorrow?"}}}},
	}
	for event, err := range claude.Stream(context.Background(), request) {
		if fault, ok := errors.AsType[*model.Error](err); ok {
			log.Fatal(fault.Code)
		}
		switch event.Kind {
		case model.EventTextDelta:
			fmt.Printf("%q\n", event.Text)
		case model.EventBlockEnd:
			if event.Block.Kind == model.BlockToolUse {
				fmt.Println(event.Block.ToolName, string(event.Block.Input))
			}
		case model.EventStop:
			fmt.Println(event.Stop)
		default:
		}
	}
	// Output:
	// "I will "
	// "look."
	// bookings {"date":"2026-12-01"}
	// tool_use
}

// Any server that speaks Chat Completions will do: here one that needs no key, as Ollama and vLLM.
func ExampleNewChat() {
	server := httptest.NewServer(modeltest.New(modeltest.Config{Keyless: true, Script: modeltest.Always(modeltest.Reply{
		Blocks: []modeltest.Block{modeltest.Say("Nobody ", "yet.")},
	})}))
	defer server.Close()

	local, err := model.NewChat(model.ChatConfig{Name: "ollama", BaseURL: server.URL + "/v1", Without: []string{model.CapabilityEffort}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.TakesEffort(local, "qwen3"))
	answer(local, "qwen3")
	// Output:
	// false
	// Nobody yet. end_turn
}

// OpenAI's own models are asked over Responses.
func ExampleNewResponses() {
	vendor := httptest.NewServer(modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{
		Blocks: []modeltest.Block{modeltest.Think("Who was it?"), modeltest.Say("Ada ", "and Grace.")},
	})}))
	defer vendor.Close()

	openai, err := model.NewResponses(model.ResponsesConfig{BaseURL: vendor.URL + "/v1", Key: "sk-example"})
	if err != nil {
		log.Fatal(err)
	}
	answer(openai, "gpt-5.6-terra")
	// Output: Ada and Grace. end_turn
}

func answer(p model.Provider, name string) {
	question := model.Block{Kind: model.BlockText, Text: "Who is booked tomorrow?"}
	for event, err := range p.Stream(context.Background(), model.Request{
		Model: name, MaxOutputTokens: 1024, Messages: []model.Message{{Role: model.RoleUser, Blocks: []model.Block{question}}},
	}) {
		if err != nil {
			log.Fatal(err)
		}
		switch event.Kind {
		case model.EventTextDelta:
			fmt.Print(event.Text)
		case model.EventStop:
			fmt.Println("", event.Stop)
		default:
		}
	}
}
