package tool

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// TestMCPRoundTripperAsksOneAddress holds that nothing but the source's own address is asked, whoever asks for it.
func TestMCPRoundTripperAsksOneAddress(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("https://mcp.example.com:8443/mcp")
	if err != nil {
		t.Fatal(err)
	}
	next := &recorder{}
	rt := &mcpRoundTripper{
		base: base, key: "operator-key", next: next, timeout: time.Second,
		live: func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithCancel(ctx) },
	}
	ask := func(address, host string) error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		r.Header.Set("Cookie", "a=b")
		r.Header.Set("Authorization", "Bearer member-token")
		response, err := rt.RoundTrip(r)
		if err != nil {
			return err
		}
		return response.Body.Close()
	}
	for _, c := range []struct{ address, host string }{
		{"http://mcp.example.com:8443/mcp", ""},
		{"https://mcp.example.com/mcp", ""},
		{"https://mcp.example.com:8443/", ""},
		{"https://mcp.example.com:8443/mcp/more", ""},
		{"https://mcp.example.com:8443/mcp?a=b", ""},
		{"https://mcp.example.com:8443/%6dcp/../mcp", ""},
		{"https://user:secret@mcp.example.com:8443/mcp", ""},
		{"https://mcp.example.com.evil.example:8443/mcp", ""},
		{"https://169.254.169.254/mcp", ""},
		{"https://mcp.example.com:8443/mcp", "evil.example"},
	} {
		if err := ask(c.address, c.host); !errors.Is(err, errMCPElse) || next.asked != nil {
			t.Errorf("%s as %q: %v", c.address, c.host, err)
		}
	}
	if err := ask(base.String(), ""); err != nil || next.asked == nil {
		t.Fatal(err)
	}
	if h := next.asked.Header; h.Get("Authorization") != "Bearer operator-key" || h.Get("Cookie") != "" {
		t.Errorf("sent with %q", h)
	}
	rt.key = ""
	if err := ask(base.String(), ""); err != nil || next.asked.Header.Get("Authorization") != "" {
		t.Errorf("without a key, sent with %q, %v", next.asked.Header, err)
	}
}

// recorder keeps the latest request.
type recorder struct{ asked *http.Request }

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.asked = q
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}
