// Package store opens Steward's database, brings its schema up to date and runs transactions in it. It is the one
// package of the product that knows database/sql; queries stand beside the noun they serve and take a [*Tx].
//
// Two databases are supported, SQLite in one file and Postgres, and one text of a query serves both:
//
//   - placeholders are $1, $2, …, in any order and as often as needed (Postgres wants a bare parameter of a SELECT cast);
//   - times are BIGINT microseconds since 1970 UTC, ids and JSON are TEXT, bytes are BYTEA;
//   - INSERT … ON CONFLICT … [WHERE …] and RETURNING work, FOR UPDATE does not: use a conditional UPDATE;
//   - constraints are immediate: a deferred one would fail at COMMIT and take its whole group along.
//
// A write has two moments. It is decided when its statements have succeeded and only a COMMIT is missing, and durable
// when that COMMIT is on the disk. [DB.Write] returns at the first and gives a [Commit] to wait for the second; what is
// decided may be worked on, but nothing that left the process may depend on it before it is durable.
package store

import (
	"context"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
)

// Options adjusts Open. Its zero value works.
type Options struct {
	// Log receives what happens outside of any caller's request: migrations that are applied, writes that are lost
	// because their COMMIT fails. Nil: nothing is logged.
	Log *slog.Logger
	// MaxReaders is how many Reads run at once; more wait. Zero or negative: 8.
	MaxReaders int
	// MaxWriters is how many Writes run at once on Postgres; more wait. SQLite has one writer. Zero or negative: 16.
	MaxWriters int
	// Migrations holds the schema as goose SQL files named NNNN_noun.sql in its root. Nil: the product's own.
	Migrations fs.FS
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxReaders <= 0 {
		o.MaxReaders = 8
	}
	if o.MaxWriters <= 0 {
		o.MaxWriters = 16
	}
	if o.Migrations == nil {
		o.Migrations = productMigrations()
	}
	return o
}

// DB is an open database with its schema up to date. It is safe for concurrent use.
type DB struct {
	dialect Dialect
	engine  engine

	mu       sync.Mutex
	closed   bool
	inFlight sync.WaitGroup
	closing  sync.Once
	closeErr error
}

// engine is what SQLite and Postgres do differently. close is called once, when no write and no read is running, and
// waits for the commits that are still on their way.
type engine interface {
	write(ctx context.Context, fn func(*Tx) error) (*Commit, error)
	read(ctx context.Context, fn func(*Tx) error) error
	close() error
}

// Open opens the database at url and applies the migrations that it lacks. url is "sqlite:PATH" (the file is made if
// missing, readable by its owner only; its folder must exist) or "postgres://…". Several processes may open the same
// database. No error of Open repeats the URL, which may hold a password.
func Open(ctx context.Context, url string, opts Options) (*DB, error) {
	opts = opts.withDefaults()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		e, err := openSQLite(ctx, path, opts)
		if err != nil {
			return nil, err
		}
		return &DB{dialect: SQLite, engine: e}, nil
	}
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		e, err := openPostgres(ctx, url, opts)
		if err != nil {
			return nil, err
		}
		return &DB{dialect: Postgres, engine: e}, nil
	}
	return nil, errURL
}

// Dialect tells which database this is.
func (db *DB) Dialect() Dialect { return db.dialect }

// Write runs fn in a transaction and returns when fn's effect is decided: with a Commit if its statements succeeded,
// or with fn's error, and then nothing of it happened. The Commit tells when the effect is durable.
//
// On SQLite writes run one at a time, in the order in which they asked, and what is queued shares one COMMIT (up to 64);
// each stands in a savepoint of its own, so an fn that fails takes nobody along, while a COMMIT that fails fails all its
// members. A later Write sees what an earlier one decided. fn holds up every other writer: it must not wait for anything
// else, and a Write inside of fn would wait for itself. On Postgres each write is a transaction of its own, READ
// COMMITTED; a later Write is sure to see an earlier one's effect only once that is durable. There fn is run again, up
// to three times, when the database aborts it for a deadlock: fn must set what it hands out, not add to it.
//
// A panic in fn rolls back and goes on to the caller. A ctx that ends while the write waits for its turn drops it; once
// fn runs, ctx is looked at before each statement. ErrBusy: the database's lock could not be had in time. ErrClosed:
// Close was called.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) (*Commit, error) {
	if err := db.enter(); err != nil {
		return nil, err
	}
	defer db.inFlight.Done()
	return db.engine.write(ctx, fn)
}

// Do is Write followed by Commit.Wait: it returns nil when fn's effect is on the disk. If ctx ends during the wait the
// effect may still become durable.
func (db *DB) Do(ctx context.Context, fn func(*Tx) error) error {
	c, err := db.Write(ctx, fn)
	if err != nil {
		return err
	}
	return c.Wait(ctx)
}

// Read runs fn on one snapshot of what is durable: all its queries see the same state. Statements that change
// something fail. On Postgres it is a REPEATABLE READ transaction. It does not wait for writers.
func (db *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	if err := db.enter(); err != nil {
		return err
	}
	defer db.inFlight.Done()
	return db.engine.read(ctx, fn)
}

// Close lets running and queued transactions finish, their commits included, and closes the database. Transactions that
// begin later get ErrClosed. Calling it again waits for the first call and returns its result.
func (db *DB) Close() error {
	db.mu.Lock()
	db.closed = true
	db.mu.Unlock()
	db.closing.Do(func() {
		db.inFlight.Wait()
		db.closeErr = db.engine.close()
	})
	return db.closeErr
}

func (db *DB) enter() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	db.inFlight.Add(1)
	return nil
}
