package main

import (
	"context"
	"errors"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/steward-assistant/steward/model/modeltest"
)

// The direct client must send what Steward sends, or the time that Steward adds is not what is measured.
func TestDirectSendsWhatStewardSends(t *testing.T) {
	wires := map[string]modeltest.Wire{
		"anthropic": modeltest.WireMessages, "openai": modeltest.WireResponses, "openrouter": modeltest.WireChat,
	}
	for _, each := range modelWires() {
		t.Run(each.name, func(t *testing.T) {
			scripted := modeltest.New(modeltest.Config{})
			server := httptest.NewServer(scripted)
			defer server.Close()
			s := &stand{provider: each.provider, model: &process{url: server.URL}}
			if err := s.layOut(t.TempDir()); err != nil {
				t.Fatal(err)
			}
			request, err := s.capture(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d, err := s.direct(server.URL, request)
			if err != nil {
				t.Fatal(err)
			}
			ways := []way{{"direct", func(int) (time.Duration, error) { return d.firstText(t.Context()) }}}
			err = s.within(t.Context(), d.provider, func(here *stand) error {
				ways = append(ways,
					way{"through Steward", func(i int) (time.Duration, error) { return here.turn(t.Context(), i) }},
					way{"as an AG-UI run", func(i int) (time.Duration, error) { return here.agentRun(t.Context(), i) }})
				took := make([][]time.Duration, len(ways))
				err := inTurns(ways, 2, took)
				for i, each := range took {
					if len(each) != 2 || each[0] <= 0 || each[1] <= 0 {
						t.Errorf("way %d took %v", i, each)
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			got := scripted.Requests()
			if len(got) != 6 || len(scripted.Rejected()) > 0 {
				t.Fatalf("%d requests, refused %v", len(got), scripted.Rejected())
			}
			for _, r := range got {
				if r.Wire != wires[each.provider] {
					t.Errorf("asked over %s", r.Wire)
				}
			}
			if a, b := plain(got[0].Body), plain(got[1].Body); a != b {
				at := 0
				for at < min(len(a), len(b)) && a[at] == b[at] {
					at++
				}
				t.Errorf("the direct client sends …%.200s, and Steward …%.200s", a[at:], b[at:])
			}
		})
	}
}

// ofTheTurn is what differs from turn to turn in what Steward asks: the time, and the marks of a conversation's fences.
var ofTheTurn = regexp.MustCompile(`Now: [^\\]*|<<[a-z0-9]+:|:[a-z0-9]+>>`)

func plain(body []byte) string { return ofTheTurn.ReplaceAllString(string(body), "~") }

func TestInTurnsBeginsWithEach(t *testing.T) {
	var order []int
	ways := make([]way, 3)
	for k := range ways {
		ways[k].turn = func(i int) (time.Duration, error) { order = append(order, 10*i+k); return 1, nil }
	}
	took := make([][]time.Duration, 3)
	for range 2 {
		if err := inTurns(ways, 2, took); err != nil {
			t.Fatal(err)
		}
	}
	want := []int{0, 1, 2, 11, 12, 10, 22, 20, 21, 30, 31, 32}
	if !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
	failing := []way{{"broken", func(int) (time.Duration, error) { return 0, context.Canceled }}}
	if err := inTurns(failing, 1, make([][]time.Duration, 1)); !errors.Is(err, context.Canceled) || err.Error() != "broken: context canceled" {
		t.Errorf("got %v", err)
	}
}
