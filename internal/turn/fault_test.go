package turn

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store/storetest"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
	"github.com/steward-assistant/steward/tool"
)

func (h *house) refused(t *testing.T) {
	t.Helper()
	if r := h.script.Rejected(); len(r) > 0 {
		t.Errorf("the model refused %v", r)
	}
}

func TestEndsOfATurn(t *testing.T) {
	overloaded := modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Half a ", "sentence")}, End: modeltest.End{Way: modeltest.Fail, After: 3}}
	cut := modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Half a ", "sentence")}, End: modeltest.End{Way: modeltest.Cut, After: 4}}
	tests := []struct {
		name    string
		script  modeltest.Script
		outcome event.Outcome
		code    event.Code
		text    string
		wire    string
	}{
		{"whole", modeltest.Always(say("Hello.")), event.OutcomeCompleted, "", "Hello.", "RUN_FINISHED"},
		{"cut stream keeps what was said", modeltest.Always(cut), event.OutcomeProviderError, event.ProviderUnavailable, "Half a sentence", "RUN_ERROR"},
		{"error in mid-stream", modeltest.Always(overloaded), event.OutcomeProviderError, event.ProviderOverloaded, "Half a ", "RUN_ERROR"},
		{"refusal", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("No")}, Stop: "refusal"}), event.OutcomeRefused, event.Refused, "", "RUN_ERROR"},
		{"empty reply", modeltest.Always(modeltest.Reply{}), event.OutcomeFailed, event.Unavailable, "", "RUN_ERROR"},
		{"cut prose", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Long")}, Stop: "max_tokens"}), event.OutcomeTruncated, event.ProviderOutputTruncated, "Long", "RUN_ERROR"},
		{"rounds used up", modeltest.Always(call("shop-stock", map[string]any{"item": "x"})), event.OutcomeMaxRounds, event.MaxRoundsReached, "", "RUN_ERROR"},
		{"tool failing", modeltest.Always(call("shop-broken", map[string]any{})), event.OutcomeFailed, event.ToolFailing, "", "RUN_ERROR"},
		{"an unknown tool is told to the model", modeltest.Turns(call("delete_everything", map[string]any{}), say("I cannot.")), event.OutcomeCompleted, "", "I cannot.", "RUN_FINISHED"},
		{"a cut batch never runs", modeltest.Turns(
			modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("shop-stock", map[string]any{"item": "a"}), modeltest.Call("shop-stock", map[string]any{"item": "b"})}, Stop: "max_tokens"},
			say("Smaller.")), event.OutcomeCompleted, "", "Smaller.", "RUN_FINISHED"},
	}
	url := storetest.SQLiteURL(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, url, nil)
			h.script.SetScript(tt.script)
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			got := read(t, f, nil)
			if got.complete.Outcome != tt.outcome || got.complete.Code != tt.code || got.complete.Text != tt.text {
				t.Errorf("ended %q %q with %q, want %q %q with %q", got.complete.Outcome, got.complete.Code, got.complete.Text, tt.outcome, tt.code, tt.text)
			}
			if last := got.kinds[len(got.kinds)-1]; last != tt.wire {
				t.Errorf("last event %s, want %s", last, tt.wire)
			}
			// The next message is taken: what was left open is answered.
			h.script.SetScript(modeltest.Always(say("Fine.")))
			_, f = h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "hi"})
			if got := read(t, f, nil); got.complete.Text != "Fine." {
				t.Errorf("the next turn ended %+v", got.complete)
			}
			h.refused(t)
		})
	}
	t.Run("no provider", func(t *testing.T) {
		h := newHouse(t, url, func(c *Config) {
			dead := httptest.NewServer(nil)
			dead.Close()
			c.Provider, _ = model.NewAnthropic(model.AnthropicConfig{BaseURL: dead.URL, Key: "sk-test"})
		})
		_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: id.New(), Text: "Go"})
		if got := read(t, f, nil); got.complete.Code != event.ProviderUnreachable {
			t.Errorf("code = %q", got.complete.Code)
		}
	})
}

func TestStop(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		t.Run("while it streams", func(t *testing.T) {
			h := newHouse(t, url, nil)
			h.script.SetScript(modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Some words ", "and more")}, Hold: map[int]<-chan struct{}{3: make(chan struct{})}}))
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			read(t, f, func(g *told) bool { return g.text != "" })
			if ok, err := h.Cancel(t.Context(), owner("m"), c, ""); !ok || err != nil {
				t.Fatalf("cancel = %v, %v", ok, err)
			}
			got := read(t, f, nil)
			if got.complete.Outcome != event.OutcomeCancelled || got.complete.Text != "Some words " {
				t.Errorf("ended %+v", got.complete)
			}
			if err := h.script.Until(t.Context(), func(s *modeltest.Server) bool { return s.Active() == 0 }); err != nil {
				t.Error("the model's stream goes on")
			}
			if ok, _ := h.Cancel(t.Context(), owner("m"), c, ""); ok {
				t.Error("a turn at rest was stopped")
			}
		})
		t.Run("from another process, in mid-call", func(t *testing.T) {
			h := newHouse(t, url, nil)
			other := h.another(t)
			h.script.SetScript(modeltest.Turns(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("shop-slow", map[string]any{}), modeltest.Call("shop-stock", map[string]any{"item": "x"})}}, say("Hello.")))
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			<-h.ran
			if ok, err := other.Cancel(t.Context(), owner("m"), c, ""); !ok || err != nil {
				t.Fatalf("cancel = %v, %v", ok, err)
			}
			if got := read(t, f, nil); got.complete.Outcome != event.OutcomeCancelled {
				t.Errorf("ended %+v", got.complete)
			}
			_, f = h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "hi"})
			if got := read(t, f, nil); got.complete.Text != "Hello." {
				t.Errorf("the next turn ended %+v", got.complete)
			}
			h.refused(t)
		})
	})
}

// kill makes an engine behave like a killed process: it reaches the database no more, and its leases run out.
func (e *Engine) kill() {
	_ = e.cfg.Store.Close()
	e.stop(conversation.ErrFenced)
}

func TestTakeOver(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		t.Run("the round is asked once more", func(t *testing.T) {
			h := newHouse(t, url, nil)
			h.script.SetScript(modeltest.Turns(
				modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("A dead draft ", "and more")}, Hold: map[int]<-chan struct{}{4: make(chan struct{})}},
				say("The living reply.")))
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			read(t, f, func(g *told) bool { return strings.Contains(g.text, "more") })
			h.kill()
			other := h.another(t)
			after, err := other.Follow(t.Context(), owner("m"), c, event.ID{Seq: 2, N: 5})
			if err != nil {
				t.Fatal(err)
			}
			defer after.Close()
			got := read(t, after, nil)
			if got.complete.Text != "The living reply." || got.complete.Outcome != event.OutcomeCompleted {
				t.Errorf("ended %+v", got.complete)
			}
			if got.text != "The living reply." && got.text != "" {
				t.Errorf("drawn %q", got.text)
			}
			h.refused(t)
		})
		t.Run("a finished call does not run again", func(t *testing.T) {
			h := newHouse(t, url, nil)
			h.script.SetScript(modeltest.Turns(
				modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("shop-stock", map[string]any{"item": "x"}), modeltest.Call("shop-slow", map[string]any{})}},
				say("Both.")))
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			read(t, f, func(g *told) bool { return strings.Contains(strings.Join(g.kinds, " "), "steward.tool_result") })
			<-h.ran
			<-h.ran
			h.kill()
			close(h.hold)
			other := h.another(t)
			after, err := other.Follow(t.Context(), owner("m"), c, event.ID{})
			if err != nil {
				t.Fatal(err)
			}
			defer after.Close()
			if got := read(t, after, nil); got.complete.Text != "Both." {
				t.Errorf("ended %+v", got.complete)
			}
			if again := <-h.ran; again != "slow" || len(h.ran) != 0 {
				t.Errorf("ran again: %q and %d more", again, len(h.ran))
			}
			h.refused(t)
		})
		t.Run("a round lost twice ends the turn", func(t *testing.T) {
			h := newHouse(t, url, nil)
			h.script.SetScript(modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("A draft ", "x")}, Hold: map[int]<-chan struct{}{3: make(chan struct{})}}))
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			read(t, f, func(g *told) bool { return g.text != "" })
			h.kill()
			second := h.another(t)
			if err := h.script.Until(t.Context(), func(s *modeltest.Server) bool { return s.Accepted() == 2 }); err != nil {
				t.Fatal(err)
			}
			second.kill()
			third := h.another(t)
			after, err := third.Follow(t.Context(), owner("m"), c, event.ID{})
			if err != nil {
				t.Fatal(err)
			}
			defer after.Close()
			if got := read(t, after, nil); got.complete.Outcome != event.OutcomeInterrupted {
				t.Errorf("ended %+v", got.complete)
			}
		})
	})
}

func TestCloseLeavesTheTurnToTheNextStart(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	h.script.SetScript(modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("A draft ", "x")}, Hold: map[int]<-chan struct{}{3: make(chan struct{})}},
		say("Whole.")))
	c := id.New()
	_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
	read(t, f, func(g *told) bool { return g.text != "" })
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begun); d > time.Second {
		t.Errorf("closing took %v", d)
	}
	other := h.another(t)
	after, err := other.Follow(t.Context(), owner("m"), c, event.ID{})
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if got := read(t, after, nil); got.complete.Text != "Whole." {
		t.Errorf("ended %+v", got.complete)
	}
}

func TestRefusals(t *testing.T) {
	url := storetest.SQLiteURL(t)
	h := newHouse(t, url, nil)
	h.script.SetScript(modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a ", "b")}, Hold: map[int]<-chan struct{}{3: make(chan struct{})}}))
	c, m := id.New(), id.New()
	_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, MessageID: m, Text: "Go"})
	read(t, f, func(g *told) bool { return g.text != "" })

	code := func(by Asker, s Send) event.Code {
		_, err := h.Send(t.Context(), by, s)
		var r *Refusal
		if !errors.As(err, &r) {
			return ""
		}
		return r.Code
	}
	reader := owner("m")
	reader.Principal.Roles = []string{"reader"}
	tests := []struct {
		name string
		by   Asker
		send Send
		want event.Code
	}{
		{"a second message", owner("m"), Send{ConversationID: c, Text: "More"}, event.TurnInProgress},
		{"other words", owner("m"), Send{ConversationID: c, MessageID: m, Text: "Other"}, event.DuplicateMismatch},
		{"no words", owner("m"), Send{ConversationID: c, Text: " \n"}, event.BadRequest},
		{"too long", owner("m"), Send{ConversationID: id.New(), Text: strings.Repeat("é", 20001)}, event.BadRequest},
		{"no UUID", owner("m"), Send{ConversationID: "x", Text: "Go"}, event.BadRequest},
		{"may not send", reader, Send{ConversationID: id.New(), Text: "Go"}, event.Forbidden},
	}
	for _, tt := range tests {
		if got := code(tt.by, tt.send); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	again, err := h.Send(t.Context(), owner("m"), Send{ConversationID: c, MessageID: m, Text: "Go"})
	if err != nil || again.TurnID == "" {
		t.Fatalf("the same message again: %+v, %v", again, err)
	}
	f2, err := h.FollowStarted(t.Context(), owner("m"), again)
	if err != nil {
		t.Fatal(err)
	}
	defer f2.Close()
	if got := read(t, f2, func(g *told) bool { return g.text != "" }); got.kinds[0] != "RUN_STARTED" || got.text != "a " {
		t.Errorf("following again: %v, %q", got.kinds, got.text)
	}
	// The same id is another conversation for another member, and unknown to who has none.
	if _, err := h.Load(t.Context(), owner("other"), c, 0, 10); code2(err) != event.NotFound {
		t.Errorf("another's conversation: %v", err)
	}
	if err := h.Erase(t.Context(), owner("other"), c); code2(err) != event.NotFound {
		t.Errorf("erasing another's: %v", err)
	}
	if _, err := h.Cancel(t.Context(), owner("other"), c, ""); code2(err) != event.NotFound {
		t.Errorf("stopping another's: %v", err)
	}
	if err := h.Erase(t.Context(), owner("m"), c); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Load(t.Context(), owner("m"), c, 0, 10); code2(err) != event.NotFound {
		t.Errorf("after erasing: %v", err)
	}
}

func code2(err error) event.Code {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Code
	}
	return ""
}

func TestQueuedMessageWaits(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	go_ := make(chan struct{})
	h.script.SetScript(modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("one")}, Hold: map[int]<-chan struct{}{1: go_}}, say("two")))
	c := id.New()
	h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "First"})
	done := make(chan error, 1)
	go func() {
		_, err := h.Send(context.WithoutCancel(t.Context()), owner("m"), Send{ConversationID: c, Text: "Second", Queue: true})
		done <- err
	}()
	close(go_)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestGateOrder(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	var got []string
	for _, g := range h.gates {
		got = append(got, g.name)
	}
	want := "kill_switches identity abuse_guard safety_catalogue screening_hook quota budget stale_claims turn_context store_message seeded_reads quick_lane ambient_search compaction rounds"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("gates = %s\nwant    %s", s, want)
	}
}

// credentialed makes a source's calls carry the member's own token.
type credentialed struct{ *tool.Functions }

func (credentialed) NeedsCredential() bool { return true }

// waiting is a house whose tools need the member's own token, which messages do not bring.
func waiting(t *testing.T) *house {
	t.Helper()
	h := newHouse(t, storetest.SQLiteURL(t), func(c *Config) {
		functions, err := tool.NewFunctions("own", tool.Func("own.read", "Reads as the member.",
			func(_ context.Context, call tool.Call, _ struct{}) (map[string]any, error) {
				return map[string]any{"token": len(call.Credential.Token)}, nil
			}))
		if err != nil {
			t.Fatal(err)
		}
		if c.Registry, err = tool.Open(t.Context(), c.Host, tool.OpenOptions{}, credentialed{functions}); err != nil {
			t.Fatal(err)
		}
		c.Runner = tool.NewRunner(c.Registry, time.Now)
	})
	h.script.SetScript(modeltest.Turns(call("own-read", map[string]any{}), say("Read."), call("own-read", map[string]any{}), say("Other.")))
	return h
}

func TestWaitsForTheMembersOwnToken(t *testing.T) {
	h := waiting(t)
	c := id.New()
	_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
	got := read(t, f, nil)
	if !strings.Contains(strings.Join(got.kinds, " "), "steward.reauth") || got.complete.Outcome != "" {
		t.Fatalf("events %v, outcome %q", got.kinds, got.complete.Outcome)
	}
	view, err := h.Load(t.Context(), owner("m"), c, 0, 10)
	if err != nil || view.State != conversation.Waiting {
		t.Fatalf("state %q, %v", view.State, err)
	}
	by := owner("m")
	by.Credential = tool.Credential{Token: "t", Expires: time.Now().Add(time.Minute)}
	after, err := h.Follow(t.Context(), by, c, event.ID{Seq: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if got := read(t, after, nil); got.complete.Text != "Read." || got.complete.Outcome != event.OutcomeCompleted {
		t.Errorf("ended %+v", got.complete)
	}

	// A message to a conversation that waits goes on without what it waited for.
	_, f = h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Again"})
	read(t, f, nil)
	_, f = h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Never mind"})
	if got := read(t, f, nil); got.complete.Text != "Other." {
		t.Errorf("ended %+v", got.complete)
	}
	h.refused(t)
}

func TestTheSameMessageAgainTellsItsOwnTurn(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	h.script.SetScript(modeltest.Turns(say("First."), say("Second.")))
	c, m := id.New(), id.New()
	first, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, MessageID: m, Text: "One"})
	read(t, f, nil)
	_, f = h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Two"})
	read(t, f, nil)
	again, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, MessageID: m, Text: "One"})
	got := read(t, f, nil)
	if again.TurnID != first.TurnID || got.complete.TurnID != first.TurnID || got.complete.Text != "First." {
		t.Errorf("the first message again gave %+v", got.complete)
	}
}

func TestStopWhileItWaits(t *testing.T) {
	h := waiting(t)
	c := id.New()
	started, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
	read(t, f, nil)
	if ok, err := h.Cancel(t.Context(), owner("m"), c, id.New()); ok || err != nil {
		t.Errorf("another turn's stop: %v, %v", ok, err)
	}
	if ok, err := h.Cancel(t.Context(), owner("m"), c, started.TurnID); !ok || err != nil {
		t.Fatalf("stop: %v, %v", ok, err)
	}
	by := owner("m")
	by.Credential = tool.Credential{Token: "t", Expires: time.Now().Add(time.Minute)}
	after, err := h.Follow(t.Context(), by, c, event.ID{})
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if got := read(t, after, nil); got.complete.Outcome != event.OutcomeCancelled {
		t.Errorf("ended %+v", got.complete)
	}
}

func TestEraseWhileItRuns(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	other := h.another(t)
	for name, from := range map[string]*Engine{"here": h.Engine, "from another process": other} {
		t.Run(name, func(t *testing.T) {
			h.script.SetScript(modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a ", "b")}, Hold: map[int]<-chan struct{}{3: make(chan struct{})}}))
			c := id.New()
			_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
			read(t, f, func(g *told) bool { return g.text != "" })
			if err := from.Erase(t.Context(), owner("m"), c); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			for {
				_, err := f.Next(ctx)
				if err == nil {
					continue
				}
				if code2(err) != event.NotFound {
					t.Errorf("the reader was told %v", err)
				}
				break
			}
			if err := h.script.Until(ctx, func(s *modeltest.Server) bool { return s.Active() == 0 }); err != nil {
				t.Error("the model's stream goes on")
			}
		})
	}
}

// TestOutage has the database refuse writes in mid-turn: the turn goes on when it is back.
func TestOutage(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	hold := make(chan struct{})
	h.script.SetScript(modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a ", "b")}, Hold: map[int]<-chan struct{}{3: hold}}, say("Whole.")))
	c := id.New()
	_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "Go"})
	read(t, f, func(g *told) bool { return g.text != "" })
	h.orphan(h.refs()[0], 1)
	close(hold)
	got := read(t, f, nil)
	if got.complete.Outcome != event.OutcomeCompleted {
		t.Errorf("ended %+v", got.complete)
	}
}

func (e *Engine) refs() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for ref := range e.runs {
		out = append(out, ref)
	}
	return out
}

func TestCutBeforeTheFirstCallIsWhole(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	h.script.SetScript(modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("shop-stock", map[string]any{"item": strings.Repeat("x", 400)})}, Stop: "max_tokens", End: modeltest.End{}},
		say("Smaller.")))
	_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: id.New(), Text: "Go"})
	if got := read(t, f, nil); got.complete.Text != "Smaller." {
		t.Errorf("ended %+v", got.complete)
	}
	h.refused(t)
}
