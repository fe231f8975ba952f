package gym

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// statementClaims are what Steward says when it calls in a person's name by its
// own authority: who, which call, and exactly which request.
type statementClaims struct {
	jwt.RegisteredClaims
	Org      string   `json:"org"`
	Roles    []string `json:"roles"`
	Method   string   `json:"htm"`
	URL      string   `json:"htu"`
	BodyHash string   `json:"bh"`
}

// statementLife is the longest that a statement may hold.
const statementLife = 60 * time.Second

// readStatement checks a Steward-Member header against the request that carries
// it. The statement's id is the id of the call, and stays the same when a call is
// sent again; a write therefore takes it as its Idempotency-Key.
func (g *Gym) readStatement(r *http.Request, raw string, body []byte) (*principal, string, error) {
	if g.keys == nil {
		return nil, "", unauthorized("This gym accepts no Steward-Member statements.")
	}
	address := requestURL(r)
	audience := g.cfg.StatementAudience
	if audience == "" {
		audience = address.Scheme + "://" + address.Host
	}
	var c statementClaims
	_, err := jwt.ParseWithClaims(raw, &c, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		return g.keys.find(r.Context(), kid)
	}, jwt.WithValidMethods([]string{jwt.SigningMethodES256.Alg()}), jwt.WithAudience(audience), jwt.WithIssuedAt(),
		jwt.WithExpirationRequired(), jwt.WithLeeway(clockSkew), jwt.WithTimeFunc(g.now))
	if err != nil {
		return nil, "", unauthorized("The Steward-Member statement is not valid here.")
	}
	sum := sha256.Sum256(body)
	bodyHash := base64.RawURLEncoding.EncodeToString(sum[:])
	switch {
	case c.ID == "" || len(c.ID) > 120:
		return nil, "", unauthorized("The statement has no jti.")
	case c.IssuedAt == nil || c.ExpiresAt.Sub(c.IssuedAt.Time) > statementLife:
		return nil, "", unauthorized("The statement holds for more than 60 seconds.")
	case c.Method != r.Method:
		return nil, "", unauthorized("The statement is for another method.")
	case !sameURL(c.URL, address):
		return nil, "", unauthorized("The statement is for another address.")
	case subtle.ConstantTimeCompare([]byte(c.BodyHash), []byte(bodyHash)) != 1:
		return nil, "", unauthorized("The statement is for another body.")
	}
	who, err := newPrincipal(c.Subject, c.Org, c.Roles)
	return who, c.ID, err
}

// requestURL is the address that a request was sent to.
func requestURL(r *http.Request) *url.URL {
	address := *r.URL
	address.Scheme, address.Host = "http", r.Host
	if r.TLS != nil {
		address.Scheme = "https"
	}
	return &address
}

func sameURL(text string, address *url.URL) bool {
	given, err := url.Parse(text)
	return err == nil && given.User == nil && given.Scheme == address.Scheme && given.Host == address.Host &&
		given.EscapedPath() == address.EscapedPath() && given.RawQuery == address.RawQuery
}

// keySet holds the P-256 keys of a JWK set. It is safe for concurrent use.
type keySet struct {
	fetch func(ctx context.Context) ([]byte, error)
	now   func() time.Time

	mu   sync.Mutex
	keys map[string]*ecdsa.PublicKey
	read time.Time
}

const (
	// keysFor is how long a key set is used before it is read again.
	keysFor = 5 * time.Minute
	// keysAgain is the soonest that an unknown key id has the set read again.
	keysAgain = 10 * time.Second
)

// find answers the key of an id, reading the set when it is old, or when it does
// not have the key and was not read just now.
func (k *keySet) find(ctx context.Context, id string) (*ecdsa.PublicKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := k.now().Sub(k.read)
	key := k.keys[id]
	if k.keys == nil || age > keysFor || key == nil && age > keysAgain {
		raw, err := k.fetch(ctx)
		if err != nil {
			return nil, fmt.Errorf("read Steward's keys: %w", err)
		}
		if k.keys, err = parseKeys(raw); err != nil {
			return nil, err
		}
		k.read = k.now()
		key = k.keys[id]
	}
	if key == nil {
		return nil, errors.New("the key is not one of Steward's")
	}
	return key, nil
}

// parseKeys reads the P-256 signing keys of a JWK set (RFC 7517, RFC 7518
// section 6.2); keys of other kinds are passed over.
func parseKeys(raw []byte) (map[string]*ecdsa.PublicKey, error) {
	var set struct {
		Keys []struct {
			Kty string `json:"kty"`
			Crv string `json:"crv"`
			Kid string `json:"kid"`
			Use string `json:"use"`
			X   string `json:"x"`
			Y   string `json:"y"`
		} `json:"keys"`
	}
	if err := json.Unmarshal(raw, &set); err != nil {
		return nil, fmt.Errorf("read the JWK set: %w", err)
	}
	keys := map[string]*ecdsa.PublicKey{}
	for _, k := range set.Keys {
		if k.Kty != "EC" || k.Crv != "P-256" || k.Use != "" && k.Use != "sig" {
			continue
		}
		x, xErr := base64.RawURLEncoding.DecodeString(k.X)
		y, yErr := base64.RawURLEncoding.DecodeString(k.Y)
		if err := errors.Join(xErr, yErr); err != nil {
			return nil, fmt.Errorf("read key %q: %w", k.Kid, err)
		}
		// The uncompressed form of SEC 1, 2.3.3; the point must be on the curve.
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y))
		if err != nil {
			return nil, fmt.Errorf("read key %q: %w", k.Kid, err)
		}
		keys[k.Kid] = key
	}
	return keys, nil
}

// KeysFromURL reads a JWK set from an address, for Config.StewardKeys. A nil
// client means one with a time-out of five seconds. Redirects are not followed by
// that one.
func KeysFromURL(address string, client *http.Client) func(context.Context) ([]byte, error) {
	if client == nil {
		client = &http.Client{
			Timeout:       5 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return func(ctx context.Context) (_ []byte, err error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			return nil, fmt.Errorf("ask for keys: %w", err)
		}
		response, err := client.Do(request)
		if err != nil {
			return nil, fmt.Errorf("ask for keys: %w", err)
		}
		defer func() { err = errors.Join(err, response.Body.Close()) }()
		if response.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("ask for keys: the answer is %s", response.Status)
		}
		return io.ReadAll(io.LimitReader(response.Body, 1<<20))
	}
}
