package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/model/modeltest"
)

// TestEveryWire has the program answer over each wire, with a call of a tool in between, from the host's file and the
// operator's environment alone.
func TestEveryWire(t *testing.T) {
	const chat, openrouter = modeltest.WireChat, "OPENROUTER_API_KEY=sk-x WHERE={models}/v1 STEWARD_MODEL=a/b"
	for _, c := range []struct {
		name, models, env string
		wire              modeltest.Wire
		says              string
	}{
		{"anthropic", "", "ANTHROPIC_API_KEY=sk-x ANTHROPIC_BASE_URL={models}", modeltest.WireMessages, "claude-sonnet-5 of anthropic answers."},
		{"openai", "", "OPENAI_API_KEY=sk-x OPENAI_BASE_URL={models}/v1", modeltest.WireResponses, "gpt-5.6-terra of openai answers."},
		{"openai over chat", "models: {providers: {openai: {wire: openai_chat}}, loop: {model: gpt-5.2}}", "OPENAI_API_KEY=sk-x OPENAI_BASE_URL={models}/v1", chat, "gpt-5.2 of openai answers."},
		{"openrouter", "models: {providers: {openrouter: {base_url_env: WHERE}}}", openrouter, chat, "a/b of openrouter answers."},
		{"a server of one's own", "models: {providers: {local: {wire: openai_chat, keyless: true, base_url_env: WHERE}}, loop: {provider: local, model: m}}", "WHERE={models}/v1 ANTHROPIC_API_KEY=sk-y", chat, "m of local answers."},
		{"in one piece", "models: {providers: {openrouter: {base_url_env: WHERE, without: [streams, strict]}}}", openrouter, chat, "a/b of openrouter answers."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls atomic.Int64
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"count":7}`)
			}))
			defer api.Close()
			script := modeltest.New(modeltest.Config{Keyless: strings.Contains(c.models, "keyless"), Script: func(r modeltest.Request) modeltest.Reply {
				if r.Wire != c.wire {
					t.Errorf("asked over %s, want %s", r.Wire, c.wire)
				}
				if len(r.Results()) == 0 {
					return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("shop-get_stock", map[string]any{"item": "a"})}}
				}
				return modeltest.Reply{Pace: 20 * time.Millisecond, Blocks: []modeltest.Block{modeltest.Say("There ", "are ", "seven.")}}
			}})
			models := httptest.NewServer(script)
			defer models.Close()

			host := strings.Replace(crashHost, crashModels, c.models, 1)
			env := "SECRET=" + crashSecret + " SHOP_URL=" + api.URL + " STEWARD_DATABASE_URL=sqlite:" + t.TempDir() + "/s.db " +
				strings.ReplaceAll(c.env, "{models}", models.URL)
			line, url := serveHost(t, host, env)
			if !strings.HasSuffix(line, " "+c.says) {
				t.Errorf("it says %q, want %q", line, c.says)
			}
			p := &process{t: t, url: url}
			res, err := p.request(http.MethodPost, "/v1/conversations/"+id.New()+"/messages", "", map[string]string{"text": "How many?"})
			if err != nil {
				t.Fatal(err)
			}
			var stream strings.Builder
			res.Body = io.NopCloser(io.TeeReader(res.Body, &stream))
			_, terminal := follow(res)
			result, _ := terminal["result"].(map[string]any)
			if outcome(terminal) != "completed" || !strings.Contains(fmt.Sprint(result), "There are seven.") || calls.Load() != 1 {
				t.Errorf("%d calls, and in the end %v", calls.Load(), terminal)
			}
			if n := strings.Count(stream.String(), `"TEXT_MESSAGE_CONTENT"`); n == 0 || n == 1 && c.name != "in one piece" {
				t.Errorf("the text came in %d pieces", n)
			}
			if r := script.Rejected(); len(r) > 0 {
				t.Errorf("the model refused %v", r)
			}
		})
	}
}

// serveHost serves a host's file in this process and gives the line that is printed and the address in it.
func serveHost(t *testing.T, host, env string) (line, url string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"steward.yaml": host, "openapi.json": crashDocument} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set := map[string]string{}
	for word := range strings.FieldsSeq(env) {
		name, value, _ := strings.Cut(word, "=")
		set[name] = value
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var stderr strings.Builder
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve", "--config", filepath.Join(dir, "steward.yaml"), "--addr", "127.0.0.1:0"}, &terminal{
			out: in, err: &stderr, env: func(name string) (string, bool) { v, ok := set[name]; return v, ok },
		})
		in.Close()
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			t.Error("it does not stop")
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it said nothing: %s", stderr.String())
	}
	line = strings.TrimSpace(line)
	for word := range strings.FieldsSeq(line) {
		if strings.HasPrefix(word, "http://") {
			return line, strings.TrimSuffix(word, ".")
		}
	}
	t.Fatalf("no address in %q", line)
	return "", ""
}
