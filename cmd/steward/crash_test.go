package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store/storetest"
	"github.com/steward-assistant/steward/model/modeltest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

const crashModels = `models: {loop: {provider: anthropic, model: claude-sonnet-5, output_cap: 1000, ceiling: 2000}}`

const crashHost = `
product: {id: shop, name: Shop, about: A shop.}
identity: {secret_env: SECRET, audience: steward, roles: {owner: [read, send]}}
` + crashModels + `
turn: {lease: 300ms}
sources:
  api: {openapi: openapi.json, base_url_env: SHOP_URL, authority: forward}
`

const crashDocument = `{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{"/stock/{item}":{"get":{
"operationId":"getStock","tags":["shop"],"summary":"How many of an item there are.",
"parameters":[{"name":"item","in":"path","required":true,"schema":{"type":"string"}}],
"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"count":{"type":"integer"}}}}}}}}}}}`

var crashSecret = strings.Repeat("k", 40)

// process is the real program, in a process of its own.
type process struct {
	t    *testing.T
	url  string
	cmd  *exec.Cmd
	bin  string
	dir  string
	env  []string
	dead chan struct{}
}

func buildProgram(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "steward")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command(p.bin, "serve", "--config", filepath.Join(p.dir, "steward.yaml"), "--addr", "127.0.0.1:0")
	p.cmd.Env = p.env
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.t.Fatalf("the program said nothing: %v", err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, ". ")
	p.url = "http://" + strings.TrimSpace(address)
	p.dead = make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, out); _ = p.cmd.Wait(); close(p.dead) }()
}

func (p *process) stop(signal syscall.Signal) {
	_ = p.cmd.Process.Signal(signal)
	<-p.dead
}

func (p *process) request(method, path, last string, body any) (*http.Response, error) {
	b, _ := json.Marshal(body)
	if body == nil {
		b = nil
	}
	r, err := http.NewRequest(method, p.url+path, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"sub": "m", "org": "o", "roles": []string{"owner"}, "aud": "steward", "exp": time.Now().Add(time.Hour).Unix(),
	}).SignedString([]byte(crashSecret))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "text/event-stream")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodGet && !strings.HasSuffix(path, "/events") {
		r.Header.Set("Accept", "application/json")
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	return http.DefaultClient.Do(r)
}

// follow reads a stream to its end and gives the last id and the terminal event, if one came.
func follow(res *http.Response) (last string, terminal map[string]any) {
	defer res.Body.Close()
	s := bufio.NewScanner(res.Body)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := s.Text()
		if v, ok := strings.CutPrefix(line, "id: "); ok {
			last = v
		}
		if v, ok := strings.CutPrefix(line, "data: "); ok {
			var ev map[string]any
			if json.Unmarshal([]byte(v), &ev) == nil && (ev["type"] == "RUN_FINISHED" || ev["type"] == "RUN_ERROR") {
				terminal = ev
			}
		}
	}
	return last, terminal
}

func outcome(terminal map[string]any) string {
	result, _ := terminal["result"].(map[string]any)
	s, _ := result["outcome"].(string)
	return s
}

// TestKilledAtAnyPoint kills the program with SIGKILL at random points of turns with tools. After a restart every
// conversation goes on or says that it was interrupted, takes the next message, and no call that has a result runs again.
func TestKilledAtAnyPoint(t *testing.T) {
	tries := 25
	if n, err := strconv.Atoi(os.Getenv("STEWARD_TEST_KILLS")); err == nil {
		tries = n
	}
	bin := buildProgram(t)
	storetest.EachURL(t, func(t *testing.T, database string) {
		var calls atomic.Int64
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls.Add(1)
			time.Sleep(3 * time.Millisecond)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"count":7}`)
		}))
		defer api.Close()
		script := modeltest.New(modeltest.Config{Script: func(r modeltest.Request) modeltest.Reply {
			if r.Round() == 1 || len(r.Results()) == 0 {
				return modeltest.Reply{Pace: 2 * time.Millisecond, Blocks: []modeltest.Block{
					modeltest.Say("Let ", "me ", "look."), modeltest.Call("shop-get_stock", map[string]any{"item": "a"}), modeltest.Call("shop-get_stock", map[string]any{"item": "b"}),
				}}
			}
			return modeltest.Reply{Pace: 2 * time.Millisecond, Blocks: []modeltest.Block{modeltest.Words(10)}}
		}})
		models := httptest.NewServer(script)
		defer models.Close()
		dir := t.TempDir()
		for name, text := range map[string]string{"steward.yaml": crashHost, "openapi.json": crashDocument} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p := &process{t: t, bin: bin, dir: dir, env: append(os.Environ(), "SECRET="+crashSecret, "ANTHROPIC_API_KEY=sk-test",
			"ANTHROPIC_BASE_URL="+models.URL, "SHOP_URL="+api.URL, "STEWARD_DATABASE_URL="+database)}
		p.start()
		random := rand.New(rand.NewPCG(7, 11))
		ends := map[string]int{}
		for try := range tries {
			conversation := id.New()
			go func() {
				time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
				_ = p.cmd.Process.Kill()
			}()
			last := ""
			res, err := p.request(http.MethodPost, "/v1/conversations/"+conversation+"/messages", "", map[string]string{"text": "How many?"})
			if err == nil {
				last, _ = follow(res)
			}
			<-p.dead
			p.start()
			terminal := p.settle(conversation, last)
			ends[outcome(terminal)]++
			switch o := outcome(terminal); o {
			case "completed", "interrupted", "never stored":
			default:
				t.Fatalf("try %d: ended %q: %v", try, o, terminal)
			}
			res, err = p.request(http.MethodPost, "/v1/conversations/"+conversation+"/messages", "", map[string]string{"text": "And now?"})
			if err != nil {
				t.Fatal(err)
			}
			if _, terminal := follow(res); outcome(terminal) != "completed" {
				t.Fatalf("try %d: the next turn: %v", try, terminal)
			}
			p.checkCalls(conversation)
		}
		t.Logf("ends: %v; %d reads of the API", ends, calls.Load())
		if r := script.Rejected(); len(r) > 0 {
			t.Errorf("the model refused %v", r)
		}
		begun := time.Now()
		p.stop(syscall.SIGTERM)
		if d := time.Since(begun); d > 2*time.Second {
			t.Errorf("stopping took %v", d)
		}
	})
}

// settle follows a conversation until its turn has ended.
func (p *process) settle(conversation, last string) map[string]any {
	p.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for time.Now().Before(deadline) {
		res, err := p.request(http.MethodGet, "/v1/conversations/"+conversation+"/events", last, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		if res.StatusCode == http.StatusNotFound { // killed before the message was on disk: nothing was acknowledged
			res.Body.Close()
			if last != "" {
				p.t.Fatalf("an acknowledged message is gone")
			}
			return map[string]any{"result": map[string]any{"outcome": "never stored"}}
		}
		id, terminal := follow(res)
		if id != "" {
			last = id
		}
		if outcome(terminal) != "" {
			return terminal
		}
	}
	p.t.Fatalf("the conversation is stuck")
	return nil
}

// checkCalls reads the conversation and finds every call ended.
func (p *process) checkCalls(conversation string) {
	p.t.Helper()
	res, err := p.request(http.MethodGet, "/v1/conversations/"+conversation, "", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	var view struct {
		State    string
		Messages []struct {
			Calls []struct{ ID, State string }
			Turn  *struct{ State string }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&view); err != nil {
		p.t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range view.Messages {
		if m.Turn != nil && m.Turn.State != "ended" {
			p.t.Errorf("a turn is %q", m.Turn.State)
		}
		for _, c := range m.Calls {
			if c.State != "succeeded" || seen[c.ID] {
				p.t.Errorf("call %s is %q", c.ID, c.State)
			}
			seen[c.ID] = true
		}
	}
	if view.State != "resting" {
		p.t.Errorf("the conversation is %q", view.State)
	}
}
