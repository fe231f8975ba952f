package tool_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// everything gives the reference server of the protocol's own project, as "npm --prefix test/mcp ci" installs it.
func everything(t *testing.T) (node, script string) {
	t.Helper()
	script, err := filepath.Abs("../test/mcp/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if err == nil {
		_, err = os.Stat(script)
	}
	if err == nil {
		node, err = exec.LookPath("node")
	}
	switch {
	case err == nil:
		return node, script
	case os.Getenv("CI") == "true":
		t.Fatal("the reference MCP server is missing: npm --prefix test/mcp ci")
	default:
		t.Skip("the reference MCP server is missing: npm --prefix test/mcp ci")
	}
	return "", ""
}

func TestMCPEverything(t *testing.T) {
	t.Parallel()
	node, script := everything(t)
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, config.MCPServer{Command: []string{node, script, "stdio"}, Environment: map[string]config.Secret{"PATH": config.NewSecret(os.Getenv("PATH"))}}, everythingActions())
		everythingWorks(t, d)
		// The server is killed while a call runs.
		done := make(chan tool.Result, 1)
		go func() { done <- d.call(t, "every.operation", `{"duration":30,"steps":30}`) }()
		killed := false
		for late := time.After(20 * time.Second); !killed; {
			select {
			case <-late:
				t.Fatal("no child is found")
			default:
				killed = killChild(t, script)
			}
		}
		if r := <-done; r.OK || !strings.Contains(r.Envelope, "ended before it answered") && !strings.Contains(r.Envelope, "did not answer within 1s") {
			t.Error(r.Envelope)
		}
		if r := d.call(t, "every.echo", `{"message":"again"}`); !r.OK {
			t.Errorf("it was not started again: %s", r.Envelope)
		}
	})
	t.Run("streamable HTTP", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := l.Addr().String()
		_ = l.Close()
		start := func() (stop func()) {
			cmd := exec.Command(node, script, "streamableHttp")
			cmd.Env = append(os.Environ(), "PORT="+address[strings.LastIndexByte(address, ':')+1:])
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for late := time.Now().Add(30 * time.Second); ; {
				r, err := http.Get("http://" + address + "/mcp")
				if err == nil {
					_ = r.Body.Close()
					break
				}
				if time.Now().After(late) {
					t.Fatal("the reference server does not listen")
				}
				time.Sleep(20 * time.Millisecond)
			}
			return func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
		}
		stop := start()
		t.Cleanup(func() { stop() })
		d := newDesk(t, config.MCPServer{URL: "http://" + address + "/mcp"}, everythingActions())
		everythingWorks(t, d)
		stop()
		if r := d.call(t, "every.echo", `{"message":"anybody"}`); r.OK || r.Code != tool.CodeUnreadable {
			t.Errorf("nobody answered: %s", r.Envelope)
		}
		stop = start()
		for late := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			r := d.call(t, "every.echo", `{"message":"again"}`)
			if r.OK {
				break
			}
			if time.Now().After(late) {
				t.Fatalf("it was not connected to again: %s\n%s", r.Envelope, d.log)
			}
		}
	})
}

func everythingActions() map[string]config.Action {
	read := func(tool string) config.Action { return config.Action{Operation: "notes." + tool, Effect: "read"} }
	slow := read("trigger-long-running-operation")
	slow.Timeout = config.Duration(time.Second)
	return map[string]config.Action{
		"every.echo": read("echo"), "every.sum": read("get-sum"), "every.image": read("get-tiny-image"),
		"every.weather": read("get-structured-content"), "every.operation": slow, "every.links": read("get-resource-links"),
	}
}

func everythingWorks(t *testing.T, d *desk) {
	t.Helper()
	if n := len(d.registry.All()); n < 8 {
		t.Errorf("%d tools", n)
	}
	for _, absent := range []string{"get_roots_list", "trigger_sampling_request", "trigger_elicitation_request"} {
		if d.registry.Find("notes."+absent) != nil {
			t.Errorf("the server was told that it may use us for %s", absent)
		}
	}
	for _, c := range []struct{ name, input, want string }{
		{"every.echo", `{"message":"hello"}`, `{"status":"read","data":"<<k7m2p9qrstuvw:Echo: hello:k7m2p9qrstuvw>>"}`},
		{"every.sum", `{"a":2,"b":3}`, `{"status":"read","data":"<<k7m2p9qrstuvw:The sum of 2 and 3 is 5.:k7m2p9qrstuvw>>"}`},
		{"every.operation", `{"duration":10,"steps":5}`, `{"status":"unreadable","code":"unreadable","reason":"The product did not answer within 1s."}`},
	} {
		if got := d.call(t, c.name, c.input).Envelope; got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if r := d.call(t, "every.image", "{}"); !strings.Contains(r.Envelope, "[image, ") || len(r.Envelope) > 1000 {
		t.Error(r.Envelope)
	}
	if r := d.call(t, "every.weather", `{"location":"Chicago"}`); !r.OK || !strings.Contains(r.Envelope, `"temperature":`) {
		t.Error(r.Envelope)
	}
	if r := d.call(t, "every.links", `{"count":2}`); !r.OK || !strings.Contains(r.Envelope, "[link to a resource, left out]") {
		t.Error(r.Envelope)
	}
	if r := d.call(t, "every.sum", `{"a":"two","b":3}`); r.Code != tool.CodeInvalidInput {
		t.Error(r.Envelope)
	}
}

// killChild kills the process of ours that runs the script.
func killChild(t *testing.T, script string) bool {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		line, err := os.ReadFile(dir + "/cmdline")
		if err != nil || !strings.Contains(string(line), script+"\x00stdio") {
			continue
		}
		stat, err := os.ReadFile(dir + "/stat")
		_, rest, _ := strings.Cut(string(stat), ") ")
		if err != nil || !strings.HasPrefix(strings.Join(strings.Fields(rest)[1:2], ""), fmt.Sprint(os.Getpid())) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(dir), "%d", &pid); err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		return err == nil && p.Kill() == nil
	}
	return false
}
