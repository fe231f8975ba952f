package tool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/steward-assistant/steward/config"
)

// MCPOptions describes an [MCP] source.
type MCPOptions struct {
	// Name is the source's name in the host's file.
	Name string
	// Server is the program to start or the address to speak with.
	Server config.MCPServer
	// SHA256 is the pin of the list of tools, as [MCP.SHA256] gives it; another list is a fault. Empty: a fault too, which
	// names the pin.
	SHA256 string
	// Actions are the host's own descriptions of this source's tools, by tool name.
	Actions map[string]config.Action
	// LeaveOut lists tools of the server that are not imported.
	LeaveOut []string
	// Transport carries what is sent to an address; nil takes one of the source's own, which uses no proxy. Redirects are
	// never followed.
	Transport http.RoundTripper
	// Timeout is how long a start, with the list of tools, may take. Zero: 10 s.
	Timeout time.Duration
	// Log is the operator's log; nil: none. What a server says is in it at the level debug, and never at another.
	Log *slog.Logger
	// Now is the clock; nil: the system's.
	Now func() time.Time
	// Fault makes a fault at a place of the host's file, as [config.Config.Fault] does; nil: without a place.
	Fault func(path, message string) config.Fault
}

// defaultMCPTimeout is how long a server may take to start and to list its tools.
const defaultMCPTimeout = 10 * time.Second

// MCP is a source whose tools are those of a server of the Model Context Protocol. Each is a write, whatever the server
// says of it, unless the host's file calls it a read. The definitions are those of the start for as long as the source
// lives: a tool that the server has changed since is not called. A server that ends or hangs is an error result, and is
// started or connected to again by a later call. No credential of a member ever reaches it. Safe for concurrent use;
// whoever made it closes it.
type MCP struct {
	options     MCPOptions
	digest      string
	definitions []Definition
	pins        map[string]string // tool → digest of what it was at the start

	// work are the goroutines that Close waits for; end ends them, and bound makes a context that ends with them.
	work  sync.WaitGroup
	end   context.CancelCauseFunc
	bound func(context.Context) (context.Context, context.CancelFunc)

	mu       sync.Mutex
	closed   bool
	session  *mcpSession
	attempt  *mcpAttempt
	attempts int       // since the last call that was answered
	retryAt  time.Time // when a server that does not stay may be started again
	lastErr  error
	changed  map[string]string // tool → why it is not called any more
}

var _ Source = (*MCP)(nil)

// NewMCP connects to a server and lists its tools. What is wrong with the host's file, the server or the pin is a
// [config.Faults]; the source is then given too where its tools could be listed, so that a check can go on.
func NewMCP(ctx context.Context, o MCPOptions) (*MCP, error) {
	if o.Fault == nil {
		o.Fault = func(path, message string) config.Fault { return config.Fault{Path: path, Message: message} }
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultMCPTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = systemClock
	}
	life, end := context.WithCancelCause(context.WithoutCancel(ctx))
	m := &MCP{
		options: o, changed: map[string]string{}, end: end,
		bound: func(ctx context.Context) (context.Context, context.CancelFunc) { return joined(ctx, life) },
	}
	path := config.Path("sources", o.Name)
	tools, err := m.begin(ctx)
	if err != nil {
		_ = m.Close() // it never fails
		if ctx.Err() != nil {
			return nil, fmt.Errorf("open source %q: %w", o.Name, context.Cause(ctx))
		}
		return nil, config.Faults{o.Fault(path+".mcp", "the server "+failureOf(err, o.Timeout))}
	}
	m.digest, m.pins = pinTools(tools)
	faults := m.define(tools)
	switch o.SHA256 {
	case m.digest:
	case "":
		faults = append(faults, o.Fault(path+".sha256", fmt.Sprintf("must pin the server's list of tools, so that it cannot change unseen; look through its %d tools and set %s", len(tools), m.digest)))
	default:
		faults = append(faults, o.Fault(path+".sha256", "the server's list of tools has changed; look through what is new and pin it with "+m.digest))
	}
	return m, faults.Sort().Err()
}

// begin makes the first session, within the time of a start.
func (m *MCP) begin(ctx context.Context) ([]*mcp.Tool, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, m.options.Timeout, errTimeout)
	defer cancel()
	session, err := m.dial(ctx)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	m.session, m.attempts = session, 1
	m.mu.Unlock()
	return session.list(ctx)
}

// Name is the source's name in the host's file.
func (m *MCP) Name() string { return m.options.Name }

// SHA256 is the pin of the list of tools as it was at the start, in hexadecimal.
func (m *MCP) SHA256() string { return m.digest }

// Definitions lists the tools, sorted by name.
func (m *MCP) Definitions(context.Context) ([]Definition, error) {
	return slices.Clone(m.definitions), nil
}

// Run calls the tool. What the server refuses, fails at or answers unreadably is a result; an error is the end of ctx or
// a fault of ours.
func (m *MCP) Run(ctx context.Context, call Call) (Result, error) {
	name, ours := strings.CutPrefix(call.Tool.Operation, m.options.Name+".")
	if _, known := m.pins[name]; !ours || !known {
		return Result{}, fmt.Errorf("run %q: the tool is not one of source %q", call.Tool.Name(), m.options.Name)
	}
	for again := false; ; again = true {
		session, err := m.connected(ctx)
		if err != nil {
			return m.failed(ctx, err)
		}
		if why := m.verified(ctx, session, name); why != "" {
			return Result{Status: StatusNotAvailable, Code: CodeNotAvailable, Reason: why}, nil
		}
		answer, err := session.call(ctx, name, call.Input)
		switch {
		case err == nil:
			m.answered()
			return mcpResult(answer), nil
		case !again && ctx.Err() == nil && errors.Is(err, mcp.ErrSessionMissing):
			// The server has forgotten the session, so nothing has run: it is begun anew, once.
			m.drop(session)
		default:
			m.doubt(ctx, session, err)
			return m.failed(ctx, err)
		}
	}
}

// failed is the result of a call that brought no answer.
func (m *MCP) failed(ctx context.Context, err error) (Result, error) {
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("ask source %q: %w", m.options.Name, context.Cause(ctx))
	}
	if refused, ok := refusedBy(err); ok {
		m.answered()
		return refused, nil
	}
	return unreadable("The server of this tool " + failureOf(err, m.options.Timeout) + "."), nil
}

// Close ends the connection, and the server where it is a program of ours, with every process that it has started and
// that is still of its process group: one that made a session of its own, as a daemon does, lives on. A program is asked
// to end, told to a little later, and killed after that: it takes a few seconds at most.
func (m *MCP) Close() error {
	m.mu.Lock()
	session := m.session
	if m.closed {
		session = nil
	} else {
		m.closed = true
		m.end(errMCPClosed)
	}
	m.session = nil
	m.mu.Unlock()
	if session != nil {
		session.close()
	}
	m.work.Wait()
	return nil
}
