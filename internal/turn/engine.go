// Package turn is the engine: it turns a message into a reply, one stored step at a time.
//
// The log of a conversation is the only state. A message is admitted by a list of gates and stored together with its
// turn and a lease; from then on every step (a reply, the results of its calls, the end) is one commit, and the next
// step is computed from the log alone. Whoever holds the lease takes it; a process that dies loses its leases, and
// another takes the turn up from the log.
package turn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// Who answers a turn.
const (
	answersModel = "model"
	answersGuide = "guide"
	answersNone  = "none"
)

// Config is what an Engine is made of.
type Config struct {
	// Host is the host's file. Required, as are Store, Feed, Registry, Runner and Guide.
	Host     *config.Config
	Store    *store.DB
	Feed     feed.Feed
	Registry *tool.Registry
	Runner   *tool.Runner
	Guide    *guide.Guide
	// Provider answers; nil: there is no key, and the guide answers where the host's file lets it.
	Provider model.Provider
	// Disabled switches the assistant off; AgentOff the model alone.
	Disabled, AgentOff bool
	// Log receives what the operator should see: codes, ids and counts, never words.
	Log *slog.Logger
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
	// NewID makes ids. Nil: UUIDv7.
	NewID func() string
	// LeaseTTL is how long a silent worker keeps its leases. Zero: 3 s.
	LeaseTTL time.Duration
	// Beat is how often a worker tells that it lives and looks for abandoned turns. Zero: 1 s.
	Beat time.Duration
	// DraftEvery is how often what streams is stored. Zero: 500 ms.
	DraftEvery time.Duration
	// Quiet is after how long without an event a follower looks at the log. Zero: 2 s.
	Quiet time.Duration
}

// Engine runs turns. Safe for concurrent use.
type Engine struct {
	cfg    Config
	worker string
	gates  []gate

	mu      sync.Mutex
	runs    map[string]*run // by the conversation's ref: turns of which this process holds the lease
	closing bool
	// orphans are leases by ref that could not be given back, with their fences.
	orphans map[string]int64
	active  sync.WaitGroup // runs, and the beat
	stop    context.CancelCauseFunc
	ctx     context.Context //nolint:containedctx // the life of the engine's own goroutines, ended by Close

	// renewed is when this worker was last renewed, in microseconds.
	renewed atomic.Int64

	prompts promptCache
	logs    logCache
	readers readers
	drafts  drafts
}

var (
	errStopped  = errors.New("stopped by the member")
	errShutdown = errors.New("the server is shutting down")
	errErased   = errors.New("the conversation was erased")
)

// ErrClosing ends a follower whose engine closes: the turn goes on elsewhere, and so can its reader.
var ErrClosing = errors.New("the engine is closing")

// New makes an Engine; Start lets it work.
func New(cfg Config) (*Engine, error) {
	switch {
	case cfg.Host == nil, cfg.Store == nil, cfg.Feed == nil, cfg.Registry == nil, cfg.Runner == nil, cfg.Guide == nil:
		return nil, errors.New("turn: Host, Store, Feed, Registry, Runner and Guide are required")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the seam's own default
	}
	if cfg.NewID == nil {
		cfg.NewID = id.New
	}
	cfg.LeaseTTL = orDefault(cfg.LeaseTTL, 3*time.Second)
	cfg.Beat = orDefault(cfg.Beat, time.Second)
	cfg.DraftEvery = orDefault(cfg.DraftEvery, 500*time.Millisecond)
	cfg.Quiet = orDefault(cfg.Quiet, 2*time.Second)
	e := &Engine{cfg: cfg, worker: cfg.NewID(), runs: map[string]*run{}}
	e.gates = e.order()
	e.drafts.e = e
	e.ctx, e.stop = context.WithCancelCause(context.Background())
	return e, nil
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Start tells the database that this worker lives, takes up abandoned turns, and goes on doing both until Close.
func (e *Engine) Start(ctx context.Context) error {
	if err := e.beat(ctx); err != nil {
		return fmt.Errorf("register worker: %w", err)
	}
	e.active.Go(e.watch)
	return nil
}

// Close stops all turns of this process where they are, stores what of them has streamed, and gives their leases back,
// so that another process, or the next start, goes on with them. It waits until that is done or ctx ends.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
	e.stop(errShutdown)
	done := make(chan struct{})
	go func() { e.active.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		return fmt.Errorf("wait for turns: %w", context.Cause(ctx))
	}
	e.drafts.flush()
	return e.retire(ctx)
}

// Status is what the server says to anyone who asks, before any token.
type Status struct {
	Enabled bool `json:"enabled"`
	// Answers is "model", "guide" or "none".
	Answers     string `json:"answers"`
	GuideReason string `json:"guideReason,omitempty"`
}

// Status says what would answer now.
func (e *Engine) Status() Status {
	answers, reason := e.answers("")
	return Status{Enabled: !e.cfg.Disabled, Answers: answers, GuideReason: reason}
}

// answers says who answers a message, and where that is the guide, why. engine is who was asked for by name.
func (e *Engine) answers(engine string) (answers, reason string) {
	switch {
	case e.cfg.Disabled:
		return answersNone, ""
	case engine == answersGuide:
		return answersGuide, "asked"
	case e.cfg.AgentOff:
		return e.instead("agent_off")
	case e.cfg.Provider == nil:
		return e.instead("no_key")
	}
	return answersModel, ""
}

func (e *Engine) instead(reason string) (string, string) {
	if e.cfg.Host.WithoutModel == "guide" {
		if slices.Contains(e.cfg.Host.GuideOn, reason) {
			return answersGuide, reason
		}
	}
	return answersNone, reason
}

// Surface is the surface of those who name none.
func (e *Engine) Surface() (string, config.Surface) {
	name, s, _ := e.surface("")
	return name, s
}

// surface gives the surface of a name; the first by name for the empty one.
func (e *Engine) surface(name string) (string, config.Surface, bool) {
	if name != "" {
		s, ok := e.cfg.Host.Surfaces[name]
		return name, s, ok
	}
	first := ""
	for n := range e.cfg.Host.Surfaces {
		if first == "" || n < first {
			first = n
		}
	}
	return first, e.cfg.Host.Surfaces[first], true
}
