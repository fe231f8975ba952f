package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// turnsOfARound are taken on one wire before the next: often enough to spread what the machine does over all wires, and
// many enough for the processes of a wire to be as warm as where it is the only one.
const turnsOfARound = 20

// wire is a protocol to a model: its name, and the host's provider that speaks it.
type wire struct{ name, provider string }

func modelWires() []wire {
	return []wire{
		{"Anthropic's Messages", "anthropic"},
		{"OpenAI's Responses", "openai"},
		{"Chat Completions", "openrouter"},
	}
}

// wires measures the three ways over each wire to a model, and over the first also with the turn begun as an AG-UI run.
func wires(ctx context.Context, b *bench, t *table) error {
	list := modelWires()
	ways := make([][]way, len(list))
	for i, each := range list {
		w, err := b.newThreeWays(ctx, each.provider)
		if err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
		defer w.close()
		if ways[i] = w.ways(ctx); i == 0 {
			ways[i] = append(ways[i], way{"as an AG-UI run", func(turn int) (time.Duration, error) { return w.stand.agentRun(ctx, turn) }})
		}
	}
	measure := func(turns int) ([][][]time.Duration, error) {
		took := make([][][]time.Duration, len(list))
		for i := range list {
			took[i] = make([][]time.Duration, len(ways[i]))
		}
		for range turns / turnsOfARound {
			for i, each := range list {
				if err := inTurns(ways[i], turnsOfARound, took[i]); err != nil {
					return nil, fmt.Errorf("%s: %w", each.name, err)
				}
			}
		}
		return took, nil
	}
	if _, err := measure(turnsToWarm); err != nil {
		return err
	}
	added, run := make([]firstTexts, len(list)), firstTexts{}
	for range b.runs {
		b.settle(ctx)
		took, err := measure(turnsOneAtATime)
		if err != nil {
			return err
		}
		for i, of := range took {
			added[i].take(of[0], of[1], of[2])
		}
		run.take(took[0][0], took[0][1], took[0][3])
	}
	for i, each := range list {
		added[i].addBase(t, "first text over "+each.name, "")
		added[i].addSteward(t, "first text over "+each.name)
	}
	run.addSteward(t, "first text of an AG-UI run, over "+list[0].name)
	return nil
}

// agentRun is turn, begun as a front end that speaks AG-UI begins it.
func (s *stand) agentRun(ctx context.Context, member int) (time.Duration, error) {
	token, thread, run, message := s.token(member), newID(), newID(), newID()
	begun := time.Now()
	body, err := json.Marshal(map[string]any{
		"threadId": thread, "runId": run, "state": map[string]any{}, "tools": []any{}, "forwardedProps": map[string]any{},
		"messages": []any{map[string]any{"id": message, "role": "user", "content": usualWords}},
		"context":  []any{map[string]any{"description": "The page before the member.", "value": `{"route":"/schedule","title":"Schedule"}`}},
	})
	if err != nil {
		return 0, err
	}
	stream, err := s.open(ctx, http.MethodPost, s.steward.url+"/v1/agui", token, body)
	if err != nil {
		return 0, err
	}
	first, err := stream.firstText()
	return first.Sub(begun), err
}
