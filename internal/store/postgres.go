package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	// deadlockAttempts is how often a write is run when the database keeps choosing it as a victim.
	deadlockAttempts = 3
	// commitTimeout bounds a COMMIT, which no caller's context may cut short.
	commitTimeout = 30 * time.Second
)

// postgresEngine is a pool of connections. A write's COMMIT runs in a goroutine of its own, beside the caller's further
// work; each holds a connection, so there are never more of them than the pool has.
type postgresEngine struct {
	pool    *sql.DB
	log     *slog.Logger
	commits sync.WaitGroup
}

func openPostgres(ctx context.Context, url string, opts Options) (_ *postgresEngine, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// The parser's message quotes the URL.
		return nil, errors.New(`database URL: not a valid Postgres URL; want "postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…"`)
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(opts.MaxReaders + opts.MaxWriters)
	pool.SetMaxIdleConns(opts.MaxReaders + opts.MaxWriters)
	e := &postgresEngine{pool: pool, log: opts.Log}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if err := pool.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("connect to Postgres at %s:%d: %w", config.Host, config.Port, err)
	}
	if err := migrate(ctx, pool, Postgres, opts); err != nil {
		return nil, fmt.Errorf("migrate Postgres: %w", err)
	}
	return e, nil
}

func (e *postgresEngine) write(ctx context.Context, fn func(*Tx) error) (*Commit, error) {
	for attempt := 1; ; attempt++ {
		c, err := e.writeOnce(ctx, fn)
		if err == nil || attempt == deadlockAttempts || !isDeadlock(err) {
			return c, err
		}
		// The other party of the deadlock needs a moment to finish.
		pause := time.NewTimer(time.Duration(attempt) * time.Duration(1+rand.IntN(5)) * time.Millisecond) //nolint:gosec // spreads retries, guards nothing
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, err
		}
	}
}

func (e *postgresEngine) writeOnce(ctx context.Context, fn func(*Tx) error) (_ *Commit, err error) {
	// database/sql rolls a transaction back when the context of its beginning ends. That is right until the write is
	// decided; from then on only the COMMIT's own time-out may end it.
	txCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, cancel)
	decided := false
	defer func() {
		if !decided {
			unhook()
			cancel()
		}
	}()
	sqlTx, err := e.pool.BeginTx(txCtx, nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("begin: %w", translate(err))
	}
	defer func() { // also when fn panics or ends its goroutine
		if !decided {
			_ = sqlTx.Rollback() // if this fails its connection is discarded
		}
	}()
	tx := &Tx{q: postgresTx{sqlTx}, dialect: Postgres}
	if err := tx.run(fn); err != nil {
		return nil, err
	}
	if !unhook() {
		return nil, context.Cause(ctx)
	}
	decided = true
	c := newCommit()
	e.commits.Go(func() {
		defer cancel()
		late := time.AfterFunc(commitTimeout, cancel)
		defer late.Stop()
		err := commitError(sqlTx.Commit())
		if err != nil {
			e.log.ErrorContext(txCtx, "decided write lost", "error", err)
		}
		c.resolve(err)
	})
	return c, nil
}

func (e *postgresEngine) read(ctx context.Context, fn func(*Tx) error) (err error) {
	sqlTx, err := e.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("begin read: %w", translate(err))
	}
	defer func() { // also when fn panics or ends its goroutine
		_ = sqlTx.Rollback() // nothing to lose; if this fails its connection is discarded
	}()
	tx := &Tx{q: postgresTx{sqlTx}, dialect: Postgres}
	return tx.run(fn)
}

func (e *postgresEngine) close() error {
	e.commits.Wait()
	return e.pool.Close()
}

// commitError tells a COMMIT that the database refused from one that it may have carried out.
func commitError(err error) error {
	if err == nil {
		return nil
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) || errors.Is(err, pgx.ErrTxCommitRollback) {
		return fmt.Errorf("commit: %w", translate(err))
	}
	return fmt.Errorf("commit: %w: %w", ErrUnknown, err)
}

func isDeadlock(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// postgresTx runs statements in one transaction; pgx keeps them prepared by their text.
type postgresTx struct{ tx *sql.Tx }

func (p postgresTx) exec(ctx context.Context, query string, args []any) (int64, error) {
	result, err := p.tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (p postgresTx) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	return p.tx.QueryContext(ctx, query, args...)
}
