package feed_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/feed"
	"github.com/steward-assistant/steward/internal/feed/feedtest"
)

func TestHub(t *testing.T) {
	feedtest.Run(t, func(*testing.T) feed.Feed { return &feed.Hub{} })
}

// TestKeyIsDroppedAfterItsTurn tells by Lost whether what was published is still kept.
func TestKeyIsDroppedAfterItsTurn(t *testing.T) {
	terminal := feedtest.Settled(feedtest.At(1, 1), "a")
	terminal.Terminal = true
	for _, tc := range []struct {
		name   string
		frames []feed.Frame
		wait   time.Duration
		kept   bool
	}{
		{"ended, soon", []feed.Frame{feedtest.Settled(feedtest.At(1, 0), "a"), terminal}, 9 * time.Second, true},
		{"ended, late", []feed.Frame{feedtest.Settled(feedtest.At(1, 0), "a"), terminal}, 11 * time.Second, false},
		{"running, late", []feed.Frame{feedtest.Settled(feedtest.At(1, 0), "a")}, 11 * time.Second, true},
		{"running, silent for long", []feed.Frame{feedtest.Settled(feedtest.At(1, 0), "a")}, 31 * time.Minute, false},
	} {
		for _, reader := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reader %v", tc.name, reader), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := &feed.Hub{}
					defer h.Close()
					var stays feed.Subscription
					if reader {
						stays = subscribe(t, h, feed.Now)
					}
					for _, f := range tc.frames {
						publish(t, h, "k", f)
					}
					time.Sleep(tc.wait)
					if reader {
						stays.Close() // only now does the time begin to count
						time.Sleep(5 * time.Second)
					}
					s := subscribe(t, h, feedtest.At(1, 0))
					defer s.Close()
					publish(t, h, "k", feedtest.Settled(feedtest.At(2, 0), "a"))
					b, err := s.Next(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if want := tc.kept || reader; b.Lost == want {
						t.Errorf("kept = %v, want %v", !b.Lost, want)
					}
				})
			})
		}
	}
}

// TestSubscriptionsAreSmall holds readers that never read to a few hundred bytes each, and starts no goroutine.
func TestSubscriptionsAreSmall(t *testing.T) {
	const readers = 5000
	h := &feed.Hub{}
	defer h.Close()
	before, goroutines := heap(), runtime.NumGoroutine()
	for i := range readers {
		s, err := h.Subscribe(t.Context(), fmt.Sprint(i%50), feed.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
	}
	for n := range 2000 {
		publish(t, h, "7", feedtest.Delta(feedtest.At(1, n), "m", strings.Repeat("x", 1000)))
	}
	if each := (heap() - before - feed.MaxBytes) / readers; each > 1000 {
		t.Errorf("a reader holds %d bytes", each)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines more", n-goroutines)
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func subscribe(tb testing.TB, f feed.Feed, after event.ID) feed.Subscription {
	tb.Helper()
	s, err := f.Subscribe(tb.Context(), "k", after)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func publish(tb testing.TB, f feed.Feed, key string, frame feed.Frame) {
	tb.Helper()
	if err := f.Publish(tb.Context(), key, frame); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkPublish is one delta to one reader, read before the next.
func BenchmarkPublish(b *testing.B) {
	for _, readers := range []int{0, 1, 1000} {
		b.Run(fmt.Sprint("idle readers ", readers), func(b *testing.B) {
			h := &feed.Hub{}
			defer h.Close()
			for range readers {
				defer subscribe(b, h, feed.Now).Close()
			}
			frame := feedtest.Delta(event.ID{Seq: 1}, "m", "word ")
			frame.Data, _ = event.Encode(event.TextContent{MessageID: "m", Delta: "word "})
			for b.Loop() {
				frame.ID.N++
				publish(b, h, "k", frame)
			}
		})
	}
	b.Run("and read", func(b *testing.B) {
		h := &feed.Hub{}
		defer h.Close()
		s := subscribe(b, h, feed.Now)
		defer s.Close()
		frame := feedtest.Delta(event.ID{Seq: 1}, "m", "word ")
		frame.Data, _ = event.Encode(event.TextContent{MessageID: "m", Delta: "word "})
		for b.Loop() {
			frame.ID.N++
			publish(b, h, "k", frame)
			if batch, err := s.Next(b.Context()); err != nil || len(batch.Frames) != 1 {
				b.Fatal(batch, err)
			}
		}
	})
}
