package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpSession is one connection to a server. Safe for concurrent use.
type mcpSession struct {
	source *MCP
	client *mcp.ClientSession
	link   *mcpLink
	// broken is closed when the connection is over, and ended when the program, if there is one, is gone too.
	broken, ended chan struct{}
	// stale says that the server has told of another list of tools since it was compared.
	stale atomic.Bool
}

// mcpLink is what carries a session.
type mcpLink struct {
	transport mcp.Transport
	// stop ends it at once: what is sent and waited for over it fails.
	stop func()
	// wait returns when nothing of it is left. It asks a program to end that has not yet.
	wait func()
}

// mcpGrace is how long a server may take to end a connection in its own way.
const mcpGrace = 2 * time.Second

var (
	errMCPEnded  = errors.New("the connection ended")
	errMCPClosed = errors.New("the source is closed")
)

// dialWith makes a session within ctx.
func (m *MCP) dialWith(ctx context.Context, b *mcpBeginning) (*mcpSession, error) {
	link, err := m.link(ctx)
	if err != nil {
		return nil, err
	}
	s := &mcpSession{source: m, link: link, broken: make(chan struct{}), ended: make(chan struct{})}
	client := mcp.NewClient(&mcp.Implementation{Name: "steward", Version: "1"}, &mcp.ClientOptions{
		// No capability is offered: a server cannot ask a model, a person or this machine for anything through us.
		Capabilities:           &mcp.ClientCapabilities{},
		MultiRoundTrip:         &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { s.stale.Store(true) },
	})
	client.AddSendingMiddleware(b.watch)
	type outcome struct {
		client *mcp.ClientSession
		err    error
	}
	done := make(chan outcome, 1)
	m.work.Go(func() {
		c, err := client.Connect(ctx, link.transport, nil)
		done <- outcome{c, err}
	})
	var got outcome
	select {
	case got = <-done:
	case <-ctx.Done():
		// The SDK may wait longer than it was told to; what it waits for is ended.
		link.stop()
		m.work.Go(func() {
			if late := <-done; late.client != nil {
				_ = late.client.Close() // nobody is there to be told
			}
			link.wait()
		})
		return nil, b.unanswered(ctx)
	}
	if got.err != nil {
		link.stop()
		m.work.Go(link.wait)
		if ctx.Err() != nil {
			return nil, b.unanswered(ctx)
		}
		return nil, fmt.Errorf("connect: %w", got.err)
	}
	s.client = got.client
	m.work.Go(func() {
		_ = s.client.Wait() // how it ended is told by the calls that it ends
		close(s.broken)
		link.wait()
		link.stop()
		close(s.ended)
	})
	return s, nil
}

// over reports whether the connection has ended.
func (s *mcpSession) over() bool {
	select {
	case <-s.broken:
		return true
	default:
		return false
	}
}

// close ends the session in the protocol's way, and hard where that takes too long.
func (s *mcpSession) close() {
	s.source.work.Go(func() { _ = s.client.Close() }) // that it cannot be told of its end changes nothing
	timer := time.NewTimer(mcpGrace)
	defer timer.Stop()
	select {
	case <-s.ended:
	case <-timer.C:
		s.link.stop()
		<-s.ended
	}
}

// ask runs f, which speaks with the server, and waits for it no longer than ctx, whatever f does: a server that does not
// read what it is sent blocks whoever writes to it.
func ask[T any](ctx context.Context, s *mcpSession, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := s.source.bound(ctx)
	defer cancel()
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	s.source.work.Go(func() {
		v, err := f(ctx)
		done <- outcome{v, err}
	})
	var none T
	select {
	case got := <-done:
		if got.err != nil && ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		return got.value, got.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// list reads the server's whole list of tools.
func (s *mcpSession) list(ctx context.Context) ([]*mcp.Tool, error) {
	var tools []*mcp.Tool
	cursor := ""
	for range maxMCPTools {
		page, err := ask(ctx, s, func(ctx context.Context) (*mcp.ListToolsResult, error) {
			return s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		})
		if errors.Is(err, errTimeout) {
			return nil, &mcpSilentError{request: "tools/list", err: err}
		}
		if err != nil {
			return nil, fmt.Errorf("list tools: %w", err)
		}
		tools = append(tools, page.Tools...)
		if len(tools) > maxMCPTools {
			return nil, errMCPTooMany
		}
		if page.NextCursor == "" {
			return tools, nil
		}
		cursor = page.NextCursor
	}
	return nil, errMCPTooMany
}

// call calls a tool.
func (s *mcpSession) call(ctx context.Context, name string, input json.RawMessage) (*mcp.CallToolResult, error) {
	return ask(ctx, s, func(ctx context.Context) (*mcp.CallToolResult, error) {
		return s.client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: input})
	})
}
