package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
)

// BenchmarkFirstByte measures a message's way to the first byte of its stream, over a kept connection, with an engine
// that answers at once; BenchmarkBareServer the same of a bare handler.
func BenchmarkFirstByte(b *testing.B) {
	e := &fakeEngine{follow: func(event.ID) (follower, error) { return shortTurn(), nil }}
	s, err := build(testConfig(b, io.Discard), e)
	if err != nil {
		b.Fatal(err)
	}
	firstByte(b, s)
}

func BenchmarkBareServer(b *testing.B) {
	firstByte(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write([]byte("data: {}\n\n"))
		_ = http.NewResponseController(w).Flush()
	}))
}

func firstByte(b *testing.B, h http.Handler) {
	b.Helper()
	srv := httptest.NewServer(h)
	defer srv.Close()
	authorization := "Bearer " + token(b, "owner")
	one := make([]byte, 1)
	for b.Loop() {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, srv.URL+messagesPath, strings.NewReader(`{"text":"Who is booked tomorrow at 18:00?","page":{"route":"/schedule","viewport":{"width":1280,"height":720}}}`))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Authorization", authorization)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(res.Body, one); err != nil || res.StatusCode != http.StatusOK {
			b.Fatal(res.StatusCode, err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
}
