// Package feedtest is what every implementation of feed.Feed must do.
package feedtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
)

// Run runs the conformance suite; open makes a feed of its own for each test, which Run closes.
func Run(t *testing.T, open func(t *testing.T) feed.Feed) {
	t.Helper()
	for name, body := range map[string]func(*testing.T, feed.Feed){
		"order":        testOrder,
		"merge":        testMerge,
		"resume":       testResume,
		"unknown":      testUnknown,
		"slow":         testSlow,
		"unread":       testUnread,
		"huge draft":   testHugeDraft,
		"settle":       testSettle,
		"skip":         testSkip,
		"keys":         testKeys,
		"malformed":    testMalformed,
		"cancel":       testCancel,
		"forget":       testForget,
		"close":        testClose,
		"interleaving": testInterleaving,
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			t.Cleanup(func() {
				if err := f.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			body(t, f)
		})
	}
}

const key = "conversation"

// At is a short event.ID.
func At(seq int64, n int) event.ID { return event.ID{Seq: seq, N: n} }

// Start is the frame that begins a draft.
func Start(id event.ID, message string) feed.Frame {
	return feed.Frame{ID: id, Kind: event.KindTextStart, Draft: true, MessageID: message, Data: []byte(`{"type":"TEXT_MESSAGE_START"}`)}
}

// Delta is more of a draft.
func Delta(id event.ID, message, text string) feed.Frame {
	return feed.Frame{ID: id, Kind: event.KindTextContent, Draft: true, MessageID: message, Text: text}
}

// Settled is a frame that the log can give as well.
func Settled(id event.ID, message string) feed.Frame {
	return feed.Frame{ID: id, Kind: event.KindTextEnd, MessageID: message, Data: []byte(`{"type":"TEXT_MESSAGE_END"}`)}
}

func publish(t *testing.T, f feed.Feed, frames ...feed.Frame) {
	t.Helper()
	for _, frame := range frames {
		if err := f.Publish(t.Context(), key, frame); err != nil {
			t.Fatalf("publish %s: %v", frame.ID, err)
		}
	}
}

func subscribe(t *testing.T, f feed.Feed, after event.ID) feed.Subscription {
	t.Helper()
	s, err := f.Subscribe(t.Context(), key, after)
	if err != nil {
		t.Fatalf("subscribe: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// next formats a batch: "LOST", or frames as "5.2 hello" for text and "5.1" for others.
func next(t *testing.T, s feed.Subscription) string {
	t.Helper()
	b, err := s.Next(t.Context())
	if err != nil {
		t.Fatalf("next: %v", err)
	}
	if b.Lost {
		return "LOST"
	}
	var words []string
	for _, f := range b.Frames {
		if f.Data == nil {
			t.Errorf("frame %s has no data", f.ID)
		}
		word := f.ID.String()
		if f.Text != "" {
			word += " " + f.Text
			if !strings.Contains(string(f.Data), f.Text) {
				t.Errorf("data %s is not of text %q", f.Data, f.Text)
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// drain reads until the frame with the given id.
func drain(t *testing.T, s feed.Subscription, until event.ID) string {
	t.Helper()
	var got []string
	for {
		got = append(got, next(t, s))
		last := got[len(got)-1]
		if i := strings.LastIndex(last, ", "); i >= 0 {
			last = last[i+2:]
		}
		if id, _, _ := strings.Cut(last, " "); id == until.String() {
			return strings.Join(got, ", ")
		}
	}
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func testOrder(t *testing.T, f feed.Feed) {
	s := subscribe(t, f, feed.Now)
	publish(t, f, Settled(At(1, 0), "a"), Settled(At(1, 1), "a"), Settled(At(2, 0), "a"))
	want(t, "frames", drain(t, s, At(2, 0)), "1.0, 1.1, 2.0")
	for _, id := range []event.ID{At(2, 0), At(1, 5), At(0, 9)} {
		if err := f.Publish(t.Context(), key, Settled(id, "a")); !errors.Is(err, feed.ErrOrder) {
			t.Errorf("publish %s after 2.0: %v, want ErrOrder", id, err)
		}
	}
	publish(t, f, Settled(At(2, 1), "a"))
	want(t, "after refused ones", next(t, s), "2.1")
}

func testMerge(t *testing.T, f feed.Feed) {
	behind := subscribe(t, f, feed.Now)
	publish(t, f, Start(At(1, 1), "a"), Delta(At(1, 2), "a", "one "), Delta(At(1, 3), "a", "two "), Delta(At(1, 4), "a", "three"))
	want(t, "behind", drain(t, behind, At(1, 4)), "1.1, 1.4 one two three")
	publish(t, f, Delta(At(1, 5), "a", "!"))
	want(t, "up to date", next(t, behind), "1.5 !")
	publish(t, f, Delta(At(1, 6), "b", "other"), Delta(At(1, 7), "b", " text"), Settled(At(2, 0), "b"), Delta(At(2, 1), "b", "more"))
	want(t, "two texts", drain(t, behind, At(2, 1)), "1.7 other text, 2.0, 2.1 more")
	now := subscribe(t, f, feed.Now)
	publish(t, f, Delta(At(2, 2), "b", "new"))
	want(t, "from now", next(t, now), "2.2 new")
	reasoning := Delta(At(2, 3), "b", "hm")
	reasoning.Kind = event.KindReasoningContent
	publish(t, f, reasoning, Delta(At(2, 4), "b", "said"))
	want(t, "kinds", drain(t, now, At(2, 4)), "2.3 hm, 2.4 said")
}

func testResume(t *testing.T, f feed.Feed) {
	publish(t, f, Settled(At(1, 0), "a"), Start(At(1, 1), "a"), Delta(At(1, 2), "a", "one "), Delta(At(1, 3), "a", "two "), Delta(At(1, 4), "a", "three"), Settled(At(2, 0), "a"))
	for _, tc := range []struct {
		after event.ID
		want  string
	}{
		{At(1, 0), "1.1, 1.4 one two three, 2.0"},
		{At(1, 1), "1.4 one two three, 2.0"},
		{At(1, 2), "1.4 two three, 2.0"},
		{At(1, 3), "1.4 three, 2.0"},
		{At(1, 4), "2.0"},
	} {
		want(t, "after "+tc.after.String(), drain(t, subscribe(t, f, tc.after), At(2, 0)), tc.want)
	}
	end := subscribe(t, f, At(2, 0))
	publish(t, f, Settled(At(3, 0), "a"))
	want(t, "from the end", next(t, end), "3.0")
}

func testUnknown(t *testing.T, f feed.Feed) {
	want(t, "nothing known", next(t, subscribe(t, f, At(4, 2))), "LOST")
	publish(t, f, Settled(At(5, 0), "a"), Start(At(5, 1), "a"), Delta(At(5, 3), "a", "text"))
	for _, after := range []event.ID{{}, At(4, 9), At(5, 2), At(5, 4), At(9, 0)} {
		s := subscribe(t, f, after)
		want(t, "after "+after.String(), next(t, s), "LOST")
		want(t, "then", drain(t, s, At(5, 3)), "5.0, 5.1, 5.3 text")
	}
}

// testSlow: one who never reads holds up nobody, and is told.
func testSlow(t *testing.T, f feed.Feed) {
	slow, quick := subscribe(t, f, feed.Now), subscribe(t, f, feed.Now)
	publish(t, f, Settled(At(1, 0), "a"))
	want(t, "slow, at first", next(t, slow), "1.0")
	big := Settled(event.ID{}, "a")
	big.Data = []byte(strings.Repeat("x", 4000))
	const frames = 3 * feed.MaxBytes / 4000
	for n := range frames {
		big.ID = At(2, n)
		publish(t, f, big)
		drain(t, quick, big.ID)
	}
	want(t, "slow", next(t, slow), "LOST")
	want(t, "too old", next(t, subscribe(t, f, At(1, 0))), "LOST")
	b, err := slow.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, frame := range b.Frames {
		size += len(frame.Data)
	}
	if size > feed.MaxBytes || size < feed.MaxBytes/2 {
		t.Errorf("%d bytes are kept, want at most %d and not much less", size, feed.MaxBytes)
	}
	big.ID = At(3, 0)
	publish(t, f, big)
	drain(t, slow, big.ID)
}

// testUnread: what is forgotten after it was read is no loss.
func testUnread(t *testing.T, f feed.Feed) {
	s := subscribe(t, f, feed.Now)
	big := Settled(At(1, 0), "a")
	big.Data = []byte(strings.Repeat("x", feed.MaxBytes*2/5))
	publish(t, f, big)
	want(t, "first", next(t, s), "1.0")
	for n := range 2 { // the second makes the feed forget the first
		big.ID = At(1, 1+n)
		publish(t, f, big)
	}
	want(t, "then", drain(t, s, At(1, 2)), "1.1, 1.2")
}

// testHugeDraft: a draft that is longer than what is kept is whole for who reads along, and left out for who is late.
func testHugeDraft(t *testing.T, f feed.Feed) {
	along := subscribe(t, f, feed.Now)
	publish(t, f, Settled(At(1, 0), "a"), Start(At(1, 1), "a"))
	drain(t, along, At(1, 1))
	var sent, got strings.Builder
	for n := range 2 * feed.MaxBytes / 500 {
		text := strings.Repeat(fmt.Sprintf("%05d", n), 100)
		sent.WriteString(text)
		publish(t, f, Delta(At(1, 2+n), "a", text))
		b, err := along.Next(t.Context())
		if err != nil || b.Lost {
			t.Fatalf("delta %d: %+v, %v", n, b.Lost, err)
		}
		for _, frame := range b.Frames {
			got.WriteString(frame.Text)
		}
	}
	for got.Len() < sent.Len() {
		b, err := along.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, frame := range b.Frames {
			got.WriteString(frame.Text)
		}
	}
	if got.String() != sent.String() {
		t.Error("the text read along is not the text sent")
	}
	late := subscribe(t, f, At(1, 0))
	want(t, "late", next(t, late), "LOST")
	publish(t, f, Settled(At(2, 0), "a"))
	want(t, "late", next(t, late), "2.0")
}

func testSettle(t *testing.T, f feed.Feed) {
	behind, along := subscribe(t, f, feed.Now), subscribe(t, f, feed.Now)
	publish(t, f, Start(At(1, 1), "a"), Delta(At(1, 2), "a", "one "), Delta(At(1, 3), "a", "two"), Settled(At(2, 0), "a"))
	want(t, "along", drain(t, along, At(2, 0)), "1.1, 1.3 one two, 2.0")
	settle(t, f, 2)
	want(t, "behind, after the draft is settled", drain(t, behind, At(2, 0)), "1.1, 1.3 one two, 2.0")
	settle(t, f, 2)
	want(t, "of a dead draft", next(t, subscribe(t, f, At(1, 2))), "LOST")
	want(t, "of its end", next(t, subscribe(t, f, At(1, 3))), "2.0")
	publish(t, f, Start(At(2, 1), "b"), Delta(At(2, 2), "b", "new"))
	s := subscribe(t, f, At(1, 2))
	want(t, "of a dead draft", next(t, s), "LOST")
	want(t, "then", drain(t, s, At(2, 2)), "2.0, 2.1, 2.2 new")
	want(t, "along", drain(t, along, At(2, 2)), "2.1, 2.2 new")
}

func settle(t *testing.T, f feed.Feed, seq int64) {
	t.Helper()
	if err := f.Settle(t.Context(), key, seq); err != nil {
		t.Fatalf("settle %d: %v", seq, err)
	}
}

func testSkip(t *testing.T, f feed.Feed) {
	publish(t, f, Start(At(1, 1), "a"), Delta(At(1, 2), "a", "dead"), Settled(At(2, 0), "a"), Settled(At(2, 1), "a"),
		Start(At(2, 2), "b"), Delta(At(2, 3), "b", "live"), Settled(At(3, 0), "b"))
	s := subscribe(t, f, At(1, 0))
	want(t, "first", next(t, s), "LOST")
	s.Skip(2)
	want(t, "without what the log gave", drain(t, s, At(3, 0)), "2.2, 2.3 live, 3.0")
	s.Skip(1) // never back
	publish(t, f, Settled(At(4, 0), "b"))
	want(t, "then", next(t, s), "4.0")
}

func testKeys(t *testing.T, f feed.Feed) {
	s := subscribe(t, f, feed.Now)
	if err := f.Publish(t.Context(), "another", Settled(At(9, 0), "x")); err != nil {
		t.Fatal(err)
	}
	if err := f.Settle(t.Context(), "a third", 3); err != nil {
		t.Fatal(err)
	}
	publish(t, f, Settled(At(1, 0), "a"))
	want(t, "own frames only", next(t, s), "1.0")
}

func testMalformed(t *testing.T, f feed.Feed) {
	for name, frame := range map[string]feed.Frame{
		"empty":              {ID: At(1, 0), Kind: event.KindTextEnd},
		"text, not a draft":  {ID: At(1, 0), Kind: event.KindTextContent, MessageID: "a", Text: "x"},
		"text of no message": {ID: At(1, 0), Kind: event.KindTextContent, Draft: true, Text: "x"},
		"text of a call":     {ID: At(1, 0), Kind: event.KindToolCallArgs, Draft: true, MessageID: "a", Text: "x"},
		"terminal text":      {ID: At(1, 0), Kind: event.KindTextContent, Draft: true, MessageID: "a", Text: "x", Terminal: true},
	} {
		if err := f.Publish(t.Context(), key, frame); !errors.Is(err, feed.ErrFrame) {
			t.Errorf("%s: %v, want ErrFrame", name, err)
		}
	}
}

func testCancel(t *testing.T, f feed.Feed) {
	s := subscribe(t, f, feed.Now)
	why := errors.New("the tab is gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	got := make(chan error)
	go func() {
		_, err := s.Next(ctx)
		got <- err
	}()
	cancel(why)
	if err := <-got; !errors.Is(err, why) {
		t.Errorf("next = %v, want the context's cause", err)
	}
	publish(t, f, Settled(At(1, 0), "a"))
	want(t, "a later call", next(t, s), "1.0")
}

func testForget(t *testing.T, f feed.Feed) {
	publish(t, f, Settled(At(1, 0), "a"))
	s := subscribe(t, f, At(1, 0))
	got := make(chan error)
	go func() {
		_, err := s.Next(t.Context())
		got <- err
	}()
	if err := f.Forget(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := <-got; !errors.Is(err, feed.ErrClosed) {
		t.Errorf("next = %v, want ErrClosed", err)
	}
	want(t, "what was kept", next(t, subscribe(t, f, At(1, 0))), "LOST")
	if err := f.Forget(t.Context(), "unknown"); err != nil {
		t.Errorf("forget an unknown key: %v", err)
	}
}

func testClose(t *testing.T, f feed.Feed) {
	s, closed := subscribe(t, f, feed.Now), subscribe(t, f, feed.Now)
	closed.Close()
	closed.Close()
	if _, err := closed.Next(t.Context()); !errors.Is(err, feed.ErrClosed) {
		t.Errorf("next of a closed subscription: %v, want ErrClosed", err)
	}
	got := make(chan error)
	go func() {
		_, err := s.Next(t.Context())
		got <- err
	}()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-got; !errors.Is(err, feed.ErrClosed) {
		t.Errorf("next = %v, want ErrClosed", err)
	}
	if err := f.Publish(t.Context(), key, Settled(At(1, 0), "a")); !errors.Is(err, feed.ErrClosed) {
		t.Errorf("publish: %v, want ErrClosed", err)
	}
	if _, err := f.Subscribe(t.Context(), key, feed.Now); !errors.Is(err, feed.ErrClosed) {
		t.Errorf("subscribe: %v, want ErrClosed", err)
	}
	if err := f.Settle(t.Context(), key, 1); !errors.Is(err, feed.ErrClosed) {
		t.Errorf("settle: %v, want ErrClosed", err)
	}
}
