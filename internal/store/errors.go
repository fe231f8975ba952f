package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors by which callers tell what happened; all are wrapped, use errors.Is.
var (
	// ErrNotFound: Row.Scan found no row.
	ErrNotFound = errors.New("no such row")
	// ErrUnique: a row with the same key exists.
	ErrUnique = errors.New("a row with the same key exists")
	// ErrBusy: a lock could not be had in time, or the database chose this transaction as a deadlock's victim.
	// Nothing happened; the caller may try again.
	ErrBusy = errors.New("the database is busy")
	// ErrClosed: the DB was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrUnknown: the connection broke while a COMMIT was on its way, so its write may have happened or not.
	ErrUnknown = errors.New("the outcome of the commit is unknown")
	// ErrTx: the Tx was misused: after its end, or with rows still open.
	ErrTx = errors.New("transaction misused")
)

var errURL = errors.New(`database URL: want "sqlite:PATH", for example sqlite:steward.db, or "postgres://USER:PASSWORD@HOST:PORT/DATABASE"`)

// translate gives a driver's error the sentinel that callers look for, and keeps it as a cause.
func translate(err error) error {
	if err == nil {
		return nil
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		switch lite.Code() {
		case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
			return fmt.Errorf("%w: %w", ErrUnique, err)
		}
		switch lite.Code() & 0xff { // the primary code; the higher bits only refine it
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return err
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code { // PostgreSQL documentation, appendix A
		case "23505": // unique_violation
			return fmt.Errorf("%w: %w", ErrUnique, err)
		case "40001", "40P01", "55P03": // serialization_failure, deadlock_detected, lock_not_available
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return err
	}
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
