package identity_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/internal/identity"
)

func jwk(t *testing.T, kid string, key crypto.PublicKey) map[string]any {
	t.Helper()
	b64 := base64.RawURLEncoding.EncodeToString
	switch k := key.(type) {
	case *rsa.PublicKey:
		return map[string]any{"kty": "RSA", "kid": kid, "use": "sig", "n": b64(k.N.Bytes()), "e": b64(big.NewInt(int64(k.E)).Bytes())}
	case *ecdsa.PublicKey:
		point, err := k.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		half := (len(point) - 1) / 2
		return map[string]any{"kty": "EC", "kid": kid, "crv": k.Params().Name, "x": b64(point[1 : 1+half]), "y": b64(point[1+half:])}
	}
	t.Fatalf("no key: %T", key)
	return nil
}

func setOf(t *testing.T, keys ...map[string]any) []byte {
	t.Helper()
	b, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func setFile(t *testing.T, keys ...map[string]any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(path, setOf(t, keys...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func ecKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// host publishes a key set that a test can change.
type host struct {
	*httptest.Server
	answer atomic.Pointer[http.HandlerFunc]
	asked  atomic.Int32
}

func newHost(t *testing.T, set []byte) *host {
	t.Helper()
	h := &host{}
	h.publish(set)
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.asked.Add(1)
		(*h.answer.Load())(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *host) do(f http.HandlerFunc) { h.answer.Store(&f) }

func (h *host) publish(set []byte) {
	h.do(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(set) })
}

func (h *host) config(c *clock) identity.Config {
	cfg := config(c)
	cfg.Secret, cfg.JWKSURL = nil, h.URL
	return cfg
}

func TestKeySetRotates(t *testing.T) {
	first, second := ecKey(t), ecKey(t)
	h := newHost(t, setOf(t, jwk(t, "1", first.Public())))
	c := &clock{noon}
	v := verifier(t, h.config(c))
	one := sign(t, jwt.SigningMethodES256, first, "1", with(nil))
	two := sign(t, jwt.SigningMethodES256, second, "2", with(nil))
	check := func(step, token string, ok bool, asked int32) {
		t.Helper()
		if _, _, err := v.Verify(t.Context(), token); (err == nil) != ok {
			t.Errorf("%s: %v", step, err)
		}
		if got := h.asked.Load(); got != asked {
			t.Errorf("%s: asked %d times, want %d", step, got, asked)
		}
	}
	if h.asked.Load() != 0 {
		t.Error("fetched before any token")
	}
	check("first", one, true, 1)
	check("again", one, true, 1)
	check("unknown, at once", two, false, 1)
	h.publish(setOf(t, jwk(t, "2", second.Public())))
	c.at = noon.Add(29 * time.Second)
	check("unknown, too soon", two, false, 1)
	c.at = noon.Add(31 * time.Second)
	check("unknown, after half a minute", two, true, 2)
	check("withdrawn, though remembered", one, false, 2)
	h.publish(setOf(t, jwk(t, "1", first.Public())))
	c.at = noon.Add(20 * time.Minute)
	check("read again as it ages", two, false, 3)
}

func TestKeySetOutage(t *testing.T) {
	key := ecKey(t)
	h := newHost(t, nil)
	c := &clock{noon}
	v := verifier(t, h.config(c))
	token := func() string {
		return sign(t, jwt.SigningMethodES256, key, "1", with(map[string]any{"exp": c.at.Add(time.Hour).Unix()}))
	}
	set := setOf(t, jwk(t, "1", key.Public()))
	for name, answer := range map[string]http.HandlerFunc{
		"an error":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"a page":       func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"no keys":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"keys":[]}`)) },
		"far too much": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat(" ", 2<<20))) },
		"a redirection": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				_, _ = w.Write(set)
				return
			}
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		},
	} {
		h.do(answer)
		c.at = c.at.Add(3 * time.Second)
		if _, _, err := v.Verify(t.Context(), token()); !errors.Is(err, identity.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.publish(set)
	c.at = c.at.Add(3 * time.Second)
	if _, _, err := v.Verify(t.Context(), token()); err != nil {
		t.Fatalf("back: %v", err)
	}
	h.do(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	c.at = c.at.Add(23 * time.Hour)
	if _, _, err := v.Verify(t.Context(), token()); err != nil {
		t.Errorf("with old keys: %v", err)
	}
	c.at = c.at.Add(2 * time.Hour)
	if _, _, err := v.Verify(t.Context(), token()); !errors.Is(err, identity.ErrUnavailable) {
		t.Errorf("with keys of a day ago: %v", err)
	}
}

func TestKeySetIsReadOnceForAll(t *testing.T) {
	key := ecKey(t)
	h := newHost(t, nil)
	set := setOf(t, jwk(t, "1", key.Public()))
	free := make(chan struct{})
	h.do(func(w http.ResponseWriter, _ *http.Request) { <-free; _, _ = w.Write(set) })
	v := verifier(t, h.config(&clock{noon}))
	token := sign(t, jwt.SigningMethodES256, key, "1", with(nil))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, _, err := v.Verify(t.Context(), token); err != nil {
				t.Error(err)
			}
		})
	}
	close(free)
	all.Wait()
	if got := h.asked.Load(); got != 1 {
		t.Errorf("asked %d times", got)
	}
}

func TestUnusableKeys(t *testing.T) {
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	change := func(m map[string]any, k string, v any) map[string]any { m[k] = v; return m }
	for name, key := range map[string]map[string]any{
		"short RSA":         jwk(t, "1", small.Public()),
		"P-384":             jwk(t, "1", p384.Public()),
		"for encryption":    change(jwk(t, "1", ecKey(t).Public()), "use", "enc"),
		"other algorithm":   change(jwk(t, "1", ecKey(t).Public()), "alg", "ES512"),
		"for signing only":  change(jwk(t, "1", ecKey(t).Public()), "key_ops", []string{"sign"}),
		"not on the curve":  change(jwk(t, "1", ecKey(t).Public()), "x", base64.RawURLEncoding.EncodeToString(make([]byte, 32))),
		"a shared secret":   {"kty": "oct", "kid": "1", "k": "c2VjcmV0"},
		"of no known kind":  {"kty": "new", "kid": "1"},
		"without a modulus": {"kty": "RSA", "kid": "1", "e": "AQAB"},
	} {
		c := config(&clock{noon})
		c.Secret, c.JWKSFile = nil, setFile(t, key)
		if _, err := identity.New(c); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
