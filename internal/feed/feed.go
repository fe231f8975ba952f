// Package feed carries the events of a conversation from the process that runs its turn to those who follow it. It
// remembers a little, so that a line that broke can be taken up again; the log remembers everything, so the feed may
// forget at any time and says so.
//
// # Order
//
// The frames of one key (a conversation) have ascending ids, in the order in which they are published; every
// subscription gets them in that order, none twice. A frame whose id is not after the last one's is refused: it comes
// from an engine that has lost its lease.
//
// # Drafts
//
// A frame with Draft set is not in the log. Where it carries Text, it adds to a text: a reader that is behind gets what
// it missed of one text as a single frame with the id of the last part. A draft begins with a frame without Text (the
// start of the message), so that one whose beginning is gone can be told.
//
// # Loss
//
// A subscription that cannot go on exactly where the reader stopped says Lost before anything else: the id is unknown
// (another process made it, or none), too old, or of a draft that is forgotten; or the reader was so slow that frames it
// had not read were forgotten. The reader's process then tells the browser to set its draft aside, sends what the log
// holds after the id's Seq, calls Skip with the sequence of the log's last entry it has sent, and goes on with Next:
// that brings the draft that is being written, from its beginning, and all that follows. A draft whose beginning is no
// longer kept is left out; its text comes when it is settled.
package feed

import (
	"context"
	"errors"
	"math"

	"github.com/steward-assistant/steward/internal/event"
)

// MaxBytes is about what is kept of one key at most, in bytes; the oldest is forgotten first.
const MaxBytes = 256 << 10

// Now is the position for Subscribe that means: what is published from now on. It is never Lost at the beginning.
var Now = event.ID{Seq: math.MaxInt64}

// Errors of a Feed.
var (
	// ErrOrder: the frame's id is not after the id of the last one.
	ErrOrder = errors.New("the frame's id is not after the last one's")
	// ErrFrame: the frame is not well formed.
	ErrFrame = errors.New("malformed frame")
	// ErrClosed: the feed, the subscription or its key was closed.
	ErrClosed = errors.New("the feed is closed")
)

// Frame is one event on its way to a browser. Its slices are shared between readers: nobody changes them.
type Frame struct {
	// ID is the event's place; it is what a reader sends back to go on.
	ID event.ID
	// Kind is the event's.
	Kind event.Kind
	// Data is the event as event.Encode gives it. May be nil in Publish where Text is set; in a Batch it never is.
	Data []byte
	// Draft says that the event is not in the log.
	Draft bool
	// MessageID names the message of a draft. Needed where Text is set.
	MessageID string
	// Text is the delta of a draft of KindTextContent or KindReasoningContent; empty for every other frame.
	Text string
	// Terminal says that the turn has ended or rests: nothing follows until the next turn.
	Terminal bool
}

// Batch is what a reader gets at once: either Lost, or at least one frame.
type Batch struct {
	// Lost says that the reader's position is not kept; see the package documentation. Frames is empty then.
	Lost   bool
	Frames []Frame
}

// Feed is safe for concurrent use; the frames of one key are published by one goroutine at a time.
type Feed interface {
	// Publish adds a frame. It never waits for a reader.
	Publish(ctx context.Context, key string, f Frame) error
	// Settle says that the log has an entry with this sequence, so that drafts which follow from earlier ones are no
	// longer needed by who comes new. Readers that are subscribed still get what they have not read of them.
	Settle(ctx context.Context, key string, seq int64) error
	// Subscribe begins to read after the given id, or from Now. It does not tell Lost itself; the first Next does.
	Subscribe(ctx context.Context, key string, after event.ID) (Subscription, error)
	// Forget drops all that is kept of the key, and ends its subscriptions with ErrClosed: the conversation is erased.
	Forget(ctx context.Context, key string) error
	// Close ends all subscriptions.
	Close() error
}

// Subscription is one reader's position; it is for one goroutine at a time. One that is never read costs next to
// nothing.
type Subscription interface {
	// Next returns what came since the last call, and waits if that is nothing. A terminal frame does not end the
	// subscription. It returns ctx's cause when ctx ends, and ErrClosed.
	Next(ctx context.Context) (Batch, error)
	// Skip leaves out what the reader has had from the log: frames that follow from entries before seq, and of those
	// that follow from seq all but drafts.
	Skip(seq int64)
	// Close ends the subscription. Calling it again does nothing.
	Close()
}

// check refuses what cannot be merged or encoded later.
func (f Frame) check() error {
	switch {
	case f.Text == "" && len(f.Data) == 0:
		return errors.Join(ErrFrame, errors.New("neither Data nor Text"))
	case f.Text == "":
		return nil
	case !f.Draft || f.MessageID == "":
		return errors.Join(ErrFrame, errors.New("a Text needs Draft and MessageID"))
	case f.Kind != event.KindTextContent && f.Kind != event.KindReasoningContent:
		return errors.Join(ErrFrame, errors.New("a Text needs a kind with a delta"))
	case f.Terminal:
		return errors.Join(ErrFrame, errors.New("a delta is not terminal"))
	}
	return nil
}
