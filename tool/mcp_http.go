package tool

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpLink makes a link to an address. What goes over it lives as long as the link, whatever the SDK waits for.
func (m *MCP) httpLink(ctx context.Context) (*mcpLink, error) {
	base, err := url.Parse(m.options.Server.URL)
	if err != nil {
		return nil, errMCPElse
	}
	life, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	next, own := m.options.Transport, (*http.Transport)(nil)
	if next == nil {
		own = directTransport()
		next = own
	}
	client := &http.Client{
		Transport: &mcpRoundTripper{
			base: base, key: m.options.Server.Key.Reveal(), next: next, timeout: m.options.Timeout,
			live: func(ctx context.Context) (context.Context, context.CancelFunc) { return joined(ctx, life) },
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &mcpLink{
		transport: &mcp.StreamableClientTransport{Endpoint: base.String(), HTTPClient: client, MaxEventSize: defaultMaxResponse},
		stop:      func() { stop(errMCPEnded) },
		wait: func() {
			if own != nil {
				own.CloseIdleConnections()
			}
		},
	}, nil
}

// joined is a context that ends with either of two.
func joined(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return ctx, func() { release(); cancel(nil) }
}

// mcpRoundTripper carries requests to one address and no other, with the operator's key and no other credential. A status
// that no answer of the protocol has is an error, and answers are bounded.
type mcpRoundTripper struct {
	base    *url.URL
	key     string
	next    http.RoundTripper
	timeout time.Duration
	live    func(context.Context) (context.Context, context.CancelFunc)
}

var _ http.RoundTripper = (*mcpRoundTripper)(nil)

// RoundTrip sends one request.
func (t *mcpRoundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.String() != t.base.String() || r.Host != "" && r.Host != t.base.Host {
		return nil, errMCPElse
	}
	ctx, cancel := t.live(r.Context())
	r = r.Clone(ctx)
	r.Header.Del("Cookie")
	r.Header.Del("Authorization")
	if t.key != "" {
		r.Header.Set("Authorization", "Bearer "+t.key)
	}
	var slow *time.Timer
	if r.Method == http.MethodGet {
		// A stream that stays open begins at once or not at all; the SDK would wait for it without an end.
		slow = time.AfterFunc(t.timeout, cancel)
	}
	response, err := t.next.RoundTrip(r)
	if slow != nil && !slow.Stop() && err == nil {
		err = errors.Join(errTimeout, response.Body.Close())
	}
	if err != nil {
		cancel()
		return nil, err
	}
	if s := response.StatusCode; s >= 300 && s < 400 || s == http.StatusUnauthorized || s == http.StatusForbidden || s == http.StatusTooManyRequests || s >= 500 {
		err := response.Body.Close()
		cancel()
		return nil, errors.Join(mcpStatusError(s), err)
	}
	body := &mcpBody{ReadCloser: response.Body, cancel: cancel, left: defaultMaxResponse}
	// A stream of events is bounded event by event.
	body.endless = strings.HasPrefix(strings.ToLower(response.Header.Get("Content-Type")), "text/event-stream")
	response.Body = body
	return response, nil
}

// mcpBody is an answer of bounded size.
type mcpBody struct {
	io.ReadCloser
	cancel  context.CancelFunc
	left    int
	endless bool
}

// Read reads at most what is left.
func (b *mcpBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 && !b.endless {
		return 0, errMCPTooLarge
	}
	return n, err
}

// Close ends the request.
func (b *mcpBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel()
	return err
}
