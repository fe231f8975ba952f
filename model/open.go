package model

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/steward-assistant/steward/config"
)

// OpenOptions say how [Open] makes a provider. The zero value works.
type OpenOptions struct {
	// Log and Now are as in the configurations of the wires.
	Log *slog.Logger
	Now func() time.Time
	// Unasked makes a provider that is looked at and never asked, so that its key may be missing.
	Unasked bool
}

// Open makes the provider of a row of the host's models, over the wire that the host says; path is the row's, as
// "models.loop". It sends nothing. What is wrong with the host's file is a [config.Faults]: an effort that the model does
// not take, with which every request would be refused.
func Open(cfg *config.Config, path string, row config.Model, o OpenOptions) (Provider, error) {
	p := cfg.Models.Providers[row.Provider]
	key := p.Key.Reveal()
	if key == "" && !p.Keyless && o.Unasked {
		key = "unasked"
	}
	idle, timeout := cfg.Turn.IdleTimeout.Std(), cfg.Turn.Timeout.Std()
	var made Provider
	var err error
	switch p.Wire {
	case config.WireAnthropic:
		header := AuthAPIKey
		if p.AuthHeader == "authorization" {
			header = AuthBearer
		}
		made, err = NewAnthropic(AnthropicConfig{
			Name: row.Provider, BaseURL: p.BaseURL, Key: key, AuthHeader: header, Without: p.Without,
			IdleTimeout: idle, Timeout: timeout, Log: o.Log, Now: o.Now,
		})
	case config.WireOpenAI:
		made, err = NewResponses(ResponsesConfig{
			Name: row.Provider, BaseURL: p.BaseURL, Key: key, Without: p.Without,
			IdleTimeout: idle, Timeout: timeout, Log: o.Log, Now: o.Now,
		})
	case config.WireOpenAIChat:
		made, err = NewChat(ChatConfig{
			Name: row.Provider, BaseURL: p.BaseURL, Key: key, Without: p.Without,
			IdleTimeout: idle, Timeout: timeout, Log: o.Log, Now: o.Now,
		})
	default:
		err = fmt.Errorf("wire %q is unknown", p.Wire)
	}
	if err != nil {
		return nil, fmt.Errorf("provider %q: %w", row.Provider, err)
	}
	if row.Effort != "" && !TakesEffort(made, row.Model) {
		return nil, config.Faults{cfg.Fault(path+".effort", fmt.Sprintf("%s of %s takes no effort; leave it out", row.Model, row.Provider))}
	}
	return made, nil
}
