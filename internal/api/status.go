package api

import (
	"net/http"

	"github.com/steward-assistant/steward/internal/turn"
)

type statusAnswer struct {
	turn.Status
	Modes    []string       `json:"modes"`
	Limits   limitsAnswer   `json:"limits"`
	Product  Product        `json:"product"`
	Launcher launcherAnswer `json:"launcher"`
	Version  string         `json:"version"`
}

type limitsAnswer struct {
	MaxText      int `json:"maxText" doc:"The longest message, in characters."`
	MaxBodyBytes int `json:"maxBodyBytes"`
}

type launcherAnswer struct {
	Title     string   `json:"title" doc:"In the language of the request."`
	Shortcut  string   `json:"shortcut"`
	Layout    string   `json:"layout"`
	BottomBar string   `json:"bottomBar"`
	Drawer    string   `json:"drawer"`
	Locales   []string `json:"locales" doc:"The product's languages, the fallback first."`
}

func (s *server) status(x *exchange) error {
	l := s.Launcher
	modes := s.Modes
	if modes == nil {
		modes = []string{}
	}
	return x.json(http.StatusOK, statusAnswer{
		Status: s.engine.Status(), Modes: modes, Limits: limitsAnswer{s.MaxText, MaxBodyBytes}, Product: s.Product,
		Launcher: launcherAnswer{
			Title: l.Title.In(x.locale, s.Locales...), Shortcut: l.Shortcut, Layout: l.Layout, BottomBar: l.BottomBar,
			Drawer: l.Drawer, Locales: s.Locales,
		},
		Version: s.Version,
	})
}

func (s *server) contract(x *exchange) error {
	c, err := s.Contract(x.r.Context(), x.by, x.rights.List())
	if err != nil {
		return err
	}
	return x.json(http.StatusOK, c)
}
