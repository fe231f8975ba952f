package guide_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/steward-assistant/steward/internal/guide"
)

// FuzzNext: whatever is asked, there is an end without a panic, calls are valid, and the reply is well-formed text.
func FuzzNext(f *testing.F) {
	for _, s := range []string{
		"who is booked at 6pm tomorrow?", "מי רשום מחר בשש בערב", "кто записан завтра в шесть вечера", "bookings of “Dana", "18/3/2026 18.3. 99/99 24:00 24:61",
		"last last next this 7 7 days days", "half past half past", "from from to to 1 to", "יום יום ב׳ ה", "31 February 29/2", "\u202e\u0000\xff", "'s 's ’s", "{date} {x:member}",
		"in 400 years", "99999999999999999999 leads", "top -1 leads", strings.Repeat("ראשון ", 80), "יום", "the", "a", "at", "quarter", "since", "between and", "12-", "2026-", "1,2,3",
	} {
		f.Add(s, "bookings of Dana")
		f.Add("2", s)
	}
	hosts := []*host{studio(f), library(f)}
	f.Fuzz(func(t *testing.T, text, earlier string) {
		for _, h := range hosts {
			r := h.ask(t, "en", text, earlier)
			if r.Text == "" || !utf8.ValidString(r.Text) {
				t.Errorf("%q gave %q", text, r.Text)
			}
			for _, n := range r.Notes {
				if !utf8.ValidString(n) || strings.ContainsAny(n, "\n\r\x00") {
					t.Errorf("%q gave the note %q", text, n)
				}
			}
		}
	})
}

func long() []string {
	return []string{
		strings.Repeat("who is booked tomorrow at 18:00 of Dana ", 500), strings.Repeat("a", 20000), strings.Repeat("ב", 10000),
		strings.Repeat("1:", 10000), strings.Repeat("“", 6600), strings.Repeat("last next ", 2000), strings.Repeat("Dana Levi Cohen ", 1250), strings.Repeat("\u0301", 10000),
	}
}

// TestLongQuestionsAreCutAndSaid holds that the time a question takes does not grow with its length.
func TestLongQuestionsAreCutAndSaid(t *testing.T) {
	t.Parallel()
	h := studio(t)
	for _, text := range long() {
		r := h.ask(t, "en", text)
		if len(r.Notes) == 0 || r.Notes[0] != "Read only the start of a long message" && r.Notes[0] != "נקראה רק ההתחלה של הודעה ארוכה" {
			t.Errorf("%.20q… gave the notes %q", text, r.Notes)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	h, _ := gym(b)
	for name, text := range map[string]string{"short": "who is booked at 6pm tomorrow?", "20,000 characters": long()[0], "other words": "what do you think of the weather in the mountains of Peru"} {
		b.Run(name, func(b *testing.B) {
			q := guide.Question{Text: text, Locale: "en", Now: h.now(), Offer: h.offer}
			b.ReportAllocs()
			for b.Loop() {
				h.guide.Next(b.Context(), q, nil)
			}
		})
	}
}

// TestWorkIsBounded holds that a question of 20,000 characters makes no more work than what is read of it.
func TestWorkIsBounded(t *testing.T) {
	h, _ := gym(t)
	work := func(text string) float64 {
		return testing.AllocsPerRun(3, func() {
			h.guide.Next(t.Context(), guide.Question{Text: text, Locale: "en", Now: h.now(), Offer: h.offer}, nil)
		})
	}
	for _, text := range long() {
		short := text[:len(text)/5]
		if whole, part := work(text), work(short); whole > 1.2*part+200 {
			t.Errorf("%.20q…: %v allocations, a fifth of it makes %v", text, whole, part)
		}
	}
}
