package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// sqliteReaders is a pool of connections that only read. The one used last is given first, so that its cache is warm
// and no more are opened than have ever been needed at once.
type sqliteReaders struct {
	pool *sql.DB
	free chan struct{} // one token for each connection that may be taken or made

	mu   sync.Mutex
	idle []*sqliteConn
}

func newSQLiteReaders(pool *sql.DB, n int) *sqliteReaders {
	r := &sqliteReaders{pool: pool, free: make(chan struct{}, n)}
	for range n {
		r.free <- struct{}{}
	}
	return r
}

func (r *sqliteReaders) read(ctx context.Context, fn func(*Tx) error) (err error) {
	select {
	case <-r.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { r.free <- struct{}{} }()
	conn, err := r.take(ctx)
	if err != nil {
		return err
	}
	// DEFERRED: the snapshot is the one that the first query meets.
	if _, err := conn.exec(ctx, "BEGIN DEFERRED", nil); err != nil {
		return errors.Join(fmt.Errorf("begin read: %w", translate(err)), conn.close())
	}
	defer func() { // also when fn panics or ends its goroutine
		if _, endErr := conn.exec(ctx, "ROLLBACK", nil); endErr != nil {
			err = errors.Join(err, fmt.Errorf("end read: %w", translate(endErr)), conn.close())
			return
		}
		r.mu.Lock()
		r.idle = append(r.idle, conn)
		r.mu.Unlock()
	}()
	tx := &Tx{q: conn, dialect: SQLite}
	return tx.run(fn)
}

func (r *sqliteReaders) take(ctx context.Context) (*sqliteConn, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		conn := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return conn, nil
	}
	r.mu.Unlock()
	conn, err := newSQLiteConn(ctx, r.pool, true)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("open reader: %w", err)
	}
	return conn, nil
}

// close closes the connections. No read may be running.
func (r *sqliteReaders) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, conn := range r.idle {
		errs = append(errs, conn.close())
	}
	r.idle = nil
	return errors.Join(errs...)
}
