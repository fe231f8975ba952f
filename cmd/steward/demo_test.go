package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/examples/gym"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/model/modeltest"
)

// demo runs the command as a person would and gives the address that it prints.
func demo(t *testing.T, args []string, env map[string]string) (url, errors string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, append([]string{"demo", "gym", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, args...), &terminal{
			out: in, err: &stderr, env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		})
		in.Close()
	}()
	t.Cleanup(func() {
		begun := time.Now()
		cancel()
		if status := <-done; status != 0 {
			t.Errorf("exit status %d: %s", status, stderr.String())
		}
		if d := time.Since(begun); d > 2*time.Second {
			t.Errorf("stopping took %v", d)
		}
	})
	line := make([]byte, 4096)
	n, err := out.Read(line)
	if err != nil {
		t.Fatalf("the demo said nothing: %s", stderr.String())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	for word := range strings.FieldsSeq(string(line[:n])) {
		if strings.HasPrefix(word, "http://") {
			return word, stderr.String()
		}
	}
	t.Fatalf("no address in %q", line[:n])
	return "", ""
}

func get(t *testing.T, url string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func token(t *testing.T, url, query string) string {
	t.Helper()
	_, body := get(t, url+"/session/token?"+query)
	var out struct{ Token string }
	if err := json.Unmarshal([]byte(body), &out); err != nil || out.Token == "" {
		t.Fatalf("token for %q: %s", query, body)
	}
	return out.Token
}

func ask(t *testing.T, url, token, text string) map[string]any {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"text": text})
	r, err := http.NewRequest(http.MethodPost, url+"/v1/conversations/"+id.New()+"/messages", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDemo(t *testing.T) {
	url, warned := demo(t, nil, map[string]string{"STEWARD_NATS_URL": "nats://x", "OPENAI_BASE_URL": "https://gateway.example/v1"})
	if !strings.Contains(warned, "STEWARD_NATS_URL") || strings.Contains(warned, "OPENAI_BASE_URL") {
		t.Errorf("of what is set, just what has no effect is named: %q", warned)
	}
	status, page := get(t, url+"/")
	if status != http.StatusOK || !strings.Contains(page, "<steward-assistant") || !strings.Contains(page, `src="/steward.js"`) {
		t.Errorf("/ is %d without the element", status)
	}
	if status, _ := get(t, url+"/steward.js"); status != http.StatusOK {
		t.Errorf("/steward.js is %d", status)
	}
	if status, body := get(t, url+"/session/token?as=janitor&org=1"); status != http.StatusBadRequest || !strings.Contains(body, "owner") {
		t.Errorf("an unknown role is %d: %s", status, body)
	}
	for _, header := range [][]string{{"Host", "evil.example"}, {"Origin", "http://evil.example"}} {
		if status, _ := get(t, url+"/", header...); status != http.StatusForbidden {
			t.Errorf("%v is %d", header, status)
		}
	}
	if status, body := get(t, url+"/v1/contract", "Authorization", "Bearer "+token(t, url, "as=member&org=1")); status != http.StatusForbidden {
		t.Errorf("a member is not shut out: %d %s", status, body)
	}
	got := ask(t, url, token(t, url, "as=owner&org=1"), "Who is booked tomorrow at 18:00?")
	if got["answers"] != "guide" || got["outcome"] != "completed" || !strings.Contains(got["text"].(string), "18:00") {
		t.Errorf("the guide said %v", got["text"])
	}
}

// TestDemoWithAKey has a model answer in the demo with nothing set but a key and where its vendor is.
func TestDemoWithAKey(t *testing.T) {
	for vendor, path := range map[string]string{"ANTHROPIC": "", "OPENAI": "/v1"} {
		t.Run(vendor, func(t *testing.T) {
			script := modeltest.New(modeltest.Config{Script: func(r modeltest.Request) modeltest.Reply {
				return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Nobody yet.")}}
			}})
			models := httptest.NewServer(script)
			defer models.Close()
			url, _ := demo(t, nil, map[string]string{vendor + "_API_KEY": "sk-x", vendor + "_BASE_URL": models.URL + path})
			got := ask(t, url, token(t, url, "as=owner&org=1"), "Who is booked tomorrow at 18:00?")
			if got["answers"] != "model" || got["text"] != "Nobody yet." {
				t.Errorf("got %v of %v", got["text"], got["answers"])
			}
			if r := script.Rejected(); len(r) > 0 {
				t.Errorf("the model refused %v", r)
			}
		})
	}
}

func TestDemoSwitches(t *testing.T) {
	t.Run("agent off", func(t *testing.T) {
		url, _ := demo(t, nil, map[string]string{"STEWARD_AGENT_ENABLED": "0", "ANTHROPIC_API_KEY": "sk-x"})
		if _, body := get(t, url+"/v1/status"); !strings.Contains(body, `"guideReason":"agent_off"`) {
			t.Errorf("status %s", body)
		}
	})
	t.Run("disabled", func(t *testing.T) {
		url, _ := demo(t, nil, map[string]string{"STEWARD_DISABLED": "1"})
		if got := ask(t, url, token(t, url, "as=owner&org=1"), "hi"); got["code"] != "agent_disabled" {
			t.Errorf("got %v", got)
		}
	})
}

func TestDemoStaysHere(t *testing.T) {
	var stderr bytes.Buffer
	status := run(t.Context(), []string{"demo", "--addr", "0.0.0.0:0"}, &terminal{out: io.Discard, err: &stderr, env: os.LookupEnv})
	if status != 1 || !strings.Contains(stderr.String(), "--allow-remote") {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}

// TestServiceAuthority has the gym take Steward's own statement about the member in place of the member's token.
func TestServiceAuthority(t *testing.T) {
	secret, audience := strings.Repeat("g", 40), "steward-test"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	origin := "http://" + listener.Addr().String()
	files := fstest.MapFS{}
	for _, name := range []string{"steward.yaml", "openapi.json"} {
		b, err := fs.ReadFile(gym.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: bytes.Replace(b, []byte("authority: forward"), []byte("authority: service"), 1)}
	}
	cfg, faults := config.Load(files, "steward.yaml", func(name string) (string, bool) {
		v, ok := map[string]string{"GYM_TOKEN_SECRET": secret, "GYM_URL": origin}[name]
		return v, ok
	})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	cfg.Identity.Audience = audience
	product, err := gym.New(t.Context(), gym.Config{
		Dir: t.TempDir(), Secret: []byte(secret), Audience: audience,
		StewardKeys: gym.KeysFromURL(origin+"/.well-known/steward/jwks.json", nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer product.Close()
	server, err := steward.New(t.Context(), cfg, steward.WithDatabase("sqlite:"+t.TempDir()+"/s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(context.WithoutCancel(t.Context()))
	mux := http.NewServeMux()
	mux.Handle("/", product)
	for _, pattern := range steward.Routes() {
		mux.Handle(pattern, server)
	}
	web := &httptest.Server{Listener: listener, Config: &http.Server{Handler: mux}}
	web.Start()
	defer web.Close()
	got := ask(t, origin, token(t, origin, "as=staff&org=2"), "Who is booked tomorrow at 18:00?")
	b, _ := json.Marshal(got["messages"])
	if !strings.Contains(string(b), `"state":"succeeded"`) {
		t.Errorf("the read did not run: %s", b)
	}
}
