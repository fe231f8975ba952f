package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

// How often and how long a key set is used.
const (
	refreshAfter = 15 * time.Minute // a set this old is read again, so that a withdrawn key ends
	retryAfter   = 30 * time.Second // the least time between two readings of a set that is there
	firstRetry   = 2 * time.Second  // the same while none was ever read
	staleAfter   = 24 * time.Hour   // a set that could not be read again for so long is no longer trusted
	fetchTimeout = 5 * time.Second
)

// keySet is a published set of keys that is read again as it ages. While one caller reads, the others go on with the
// keys that there are; without any they wait.
type keySet struct {
	read func(ctx context.Context) ([]byte, error)
	// reading holds the one who reads.
	reading chan struct{}

	mu      sync.Mutex
	keys    []publicKey
	number  int64     // counts readings that brought keys
	fetched time.Time // of the last that did
	tried   time.Time
	fault   error // of the last attempt
}

func newKeySet(read func(context.Context) ([]byte, error)) *keySet {
	return &keySet{read: read, reading: make(chan struct{}, 1)}
}

func remoteKeys(c Config) (*keySet, error) {
	u, err := url.Parse(c.JWKSURL)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("jwks_url: an absolute address without user and fragment")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return nil, errors.New("jwks_url: https, because whoever answers there decides who signs in (http on a loopback address only)")
	}
	client := http.Client{Timeout: fetchTimeout}
	if c.HTTPClient != nil {
		client = *c.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return newKeySet(func(ctx context.Context) ([]byte, error) { return fetch(ctx, &client, u.String()) }), nil
}

func fileKeys(c Config) (*keySet, error) {
	s := newKeySet(func(context.Context) ([]byte, error) {
		f, err := os.Open(c.JWKSFile)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		return bounded(f)
	})
	if err := s.refresh(context.Background(), c.Now()); err != nil {
		return nil, fmt.Errorf("jwks_file: %w", err)
	}
	return s, nil
}

func fetch(ctx context.Context, client *http.Client, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	res, err := client.Do(req)
	if err != nil {
		if inner := (*url.Error)(nil); errors.As(err, &inner) { // it would repeat the address, query and all
			err = inner.Err
		}
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the address answers with status %d", res.StatusCode)
	}
	return bounded(res.Body)
}

func bounded(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxSetBytes+1))
	if err == nil && len(b) > maxSetBytes {
		err = fmt.Errorf("a key set of at most %d bytes", maxSetBytes)
	}
	return b, err
}

func (s *keySet) version(ctx context.Context, now time.Time) (int64, error) {
	s.mu.Lock()
	number, age, tried := s.number, now.Sub(s.fetched), now.Sub(s.tried)
	s.mu.Unlock()
	useless := number == 0 || age >= staleAfter
	if useless || age >= refreshAfter && tried >= retryAfter {
		if err := s.readOnce(ctx, now, useless); err != nil {
			return 0, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.number == 0 || now.Sub(s.fetched) >= staleAfter {
		return 0, errors.Join(ErrUnavailable, s.fault)
	}
	return s.number, nil
}

func (s *keySet) key(ctx context.Context, now time.Time, alg, kid string) (any, int64, error) {
	if key, number := s.find(alg, kid); key != nil {
		return key, number, nil
	}
	if kid != "" {
		if err := s.readOnce(ctx, now, true); err != nil {
			return nil, 0, err
		}
		if key, number := s.find(alg, kid); key != nil {
			return key, number, nil
		}
	}
	return nil, 0, &TokenError{"kid", "the id of a key of the host's key set that signs with the token's algorithm"}
}

// find gives the key with the id; without an id the only key of its kind.
func (s *keySet) find(alg, kid string) (any, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found any
	for _, k := range s.keys {
		if k.alg != alg || kid != "" && k.kid != kid {
			continue
		}
		if found != nil { // two that could be meant
			return nil, 0
		}
		found = k.key
	}
	return found, s.number
}

// readOnce reads the set unless another caller does; then it waits for that one where wait is set. The error is ctx's
// alone: what a reading brought is for the caller to look up.
func (s *keySet) readOnce(ctx context.Context, now time.Time, wait bool) error {
	if wait {
		select {
		case s.reading <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	} else {
		select {
		case s.reading <- struct{}{}:
		default:
			return nil
		}
	}
	defer func() { <-s.reading }()
	s.mu.Lock()
	least := retryAfter
	if s.number == 0 {
		least = firstRetry
	}
	// Whoever waited for another's reading finds that one done, and takes what it brought.
	due := s.tried.IsZero() || now.Sub(s.tried) >= least
	s.mu.Unlock()
	if due {
		_ = s.refresh(ctx, now) // kept as s.fault
	}
	return nil
}

// refresh reads the set; what fails leaves the old keys. It outlives its asker, whose hanging up must not cost the
// others their keys.
func (s *keySet) refresh(ctx context.Context, now time.Time) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	b, err := s.read(ctx)
	var found []publicKey
	if err == nil {
		found, err = parseSet(b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried, s.fault = now, err
	if err == nil {
		s.keys, s.fetched = found, now
		s.number++
	}
	return err
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
