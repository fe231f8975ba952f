package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/steward-assistant/steward/config"
)

// errInside says that a name led to an address inside a network that is nobody's business to fetch from.
var errInside = errors.New("the address is inside a private network")

// Fetcher gets documents from the internet. The address that a name resolves to is checked when the connection is made,
// so that no name can lead to this machine, a private network or a cloud's own services; redirects are not followed.
// The zero value is ready. Safe for concurrent use.
type Fetcher struct {
	// Allow are addresses as "host:port" that may be reached although they are inside, because the operator's own file
	// names them.
	Allow []string
}

// Dialer gives the dialer that checks addresses, for other clients that fetch what an operator did not write.
func (f Fetcher) Dialer() *net.Dialer {
	return &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !isPublic(at.Addr()) {
			return errInside
		}
		return nil
	}}
}

// notPublic are the networks that are not of the internet beyond those that netip knows (IANA's special-purpose
// registries): shared address space, benchmarking, documentation, 6to4 and NAT64, which wrap an IPv4 address.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.Zone() != "" {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// Get fetches a document of at most config.MaxDocumentBytes.
func (f Fetcher) Get(ctx context.Context, address string) (_ []byte, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("fetch: the address must be one such as https://example.com/openapi.json")
	}
	dialer := f.Dialer()
	for _, allowed := range f.Allow {
		if strings.EqualFold(allowed, hostPort(u)) {
			dialer = &net.Dialer{Timeout: 10 * time.Second}
		}
	}
	transport := directTransport()
	transport.DialContext = dialer.DialContext
	defer transport.CloseIdleConnections()
	client := &http.Client{
		Transport: transport, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, errors.New("fetch: the address is not one")
	}
	response, err := client.Do(request)
	if err != nil {
		if errors.Is(err, errInside) {
			return nil, fmt.Errorf("fetch: %w", errInside)
		}
		return nil, errors.New("fetch: it could not be reached")
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch: it answered HTTP %d instead of 200", response.StatusCode)
	}
	body, tooLarge, err := readBody(response.Body, config.MaxDocumentBytes)
	if err != nil || tooLarge {
		return nil, errors.New("fetch: it broke off, or is too large")
	}
	return body, nil
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// digest is how a document is pinned.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
