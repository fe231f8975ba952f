package model

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestFaultType(t *testing.T) {
	for name := range openAICodes {
		if faultType(name) != name && name != "badrequesterror" { // it is written BadRequestError
			t.Errorf("%q is not known", name)
		}
	}
	for _, name := range []string{
		"overloaded_error", "billing_error", "request_too_large", "timeout_error", "BadRequestError", "APIError", "RESOURCE_EXHAUSTED",
		"billing_hard_limit_reached", "unsupported_country_region_territory", "DeploymentNotFound", "ThrottlingException", "string_above_max_length",
	} {
		if faultType(name) != name {
			t.Errorf("%q is not known", name)
		}
	}
	for _, name := range []string{"", "_", "error_", "MEMBERWORDS", "sk-other-SECRETKEY", "anna_is_ill", "error_4111111111111111", "error error", strings.Repeat("error_", 20) + "error"} {
		if got := faultType(name); got != "" {
			t.Errorf("%q: got %q", name, got)
		}
	}
}

// Whatever a server writes where types and ids stand, the key and the words of the conversation reach no error and no
// log.
func TestFaultsHideKeyAndWords(t *testing.T) {
	const words = "canary-prompt"
	for _, secret := range []string{testKey, words, testKey[:12], "x" + testKey} {
		object := fmt.Sprintf(`{"message":%[1]q,"type":%[1]q,"code":%[1]q,"param":%[1]q}`, secret)
		id := secret
		if secret == words {
			id = "req_1" // an id is of no words
		}
		for name, answer := range map[string]struct {
			status     int
			kind, body string
		}{
			"401":       {401, "application/json", fmt.Sprintf(`{"type":"error","error":%s,"request_id":%q}`, object, id)},
			"in stream": {200, "text/event-stream", fmt.Sprintf("event: error\ndata: {\"type\":\"error\",\"error\":%s}\n\n", object)},
			"bare":      {200, "text/event-stream", fmt.Sprintf("event: error\ndata: %s\n\n", object)},
			"failed":    {200, "text/event-stream", fmt.Sprintf("data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":%s}}\n\n", object)},
		} {
			var log bytes.Buffer
			logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			send := func(*http.Request) (*http.Response, error) {
				header := http.Header{"Content-Type": {answer.kind}, "X-Request-Id": {id}}
				return &http.Response{StatusCode: answer.status, Header: header, Body: io.NopCloser(strings.NewReader(answer.body))}, nil
			}
			claude, chat, responses := testClient(t, send), testChat(t, send), testResponses(t, send)
			claude.log, chat.log, responses.log = logger, logger, logger
			for _, p := range []Provider{claude, chat, responses} {
				got := firstError(t, p.Stream(t.Context(), testRequest()))
				if seen := got.Error() + got.RequestID + log.String(); log.Len() == 0 || strings.Contains(seen, secret) {
					t.Errorf("%s, %T: %q is in %v, %q or %q", name, p, secret, got, got.RequestID, log.String())
				}
			}
		}
	}
}

// A known type stands beside one that is none.
func TestTypeBesideOddCode(t *testing.T) {
	f, ok := readOpenAIFault([]byte(`{"type":"invalid_request_error","code":"` + testKey + `"}`))
	if got := f.inStream(); !ok || got.Code != CodeInvalidRequest || got.Type != "invalid_request_error" {
		t.Errorf("got %+v", got)
	}
}

// What a server writes instead of HTTP is in no error.
func TestNotHTTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	answers := []string{testKey + " canary\r\n\r\n", "HTTP/1.1 canary\r\n\r\n", "HTTP/1.1 200 OK\r\ncanary: a\r\n" + testKey + "\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: canary\r\n\r\n"}
	go func() {
		for i := 0; ; i++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 4096)
			_, _ = conn.Read(buf)
			_, _ = io.WriteString(conn, answers[i%len(answers)])
			_ = conn.Close()
		}
	}()
	chat, err := NewChat(ChatConfig{Key: testKey, BaseURL: "http://" + listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	for range answers {
		got := firstError(t, chat.Stream(t.Context(), openAIRequest()))
		if got.Code != CodeUnavailable || strings.Contains(got.Error(), "canary") || strings.Contains(got.Error(), testKey) {
			t.Errorf("got %v", got)
		}
	}
}
