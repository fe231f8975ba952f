package model

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// pieces is a reader that gives its text in pieces of the given sizes, the last size over and over.
type pieces struct {
	text  string
	sizes []int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := len(p.text)
	if len(p.sizes) > 0 {
		n = p.sizes[0]
		if len(p.sizes) > 1 {
			p.sizes = p.sizes[1:]
		}
	}
	n = copy(b, p.text[:min(max(n, 1), len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

type sseEvent struct{ Name, Data string }

func readEvents(r io.Reader) ([]sseEvent, error) {
	s := newSSEReader(r)
	defer s.close()
	var list []sseEvent
	for {
		name, data, err := s.next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, sseEvent{string(name), string(data)})
	}
}

func TestSSE(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []sseEvent
	}{
		{"lf", "event: a\ndata: 1\n\ndata: 2\n\n", []sseEvent{{"a", "1"}, {"", "2"}}},
		{"crlf", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []sseEvent{{"a", "1"}, {"", "2"}}},
		{"cr", "event: a\rdata: 1\r\rdata: 2\r\r", []sseEvent{{"a", "1"}, {"", "2"}}},
		{"mixed", "event: a\r\ndata: 1\n\rdata: 2\r\n\n", []sseEvent{{"a", "1"}, {"", "2"}}},
		{"mark", "\xef\xbb\xbfdata: 1\n\n", []sseEvent{{"", "1"}}},
		{"half a mark", "\xef\xbbdata: 1\n\ndata: 2\n\n", []sseEvent{{"", "2"}}},
		{"mark within", "data: 1\n\n\xef\xbb\xbfdata: 2\n\n", []sseEvent{{"", "1"}}},
		{"comments", ": hi\n\n: again\ndata: 1\n: in between\ndata: 2\n\n", []sseEvent{{"", "1\n2"}}},
		{"three lines", "data: 1\ndata\ndata:3\n\n", []sseEvent{{"", "1\n\n3"}}},
		{"one space only", "data:  1\n\n", []sseEvent{{"", " 1"}}},
		{"no space", "data:1\nevent:x\n\n", []sseEvent{{"x", "1"}}},
		{"other fields", "id: 4\nretry: 10\ndata: 1\nfoo: bar\n\n", []sseEvent{{"", "1"}}},
		{"name without data", "event: a\n\ndata: 1\n\n", []sseEvent{{"", "1"}}},
		{"empty data", "data:\n\n", []sseEvent{{"", ""}}},
		{"cut", "data: 1\n\ndata: 2\n", []sseEvent{{"", "1"}}},
		{"cut in a line", "data: 1\n\ndata: 2", []sseEvent{{"", "1"}}},
		{"nothing", "", nil},
		{"less than a mark", "\xef", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size := 1; size <= len(c.text)+1; size++ {
				got, err := readEvents(&pieces{c.text, []int{size}})
				if err != nil || !reflect.DeepEqual(got, c.want) {
					t.Fatalf("in pieces of %d: got %q, %v; want %q", size, got, err, c.want)
				}
			}
		})
	}
}

func TestSSEBounds(t *testing.T) {
	t.Run("long events pass", func(t *testing.T) {
		long := strings.Repeat("x", 1<<20)
		got, err := readEvents(&pieces{"data: 1\n\ndata: " + long + "\ndata: " + long + "\n\ndata: 2\n\n", []int{70_001}})
		want := []sseEvent{{"", "1"}, {"", long + "\n" + long}, {"", "2"}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %d events, %v", len(got), err)
		}
	})
	t.Run("endless line", func(t *testing.T) {
		if _, err := readEvents(io.MultiReader(strings.NewReader("data: "), endless('x'))); !errors.Is(err, errEventTooLong) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("endless comments keep nothing", func(t *testing.T) {
		comments := io.LimitReader(&pieces{strings.Repeat(": ping\n\n: x\n", 1<<20), []int{4096}}, 10<<20)
		s := newSSEReader(comments)
		defer s.close()
		if _, _, err := s.next(); !errors.Is(err, io.EOF) || len(s.buf) != sseStartBytes {
			t.Errorf("got %v with a buffer of %d", err, len(s.buf))
		}
	})
	t.Run("a reader that never progresses", func(t *testing.T) {
		if _, err := readEvents(stuck{}); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("got %v", err)
		}
	})
}

type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// lineEnds is a plain reference: the whole text at once, split as the standard says.
func referenceEvents(text string) []sseEvent {
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var list []sseEvent
	var name string
	var data []string
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			if data != nil {
				list = append(list, sseEvent{name, strings.Join(data, "\n")})
			}
			name, data = "", nil
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data = append(data, value)
		}
	}
	return list
}

func FuzzSSE(f *testing.F) {
	for _, seed := range []string{
		"event: a\ndata: 1\n\n", "data: 1\r\n\r\n", "data:1\rdata:2\r\r", "\xef\xbb\xbfdata: x\n\n", ":\n\n:\r\r", "data\n\nevent\n\n",
		"event: error\ndata: {\"type\":\"error\"}\n\n",
	} {
		f.Add(seed, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		want := referenceEvents(text)
		random := rand.New(rand.NewPCG(seed, 1))
		for _, sizes := range [][]int{{1 << 20}, {1}, {2}, {3}, randomSizes(random, len(text))} {
			shown := fmt.Sprint(sizes)
			got, err := readEvents(&pieces{text, sizes})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("pieces %s: got %q, %v; want %q", shown, got, err, want)
			}
		}
	})
}

// randomSizes cuts n bytes at random places.
func randomSizes(random *rand.Rand, n int) []int {
	var sizes []int
	for most := 1 + random.IntN(64); n > 0; {
		size := 1 + random.IntN(most)
		sizes = append(sizes, size)
		n -= size
	}
	return append(sizes, 1)
}
