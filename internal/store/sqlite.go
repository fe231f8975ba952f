package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// busyTimeoutMillis is how long a lock of another process is waited for. Its holder commits in a few milliseconds.
const busyTimeoutMillis = 5000

// sqliteEngine is one file, one connection that writes and several that read.
type sqliteEngine struct {
	pool    *sql.DB
	writer  *sqliteWriter
	readers *sqliteReaders
}

func openSQLite(ctx context.Context, path string, opts Options) (_ *sqliteEngine, err error) {
	path, err = sqlitePath(path)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", sqliteDSN(path))
	if err != nil {
		return nil, fmt.Errorf("open SQLite file %q: %w", path, err)
	}
	// Every connection is pinned by its owner, so the pool only makes them.
	pool.SetMaxIdleConns(1)
	e := &sqliteEngine{pool: pool}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if err := migrate(ctx, pool, SQLite, opts); err != nil {
		return nil, fmt.Errorf("migrate SQLite file %q: %w", path, err)
	}
	conn, err := newSQLiteConn(ctx, pool, false)
	if err != nil {
		return nil, fmt.Errorf("open SQLite file %q: %w", path, err)
	}
	e.writer = newSQLiteWriter(conn, opts.Log)
	e.readers = newSQLiteReaders(pool, opts.MaxReaders)
	return e, nil
}

func (e *sqliteEngine) write(ctx context.Context, fn func(*Tx) error) (*Commit, error) {
	return e.writer.write(ctx, fn)
}

func (e *sqliteEngine) read(ctx context.Context, fn func(*Tx) error) error {
	return e.readers.read(ctx, fn)
}

func (e *sqliteEngine) close() error {
	var errs []error
	if e.writer != nil {
		errs = append(errs, e.writer.close())
	}
	if e.readers != nil {
		errs = append(errs, e.readers.close())
	}
	return errors.Join(append(errs, e.pool.Close())...)
}

// sqlitePath checks the path and makes an empty file that only its owner can read: conversations are private, and the
// driver would make it readable by all. SQLite gives the log beside it the same mode.
func sqlitePath(path string) (string, error) {
	switch {
	case path == "":
		return "", errURL
	case strings.HasPrefix(path, ":memory:"):
		return "", errors.New("database URL: SQLite in memory is not supported; want a file, for example sqlite:steward.db")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("resolve SQLite path %q: %w", path, err)
	}
	f, err := os.OpenFile(abs, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // G304: the operator says which file the database is
	if err != nil {
		return "", fmt.Errorf("open SQLite file (its folder must exist and be writable): %w", err)
	}
	if err := f.Close(); err != nil {
		return "", fmt.Errorf("close SQLite file %q: %w", abs, err)
	}
	return abs, nil
}

// sqliteDSN is the URI of an absolute path with the settings of every connection. FULL makes each COMMIT reach the
// disk; in WAL mode readers and the writer do not wait for one another.
func sqliteDSN(abs string) string {
	pragma := func(name, value string) string { return "_pragma=" + name + "(" + value + ")" }
	return "file:" + (&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath() + "?" + strings.Join([]string{
		pragma("busy_timeout", strconv.Itoa(busyTimeoutMillis)),
		pragma("journal_mode", "WAL"),
		pragma("synchronous", "FULL"),
		pragma("foreign_keys", "1"),
		pragma("temp_store", "MEMORY"),
		pragma("cache_size", "-4096"), // KiB, filled as needed
		"_txlock=immediate",
	}, "&")
}
