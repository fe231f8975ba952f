package steward

import (
	"log/slog"
	"os"
	"time"

	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// Option changes how a Server is made.
type Option func(*options)

type options struct {
	database string
	log      *slog.Logger
	now      func() time.Time
	provider model.Provider
	sources  []tool.Source
	disabled bool
	agentOff bool
	loopback bool
}

func defaults() options {
	return options{
		database: "sqlite:steward.db",
		log:      slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		now:      time.Now, //nolint:forbidigo // the seam's own default
	}
}

// WithDatabase says where everything is stored: "sqlite:PATH" or "postgres://…". Defaults to sqlite:steward.db.
func WithDatabase(url string) Option { return func(o *options) { o.database = url } }

// WithLog takes the operator's log: codes, ids and counts, never anybody's words. Defaults to standard error from the
// level Warn on, so that a model that cannot be reached is told somewhere; slog.DiscardHandler keeps it silent.
func WithLog(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// WithClock sets the clock. Defaults to the system's.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithProvider sets the model provider in place of the one that the host's file names.
func WithProvider(p model.Provider) Option { return func(o *options) { o.provider = p } }

// WithTools adds tools beside those of the host's file, such as Go functions made by [tool.Func]. A source that is an
// io.Closer is closed with the Server.
func WithTools(sources ...tool.Source) Option {
	return func(o *options) { o.sources = append(o.sources, sources...) }
}

// Disabled switches the assistant off: every route but /v1/status refuses, and the widget mounts nothing.
func Disabled() Option { return func(o *options) { o.disabled = true } }

// AgentOff switches the model off: the guide answers, and says why.
func AgentOff() Option { return func(o *options) { o.agentOff = true } }

// OnLoopback says that the server listens on this machine only, so that a request with another Host header is an attack
// by DNS rebinding and is refused.
func OnLoopback() Option { return func(o *options) { o.loopback = true } }
