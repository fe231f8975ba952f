package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A pacer is a model whose words tell when they were sent: " N:NANOSECONDS" by the machine's clock, N from 0. The
// member's words say how many, how often, and how long each is.

var paced = regexp.MustCompile(`say (\d+) words, one each (\d+) ms, of (\d+) bytes`)

// pacedWords asks a pacer; bytes pads each word to a length.
func pacedWords(words int, each time.Duration, bytes int) string {
	return fmt.Sprintf("say %d words, one each %d ms, of %d bytes", words, each.Milliseconds(), bytes)
}

func pacer(ctx context.Context, _ []string, out io.Writer) error {
	return serve(ctx, out, pacerHandler())
}

func pacerHandler() http.Handler { return http.HandlerFunc(pace) }

func pace(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	asked := paced.FindSubmatch(body)
	if err != nil || asked == nil {
		http.Error(w, `{"type":"error","error":{"type":"invalid_request_error","message":"it does not say how many words"}}`, http.StatusBadRequest)
		return
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(string(asked[i+1])) // digits
	}
	words, each, size := n[0], time.Duration(n[1])*time.Millisecond, n[2]
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	var buf bytes.Buffer
	send := func(name, format string, args ...any) {
		fmt.Fprintf(&buf, "event: %s\ndata: "+format+"\n\n", append([]any{name}, args...)...)
	}
	flush := func() {
		_, _ = w.Write(buf.Bytes()) // a reader that has left is seen by its context
		buf.Reset()
		_ = out.Flush() // as above
	}
	send("message_start", `{"type":"message_start","message":{"id":"msg_bench","type":"message","role":"assistant","model":"claude-sonnet-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}`)
	send("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	flush()
	pad := strings.Repeat("x", max(0, size-24))
	// Streams do not tick together. Due times are absolute, so that a late word makes the next no later.
	due := time.Now().Add(rand.N(each + 1)) //nolint:gosec // spreads streams, guards nothing
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for i := range words {
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return
		}
		send("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" %d:%d%s"}}`, i, time.Now().UnixNano(), pad)
		flush()
		due = due.Add(each)
		timer.Reset(time.Until(due))
	}
	send("content_block_stop", `{"type":"content_block_stop","index":0}`)
	send("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":%d}}`, words)
	send("message_stop", `{"type":"message_stop"}`)
	flush()
}

// arrivals is what a reader finds out about the words of one stream.
type arrivals struct {
	// skip leaves that many words out of the sample: those of the beginning, when all streams open.
	skip   int
	next   int
	broken int // words that were out of order, twice or missing
	took   []time.Duration
}

// take reads the words of a delta, which are several where the reader was behind.
func (a *arrivals) take(text string) {
	now := time.Now().UnixNano()
	for word := range strings.FieldsSeq(text) {
		number, rest, _ := strings.Cut(word, ":")
		stamp, _, _ := strings.Cut(rest, "x")
		n, err := strconv.Atoi(number)
		sent, err2 := strconv.ParseInt(stamp, 10, 64)
		if err != nil || err2 != nil || n != a.next {
			a.broken++
		}
		a.next = n + 1
		if err == nil && err2 == nil && n >= a.skip {
			a.took = append(a.took, time.Duration(now-sent))
		}
	}
}
