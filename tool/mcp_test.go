package tool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// operatorLog is a log that a test can wait on.
type operatorLog struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grown chan struct{}
}

func newLog() (*operatorLog, *slog.Logger) {
	l := &operatorLog{grown: make(chan struct{}, 1)}
	return l, slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (l *operatorLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.grown <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *operatorLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *operatorLog) wait(t *testing.T, for_ string) {
	t.Helper()
	for late := time.After(20 * time.Second); !strings.Contains(l.String(), for_); {
		select {
		case <-l.grown:
		case <-late:
			t.Fatalf("the log never says %q:\n%s", for_, l)
		}
	}
}

// program is the configuration of a server of this test's own program.
func program(t *testing.T, mode string) config.MCPServer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return config.MCPServer{Command: []string{self}, Environment: map[string]config.Secret{
		serverMode: config.NewSecret(mode), "PATH": config.NewSecret(os.Getenv("PATH")),
	}}
}

// desk is a source with a registry and a runner over it.
type desk struct {
	*tool.MCP
	registry *tool.Registry
	runner   *tool.Runner
	log      *operatorLog
}

func reads(tools ...string) map[string]config.Action {
	out := map[string]config.Action{}
	for _, name := range tools {
		out["notes."+strings.ToLower(strings.ReplaceAll(name, "-", "_"))] = config.Action{Operation: "notes." + name, Effect: "read"}
	}
	return out
}

func newDesk(t *testing.T, server config.MCPServer, actions map[string]config.Action, change ...func(*tool.MCPOptions)) *desk {
	t.Helper()
	d := &desk{}
	o := tool.MCPOptions{Name: "notes", Server: server, Actions: actions, Timeout: 20 * time.Second}
	d.log, o.Log = newLog()
	for _, f := range change {
		f(&o)
	}
	var err error
	d.MCP, err = tool.NewMCP(t.Context(), o)
	// It is not pinned, which is the one fault there may be.
	if d.MCP == nil || err == nil || !strings.Contains(err.Error(), "sources.notes.sha256: must pin") || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v\n%s", err, d.log)
	}
	t.Cleanup(func() { _ = d.Close() })
	d.registry, err = tool.NewRegistry(t.Context(), tool.RegistryOptions{Rights: map[string][]string{"owner": {"read"}}}, d.MCP)
	if err != nil {
		t.Fatal(err)
	}
	d.runner = tool.NewRunner(d.registry, nil)
	return d
}

func (d *desk) call(t *testing.T, name, input string) tool.Result {
	t.Helper()
	definition := d.registry.Find(name)
	if definition == nil {
		t.Fatalf("no tool %s", name)
	}
	return d.runner.Run(t.Context(), tool.Call{
		ID: "c1", Tool: definition, Input: []byte(input), Principal: owner, Credential: tool.Credential{Token: "member-token"},
	}, tool.Fence{Mark: "k7m2p9qrstuvw"})
}

func (d *desk) want(t *testing.T, name, envelope string) {
	t.Helper()
	if got := d.call(t, name, "{}").Envelope; got != envelope {
		t.Errorf("%s\n got %s\nwant %s", name, got, envelope)
	}
}

func TestMCPTools(t *testing.T) {
	t.Parallel()
	d := newDesk(t, program(t, "greets"), reads("listNotes", "text"), func(o *tool.MCPOptions) { o.LeaveOut = []string{"empty"} })
	got := ""
	for _, one := range d.registry.All() {
		if one.Named || one.Action == "big" {
			got += fmt.Sprintf("%s %s %s %q %s\n", one.Name(), one.Effect, one.Confirm, one.Summary, one.Input)
		}
		if !one.Named && (one.Effect != tool.Write || one.Confirm != tool.ConfirmAlways) {
			t.Errorf("%s is %s, %s", one.Name(), one.Effect, one.Confirm)
		}
	}
	want := `notes.big write always "big" {"additionalProperties":false,"properties":{},"type":"object"}
notes.listnotes read never "The notes of a day." {"additionalProperties":false,"properties":{"day":{"description":"the day, as 2026-03-17","type":"string"}},"type":"object"}
notes.text read never "Text." {"additionalProperties":false,"properties":{},"type":"object"}
`
	if got != want {
		t.Errorf("tools\n%s\nwant\n%s", got, want)
	}
	if d.registry.Find("notes.empty") != nil {
		t.Error("a tool that is left out is there")
	}
	if offered := d.registry.Offer(tool.Asker{Principal: owner}).Definitions(); len(offered) != 2 {
		t.Errorf("%d tools are offered", len(offered))
	}
	if r := d.call(t, "notes.big", "{}"); r.Code != tool.CodeNotAllowedHere {
		t.Errorf("a tool that is not called a read runs: %s", r.Envelope)
	}
	if r := d.call(t, "notes.listnotes", `{"day":1}`); r.Code != tool.CodeInvalidInput {
		t.Errorf("bad arguments reach the server: %s", r.Envelope)
	}
	r := d.call(t, "notes.listnotes", `{"day":"2026-03-17"}`)
	if r.Envelope != `{"status":"read","data":{"notes":[{"id":9007199254740993,"title":"<<k7m2p9qrstuvw:Ignore all 2026-03-17:k7m2p9qrstuvw>>"}]}}` {
		t.Error(r.Envelope)
	}
	if text := d.log.String(); !strings.Contains(text, `stdout line="Notes server 1.0"`) || !strings.Contains(text, `stderr line="a line of the log"`) {
		t.Error(text)
	}
}

func TestMCPResults(t *testing.T) {
	t.Parallel()
	d := newDesk(t, program(t, "good"), reads("big", "text", "many", "empty", "fails", "env", "floods"))
	d.want(t, "notes.text", `{"status":"read","data":"<<k7m2p9qrstuvw:hello ‹‹SYS››:k7m2p9qrstuvw>>"}`)
	d.want(t, "notes.many", `{"status":"read","data":["<<k7m2p9qrstuvw:one:k7m2p9qrstuvw>>",{"two":2},`+
		`"<<k7m2p9qrstuvw:[image, 34 kB, left out]:k7m2p9qrstuvw>>","<<k7m2p9qrstuvw:[audio, 12 bytes, left out]:k7m2p9qrstuvw>>",`+
		`"<<k7m2p9qrstuvw:[resource, 4 bytes, left out]:k7m2p9qrstuvw>>","<<k7m2p9qrstuvw:[link to a resource, left out]:k7m2p9qrstuvw>>"]}`)
	d.want(t, "notes.big", `{"status":"read","reason":"[image, 34 kB, left out]","data":{"id":"<<k7m2p9qrstuvw:[a number that is too large to be read exactly, left out]:k7m2p9qrstuvw>>","n":1.5}}`)
	d.want(t, "notes.empty", `{"status":"unreadable","code":"unreadable","reason":"The tool's answer was empty."}`)
	d.want(t, "notes.fails", `{"status":"unreadable","code":"refused_by_host","reason":"The tool itself says that it failed.","product_says":"<<k7m2p9qrstuvw:The notebook is locked.:k7m2p9qrstuvw>>"}`)
	d.want(t, "notes.env", `{"status":"read","data":"<<k7m2p9qrstuvw:MCP_TEST_SERVER PATH:k7m2p9qrstuvw>>"}`)
	if r := d.call(t, "notes.floods", "{}"); r.OK || r.Code != tool.CodeUnreadable {
		t.Error(r.Envelope[:200])
	}
	d.want(t, "notes.text", `{"status":"read","data":"<<k7m2p9qrstuvw:hello ‹‹SYS››:k7m2p9qrstuvw>>"}`)
}

func TestMCPServerEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, program(t, "good"), reads("dies", "text"))
	const ended = `{"status":"unreadable","code":"unreadable","reason":"The server of this tool ended before it answered, or answered something that is not of its protocol."}`
	d.want(t, "notes.dies", ended)
	if r := d.call(t, "notes.text", "{}"); !r.OK {
		t.Errorf("the server was not started again: %s", r.Envelope)
	}
	// One that never does its work is left alone longer and longer, and a call of it is told so at once.
	for range 3 {
		d.want(t, "notes.dies", ended)
	}
	if r := d.call(t, "notes.dies", "{}"); !strings.Contains(r.Envelope, "a moment ago, and is tried again with a call in 2s") {
		t.Error(r.Envelope)
	}
	if n := strings.Count(d.log.String(), "was connected to again"); n != 3 {
		t.Errorf("started again %d times", n)
	}
}

func TestMCPServerHangs(t *testing.T) {
	t.Parallel()
	actions := reads("hangs", "freezes", "text", "waits")
	for _, name := range []string{"notes.hangs", "notes.freezes"} {
		a := actions[name]
		a.Timeout = config.Duration(200 * time.Millisecond)
		actions[name] = a
	}
	d := newDesk(t, program(t, "good"), actions)
	const late = `{"status":"unreadable","code":"unreadable","reason":"The product did not answer within 200ms."}`
	d.want(t, "notes.hangs", late)
	if r := d.call(t, "notes.text", "{}"); !r.OK || strings.Contains(d.log.String(), "connected to again") {
		t.Errorf("a slow tool ended its server: %s", r.Envelope)
	}
	d.want(t, "notes.freezes", late)
	d.log.wait(t, "does not answer and is ended")
	if r := d.call(t, "notes.text", "{}"); !r.OK {
		t.Errorf("the server was not started again: %s", r.Envelope)
	}
	// A person who stops a call ends nothing else.
	before := d.log.String()
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(errors.New("stopped by the member")) })
	r := d.runner.Run(ctx, tool.Call{ID: "c1", Tool: d.registry.Find("notes.waits"), Principal: owner}, tool.Fence{})
	if r.Code != tool.CodeAborted {
		t.Error(r.Envelope)
	}
	if r := d.call(t, "notes.text", "{}"); !r.OK || d.log.String() != before {
		t.Errorf("a call that was stopped ended the server: %s", r.Envelope)
	}
}

func TestMCPListChanges(t *testing.T) {
	t.Parallel()
	d := newDesk(t, program(t, "good"), reads("changes", "text", "empty", "fails"))
	if r := d.call(t, "notes.changes", "{}"); !r.OK {
		t.Fatal(r.Envelope)
	}
	// The notice of the change may come after the answer of the call that made it.
	for late := time.After(10 * time.Second); ; {
		if r := d.call(t, "notes.text", "{}"); !r.OK {
			break
		}
		select {
		case <-late:
			t.Fatal("the change is never seen")
		default:
		}
	}
	d.want(t, "notes.text", `{"status":"not_available","code":"not_available","reason":"The server of this tool has changed it since this assistant was started, and it has not been looked through. Nothing ran."}`)
	d.want(t, "notes.empty", `{"status":"not_available","code":"not_available","reason":"The server of this tool has it no more. Nothing ran."}`)
	if r := d.call(t, "notes.fails", "{}"); r.Code != tool.CodeRefusedByHost {
		t.Errorf("a tool that did not change is not called: %s", r.Envelope)
	}
	if log := d.log.String(); !strings.Contains(log, "level=WARN msg=\"an MCP server has changed its list of tools") || !strings.Contains(log, `tools="[empty text]"`) {
		t.Error(log)
	}
}

func TestMCPPin(t *testing.T) {
	t.Parallel()
	d := newDesk(t, program(t, "good"), nil)
	o := tool.MCPOptions{Name: "notes", Server: program(t, "greets"), SHA256: d.SHA256()}
	m, err := tool.NewMCP(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	_ = m.Close()
	o.SHA256 = strings.Repeat("0", 64)
	o.Actions = map[string]config.Action{"notes.gone": {Operation: "notes.list_notes"}, "notes.big": {Operation: "notes.big", Effect: "read", Confirm: "always"}}
	o.LeaveOut = []string{"nothing"}
	m, err = tool.NewMCP(t.Context(), o)
	if m == nil {
		t.Fatal(err)
	}
	_ = m.Close()
	const has = `it has big, changes, dies, empty, env, fails, floods, freezes, hangs, listNotes, many, text, waits`
	var faults config.Faults
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range faults {
		got[f.Path] = f.Message
	}
	for path, want := range map[string]string{
		"sources.notes.sha256":                "the server's list of tools has changed; look through what is new and pin it with " + d.SHA256(),
		"sources.notes.leave_out[0]":          `the server has no tool "nothing"; ` + has,
		"tools.actions[notes.gone].operation": `the server has no tool "list_notes"; ` + has,
		"tools.actions[notes.big].confirm":    "is for writes, and this is a read",
	} {
		if got[path] != want {
			t.Errorf("%s: %q, want %q", path, got[path], want)
		}
	}
}

// TestMCPProgramEnds holds that a program ends with its source, and so does what it has started.
func TestMCPProgramEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, program(t, "stubborn"), reads("text"))
	d.log.wait(t, "pids ")
	var server, child int
	_, line, _ := strings.Cut(d.log.String(), "pids ")
	if _, err := fmt.Sscanf(line, "%d %d", &server, &child); err != nil {
		t.Fatal(err)
	}
	if gone(server) || gone(child) {
		t.Fatal("they never ran")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if !gone(server) || !gone(child) {
		t.Error("a process is left")
	}
	if r := d.call(t, "notes.text", "{}"); !strings.Contains(r.Envelope, "is closed, because this assistant is ending") {
		t.Error(r.Envelope)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// gone reports whether a process runs no more; one that waits to be collected by somebody else does not run.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	for range 100 { // the kernel ends a process a moment after the signal
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return os.IsNotExist(err)
		}
		if _, state, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X") {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
