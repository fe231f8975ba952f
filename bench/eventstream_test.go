package main

import (
	"io"
	"strings"
	"testing"
)

func TestEach(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct{ name, stream, want, fault string }{
		{"whole", "id: 1.1\ndata: {\"type\":\"RUN_STARTED\"}\n\n: keep-alive\n\ndata: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"one \"}\n\ndata: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"two\"}\n\ndata: {\"type\":\"RUN_FINISHED\"}\n\n", "one two", ""},
		{"longer than the buffer", "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"" + long + "\"}\n\ndata: {\"type\":\"RUN_FINISHED\"}\n\n", long, ""},
		{"failed", "data: {\"type\":\"RUN_ERROR\",\"code\":\"internal\"}\n\n", "", "the turn failed"},
		{"cut", "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"one\"}\n\n", "one", "broke off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			err := newEventStream(io.NopCloser(strings.NewReader(c.stream))).each(func(b []byte) { got.Write(b) })
			if got.String() != c.want {
				t.Errorf("got %.40q, want %.40q", got.String(), c.want)
			}
			if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
				t.Errorf("got error %v, want %q", err, c.fault)
			}
		})
	}
}
