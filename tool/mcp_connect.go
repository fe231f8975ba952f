package tool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// mcpAttempt is one attempt to have a session again, which every call that needs one waits for.
type mcpAttempt struct {
	done    chan struct{}
	session *mcpSession
	err     error
}

// mcpBackoff is how long after its latest start a server that does not stay is left alone: nothing at first, so that one
// that was restarted is there at once, then longer each time.
func mcpBackoff(attempts int) time.Duration {
	if attempts < 2 {
		return 0
	}
	return min(time.Second<<min(attempts-2, 10), time.Minute)
}

// connected gives the session, or makes one. The attempt belongs to the source and not to the call: it goes on when the
// call is stopped, and others wait for the same one.
func (m *MCP) connected(ctx context.Context) (*mcpSession, error) {
	m.mu.Lock()
	switch {
	case m.closed:
		m.mu.Unlock()
		return nil, errMCPClosed
	case m.session != nil && !m.session.over():
		defer m.mu.Unlock()
		return m.session, nil
	}
	m.session = nil
	a := m.attempt
	if a == nil {
		if now := m.options.Now(); now.Before(m.retryAt) {
			wait := m.retryAt.Sub(now)
			err := m.lastErr
			m.mu.Unlock()
			if err == nil {
				err = errMCPEnded
			}
			return nil, &mcpRestError{err: err, wait: wait}
		}
		a = &mcpAttempt{done: make(chan struct{})}
		m.attempt = a
		m.attempts++
		m.retryAt = m.options.Now().Add(mcpBackoff(m.attempts))
		detached := context.WithoutCancel(ctx)
		m.work.Go(func() { m.reconnect(detached, a) })
	}
	m.mu.Unlock()
	select {
	case <-a.done:
		return a.session, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (m *MCP) reconnect(ctx context.Context, a *mcpAttempt) {
	ctx, cancel := context.WithTimeoutCause(ctx, m.options.Timeout, errTimeout)
	defer cancel()
	ctx, release := m.bound(ctx)
	defer release()
	a.session, a.err = m.dial(ctx)
	if a.err == nil {
		a.err = m.compare(ctx, a.session)
		if a.err != nil {
			a.session.close()
			a.session = nil
		}
	}
	m.mu.Lock()
	closed := m.closed
	m.attempt, m.lastErr = nil, a.err
	if !closed {
		m.session = a.session
	}
	m.mu.Unlock()
	switch {
	case closed && a.session != nil:
		a.session.close()
		a.session, a.err = nil, errMCPClosed
	case a.err != nil:
		m.options.Log.WarnContext(ctx, "an MCP server is not there", slog.String("source", m.options.Name), slog.String("reason", failureOf(a.err, m.options.Timeout)))
	default:
		m.options.Log.InfoContext(ctx, "an MCP server was connected to again", slog.String("source", m.options.Name))
	}
	close(a.done)
}

// answered notes that the server does its work.
func (m *MCP) answered() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.attempts, m.retryAt = 0, time.Time{}
}

// drop lets go of a session that is of no use any more.
func (m *MCP) drop(s *mcpSession) {
	m.mu.Lock()
	if m.session == s {
		m.session = nil
	}
	m.mu.Unlock()
	m.work.Go(s.close)
}

// doubt finds out, after a call that failed, whether the session is of any more use. Where the call took too long it is
// asked whether the server still answers anything; one that does not is ended, so that the next call begins with a new
// one.
func (m *MCP) doubt(ctx context.Context, s *mcpSession, err error) {
	switch {
	case ctx.Err() != nil && !errors.Is(err, errTimeout):
		return // whoever asked has stopped the call
	case s.over() || breaks(err):
		m.drop(s)
		return
	case !errors.Is(err, errTimeout):
		return
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), mcpGrace, errTimeout)
	m.work.Go(func() {
		defer cancel()
		_, err := ask(ctx, s, func(ctx context.Context) (struct{}, error) { return struct{}{}, s.client.Ping(ctx, nil) })
		if errors.Is(err, errTimeout) {
			m.options.Log.WarnContext(ctx, "an MCP server does not answer and is ended", slog.String("source", m.options.Name))
			m.drop(s)
		}
	})
}

// verified says why a tool is not called any more; empty: it is what it was at the start.
func (m *MCP) verified(ctx context.Context, s *mcpSession, name string) string {
	if s.stale.Swap(false) {
		if err := m.compare(ctx, s); err != nil {
			s.stale.Store(true)
			return "The server of this tool has changed its list of tools, and the new one could not be read. Nothing ran."
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed[name]
}

// compare holds the server's list of tools against that of the start.
func (m *MCP) compare(ctx context.Context, s *mcpSession) error {
	ctx, cancel := context.WithTimeoutCause(ctx, m.options.Timeout, errTimeout)
	defer cancel()
	tools, err := s.list(ctx)
	if err != nil {
		return err
	}
	whole, now := pinTools(tools)
	changed := map[string]string{}
	for name, pin := range m.pins {
		switch now[name] {
		case pin:
		case "":
			changed[name] = "The server of this tool has it no more. Nothing ran."
		default:
			changed[name] = "The server of this tool has changed it since this assistant was started, and it has not been looked through. Nothing ran."
		}
	}
	m.mu.Lock()
	m.changed = changed
	m.mu.Unlock()
	if whole != m.digest {
		m.options.Log.WarnContext(ctx, "an MCP server has changed its list of tools; what changed is not called until it is looked through and pinned anew",
			slog.String("source", m.options.Name), slog.Any("tools", sortedKeys(changed)), slog.Int("listed", len(tools)), slog.String("sha256", whole))
	}
	return nil
}

// mcpRestError says that a server is left alone for a while.
type mcpRestError struct {
	err  error
	wait time.Duration
}

// Error says for how long.
func (r *mcpRestError) Error() string { return fmt.Sprintf("resting for %s: %v", r.wait, r.err) }

// Unwrap is why.
func (r *mcpRestError) Unwrap() error { return r.err }
