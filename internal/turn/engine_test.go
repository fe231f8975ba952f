package turn

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/internal/store/storetest"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

const hostFile = `
product: {id: shop, name: Shop, about: "A small shop."}
locales: [en, he]
identity:
  secret_env: SECRET
  audience: steward
  roles: {owner: [read, send], reader: [read]}
models:
  providers: {anthropic: {key_env: KEY}}
  loop: {provider: anthropic, model: claude-sonnet-5, output_cap: 2000, ceiling: 4000}
`

// house is an engine with a scripted model and a few tools.
type house struct {
	*Engine
	url    string
	cfg    Config
	script *modeltest.Server
	// ran counts the calls that the tools really had.
	ran  chan string
	hold chan struct{} // closed: shop.slow goes on
}

func host(t *testing.T) *config.Config {
	t.Helper()
	cfg, faults := config.Load(fstest.MapFS{"steward.yaml": {Data: []byte(hostFile)}}, "steward.yaml", func(name string) (string, bool) {
		return map[string]string{"SECRET": strings.Repeat("s", 32), "KEY": "sk-test"}[name], true
	})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

type stockInput struct {
	Item string `json:"item"`
}

func newHouse(t *testing.T, url string, change func(*Config)) *house {
	t.Helper()
	h := &house{url: url, script: modeltest.New(modeltest.Config{}), ran: make(chan string, 100), hold: make(chan struct{})}
	server := httptest.NewServer(h.script)
	t.Cleanup(server.Close)
	functions, err := tool.NewFunctions("go",
		tool.Func("shop.stock", "How many of an item are there.", func(_ context.Context, _ tool.Call, in stockInput) (map[string]any, error) {
			h.ran <- "stock " + in.Item
			return map[string]any{"item": in.Item, "count": 7}, nil
		}),
		tool.Func("shop.slow", "Takes a while.", func(ctx context.Context, _ tool.Call, _ struct{}) (map[string]any, error) {
			h.ran <- "slow"
			select {
			case <-h.hold:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return map[string]any{"done": true}, nil
		}),
		tool.Func("shop.broken", "Does not work.", func(context.Context, tool.Call, struct{}) (map[string]any, error) {
			h.ran <- "broken"
			return nil, errors.New("disk on fire")
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	cfg := host(t)
	registry, err := tool.Open(t.Context(), cfg, tool.OpenOptions{}, functions)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := model.NewAnthropic(model.AnthropicConfig{BaseURL: server.URL, Key: "sk-test"})
	if err != nil {
		t.Fatal(err)
	}
	h.cfg = Config{
		Host: cfg, Registry: registry, Runner: tool.NewRunner(registry, time.Now),
		Guide: guide.New(guide.Config{Locales: cfg.Locales}), Provider: provider,
		LeaseTTL: 300 * time.Millisecond, Beat: 50 * time.Millisecond, DraftEvery: 20 * time.Millisecond, Quiet: 100 * time.Millisecond,
	}
	if change != nil {
		change(&h.cfg)
	}
	h.Engine = h.another(t)
	return h
}

// another starts one more process on the same database.
func (h *house) another(t *testing.T) *Engine {
	t.Helper()
	cfg := h.cfg
	cfg.Store, cfg.Feed = storetest.Open(t, h.url, store.Options{}), &feed.Hub{}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := e.Close(ctx); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("close: %v", err)
		}
		if n := len(e.runs); n > 0 {
			t.Errorf("%d runs left", n)
		}
	})
	return e
}

func owner(member string) Asker {
	return Asker{Principal: principal.Principal{Member: member, Org: "org", Roles: []string{"owner"}}, Locale: "en"}
}

// told is what a reader drew.
type told struct {
	kinds    []string
	text     string
	terminal map[string]any
	complete event.Complete
	ids      []event.ID
	messages map[string]conversation.Message
}

func read(t *testing.T, f *Follower, until func(*told) bool) *told {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	got := &told{messages: map[string]conversation.Message{}}
	for until == nil || !until(got) {
		frames, err := f.Next(ctx)
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatalf("next after %v: %v", got.kinds, err)
		}
		for _, fr := range frames {
			got.add(t, fr)
		}
	}
	return got
}

func (g *told) add(t *testing.T, f Frame) {
	t.Helper()
	var ev struct {
		Type, Name, Delta string
		Value             json.RawMessage
		Result            event.Complete
	}
	if err := json.Unmarshal(f.Data, &ev); err != nil {
		t.Fatalf("frame %s: %v", f.Data, err)
	}
	kind := ev.Type
	if kind == "CUSTOM" {
		kind = ev.Name
	}
	g.kinds = append(g.kinds, kind)
	if f.ID != (event.ID{}) {
		g.ids = append(g.ids, f.ID)
	}
	switch kind {
	case "TEXT_MESSAGE_CONTENT":
		g.text += ev.Delta
	case "steward.reset":
		g.text = ""
	case "steward.message":
		var m struct{ Message conversation.Message }
		if err := json.Unmarshal(ev.Value, &m); err != nil {
			t.Fatal(err)
		}
		g.messages[m.Message.ID] = m.Message
	case "RUN_FINISHED", "RUN_ERROR":
		g.complete = ev.Result
		if err := json.Unmarshal(f.Data, &g.terminal); err != nil {
			t.Fatal(err)
		}
	}
}

func (h *house) send(t *testing.T, e *Engine, by Asker, s Send) (Started, *Follower) {
	t.Helper()
	if s.MessageID == "" {
		s.MessageID = id.New()
	}
	started, err := e.Send(t.Context(), by, s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.FollowStarted(t.Context(), by, started)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return started, f
}

func call(name string, input any) modeltest.Reply {
	return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call(name, input)}}
}

func say(text string) modeltest.Reply {
	return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say(text)}}
}

func TestTurnWithATool(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		h := newHouse(t, url, nil)
		h.script.SetScript(modeltest.Turns(call("shop-stock", map[string]any{"item": "tea"}), say("There are 7.")))
		c := id.New()
		_, f := h.send(t, h.Engine, owner("m"), Send{ConversationID: c, Text: "How much tea?"})
		got := read(t, f, nil)
		want := "RUN_STARTED steward.meta steward.title TOOL_CALL_START"
		if s := strings.Join(got.kinds, " "); !strings.HasPrefix(s, want) && !strings.Contains(s, "TOOL_CALL_RESULT steward.tool_result") {
			t.Errorf("events = %s", s)
		}
		if got.complete.Outcome != event.OutcomeCompleted || got.complete.Text != "There are 7." || got.text != "There are 7." {
			t.Errorf("ended %q with %q, drawn %q", got.complete.Outcome, got.complete.Text, got.text)
		}
		for i := 1; i < len(got.ids); i++ {
			if !got.ids[i].After(got.ids[i-1]) {
				t.Errorf("id %v after %v", got.ids[i], got.ids[i-1])
			}
		}
		view, err := h.Load(t.Context(), owner("m"), c, 0, 50)
		if err != nil {
			t.Fatal(err)
		}
		if len(view.Messages) != 3 || view.State != conversation.Resting || view.Title != "How much tea?" {
			t.Fatalf("view = %+v", view)
		}
		if calls := view.Messages[1].Calls; len(calls) != 1 || calls[0].State != "succeeded" {
			t.Errorf("calls = %+v", calls)
		}
		if r := h.script.Rejected(); len(r) > 0 {
			t.Errorf("the model refused %v", r)
		}
	})
}
