package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Tx is the transaction in which the fn of a Write or Read runs. It is for that fn's goroutine alone and is over when fn
// returns.
//
// At most one Rows is open at a time. A statement that fails ends the transaction on both databases: later statements
// return its error, and Write returns it even if fn does not. To go on after a conflict, say ON CONFLICT DO NOTHING.
type Tx struct {
	q       querier
	dialect Dialect
	open    *Rows
	failed  error
	ended   bool
}

// querier is one connection, or a transaction on one.
type querier interface {
	exec(ctx context.Context, query string, args []any) (int64, error)
	query(ctx context.Context, query string, args []any) (*sql.Rows, error)
}

// Clock is an SQL expression for the database's own time, int64 microseconds since 1970 UTC (on SQLite in steps of
// 1000). It is for leases and claims, which several processes compare; every other time comes from Go.
func (tx *Tx) Clock() string { return tx.dialect.clock() }

// Dialect tells which database the transaction runs on.
func (tx *Tx) Dialect() Dialect { return tx.dialect }

// Exec runs a statement that returns no rows and tells how many rows an INSERT, UPDATE or DELETE touched.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (affected int64, err error) {
	if err := tx.ready(ctx); err != nil {
		return 0, err
	}
	n, err := tx.q.exec(ctx, query, args)
	if err != nil {
		return 0, tx.fail(err)
	}
	return n, nil
}

// Query runs a statement that returns rows. The caller closes them, also after an error of Scan.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	if err := tx.ready(ctx); err != nil {
		return nil, err
	}
	rows, err := tx.q.query(ctx, query, args) //nolint:rowserrcheck // Rows passes Err on, and its Close looks too
	if err != nil {
		return nil, tx.fail(err)
	}
	tx.open = &Rows{tx: tx, rows: rows}
	return tx.open, nil
}

// Row runs a statement that returns at most one row that matters. Its Scan must be called.
func (tx *Tx) Row(ctx context.Context, query string, args ...any) *Row {
	rows, err := tx.Query(ctx, query, args...)
	return &Row{rows: rows, err: err}
}

func (tx *Tx) ready(ctx context.Context) error {
	switch {
	case tx.ended:
		return fmt.Errorf("%w: it is over", ErrTx)
	case tx.failed != nil:
		return tx.failed
	case tx.open != nil:
		return fmt.Errorf("%w: close the rows of the query before", ErrTx)
	case ctx.Err() != nil:
		return tx.fail(context.Cause(ctx))
	}
	return nil
}

func (tx *Tx) fail(err error) error {
	err = translate(err)
	if tx.failed == nil {
		tx.failed = err
	}
	return err
}

// run calls fn and says whether the transaction may be committed. It ends tx whatever fn does.
func (tx *Tx) run(fn func(*Tx) error) (err error) {
	defer func() {
		tx.ended = true
		if tx.open != nil {
			if closeErr := tx.open.Close(); err == nil {
				err = closeErr
			}
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.failed
}

// Rows is the result of a query, to be read once by one goroutine.
type Rows struct {
	tx     *Tx
	rows   *sql.Rows
	closed bool
}

// Next moves to the next row. When it returns false, Err tells whether that was the end.
func (r *Rows) Next() bool { return r.rows.Next() }

// Scan copies the row's columns into dest, as database/sql does.
func (r *Rows) Scan(dest ...any) error {
	if err := r.rows.Scan(dest...); err != nil {
		return fmt.Errorf("scan row: %w", err)
	}
	return nil
}

// Err is the error that ended the rows early, if one did.
func (r *Rows) Err() error {
	if err := r.rows.Err(); err != nil {
		return r.tx.fail(err)
	}
	return nil
}

// Close ends the query; the transaction takes its next statement only then. Calling it again does nothing.
func (r *Rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	r.tx.open = nil
	iterErr := r.rows.Err()
	if err := r.rows.Close(); err != nil {
		return r.tx.fail(err)
	}
	if iterErr != nil {
		return r.tx.fail(iterErr)
	}
	return nil
}

// Row is the first row of a query.
type Row struct {
	rows *Rows
	err  error
}

// Scan copies the row's columns into dest and ends the query. ErrNotFound: there is none.
func (r *Row) Scan(dest ...any) (err error) {
	if r.err != nil {
		return r.err
	}
	defer func() {
		if closeErr := r.rows.Close(); err == nil {
			err = closeErr
		}
	}()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return ErrNotFound
	}
	return r.rows.Scan(dest...)
}
