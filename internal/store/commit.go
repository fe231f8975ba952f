package store

import "context"

// Commit tells when a decided write is durable. Writes that share a COMMIT share one. It is safe for concurrent use.
type Commit struct {
	done    chan struct{}
	err     error // set before done is closed
	members int   // guarded by the writer's turn
}

func newCommit() *Commit { return &Commit{done: make(chan struct{})} }

// Done is closed when the write is durable or has failed; Err then says which.
func (c *Commit) Done() <-chan struct{} { return c.done }

// Err is nil while the COMMIT is on its way and when it is on the disk. Otherwise nothing of the write happened, except
// that with ErrUnknown the connection broke before the database could answer, so that it may have.
func (c *Commit) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Wait returns nil once the write is on the disk, or the error of Err. If ctx ends first it returns ctx's cause, and the
// write goes on.
func (c *Commit) Wait(ctx context.Context) error {
	select {
	case <-c.done:
		return c.err
	default:
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// resolve is called once.
func (c *Commit) resolve(err error) {
	c.err = err
	close(c.done)
}
