package steward

import (
	"context"
	"fmt"
	"net/http"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/api"
	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
	"github.com/steward-assistant/steward/web"
)

// toolset is a host's tools and pages.
type toolset struct {
	registry *tool.Registry
	runner   *tool.Runner
	nav      *page.Index
	signer   *tool.Signer
}

func newToolset(ctx context.Context, cfg *config.Config, o options, provider model.Provider) (*toolset, error) {
	t := &toolset{nav: page.NewIndex(cfg)}
	builtin, err := page.NewSource(cfg, t.nav)
	if err != nil {
		return nil, fmt.Errorf("built-in tools: %w", err)
	}
	if t.signer, err = tool.OpenSigner(cfg); err != nil {
		return nil, err
	}
	open := tool.OpenOptions{Signer: t.signer, Log: o.log, Now: o.now}
	if provider != nil {
		can := provider.Capabilities()
		open.Strict = tool.StrictLimits{Tools: can.MaxStrictTools, Optional: can.MaxStrictOptional, Unions: can.MaxStrictUnions}
		open.MaxTools = can.MaxTools
	}
	if t.registry, err = tool.Open(ctx, cfg, open, append([]tool.Source{builtin}, o.sources...)...); err != nil {
		if t.registry != nil {
			_ = t.registry.Close() // what is wrong with the file is what to tell
		}
		return nil, err
	}
	t.runner = tool.NewRunner(t.registry, o.now)
	return t, nil
}

func newHandler(cfg *config.Config, o options, s *Server, verifier *identity.Verifier) (http.Handler, error) {
	_, surface := s.engine.Surface()
	c := api.Config{
		Engine: s.engine, Identity: verifier, Log: o.log, Now: o.now, Version: Version, ContractShape: contract.Document{},
		Contract: func(_ context.Context, by turn.Asker, rights []string) (any, error) {
			return s.document(cfg, by, rights)
		},
		Product: api.Product{ID: cfg.Product.ID, Name: cfg.Product.Name.In(cfg.FallbackLocale())},
		Locales: cfg.Locales, Modes: cfg.Modes, MaxText: cfg.Turn.MaxText,
		Launcher: api.Launcher{
			Title: surface.Persona.Title, Shortcut: cfg.Widget.Shortcut, Layout: cfg.Widget.Layout,
			BottomBar: cfg.Widget.BottomBar, Drawer: cfg.Widget.Drawer,
		},
		Assets: web.Handler(), Origins: cfg.CORS.Origins,
	}
	if signer := s.tools.signer; signer != nil {
		c.KeySet = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			set, err := signer.JWKS()
			if err != nil {
				http.Error(w, "no keys", http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/jwk-set+json")
			_, _ = w.Write(set) // a reader that has gone needs no keys
		})
	}
	if o.loopback {
		c.Hosts = api.LoopbackHosts()
	}
	return api.New(c)
}
