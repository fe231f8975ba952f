// Package steward puts an assistant inside a web product: an http.Handler that answers its members from the product's
// own pages and API, and stores every turn.
//
//	cfg, faults := config.Load(config.Dir("."), "steward.yaml", os.LookupEnv)
//	if err := faults.Err(); err != nil { … }
//	server, err := steward.New(ctx, cfg, steward.WithDatabase("sqlite:steward.db"))
//	if err != nil { … }
//	defer server.Close(ctx)
//	mux.Handle("/", server)
package steward

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// Version is the program's version; a release build sets it.
var Version = "0.1.0-dev"

// Server is the assistant of one host. Safe for concurrent use.
type Server struct {
	handler http.Handler
	db      *store.DB
	feed    feed.Feed
	engine  *turn.Engine
	tools   *toolset
}

// ServeHTTP serves Steward's routes; anything else is 404.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Routes are the patterns, for [http.ServeMux], of everything that a Server serves, for a host that serves its own
// pages beside it.
func Routes() []string {
	return []string{"/steward.js", "/steward/", "/v1/", "/openapi.json", "/.well-known/steward/"}
}

// New opens the database, reads the host's documents and starts the engine, which at once goes on with turns that an
// earlier process left. Close the Server when it is done with. Faults of the host's file are config.Faults.
func New(ctx context.Context, cfg *config.Config, options ...Option) (*Server, error) {
	o := defaults()
	for _, option := range options {
		option(&o)
	}
	if cfg == nil {
		return nil, errors.New("steward: a configuration is required")
	}
	s := &Server{}
	// What was opened is closed again when a later part cannot be made.
	ok := false
	defer func() {
		if !ok {
			_ = s.Close(context.WithoutCancel(ctx))
		}
	}()
	var err error
	provider, err := newProvider(cfg, o)
	if err != nil {
		return nil, err
	}
	if s.tools, err = newToolset(ctx, cfg, o, provider); err != nil {
		return nil, err
	}
	verifier, err := newVerifier(cfg, o)
	if err != nil {
		return nil, err
	}
	if s.db, err = store.Open(ctx, o.database, store.Options{Log: o.log}); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	s.feed = &feed.Hub{}
	s.engine, err = turn.New(turn.Config{
		Host: cfg, Store: s.db, Feed: s.feed, Registry: s.tools.registry, Runner: s.tools.runner,
		Guide: guide.New(guide.FromConfig(cfg, s.tools.nav)), Provider: provider, Disabled: o.disabled, AgentOff: o.agentOff, Log: o.log, Now: o.now,
		LeaseTTL: cfg.Turn.Lease.Std(), Beat: cfg.Turn.Lease.Std() / 3,
	})
	if err != nil {
		return nil, err
	}
	if err := s.engine.Start(ctx); err != nil {
		return nil, fmt.Errorf("start engine: %w", err)
	}
	s.handler, err = newHandler(cfg, o, s, verifier)
	if err != nil {
		return nil, err
	}
	ok = true
	return s, nil
}

// Close stops taking steps, stores what has streamed of running turns, gives their leases back and closes the database.
// Another process, or the next start, goes on with them. MCP servers that were started end, which may take a few seconds.
func (s *Server) Close(ctx context.Context) error {
	var errs []error
	if s.engine != nil {
		errs = append(errs, s.engine.Close(ctx))
	}
	if s.tools != nil {
		errs = append(errs, s.tools.registry.Close())
	}
	if s.feed != nil {
		errs = append(errs, s.feed.Close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	return errors.Join(errs...)
}

// Answers says what would answer a message now: "model", "guide" or "none", and why where it is not a model.
func (s *Server) Answers() (answers, reason string) {
	st := s.engine.Status()
	return st.Answers, st.GuideReason
}

func newProvider(cfg *config.Config, o options) (model.Provider, error) {
	if o.provider != nil {
		return o.provider, nil
	}
	if !cfg.Models.Providers[cfg.Models.Loop.Provider].Configured() {
		return nil, nil //nolint:nilnil // no key: the guide answers
	}
	return model.Open(cfg, "models.loop", cfg.Models.Loop, model.OpenOptions{Log: o.log, Now: o.now})
}

func newVerifier(cfg *config.Config, o options) (*identity.Verifier, error) {
	roles := make(map[string][]identity.Right, len(cfg.Identity.Roles))
	for role, rights := range cfg.Identity.Roles {
		for _, r := range rights {
			roles[role] = append(roles[role], identity.Right(r))
		}
	}
	v, err := identity.New(identity.Config{
		Secret: []byte(cfg.Identity.Secret.Reveal()), JWKSURL: cfg.Identity.JWKSURL, JWKSFile: cfg.Identity.JWKSFile,
		Issuer: cfg.Identity.Issuer, Audience: cfg.Identity.Audience, Claims: cfg.Identity.Claims, Roles: roles, Now: o.now,
	})
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	return v, nil
}

// document makes the contract for one member.
func (s *Server) document(cfg *config.Config, by turn.Asker, rights []string) (contract.Document, error) {
	name, surface := s.engine.Surface()
	locale := contract.Locale(cfg, by.Locale)
	status := s.engine.Status()
	offer := s.tools.registry.Offer(tool.Asker{Principal: by.Principal, Surface: name})
	var nav []contract.Page
	for _, p := range s.tools.nav.Allowed(by.Principal) {
		nav = append(nav, contract.Page{Path: p.Path, Label: p.Label.In(locale, cfg.FallbackLocale()), Focus: p.Focus})
	}
	d, err := contract.New(cfg, contract.For{
		Principal: by.Principal, Locale: locale, Rights: rights, Answers: status.Answers, GuideReason: status.GuideReason,
		Surface: surface, Offer: offer, Nav: nav,
	})
	if err == nil && d.Persona.Disclosure == "" {
		d.Persona.Disclosure = words.For(locale).Text("ui.disclosure", nil)
	}
	return d, err
}
