package model

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"time"
)

// ChatConfig says how a server that speaks OpenAI's Chat Completions is reached. The zero value lacks only a Key.
type ChatConfig struct {
	// Name is the provider's name in configuration and in stored blocks. Thinking goes back only to the provider of the
	// name that made it. Defaults to "openai".
	Name string
	// BaseURL is the address with its version, as OPENAI_BASE_URL has it by custom: https://openrouter.ai/api/v1,
	// http://127.0.0.1:11434/v1. Defaults to OpenAIURL. A / at its end is nothing. http is accepted.
	BaseURL string
	// Key is the API key. Empty: none is sent, which OpenAI's own address refuses. It is in no error and no log.
	Key string
	// Without names what the server or its models cannot do, of [CapabilityNames]. Defaults to nothing.
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

// Chat asks models over OpenAI's Chat Completions, which OpenRouter, Ollama, vLLM, Groq, Mistral, DeepSeek and many
// others speak; what each does otherwise is told from its address. OpenAI's own models are better asked over
// [Responses]: this wire does not carry their reasoning from one call to the next. Safe for concurrent use.
type Chat struct {
	caller
	vendor chatVendor
}

var (
	_ Provider = (*Chat)(nil)
	_ wire     = (*Chat)(nil)
)

// NewChat checks the configuration; its errors name the field. It sends nothing.
func NewChat(cfg ChatConfig) (*Chat, error) {
	u, err := baseAddress(cfg.BaseURL, OpenAIURL)
	if err != nil {
		return nil, fmt.Errorf("chat: %w", err)
	}
	header, err := bearer(cfg.Key, u.Hostname())
	if err != nil {
		return nil, fmt.Errorf("chat: %w", err)
	}
	if cfg.Name == "" {
		cfg.Name = openAIName
	}
	vendor := chatVendorAt(u.Hostname())
	c, err := newCaller(callerConfig{
		wire: "chat", name: cfg.Name, url: u.JoinPath("chat", "completions").String(), header: header, key: cfg.Key,
		client: cfg.HTTPClient, idle: cfg.IdleTimeout, timeout: cfg.Timeout, log: cfg.Log, now: cfg.Now,
		without: cfg.Without, can: vendor.capabilities(),
	})
	if err != nil {
		return nil, err
	}
	return &Chat{c, vendor}, nil
}

// bearer is the header that carries a key, if there is one.
func bearer(key, host string) (http.Header, error) {
	if key == "" && host != "api.openai.com" {
		return http.Header{}, nil
	}
	if !goodKey(key) {
		return nil, errors.New("Key must be set, in visible ASCII without spaces; it may be empty only where BaseURL is a server that asks for none") //nolint:staticcheck // a field's name
	}
	return http.Header{"Authorization": {"Bearer " + key}}, nil
}

// Stream asks for one reply; see [Provider]. A call that ctx ended yields an error for which errors.Is with ctx.Err()
// holds. Nothing is retried: a call that failed may have been billed, and its words may have been shown.
func (c *Chat) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return c.ask(ctx, c, req)
}

func (c *Chat) takesEffort(model string) bool {
	return c.can.Effort && (c.vendor == vendorOpenRouter || openAIReasons(model) != no)
}

func (c *Chat) encode(req *Request) ([]byte, error) {
	if err := c.checkRequest(req, c.takesEffort(req.Model)); err != nil {
		return nil, err
	}
	return encodeChat(req, c.name, c.vendor, c.can.Streams), nil
}

func (c *Chat) reply(req *Request, yield func(Event, error) bool) replyReader {
	return &chatReply{yield: yield, provider: c.name, model: req.Model, size: replySizeFor(req.MaxOutputTokens)}
}

func (c *Chat) fault(document []byte) Error { return openAIDocument(document) }
