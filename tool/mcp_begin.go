package tool

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpDiscover is the request with which a session of the protocol from version 2026-07-28 on begins. Those before begin
// with initialize.
const mcpDiscover = "server/discover"

// mcpProbe is how long a server may take to answer [mcpDiscover] before the session is begun in the older way: a server
// that does not know a request should refuse it, and some say nothing.
const mcpProbe = 1500 * time.Millisecond

// mcpBeginning watches the requests with which a session begins. Safe for concurrent use.
type mcpBeginning struct {
	// probe bounds the first of them; zero: nothing does but its context.
	probe time.Duration
	// cut says that the first was not answered in that time.
	cut atomic.Bool
	// waits is the latest request that has no answer yet; nil: all have.
	waits atomic.Pointer[string]
}

// watch is the SDK's middleware for what is sent.
func (b *mcpBeginning) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		b.waits.Store(&method)
		if method == mcpDiscover && b.probe > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, b.probe)
			defer cancel()
		}
		result, err := next(ctx, method, r)
		switch {
		case err == nil:
			b.waits.Store(nil)
		case method == mcpDiscover && ctx.Err() != nil:
			b.cut.Store(true)
		}
		return result, err
	}
}

// unanswered adds to the end of ctx which request it was that had no answer.
func (b *mcpBeginning) unanswered(ctx context.Context) error {
	if waits := b.waits.Load(); waits != nil {
		return &mcpSilentError{request: *waits, err: context.Cause(ctx)}
	}
	return context.Cause(ctx)
}

// mcpSilentError says which request a server did not answer.
type mcpSilentError struct {
	request string
	err     error
}

// Error names it.
func (s *mcpSilentError) Error() string { return fmt.Sprintf("%s: %v", s.request, s.err) }

// Unwrap is why it is waited for no more.
func (s *mcpSilentError) Unwrap() error { return s.err }

// dial makes a session within ctx, of the newest version of the protocol that both sides know.
func (m *MCP) dial(ctx context.Context) (*mcpSession, error) {
	b := &mcpBeginning{probe: min(mcpProbe, m.options.Timeout/2)}
	s, err := m.dialWith(ctx, b)
	if err != nil && b.cut.Load() && ctx.Err() == nil && protocolError(err) != nil {
		// It knows the newer way alone, and was only slow to start.
		return m.dialWith(ctx, &mcpBeginning{})
	}
	return s, err
}

// silent reports which request of a session's beginning had no answer; empty: it was not that.
func silent(err error) string {
	if s, ok := errors.AsType[*mcpSilentError](err); ok {
		return s.request
	}
	return ""
}
