package store

import (
	"context"
	"database/sql"
	"errors"
)

// maxStatements bounds the statements that a connection keeps prepared. Queries are static text, so it is never
// reached unless somebody builds them from values; then all are dropped.
const maxStatements = 512

// sqliteConn is one connection with its prepared statements. Its user sees to it that it is used by one goroutine at a
// time.
//
// Statements run without the caller's cancellation: the driver would start a goroutine for each, and an interrupted
// INSERT, UPDATE or DELETE rolls back the whole transaction, so that one caller could undo another's decided write.
// They are short; Tx looks at the context before each, and reads at each row.
type sqliteConn struct {
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

func newSQLiteConn(ctx context.Context, pool *sql.DB, readOnly bool) (*sqliteConn, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, translate(err)
	}
	c := &sqliteConn{conn: conn, statements: map[string]*sql.Stmt{}}
	if readOnly {
		if _, err := c.exec(ctx, "PRAGMA query_only = 1", nil); err != nil {
			return nil, errors.Join(translate(err), c.close())
		}
	}
	return c, nil
}

func (c *sqliteConn) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := c.statements[query]; ok {
		return s, nil
	}
	if len(c.statements) >= maxStatements {
		if err := c.forget(); err != nil {
			return nil, err
		}
	}
	s, err := c.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.statements[query] = s
	return s, nil
}

func (c *sqliteConn) exec(ctx context.Context, query string, args []any) (int64, error) {
	ctx = context.WithoutCancel(ctx)
	s, err := c.prepare(ctx, query)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (c *sqliteConn) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	ctx = context.WithoutCancel(ctx)
	s, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (c *sqliteConn) forget() error {
	var errs []error
	for query, s := range c.statements {
		errs = append(errs, s.Close())
		delete(c.statements, query)
	}
	return errors.Join(errs...)
}

func (c *sqliteConn) close() error { return errors.Join(c.forget(), c.conn.Close()) }
