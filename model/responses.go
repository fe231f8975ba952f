package model

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"time"
)

// ResponsesConfig says how a server that speaks OpenAI's Responses is reached. The zero value lacks only a Key.
type ResponsesConfig struct {
	// Name is the provider's name in configuration and in stored blocks. Reasoning and calls go back as they came only
	// to the provider of the name that made them. Defaults to "openai".
	Name string
	// BaseURL is the address with its version, as OPENAI_BASE_URL has it by custom. Defaults to OpenAIURL. A / at its
	// end is nothing. http is accepted: a gateway may stand beside the process.
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

// Responses asks OpenAI's models over its Responses API. Nothing is kept at the vendor's (store is false): a model's
// reasoning comes encrypted, is stored with the reply, and goes back with the next request. Safe for concurrent use.
type Responses struct{ caller }

var (
	_ Provider = (*Responses)(nil)
	_ wire     = (*Responses)(nil)
)

// NewResponses checks the configuration; its errors name the field. It sends nothing.
func NewResponses(cfg ResponsesConfig) (*Responses, error) {
	u, err := baseAddress(cfg.BaseURL, OpenAIURL)
	if err != nil {
		return nil, fmt.Errorf("responses: %w", err)
	}
	header, err := bearer(cfg.Key, u.Hostname())
	if err != nil {
		return nil, fmt.Errorf("responses: %w", err)
	}
	if cfg.Name == "" {
		cfg.Name = openAIName
	}
	can := Capabilities{Tools: true, Streams: true, Effort: true, Thinking: true, MaxTools: maxOpenAITools}
	can.strictAsOpenAI()
	c, err := newCaller(callerConfig{
		wire: "responses", name: cfg.Name, url: u.JoinPath("responses").String(), header: header, key: cfg.Key,
		client: cfg.HTTPClient, idle: cfg.IdleTimeout, timeout: cfg.Timeout, log: cfg.Log, now: cfg.Now,
		without: cfg.Without, can: can,
	})
	if err != nil {
		return nil, err
	}
	return &Responses{c}, nil
}

// Stream asks for one reply; see [Provider]. A call that ctx ended yields an error for which errors.Is with ctx.Err()
// holds. Nothing is retried: a call that failed may have been billed, and its words may have been shown.
func (r *Responses) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return r.ask(ctx, r, req)
}

func (r *Responses) takesEffort(model string) bool {
	return r.can.Effort && openAIReasons(model) != no
}

func (r *Responses) encode(req *Request) ([]byte, error) {
	if err := r.checkRequest(req, r.takesEffort(req.Model)); err != nil {
		return nil, err
	}
	return encodeResponses(req, r.name, r.can.Streams), nil
}

func (r *Responses) reply(req *Request, yield func(Event, error) bool) replyReader {
	return &responsesReply{yield: yield, provider: r.name, model: req.Model, size: replySizeFor(req.MaxOutputTokens)}
}

func (r *Responses) fault(document []byte) Error { return openAIDocument(document) }
