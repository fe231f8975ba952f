package gym

import (
	"bytes"
	"testing"
)

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		g, err := New(b.Context(), Config{Dir: b.TempDir(), Secret: bytes.Repeat([]byte("s"), 32), Audience: "a"})
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
