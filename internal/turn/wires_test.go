package turn

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store/storetest"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/model/modeltest"
	"github.com/steward-assistant/steward/tool"
)

// aWire is a provider and the model that it is asked for.
type aWire struct {
	name, model, effort string
	open                func(url string) (model.Provider, error)
}

// wires are all that a conversation may change between: the three protocols, and two vendors of one of them.
var wires = []aWire{
	{"anthropic", "claude-sonnet-5", "medium", func(url string) (model.Provider, error) {
		return model.NewAnthropic(model.AnthropicConfig{BaseURL: url, Key: "sk-test"})
	}},
	{"openai", "gpt-5.6-terra", "low", func(url string) (model.Provider, error) {
		return model.NewResponses(model.ResponsesConfig{BaseURL: url + "/v1", Key: "sk-test"})
	}},
	{"openrouter", "deepseek/deepseek-v4-flash", "", func(url string) (model.Provider, error) {
		return model.NewChat(model.ChatConfig{
			Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Key: "sk-test", HTTPClient: standsFor(url),
		})
	}},
	{"deepseek", "deepseek-reasoner", "", func(url string) (model.Provider, error) {
		return model.NewChat(model.ChatConfig{
			Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", Key: "sk-test", HTTPClient: standsFor(url),
		})
	}},
	{"plain", "qwen3", "", func(url string) (model.Provider, error) {
		return model.NewChat(model.ChatConfig{
			Name: "plain", BaseURL: url + "/v1", Key: "sk-test",
			Without: []string{model.CapabilityStreams, model.CapabilityStrict, model.CapabilityEffort},
		})
	}},
	{"local", "llama4", "", func(url string) (model.Provider, error) {
		return model.NewChat(model.ChatConfig{Name: "local", BaseURL: url + "/v1", Key: "sk-test"})
	}},
}

// standsFor sends what is meant for a vendor to the scripted model: what each vendor does otherwise is told from its
// address.
func standsFor(url string) *http.Client { return &http.Client{Transport: standIn{url}} }

type standIn struct{ url string }

func (s standIn) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	to, err := r.URL.Parse(s.url + r.URL.Path[strings.Index(r.URL.Path, "/v1"):])
	if err != nil {
		return nil, err
	}
	r.URL, r.Host = to, ""
	return http.DefaultTransport.RoundTrip(r)
}

// on has an engine ask over a wire.
func (w aWire) on(t *testing.T, url string) func(*Config) {
	t.Helper()
	return func(c *Config) {
		withClientTools(time.Minute)(c)
		c.Host.Models.Loop.Model, c.Host.Models.Loop.Effort = w.model, w.effort
		var err error
		if c.Provider, err = w.open(url); err != nil {
			t.Fatal(err)
		}
	}
}

// wild makes a reply that a model might give, right or wrong.
func wild(r *rand.Rand) modeltest.Reply {
	var reply modeltest.Reply
	add := func(b ...modeltest.Block) { reply.Blocks = append(reply.Blocks, b...) }
	if r.IntN(3) == 0 {
		add(modeltest.Think("Let me ", "see."))
	}
	if r.IntN(2) == 0 {
		add(modeltest.Say("Some ", "words."))
	}
	calls := []func(){
		func() { add(modeltest.Call("shop-stock", map[string]any{"item": "tea"})) },
		func() { add(modeltest.Call("shop-stock", map[string]any{})) },                    // lacks what it needs
		func() { add(modeltest.Call("shop-stock", `{"item": "te`)) },                      // is no JSON
		func() { add(modeltest.Call("shop-broken", nil)) },                                // fails
		func() { add(modeltest.Call("no_such_tool", map[string]any{"a": 1})) },            // is none
		func() { add(modeltest.Call("highlight", map[string]any{"part": "shelf"})) },      // runs in the browser
		func() { add(modeltest.CallWithID("call_0", "shop-stock", `{"item":"coffee"}`)) }, // repeats an id
	}
	for range r.IntN(4) {
		calls[r.IntN(len(calls))]()
	}
	if r.IntN(6) == 0 {
		add(modeltest.Say("And more."))
	}
	if r.IntN(12) == 0 { // more than may run
		for range 9 {
			calls[0]()
		}
	}
	switch r.IntN(14) {
	case 0:
		reply.Stop = "max_tokens"
	case 1:
		reply.End = modeltest.End{Way: modeltest.Cut, After: 1 + r.IntN(6)}
	case 2:
		reply.End = modeltest.End{Way: modeltest.Close, After: 1 + r.IntN(6)}
	case 3:
		reply.End = modeltest.End{Way: modeltest.Fail, After: 1 + r.IntN(6)}
	case 4:
		reply.Fault = &modeltest.Fault{Status: 529, Type: "overloaded_error", Message: "busy"}
	case 5:
		reply.Stop = "refusal"
	case 6:
		reply.Pace = time.Millisecond
	}
	switch r.IntN(8) { // what servers that are not quite OpenAI do; other wires have none of it
	case 0:
		reply.Odd.RepeatIDs = true
	case 1:
		reply.Odd.WholeCalls = true
	case 2:
		reply.Odd.NoUsage, reply.Odd.Comments = true, 2
	case 3:
		reply.Odd.Reasoning = modeltest.ReasoningDetails
	case 4:
		reply.Odd.Reasoning = modeltest.ReasoningContent
	case 5:
		reply.Odd.RouterErrors, reply.Odd.NoDone = true, true
	}
	return reply
}

// TestAnyConversationIsTakenByEveryWire has random conversations with tools, stops, cuts, answers of the browser,
// restarts and changes of the provider; the scripted model, which refuses what vendors refuse, refuses no request.
func TestAnyConversationIsTakenByEveryWire(t *testing.T) {
	conversations := 500
	if v, err := strconv.Atoi(os.Getenv("STEWARD_TEST_CONVERSATIONS")); err == nil {
		conversations = v
	}
	seed := uint64(time.Now().UnixNano())
	if v, err := strconv.ParseUint(os.Getenv("STEWARD_TEST_SEED"), 10, 64); err == nil {
		seed = v
	}
	t.Logf("%d conversations, STEWARD_TEST_SEED=%d", conversations, seed)
	var mu sync.Mutex
	dice := rand.New(rand.NewPCG(seed, 1))
	script := modeltest.New(modeltest.Config{Script: func(modeltest.Request) modeltest.Reply {
		mu.Lock()
		defer mu.Unlock()
		return wild(dice)
	}})
	server := httptest.NewServer(script)
	defer server.Close()
	const lanes = 4
	asked := make(map[string]int)
	var all sync.WaitGroup
	for lane := range lanes {
		all.Go(func() {
			w := &wanderer{
				t: t, r: rand.New(rand.NewPCG(seed, uint64(lane)+2)), url: storetest.SQLiteURL(t), model: server.URL,
			}
			for n := lane; n < conversations; n += lanes {
				w.converse(n)
			}
			w.stop()
		})
	}
	all.Wait()
	for _, r := range script.Requests() {
		asked[string(r.Wire)]++
	}
	t.Logf("%d requests accepted; the newest by wire: %v", script.Accepted(), asked)
	for rule, n := range script.Rejected() {
		t.Errorf("refused %d times: %s", n, rule)
	}
	if len(asked) < 3 {
		t.Errorf("asked on %v only", asked)
	}
}

// wanderer has one conversation after another, on an engine that it restarts with other providers.
type wanderer struct {
	t          *testing.T
	r          *rand.Rand
	url, model string
	house      *house
}

// start starts an engine on some wire, as another process would.
func (w *wanderer) start() *house {
	if w.house == nil {
		w.house = newHouse(w.t, w.url, wires[min(w.r.IntN(2*len(wires)), w.r.IntN(len(wires)))].on(w.t, w.model))
		close(w.house.hold)
		go func(ran chan string) {
			for range ran {
			}
		}(w.house.ran)
	}
	return w.house
}

// stop ends the engine, in mid-turn perhaps: in good order, or as a killed process would.
func (w *wanderer) stop() {
	if w.house == nil {
		return
	}
	if w.r.IntN(2) == 0 {
		w.house.kill()
	} else if err := w.house.Close(w.t.Context()); err != nil {
		w.t.Errorf("close: %v", err)
	}
	w.house = nil
}

func (w *wanderer) converse(n int) {
	by := owner(fmt.Sprintf("m%d", n))
	in := AgentRun{ConversationID: id.New(), Tools: []tool.ClientTool{highlight}}
	for step := range 2 + w.r.IntN(5) {
		if w.r.IntN(4) == 0 {
			w.stop()
		}
		h := w.start()
		in.RunID = fmt.Sprintf("r%d", step)
		if len(in.Answers) == 0 || w.r.IntN(4) == 0 {
			in.Said = append(in.Said, said(fmt.Sprintf("question %d of %d", step, n))...)
		}
		pending, over := w.step(h, by, in)
		if over {
			return
		}
		in.Answers = in.Answers[:0]
		for _, call := range pending {
			a := Answer{CallID: call, ClientAnswer: tool.ClientAnswer{Content: `{"marked":true}`}}
			if w.r.IntN(3) == 0 {
				a.ClientAnswer = tool.ClientAnswer{Fault: "no such part"}
			}
			if w.r.IntN(5) > 0 {
				in.Answers = append(in.Answers, a)
			}
		}
	}
}

// step takes one run, and gives the calls that then wait for the browser. over says that the conversation cannot go on
// in this test, as when its last message was lost with the process.
func (w *wanderer) step(h *house, by Asker, in AgentRun) (pending []string, over bool) {
	ctx := w.t.Context()
	var started AgentStarted
	var err error
	for range 600 { // a turn of a killed process is taken up first
		started, err = h.Run(ctx, by, in)
		if code(err) != event.TurnInProgress {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		w.t.Errorf("run: %v", err)
		return nil, true
	}
	if started.Done != nil {
		body, err := json.Marshal(started.Done)
		if err != nil {
			w.t.Error(err)
		}
		got := &told{}
		_ = json.Unmarshal(body, &got.terminal)
		return pendingOf(got), false
	}
	f, err := h.FollowRun(ctx, by, started)
	if err != nil {
		w.t.Errorf("follow: %v", err)
		return nil, true
	}
	defer f.Close()
	got := &told{messages: map[string]conversation.Message{}}
	leaveAfter := w.r.IntN(40)
	for {
		frames, err := f.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			w.t.Errorf("next: %v", err)
			return nil, true
		}
		for _, frame := range frames {
			got.add(w.t, frame)
		}
		switch {
		case len(got.kinds) < leaveAfter || w.r.IntN(4) > 0:
		case w.r.IntN(2) == 0:
			if _, err := h.Cancel(ctx, by, in.ConversationID, ""); err != nil {
				w.t.Errorf("cancel: %v", err)
			}
		default: // the line is closed, and perhaps the process dies
			return nil, false
		}
	}
	if !strings.HasPrefix(got.kinds[len(got.kinds)-1], "RUN_") {
		w.t.Errorf("the last event is %s", got.kinds[len(got.kinds)-1])
	}
	return pendingOf(got), false
}

func TestAProviderWithoutToolsIsToldSo(t *testing.T) {
	h := newHouse(t, storetest.SQLiteURL(t), nil)
	server := httptest.NewServer(h.script)
	defer server.Close()
	provider, err := model.NewChat(model.ChatConfig{
		Name: "plain", BaseURL: server.URL + "/v1", Key: "sk-test", Without: []string{model.CapabilityTools},
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg := h.cfg
	cfg.Provider = provider
	h.cfg = cfg
	h.script.SetScript(modeltest.Always(say("I cannot read that.")))
	by := owner("m")
	_, f := h.send(t, h.another(t), by, Send{ConversationID: id.New(), Text: "How much tea?"})
	if got := read(t, f, nil); got.complete.Text != "I cannot read that." || got.complete.Outcome != event.OutcomeCompleted {
		t.Fatalf("ended %+v", got.complete)
	}
	asked := h.script.Requests()[0]
	if len(asked.Tools) != 0 || asked.Stream || !strings.Contains(strings.Join(asked.System, ""), strings.TrimSpace(contract.WithoutTools)) {
		t.Errorf("asked with %d tools, streamed %v, told %q", len(asked.Tools), asked.Stream, asked.System)
	}
}
