// Package gym is a small gym's back office: its own backend, its own SQLite
// database, a JSON API with an OpenAPI document, and server-rendered pages. It is
// a product that Steward is a guest in, and knows nothing of Steward but a script
// tag, the tokens that it signs and the statements that it accepts.
package gym

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver that database/sql opens
)

// Files holds steward.yaml and openapi.json: what a host hands to Steward.
//
//go:embed steward.yaml openapi.json
var Files embed.FS

//go:embed schema.sql templates assets
var own embed.FS

// ErrConfig is what New returns, wrapped, when a field of Config cannot be used.
var ErrConfig = errors.New("gym configuration")

// Config says where a gym keeps its data and whom it trusts.
type Config struct {
	// Dir holds the database, gym.db. It is made when missing. Required.
	Dir string
	// Secret signs tokens (HS256) and session cookies; 32 bytes or more. Required.
	Secret []byte
	// Audience is the `aud` of the tokens that the gym signs and accepts. Required.
	Audience string
	// Now is the clock. Nil: time.Now. The first start seeds its data around it.
	Now func() time.Time
	// Logger takes what goes wrong inside. Nil: nothing is logged.
	Logger *slog.Logger
	// StewardKeys answers the JWK set (RFC 7517) whose ES256 keys sign
	// Steward-Member statements. Nil: such statements are refused. KeysFromURL
	// makes one of a URL.
	StewardKeys func(ctx context.Context) ([]byte, error)
	// StatementAudience is the `aud` that a Steward-Member statement must carry.
	// Empty: the origin that the request was sent to.
	StatementAudience string
}

// Gym is the product. It is an http.Handler and safe for concurrent use.
type Gym struct {
	cfg    Config
	db     *sql.DB
	log    *slog.Logger
	now    func() time.Time
	doc    *contract
	pages  map[string]*template.Template
	static fs.FS
	keys   *keySet
	zones  map[int64]*time.Location
	mux    http.Handler
}

// New opens the gym's database, fills it on the first start, and builds its
// routes. The caller closes the Gym.
func New(ctx context.Context, cfg Config) (*Gym, error) {
	switch {
	case cfg.Dir == "":
		return nil, fmt.Errorf("%w: Dir is empty; it names the folder of the database", ErrConfig)
	case len(cfg.Secret) < 32:
		return nil, fmt.Errorf("%w: Secret has %d bytes; it needs 32 or more", ErrConfig, len(cfg.Secret))
	case cfg.Audience == "":
		return nil, fmt.Errorf("%w: Audience is empty; it is the aud of the gym's tokens", ErrConfig)
	}
	g := &Gym{cfg: cfg, log: cfg.Logger, now: cfg.Now}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if g.now == nil {
		g.now = time.Now
	}
	if cfg.StewardKeys != nil {
		g.keys = &keySet{fetch: cfg.StewardKeys, now: g.now}
	}
	if err := g.open(ctx); err != nil {
		return nil, err
	}
	if err := g.build(); err != nil {
		return nil, errors.Join(err, g.db.Close())
	}
	return g, nil
}

// open opens and, when it is new, seeds the database.
func (g *Gym) open(ctx context.Context) error {
	if err := os.MkdirAll(g.cfg.Dir, 0o750); err != nil {
		return fmt.Errorf("make the gym's folder: %w", err)
	}
	query := url.Values{
		"_pragma": {"journal_mode(WAL)", "busy_timeout(5000)", "foreign_keys(1)", "synchronous(NORMAL)"},
		"_txlock": {"immediate"},
	}
	file := filepath.Join(g.cfg.Dir, "gym.db")
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return fmt.Errorf("open the gym's database: %w", err)
	}
	db.SetMaxOpenConns(8)
	g.db = db
	if err := g.seedOnce(ctx); err != nil {
		return errors.Join(fmt.Errorf("prepare the gym's database: %w", err), db.Close())
	}
	if g.zones, err = loadZones(ctx, db); err != nil {
		return errors.Join(fmt.Errorf("read the organisations: %w", err), db.Close())
	}
	return nil
}

// build reads the document and the templates, and binds every route.
func (g *Gym) build() error {
	raw, err := Files.ReadFile("openapi.json")
	if err != nil {
		return fmt.Errorf("read openapi.json: %w", err)
	}
	if g.doc, err = readContract(raw); err != nil {
		return fmt.Errorf("read openapi.json: %w", err)
	}
	if g.pages, err = parsePages(own); err != nil {
		return fmt.Errorf("read the page templates: %w", err)
	}
	if g.static, err = fs.Sub(own, "assets"); err != nil {
		return fmt.Errorf("read the assets: %w", err)
	}
	g.mux, err = g.routes(raw)
	return err
}

// ServeHTTP answers the gym's pages and its API.
func (g *Gym) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

// Handler is the Gym itself, for those who mount it.
func (g *Gym) Handler() http.Handler { return g }

// Close closes the database. Requests that still run fail.
func (g *Gym) Close() error {
	if err := g.db.Close(); err != nil {
		return fmt.Errorf("close the gym's database: %w", err)
	}
	return nil
}

// NewSecret makes a random secret that Config.Secret accepts.
func NewSecret() []byte {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails since Go 1.24: it ends the process instead
	return secret
}

func loadZones(ctx context.Context, db *sql.DB) (_ map[int64]*time.Location, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, tz FROM orgs`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	zones := map[int64]*time.Location{}
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		zone, err := time.LoadLocation(name)
		if err != nil {
			return nil, fmt.Errorf("time zone of organisation %d: %w", id, err)
		}
		zones[id] = zone
	}
	return zones, rows.Err()
}
