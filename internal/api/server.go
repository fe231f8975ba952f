// Package api is Steward's HTTP: routes, problem documents (RFC 9457), server-sent events and the OpenAPI document. A
// handler decodes, calls one method of the engine, and encodes.
//
// Nothing that a request brought is ever repeated in an answer or a log line, but for the name of a field that was
// wrong. No cookie is read or set.
package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/turn"
	"github.com/steward-assistant/steward/tool"
)

// MaxBodyBytes is the longest body that is read.
const MaxBodyBytes = 256 << 10

// Config is what the routes need. Engine, Identity, Contract, Log and Now are required.
type Config struct {
	Engine   *turn.Engine
	Identity *identity.Verifier
	// Contract gives what GET /v1/contract answers to a member with these rights; it is sent as JSON.
	Contract func(ctx context.Context, by turn.Asker, rights []string) (any, error)
	// ContractShape is a zero value of what Contract gives; the OpenAPI document is made from its type. Nil: any object.
	ContractShape any
	Log           *slog.Logger
	Now           func() time.Time

	// Product names the host product.
	Product Product
	// Locales are those of the product, the fallback first. Empty: English.
	Locales []string
	// Modes are the modes that the operator has on: "kept".
	Modes []string
	// Launcher is what the widget draws before anyone has signed in.
	Launcher Launcher
	// Version is Steward's own.
	Version string
	// MaxText is the longest message, in characters (Unicode code points). Zero: 20,000.
	MaxText int

	// Assets answers /steward.js and /steward/…. Nil: there are none.
	Assets http.Handler
	// KeySet answers /.well-known/steward/jwks.json. Nil: a set without keys.
	KeySet http.Handler
	// Origins are the foreign origins whose pages may read answers, exactly as browsers write them
	// ("https://app.example"). Empty: none. A wildcard is refused.
	Origins []string
	// Hosts are the only names, without port, under which this server answers, against DNS rebinding; set it to
	// [LoopbackHosts] on a loopback address. With it, a request of a page of another origin is refused too. Empty: any.
	Hosts []string

	// KeepAlive is how long a stream may be quiet before a comment is sent. Zero: 15 s.
	KeepAlive time.Duration
	// WriteTimeout cuts a reader that takes nothing for so long. Zero: 30 s.
	WriteTimeout time.Duration
	// ReadTimeout is how long a body may take to arrive. Zero: 10 s.
	ReadTimeout time.Duration
}

// Product names the host product.
type Product = contract.Product

// Launcher is how the widget looks before it is opened.
type Launcher struct {
	Title tool.Text
	// Shortcut is a key chord as "mod+k"; Layout is "dock", "slideover" or "sheet"; BottomBar is a selector; Drawer is an
	// attribute of the page's root. Each may be empty.
	Shortcut, Layout, BottomBar, Drawer string
}

// LoopbackHosts are the names of this machine.
func LoopbackHosts() []string { return []string{"localhost", "127.0.0.1", "::1"} }

// engine is the part of [turn.Engine] that the routes use; the seam at which tests stand in for it.
type engine interface {
	Status() turn.Status
	Send(ctx context.Context, by turn.Asker, s turn.Send) (turn.Started, error)
	Complete(ctx context.Context, by turn.Asker, s turn.Started) (event.Complete, error)
	Follow(ctx context.Context, by turn.Asker, conversationID string, from event.ID) (follower, error)
	FollowStarted(ctx context.Context, by turn.Asker, s turn.Started) (follower, error)
	Run(ctx context.Context, by turn.Asker, in turn.AgentRun) (turn.AgentStarted, error)
	FollowRun(ctx context.Context, by turn.Asker, s turn.AgentStarted) (follower, error)
	Claim(ctx context.Context, by turn.Asker, conversationID, callID, clientID string) error
	Answer(ctx context.Context, by turn.Asker, conversationID string, a turn.Answer) error
	Cancel(ctx context.Context, by turn.Asker, conversationID, turnID string) (bool, error)
	Create(ctx context.Context, by turn.Asker, id, surface string) (conversation.Summary, error)
	List(ctx context.Context, by turn.Asker, cursor string, limit int) ([]conversation.Summary, string, error)
	Load(ctx context.Context, by turn.Asker, id string, before int64, limit int) (conversation.View, error)
	Erase(ctx context.Context, by turn.Asker, id string) error
}

// follower is [turn.Follower]. After its context's deadline has passed, Next may be called again with another.
type follower interface {
	Next(ctx context.Context) ([]turn.Frame, error)
	Close()
}

var (
	_ engine   = live{}
	_ follower = (*turn.Follower)(nil)
)

type live struct{ *turn.Engine }

func (l live) Follow(ctx context.Context, by turn.Asker, conversationID string, from event.ID) (follower, error) {
	f, err := l.Engine.Follow(ctx, by, conversationID, from)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (l live) FollowStarted(ctx context.Context, by turn.Asker, s turn.Started) (follower, error) {
	f, err := l.Engine.FollowStarted(ctx, by, s)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (l live) FollowRun(ctx context.Context, by turn.Asker, s turn.AgentStarted) (follower, error) {
	f, err := l.Engine.FollowRun(ctx, by, s)
	if err != nil {
		return nil, err
	}
	return f, nil
}

type server struct {
	Config
	engine  engine
	mux     *http.ServeMux
	origins map[string]bool
	hosts   map[string]bool
}

// New makes the handler of every route, to be mounted at the root or behind [http.StripPrefix]. Streams outlive the
// WriteTimeout of the server that serves it; they end when its context does.
func New(c Config) (http.Handler, error) {
	if c.Engine == nil {
		return nil, errors.New("api: engine: required")
	}
	return build(c, live{c.Engine})
}

func build(c Config, e engine) (*server, error) {
	if c.Identity == nil || c.Contract == nil || c.Log == nil || c.Now == nil {
		return nil, errors.New("api: identity, contract, log and now are required")
	}
	defaultTo(&c.KeepAlive, 15*time.Second)
	defaultTo(&c.WriteTimeout, 30*time.Second)
	defaultTo(&c.ReadTimeout, 10*time.Second)
	defaultTo(&c.MaxText, 20_000)
	if len(c.Locales) == 0 {
		c.Locales = []string{"en"}
	}
	s := &server{Config: c, engine: e, mux: http.NewServeMux(), hosts: map[string]bool{}}
	for _, h := range c.Hosts {
		s.hosts[h] = true
	}
	var err error
	if s.origins, err = originSet(c.Origins); err != nil {
		return nil, fmt.Errorf("api: origins: %w", err)
	}
	return s, s.mount()
}

func defaultTo[T comparable](v *T, fallback T) {
	var zero T
	if *v == zero {
		*v = fallback
	}
}
