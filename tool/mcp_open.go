package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/steward-assistant/steward/config"
)

// openServers starts the MCP servers of a host's file, all at once because each may take its time. It gives, by source, a
// function that waits for it.
func openServers(ctx context.Context, cfg *config.Config, o OpenOptions) map[string]func() (Source, error) {
	type outcome struct {
		source Source
		err    error
	}
	servers := map[string]func() (Source, error){}
	for name, s := range cfg.Sources {
		if s.MCP == nil {
			continue
		}
		done := make(chan outcome, 1)
		go func() {
			source, err := openServer(ctx, cfg, name, o)
			done <- outcome{source, err}
		}()
		servers[name] = func() (Source, error) { got := <-done; return got.source, got.err }
	}
	return servers
}

func openServer(ctx context.Context, cfg *config.Config, name string, o OpenOptions) (Source, error) {
	s := cfg.Sources[name]
	if len(s.MCP.Command) == 0 && s.MCP.URL == "" {
		return nil, nil //nolint:nilnil // it says nowhere where the server is, which is a fault already
	}
	m, err := NewMCP(ctx, MCPOptions{
		Name: name, Server: *s.MCP, SHA256: s.SHA256, Actions: cfg.Tools.Actions, LeaveOut: s.LeaveOut,
		Transport: o.Transport, Log: o.Log, Now: o.Now, Fault: cfg.Fault,
	})
	if m == nil {
		return nil, err
	}
	return m, err
}

// Close closes every source that is an [io.Closer]. No call may run any more.
func (r *Registry) Close() error {
	return closeSources(slices.Collect(maps.Values(r.sources)))
}

// closeSources closes sources at once, because an MCP server may take its time to end.
func closeSources(sources []Source) error {
	errs := make([]error, len(sources))
	var work sync.WaitGroup
	for i, s := range sources {
		if c, ok := s.(io.Closer); ok {
			work.Go(func() {
				if err := c.Close(); err != nil {
					errs[i] = fmt.Errorf("close source %q: %w", s.Name(), err)
				}
			})
		}
	}
	work.Wait()
	return errors.Join(errs...)
}
