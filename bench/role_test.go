package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"
)

// A model may answer before the proxy has seen the request's end, and the reply must pass.
func TestProxyPassesAnEarlyReply(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		_, _ = w.Write([]byte("early")) // the reader below finds what is missing
	}))
	defer model.Close()
	target, err := url.Parse(model.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(forward(target))
	defer proxy.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	body, rest := io.Pipe()
	// Without this a client whose request was given up would wait for the rest of it.
	defer context.AfterFunc(ctx, func() { _ = rest.CloseWithError(context.DeadlineExceeded) })()
	go func() { _, _ = rest.Write([]byte("a begin")) }() // the other side may close first
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, proxy.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text := make([]byte, len("early"))
	if _, err := io.ReadFull(res.Body, text); err != nil || string(text) != "early" {
		t.Errorf("got %q, %v", text, err)
	}
	_ = rest.Close() // never fails
}
