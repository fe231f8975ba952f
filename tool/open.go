package tool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/steward-assistant/steward/config"
)

// OpenOptions describe how the sources of a host's file are opened. The zero value works for a host whose sources have
// authority forward.
type OpenOptions struct {
	// Signer makes the statements of sources with authority service; required where there is one.
	Signer *Signer
	// Strict are the provider's limits of strict tools.
	Strict StrictLimits
	// MaxTools is the most tools that the provider takes in a request; zero: no limit.
	MaxTools int
	// Transport carries the calls; nil: one of each source's own.
	Transport http.RoundTripper
	// Log is the operator's log of what becomes of MCP servers; nil: none.
	Log *slog.Logger
	// Now is the clock; nil: the system's.
	Now func() time.Time
}

// OpenSigner makes the signer that a host's sources with authority service need; nil where none has it. A key that is not
// one is a [config.Faults].
func OpenSigner(cfg *config.Config) (*Signer, error) {
	needed := false
	for _, s := range cfg.Sources {
		needed = needed || s.Authority == config.AuthorityService
	}
	switch {
	case !needed:
		return nil, nil //nolint:nilnil // no source needs one
	case cfg.Statement.Key.IsZero():
		return GenerateSigner(cfg.Statement.Issuer)
	}
	s, err := ParseSigner(cfg.Statement.Issuer, cfg.Statement.Key.Reveal())
	if err != nil {
		return nil, config.Faults{cfg.Fault("statement", "the key must be a P-256 key in PEM")}
	}
	return s, nil
}

// Open reads the documents of a host's file, starts or connects to its MCP servers, and makes the registry of their tools
// and those of more. What is wrong with the file, a document or a server is a [config.Faults], all of it; the registry is
// then given too as far as it could be made, so that a check can go on. Where a registry is given it is to be closed.
func Open(ctx context.Context, cfg *config.Config, o OpenOptions, more ...Source) (*Registry, error) {
	var faults config.Faults
	sources := slices.Clone(more)
	var opened []Source
	made := false
	defer func() {
		if !made {
			_ = closeSources(opened) // the error that is returned came first
		}
	}()
	read := 0
	servers := openServers(ctx, cfg, o)
	var failed error
	for _, name := range cfg.SourceNames() {
		open := servers[name]
		if open == nil {
			open = func() (Source, error) { return openSource(ctx, cfg, name, o, &read) }
		}
		s, err := open()
		var found config.Faults
		switch {
		case errors.As(err, &found):
			faults = append(faults, found...)
		case failed == nil:
			failed = err
		}
		if s != nil {
			opened = append(opened, s)
		}
	}
	if failed != nil {
		return nil, failed
	}
	sources = append(sources, opened...)
	surfaces := map[string][]string{}
	for name, s := range cfg.Surfaces {
		surfaces[name] = s.Tools
	}
	r, err := NewRegistry(ctx, RegistryOptions{
		Rights: cfg.Identity.Roles, Surfaces: surfaces, GroupBy: cfg.Tools.GroupBy, Strict: o.Strict, MaxTools: o.MaxTools,
		Timeout: cfg.Tools.Timeout.Std(), ResultLimit: cfg.Tools.ResultLimit, Omit: cfg.Tools.Omit, Fault: cfg.Fault,
	}, sources...)
	var found config.Faults
	switch {
	case errors.As(err, &found):
		faults = append(faults, found...)
	case err != nil:
		return nil, err
	}
	if read > largeDocuments {
		debug.FreeOSMemory()
	}
	made = true
	return r, faults.Sort().Err()
}

// largeDocuments is the bytes of documents from which on the memory that reading them took, fifteen times theirs and
// more, is given back at once: by itself the runtime does that over minutes.
const largeDocuments = 1 << 20

func openSource(ctx context.Context, cfg *config.Config, name string, o OpenOptions, read *int) (Source, error) {
	s := cfg.Sources[name]
	path := config.Path("sources", name)
	document, err := readDocument(ctx, cfg, s)
	if err != nil {
		return nil, config.Faults{cfg.Fault(path+".openapi", err.Error())}
	}
	*read += len(document)
	if got := digest(document); s.SHA256 != "" && got != s.SHA256 {
		return nil, config.Faults{cfg.Fault(path+".sha256", "the document has changed; look through what is new and pin it with "+got)}
	}
	signer := o.Signer
	if s.Authority == config.AuthorityService && signer == nil {
		return nil, fmt.Errorf("open source %q: authority service needs a signer", name)
	}
	api, err := NewOpenAPI(OpenAPIOptions{
		Name: name, Document: document, BaseURL: s.BaseURL, Authority: s.Authority, Signer: signer,
		Actions: cfg.Tools.Actions, LeaveOut: s.LeaveOut, Transport: o.Transport, Now: o.Now, Fault: cfg.Fault,
	})
	if api == nil {
		return nil, err
	}
	return api, err
}

func readDocument(ctx context.Context, cfg *config.Config, s config.Source) ([]byte, error) {
	if !strings.Contains(s.OpenAPI, "://") {
		return cfg.ReadDocument(s.OpenAPI)
	}
	// A document that stands beside the API itself may be inside, as the API may be.
	var f Fetcher
	if base, err := url.Parse(s.BaseURL); err == nil && base.Host != "" {
		f.Allow = []string{hostPort(base)}
	}
	return f.Get(ctx, s.OpenAPI)
}
