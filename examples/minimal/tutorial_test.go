package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/steward-assistant/steward/model/modeltest"
)

var update = flag.Bool("update", false, "write steward.yaml as the tutorial makes it")

var secret = strings.Repeat("tutorial", 5)

// edits are what the tutorial has its reader change in what steward init wrote.
var edits = [][2]string{
	{"        en: [show loans that are out]\n", "        en: [show loans that are out, who has what, what is overdue]\n" +
		"      table:\n        title: Loans\n        items: /loans\n        columns: {Tool: /tool, Who: /member, Due: /due}\n"},
	{"        en: [show tools]\n", "        en: [show tools, what can I borrow, \"which {kind} tools are there\"]\n"},
	{"  - text: Show loans that are out.\n", "  - text: Who has what?\n"},
}

// tutorial is the text that this package follows.
func tutorial(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// blocks are the tutorial's fenced texts of a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^ *```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(tutorial(t), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("the tutorial has no block of %s", language)
	}
	return out
}

// program is the real steward, built once for a test.
type program struct {
	t        *testing.T
	bin, dir string
	env      []string
}

// folder holds the program while the tests run.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "tutorial-"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(folder) // a temporary folder that stays is no failure
	os.Exit(status)
}

var built = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(folder, "steward")
	cmd := exec.Command("go", "build", "-o", bin, "../../cmd/steward")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, nil
})

func build(t *testing.T) *program {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, dir: t.TempDir(), bin: bin}
	for _, name := range []string{"openapi.json", "sitemap.xml"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Nothing of the machine's own keys and settings reaches the program.
	p.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TOOL_LIBRARY_TOKEN_SECRET=" + secret}
	return p
}

func (p *program) run(args ...string) (string, error) {
	cmd := exec.Command(p.bin, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (p *program) must(args ...string) string {
	p.t.Helper()
	out, err := p.run(args...)
	if err != nil {
		p.t.Fatalf("steward %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// edit changes steward.yaml as the tutorial says.
func (p *program) edit() string {
	p.t.Helper()
	name := filepath.Join(p.dir, "steward.yaml")
	b, err := os.ReadFile(name)
	if err != nil {
		p.t.Fatal(err)
	}
	text := string(b)
	for _, e := range edits {
		if !strings.Contains(text, e[0]) {
			p.t.Errorf("steward init did not write %q, which the tutorial edits", e[0])
		}
		text = strings.Replace(text, e[0], e[1], 1)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return text
}

// serve starts steward serve, and gives its address and what it said first.
func (p *program) serve(env ...string) (address, line string) {
	p.t.Helper()
	cmd := exec.Command(p.bin, "serve", "--addr", "127.0.0.1:0")
	cmd.Dir, cmd.Env = p.dir, append(append([]string{}, p.env...), env...)
	cmd.Env = append(cmd.Env, "STEWARD_DATABASE_URL=sqlite:"+filepath.Join(p.t.TempDir(), "steward.db"))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	line, err = bufio.NewReader(out).ReadString('\n')
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			p.t.Errorf("steward serve: %v\n%s", err, said.String())
		}
	})
	if err != nil {
		p.t.Fatalf("steward serve said nothing: %v", err)
	}
	address, _, _ = strings.Cut(line[strings.Index(line, "http://"):], ". ")
	return address, line
}

// browser is a member's browser at the product.
type browser struct {
	t      *testing.T
	home   string
	client *http.Client
}

// open starts the product in front of a steward, on an address that was known before, and signs Ada in.
func open(t *testing.T, p *httptest.Server, steward string, secret string) *browser {
	t.Helper()
	handler, err := newApp([]byte(secret), steward, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	p.Config.Handler = handler
	p.Start()
	t.Cleanup(p.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, home: p.URL, client: &http.Client{Jar: jar}}
	if status, body := b.do(http.MethodPost, "/login", "", url.Values{"member": {"Ada"}}); status != http.StatusOK || !strings.Contains(body, `token-url="/steward-token"`) {
		t.Fatalf("signed in: %d %s", status, body)
	}
	return b
}

func (b *browser) do(method, path, token string, in any) (int, string) {
	b.t.Helper()
	var body io.Reader
	kind := ""
	switch in := in.(type) {
	case nil:
	case url.Values:
		body, kind = strings.NewReader(in.Encode()), "application/x-www-form-urlencoded"
	default:
		raw, err := json.Marshal(in)
		if err != nil {
			b.t.Fatal(err)
		}
		body, kind = bytes.NewReader(raw), "application/json"
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.home+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Origin", b.home)
	r.Header.Set("Accept", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(out)
}

func (b *browser) token() string {
	b.t.Helper()
	status, body := b.do(http.MethodGet, "/steward-token", "", nil)
	var out struct{ Token string }
	if err := json.Unmarshal([]byte(body), &out); err != nil || out.Token == "" {
		b.t.Fatalf("no token: %d %s", status, body)
	}
	return out.Token
}

var conversations atomic.Int64

// ask sends a message as the widget does and gives what came back whole.
func (b *browser) ask(text string) string {
	b.t.Helper()
	path := fmt.Sprintf("/v1/conversations/00000000-0000-4000-8000-%012d/messages", conversations.Add(1))
	status, body := b.do(http.MethodPost, path, b.token(), map[string]string{"text": text})
	if status != http.StatusOK {
		b.t.Errorf("%s: %d %s", text, status, body)
	}
	return body
}

func has(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text[:min(len(text), 2000)])
		}
	}
}

// hasTold holds that the tutorial names what the product says.
func hasTold(t *testing.T, words string) {
	t.Helper()
	if !strings.Contains(tutorial(t), words) {
		t.Errorf("the tutorial does not name %q", words)
	}
}

// TestTutorial follows docs/tutorial.md from its first command to an answer of the guide and one of a model.
func TestTutorial(t *testing.T) {
	p := build(t)
	has(t, "steward init", p.must("init", "--spec", "openapi.json", "--sitemap", "sitemap.xml"), "Wrote steward.yaml for Tool Library: 3 reads (3 described), 2 writes not offered, 3 pages.")
	has(t, "steward check", p.must("check"), "No faults.")
	text := p.edit()
	has(t, "steward check", p.must("check"), "Role member: 5 actions", "No faults.")
	if *update {
		if err := os.WriteFile("steward.yaml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("steward.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != text {
		t.Errorf("steward.yaml is not what the tutorial makes; run go test ./examples/minimal -update and look at the difference")
	}
	for _, block := range blocks(t, "yaml") {
		if !strings.Contains(text, block) {
			t.Errorf("the tutorial shows what steward.yaml does not say:\n%s", block)
		}
	}

	t.Run("guide", func(t *testing.T) {
		p := &program{t: t, bin: p.bin, dir: p.dir, env: p.env}
		product := httptest.NewUnstartedServer(nil)
		steward, line := p.serve("TOOL_LIBRARY_URL=http://" + product.Listener.Addr().String() + "/api")
		has(t, "its first line", line, "No model's key is set: the guide answers, without a model.")
		ada := open(t, product, steward, secret)
		has(t, "who has what", ada.ask("Who has what?"), `"answers":"guide"`, `"outcome":"completed"`, "Ladder, 4 m", "Cleo", `"Who"`)
		has(t, "which garden tools", ada.ask("Which garden tools are there?"), "Wheelbarrow")
		has(t, "a page", ada.ask("Where are the loans?"), `"/loans"`)
		for _, path := range []string{"/steward.js", "/v1/status", "/tools/1", "/loans"} {
			if status, _ := ada.do(http.MethodGet, path, "", nil); status != http.StatusOK {
				t.Errorf("%s is %d", path, status)
			}
		}
	})
	t.Run("model", func(t *testing.T) {
		script := modeltest.New(modeltest.Config{Script: func(r modeltest.Request) modeltest.Reply {
			if len(r.Results()) == 0 {
				return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("loans-list", map[string]any{})}}
			}
			return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Cleo has the ladder, and it was due two days ago.")}}
		}})
		models := httptest.NewServer(script)
		defer models.Close()
		p := &program{t: t, bin: p.bin, dir: p.dir, env: p.env}
		product := httptest.NewUnstartedServer(nil)
		steward, line := p.serve("TOOL_LIBRARY_URL=http://"+product.Listener.Addr().String()+"/api", "ANTHROPIC_API_KEY=sk-test", "ANTHROPIC_BASE_URL="+models.URL)
		has(t, "its first line", line, "claude-sonnet-5 of anthropic answers.")
		ada := open(t, product, steward, secret)
		has(t, "the ladder", ada.ask("Who has the ladder?"), `"answers":"model"`, `"name":"loans.list"`, `"state":"succeeded"`, "Cleo has the ladder, and it was due two days ago.")
		if refused := script.Rejected(); len(refused) > 0 {
			t.Errorf("the model refused %v", refused)
		}
	})
}
