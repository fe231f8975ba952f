package feedtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
)

// turnLog stands for the log in SQL: what is settled, by sequence.
type turnLog struct {
	mu   sync.Mutex
	head int64
	text map[string]string
}

func (l *turnLog) settle(message, text string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.head++
	l.text[message] = text
	return l.head
}

func (l *turnLog) read() (int64, map[string]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make(map[string]string, len(l.text))
	maps.Copy(all, l.text)
	return l.head, all
}

// screen is a browser: what it shows is settled texts and drafts, and it must never show a draft with a gap.
type screen struct {
	settled, drafts map[string]string
	last            event.ID
}

func (s *screen) apply(frames []feed.Frame, log *turnLog) error {
	for _, f := range frames {
		if !f.ID.After(s.last) {
			return fmt.Errorf("frame %s after %s", f.ID, s.last)
		}
		s.last = f.ID
		draft, known := s.drafts[f.MessageID]
		switch {
		case f.Draft && f.Text == "":
			s.drafts[f.MessageID] = ""
		case f.Draft && !known:
			return fmt.Errorf("text at %s of message %s, which has not begun", f.ID, f.MessageID)
		case f.Draft:
			s.drafts[f.MessageID] = draft + f.Text
		default:
			_, all := log.read()
			text, ok := all[f.MessageID]
			if !ok {
				return fmt.Errorf("message %s was told settled before it was in the log", f.MessageID)
			}
			if known && draft != text {
				return fmt.Errorf("draft of message %s is %d bytes, settled are %d", f.MessageID, len(draft), len(text))
			}
			delete(s.drafts, f.MessageID)
			s.settled[f.MessageID] = text
		}
	}
	return nil
}

// catchUp is what a process does for a reader that is lost. It reports whether nothing will follow.
func (s *screen) catchUp(sub feed.Subscription, log *turnLog) (ended bool) {
	head, all := log.read()
	s.settled, s.drafts = all, map[string]string{}
	s.last = event.ID{}
	sub.Skip(head)
	return len(all) == messages
}

// follow reads until the terminal frame, hanging up and coming back now and then. It calls subscribed once.
func follow(ctx context.Context, f feed.Feed, log *turnLog, rng *rand.Rand, after event.ID, subscribed func()) (*screen, error) {
	s := &screen{settled: map[string]string{}, drafts: map[string]string{}}
	subscribed = sync.OnceFunc(subscribed)
	for {
		sub, err := f.Subscribe(ctx, key, after)
		subscribed()
		if err != nil {
			return nil, err
		}
		after = s.last
		for rng.IntN(20) > 0 {
			b, err := sub.Next(ctx)
			if err != nil {
				sub.Close()
				return nil, err
			}
			if b.Lost {
				if s.catchUp(sub, log) { // the turn has ended meanwhile, as its log tells
					sub.Close()
					return s, nil
				}
				after = s.last
				continue
			}
			if err := s.apply(b.Frames, log); err != nil {
				sub.Close()
				return nil, err
			}
			if b.Frames[len(b.Frames)-1].Terminal {
				sub.Close()
				return s, nil
			}
			if rng.IntN(50) == 0 {
				after = At(s.last.Seq, s.last.N+1_000_000) // an id that nobody gave out
				break
			}
			after = s.last
		}
		sub.Close()
	}
}

// messages is how many testInterleaving writes.
const messages = 60

// testInterleaving writes drafts and settles them while readers come, go, resume, and lag; all end with the same text.
func testInterleaving(t *testing.T, f feed.Feed) {
	const readers = 12
	log := &turnLog{text: map[string]string{}}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var wg, early sync.WaitGroup
	begin := make(chan struct{})
	stop, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	for i := range readers {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		late := i%3 == 0
		if !late {
			early.Add(1)
		}
		wg.Go(func() {
			after, subscribed := feed.Now, early.Done
			if late {
				<-begin
				after, subscribed = event.ID{}, func() {}
			}
			got, err := follow(stop, f, log, rng, after, subscribed)
			if err != nil {
				if !errors.Is(err, errWriter) {
					t.Errorf("reader %d: %v", i, err)
				}
				return
			}
			if _, all := log.read(); !maps.Equal(got.settled, all) {
				t.Errorf("reader %d ends with %d messages, not with the %d of the log", i, len(got.settled), len(all))
			}
			if len(got.drafts) > 0 {
				t.Errorf("reader %d ends with %d drafts", i, len(got.drafts))
			}
		})
	}
	early.Wait()
	if err := write(stop, f, log, rand.New(rand.NewPCG(seed, readers)), begin); err != nil {
		t.Error(err)
		cancel(errWriter)
	}
	wg.Wait()
}

var errWriter = errors.New("the writer failed")

// write publishes messages as an engine does: drafts, a commit to the log, what the commit settled.
func write(ctx context.Context, f feed.Feed, log *turnLog, rng *rand.Rand, begin chan struct{}) error {
	var seq int64
	for m := range messages {
		if m == messages/3 {
			close(begin)
		}
		id, n := fmt.Sprint("m", m), 1
		var text strings.Builder
		if err := f.Publish(ctx, key, Start(At(seq, n), id)); err != nil {
			return err
		}
		size := 1 + rng.IntN(30)
		if m%20 == 7 {
			size = 4000 // so long that slow readers lose their place
		}
		for range 1 + rng.IntN(40) {
			n++
			delta := fmt.Sprintf("%0*d", size, rng.IntN(10))
			text.WriteString(delta)
			if err := f.Publish(ctx, key, Delta(At(seq, n), id, delta)); err != nil {
				return err
			}
		}
		seq = log.settle(id, text.String())
		end := Settled(At(seq, 0), id)
		end.Terminal = m == messages-1
		if err := f.Publish(ctx, key, end); err != nil {
			return err
		}
		if err := f.Settle(ctx, key, seq); err != nil {
			return err
		}
	}
	return nil
}
