package model

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// anthropicName is the provider's name in configuration and in stored blocks unless the configuration gives another.
const anthropicName = "anthropic"

// AnthropicVersion is the API version that is sent unless the configuration names another. Nothing is sent that
// 2026-10-21 refuses (temperature, top_p and top_k above all), but servers that speak this wire without being
// Anthropic's know the older version alone.
const AnthropicVersion = "2023-06-01"

// AnthropicURL is the vendor's own address.
const AnthropicURL = "https://api.anthropic.com"

// The headers that can carry the key.
const (
	AuthAPIKey = "x-api-key" // the header of that name
	AuthBearer = "bearer"    // Authorization: Bearer
)

// AnthropicConfig says how Anthropic's Messages API is reached. Key is required; the zero values of the rest work.
type AnthropicConfig struct {
	// Name is the provider's name in configuration and in stored blocks. Blocks go back as they came only to the
	// provider of the name that made them. Defaults to "anthropic".
	Name string
	// BaseURL is the address without /v1. Defaults to AnthropicURL. http is accepted: a gateway may stand beside the
	// process.
	BaseURL string
	// Key is the API key. It is in no error and no log.
	Key string
	// AuthHeader is AuthAPIKey or AuthBearer. Defaults to AuthAPIKey.
	AuthHeader string
	// Version is the anthropic-version header. Defaults to AnthropicVersion.
	Version string
	// Without names what the server cannot do, of [CapabilityNames]. Defaults to nothing.
	Without []string
	// HTTPClient sends the requests; its Timeout must be zero, because it would cut long replies, and where it has no
	// CheckRedirect no redirect is followed. Defaults to a client of the provider's own that uses no proxy, whatever
	// the environment says; a host behind a proxy passes its own client.
	HTTPClient *http.Client
	// IdleTimeout cuts a call of which no byte has come for so long. Defaults to 60 s; negative: never. A server
	// without streams is silent until its reply is made, and only Timeout cuts it.
	IdleTimeout time.Duration
	// Timeout cuts a call after so long in all. Defaults to 10 min; negative: never.
	Timeout time.Duration
	// Log gets a debug line for each call that failed: codes and ids, no words. Defaults to none.
	Log *slog.Logger
	// Now is the clock for dates in Retry-After. Defaults to the system's.
	Now func() time.Time
}

// Anthropic asks models over Anthropic's Messages API. Safe for concurrent use.
type Anthropic struct{ caller }

var (
	_ Provider = (*Anthropic)(nil)
	_ wire     = (*Anthropic)(nil)
)

// NewAnthropic checks the configuration; its errors name the field. It sends nothing.
func NewAnthropic(cfg AnthropicConfig) (*Anthropic, error) {
	u, err := baseAddress(cfg.BaseURL, AnthropicURL)
	if err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	u.Path = strings.TrimSuffix(u.Path, "/v1")
	if !goodKey(cfg.Key) {
		return nil, errors.New("anthropic: Key must be set, in visible ASCII without spaces")
	}
	if cfg.Version == "" {
		cfg.Version = AnthropicVersion
	}
	if cleanName(cfg.Version, 40) == "" {
		return nil, fmt.Errorf("anthropic: Version must look like %q", AnthropicVersion)
	}
	header := http.Header{"Anthropic-Version": {cfg.Version}}
	switch cfg.AuthHeader {
	case "", AuthAPIKey:
		header["X-Api-Key"] = []string{cfg.Key}
	case AuthBearer:
		header["Authorization"] = []string{"Bearer " + cfg.Key}
	default:
		return nil, fmt.Errorf("anthropic: AuthHeader must be %q or %q", AuthAPIKey, AuthBearer)
	}
	if cfg.Name == "" {
		cfg.Name = anthropicName
	}
	c, err := newCaller(callerConfig{
		wire: "anthropic", name: cfg.Name, url: u.JoinPath("v1", "messages").String(), header: header, key: cfg.Key,
		client: cfg.HTTPClient, idle: cfg.IdleTimeout, timeout: cfg.Timeout, log: cfg.Log, now: cfg.Now,
		without: cfg.Without, can: anthropicCapabilities,
	})
	if err != nil {
		return nil, err
	}
	return &Anthropic{c}, nil
}

// anthropicCapabilities are the vendor's documented limits.
var anthropicCapabilities = Capabilities{
	Tools: true, Streams: true, Effort: true, Thinking: true,
	MaxStrictTools: 20, MaxStrictOptional: 24, MaxStrictUnions: 16,
	CacheMarks: maxCacheMarks,
}

// Stream asks for one reply; see [Provider]. A call that ctx ended yields an error for which errors.Is with ctx.Err()
// holds. Nothing is retried: a call that failed may have been billed, and its words may have been shown.
func (a *Anthropic) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return a.ask(ctx, a, req)
}

func (a *Anthropic) takesEffort(model string) bool {
	traits := anthropicTraits(model)
	return a.can.Effort && (traits.effort || traits.adaptive)
}

func (a *Anthropic) encode(req *Request) ([]byte, error) {
	if err := a.checkRequest(req, a.takesEffort(req.Model)); err != nil {
		return nil, err
	}
	return encodeAnthropic(req, a.name, a.can.Streams), nil
}

func (a *Anthropic) reply(req *Request, yield func(Event, error) bool) replyReader {
	return &anthropicReply{yield: yield, provider: a.name, model: req.Model, size: replySizeFor(req.MaxOutputTokens)}
}
