package model

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/iotest"
)

func TestSpentBody(t *testing.T) {
	want := bytes.Repeat([]byte("tools "), 1000)
	if err := iotest.TestReader(&spentBody{bytes.NewReader(want)}, want); err != nil {
		t.Error(err)
	}
	b := &spentBody{bytes.NewReader(want)}
	var got bytes.Buffer
	if _, err := io.Copy(&got, b); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("copied %d bytes, %v", got.Len(), err)
	}
	if b.rest != nil {
		t.Error("the bytes are kept after they were sent")
	}
}

// TestRequestIsSentAgain has the server close its idle connection: the next call is asked anew and nobody notices.
func TestRequestIsSentAgain(t *testing.T) {
	var lengths []int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if r.ContentLength != int64(len(b)) {
			t.Errorf("Content-Length %d of %d bytes", r.ContentLength, len(b))
		}
		lengths = append(lengths, r.ContentLength)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, eventStream(evStart, evEnd, evStop))
	}))
	defer server.Close()
	a, err := NewAnthropic(AnthropicConfig{BaseURL: server.URL, Key: "sk-test"})
	if err != nil {
		t.Fatal(err)
	}
	request := Request{Model: "m", MaxOutputTokens: 10, Messages: []Message{{Role: RoleUser, Blocks: []Block{{Kind: BlockText, Text: "hi"}}}}}
	for range 3 {
		for _, err := range a.Stream(t.Context(), request) {
			if err != nil {
				t.Fatal(err)
			}
		}
		server.CloseClientConnections()
	}
	if len(lengths) != 3 || lengths[0] != lengths[2] {
		t.Errorf("requests of %v bytes", lengths)
	}
}
