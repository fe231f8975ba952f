package model

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// callerConfig is what the configurations of the wires have in common.
type callerConfig struct {
	wire string // whose configuration it is, for errors
	name string
	// url is the address of the one route that is used.
	url     string
	header  http.Header
	key     string // that the header carries, if any
	client  *http.Client
	idle    time.Duration
	timeout time.Duration
	log     *slog.Logger
	now     func() time.Time
	can     Capabilities
	without []string
}

// newCaller checks a configuration; its errors name the field.
func newCaller(cfg callerConfig) (caller, error) {
	fault := func(err error) (caller, error) { return caller{}, fmt.Errorf("%s: %w", cfg.wire, err) }
	c := caller{
		name: cfg.name, url: cfg.url, header: cfg.header, key: cfg.key, client: cfg.client, log: cfg.log, now: cfg.now, can: cfg.can,
		idle: orDefault(cfg.idle, time.Minute), timeout: orDefault(cfg.timeout, 10*time.Minute),
	}
	if cleanName(c.name, 64) == "" {
		return fault(errors.New("Name must be of letters, digits, -, _ and ., at most 64"))
	}
	if err := c.can.without(cfg.without); err != nil {
		return fault(err)
	}
	c.header.Set("Content-Type", "application/json")
	c.header.Set("User-Agent", "steward")
	c.header.Set("Accept", "text/event-stream")
	if !c.can.Streams {
		c.header.Set("Accept", "application/json")
		c.idle = -1 // nothing is heard before the reply is made
	}
	switch {
	case c.client == nil:
		c.client = streamClient()
	case c.client.Timeout != 0:
		return fault(errors.New("HTTPClient.Timeout must be zero; Timeout bounds a call"))
	case c.client.CheckRedirect == nil:
		own := *c.client
		own.CheckRedirect = noRedirect
		c.client = &own
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.now == nil {
		c.now = time.Now //nolint:forbidigo // the default of the seam itself
	}
	return c, nil
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// Name is the provider's name in configuration and in stored blocks.
func (c *caller) Name() string { return c.name }

// Capabilities are the vendor's documented limits, less what the configuration takes away.
func (c *caller) Capabilities() Capabilities { return c.can }

// baseAddress reads a BaseURL, def where it is empty. Its path has no / at the end.
func baseAddress(base, def string) (*url.URL, error) {
	if base == "" {
		base = def
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("BaseURL must be an http or https address")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("BaseURL must have no user, query or fragment")
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	return u, nil
}

// goodKey reports whether a key can stand in a header.
func goodKey(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// streamClient is made for hundreds of streams at a time to one host.
func streamClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 512,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
			// A stream holds its buffers for minutes and reads a few hundred bytes at a time.
			ReadBufferSize:     2 << 10,
			WriteBufferSize:    2 << 10,
			DisableCompression: true, // a compressor on the way holds deltas back
			// A connection that died without a word is found by its pings, not by the next hundred calls.
			HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
		},
		CheckRedirect: noRedirect,
	}
}

// noRedirect makes a redirect the answer: following it would carry the key to another host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
