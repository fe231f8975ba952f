package store

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// maxGroup is how many writes share one COMMIT at most: the more, the longer its first member waits.
const maxGroup = 64

// sqliteWriter is the one connection that writes. Whoever holds turn has it for itself: callers run their fn in their
// own goroutine, so a decided write costs no switch between goroutines, and the committer ends the group that they
// built. Turns are given in the order in which they were asked for, so the committer comes after those who were waiting
// already, and their writes share its COMMIT; a lone write is committed at once.
type sqliteWriter struct {
	conn    *sqliteConn
	log     *slog.Logger
	turn    chan struct{} // holds one token while nobody has the turn
	group   *Commit       // the open transaction's; nil: none is open; guarded by turn
	decided chan struct{} // wakes the committer
	stop    chan struct{}
	stopped sync.WaitGroup
}

func newSQLiteWriter(conn *sqliteConn, log *slog.Logger) *sqliteWriter {
	w := &sqliteWriter{
		conn:    conn,
		log:     log,
		turn:    make(chan struct{}, 1),
		decided: make(chan struct{}, 1),
		stop:    make(chan struct{}),
	}
	w.turn <- struct{}{}
	w.stopped.Go(w.commitGroups)
	return w
}

func (w *sqliteWriter) write(ctx context.Context, fn func(*Tx) error) (*Commit, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case <-w.turn:
	default:
		select {
		case <-w.turn:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer w.yield()
	return w.decide(context.WithoutCancel(ctx), fn)
}

// yield gives the turn to who waited longest, and makes sure that a group with members will be committed.
func (w *sqliteWriter) yield() {
	pending := w.group != nil
	w.turn <- struct{}{}
	if pending {
		select {
		case w.decided <- struct{}{}:
		default:
		}
	}
}

// decide runs fn as the next member of the group. It never leaves a transaction open that has no members.
func (w *sqliteWriter) decide(ctx context.Context, fn func(*Tx) error) (_ *Commit, err error) {
	if w.group != nil && w.group.members >= maxGroup {
		w.commit(ctx)
	}
	if w.group == nil {
		if _, err := w.conn.exec(ctx, "BEGIN IMMEDIATE", nil); err != nil {
			return nil, fmt.Errorf("begin: %w", translate(err))
		}
		w.group = newCommit()
	}
	group := w.group
	// The first member needs no savepoint: without it there is nothing to keep.
	first := group.members == 0
	if !first {
		if _, err := w.conn.exec(ctx, "SAVEPOINT member", nil); err != nil {
			return nil, fmt.Errorf("begin: %w", w.lose(ctx, err))
		}
	}
	kept := false
	defer func() { // also when fn panics or ends its goroutine
		if kept {
			return
		}
		if first {
			_ = w.lose(ctx, nil)
			return
		}
		if _, undoErr := w.conn.exec(ctx, "ROLLBACK TO member", nil); undoErr != nil {
			_ = w.lose(ctx, undoErr)
			return
		}
		if _, undoErr := w.conn.exec(ctx, "RELEASE member", nil); undoErr != nil {
			_ = w.lose(ctx, undoErr)
		}
	}()
	tx := &Tx{q: w.conn, dialect: SQLite}
	if err := tx.run(fn); err != nil {
		return nil, err
	}
	if !first {
		if _, err := w.conn.exec(ctx, "RELEASE member", nil); err != nil {
			return nil, fmt.Errorf("release savepoint: %w", translate(err))
		}
	}
	kept = true
	group.members++
	return group, nil
}

// lose rolls the whole group back and tells its members why. SQLite does so by itself when the disk is full or fails.
func (w *sqliteWriter) lose(ctx context.Context, cause error) error {
	group := w.group
	w.group = nil
	cause = translate(cause)
	// An error here means that SQLite has rolled back already.
	_, _ = w.conn.exec(ctx, "ROLLBACK", nil)
	if group.members > 0 {
		w.log.ErrorContext(ctx, "decided writes lost", "writes", group.members, "error", cause)
		group.resolve(fmt.Errorf("transaction lost: %w", cause))
	}
	return cause
}

func (w *sqliteWriter) commit(ctx context.Context) {
	group := w.group
	if _, err := w.conn.exec(ctx, "COMMIT", nil); err != nil {
		_ = w.lose(ctx, fmt.Errorf("commit: %w", err))
		return
	}
	w.group = nil
	group.resolve(nil)
}

func (w *sqliteWriter) commitGroups() {
	ctx := context.Background()
	for {
		select {
		case <-w.decided:
		case <-w.stop:
			<-w.turn
			if w.group != nil {
				w.commit(ctx)
			}
			return
		}
		<-w.turn
		if w.group != nil {
			w.commit(ctx)
		}
		w.turn <- struct{}{}
	}
}

// close commits what is decided. No write may be running.
func (w *sqliteWriter) close() error {
	close(w.stop)
	w.stopped.Wait()
	return w.conn.close()
}
