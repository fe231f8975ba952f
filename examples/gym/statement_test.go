package gym

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func TestStatement(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	set, err := json.Marshal(map[string]any{"keys": []any{map[string]string{
		"kty": "EC", "crv": "P-256", "kid": "k1", "use": "sig", "x": encode(point[1:33]), "y": encode(point[33:]),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	keys := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(set) }))
	t.Cleanup(keys.Close)
	tg := newTestGym(t, func(c *Config) { c.StewardKeys = KeysFromURL(keys.URL, nil) })

	body := `{"title":"From a statement"}`
	sign := func(change func(jwt.MapClaims)) string {
		sum := sha256.Sum256([]byte(body))
		c := jwt.MapClaims{
			"aud": tg.server.URL, "sub": "1", "org": "1", "roles": []string{"owner"}, "jti": "call-1", "htm": "POST", "htu": tg.server.URL + "/api/tasks",
			"bh": encode(sum[:]), "iat": tg.now.Unix(), "exp": tg.now.Add(time.Minute).Unix(),
		}
		change(c)
		token := jwt.NewWithClaims(jwt.SigningMethodES256, c)
		token.Header["kid"] = "k1"
		signed, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	put := func(name string, value any) func(jwt.MapClaims) { return func(c jwt.MapClaims) { c[name] = value } }
	before := tg.dump(t)
	for name, change := range map[string]func(jwt.MapClaims){
		"audience": put("aud", "https://elsewhere.example"), "method": put("htm", "GET"), "address": put("htu", tg.server.URL+"/api/leads"),
		"query": put("htu", tg.server.URL+"/api/tasks?x=1"), "body": put("bh", "AAAA"), "no id": put("jti", ""), "expired": put("exp", tg.now.Add(-2*time.Minute).Unix()),
		"too long": put("exp", tg.now.Add(time.Hour).Unix()), "organisation": put("org", "2"), "person": put("sub", "x"), "early": put("iat", tg.now.Add(time.Hour).Unix()),
	} {
		if status, answer, _ := tg.do(t, "POST", "/api/tasks", "", body, "Steward-Member", sign(change)); status != http.StatusUnauthorized {
			t.Errorf("%s: got %d %s, want 401", name, status, answer)
		}
	}
	// A bad statement is not made good by a token beside it.
	if status, _, _ := tg.do(t, "POST", "/api/tasks", tg.token(t, "owner", 1), body, "Steward-Member", "x"); status != http.StatusUnauthorized {
		t.Errorf("a token beside a bad statement: got %d", status)
	}
	if status, _, _ := tg.do(t, "POST", "/api/tasks", "", body, "Steward-Member", sign(put("roles", []string{"member"}))); status != http.StatusForbidden {
		t.Errorf("a member's statement: got %d, want 403", status)
	}
	if tg.dump(t) != before {
		t.Error("a refused statement wrote")
	}
	good := sign(func(jwt.MapClaims) {})
	status, first, _ := tg.do(t, "POST", "/api/tasks", "", body, "Steward-Member", good)
	if status != http.StatusCreated {
		t.Fatalf("got %d %s", status, first)
	}
	// The same call again, newly signed, is the same write.
	_, second, header := tg.do(t, "POST", "/api/tasks", "", body, "Steward-Member", sign(put("exp", tg.now.Add(59*time.Second).Unix())))
	if string(first) != string(second) || header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: got %s", second)
	}
	body = `{"title":"Another"}`
	if status, _, _ = tg.do(t, "POST", "/api/tasks", "", body, "Steward-Member", sign(func(jwt.MapClaims) {})); status != http.StatusUnprocessableEntity {
		t.Errorf("the same call with another body: got %d, want 422", status)
	}
	if status, _, _ = newTestGym(t).do(t, "POST", "/api/tasks", "", body, "Steward-Member", good); status != http.StatusUnauthorized {
		t.Errorf("a gym without keys: got %d, want 401", status)
	}
}

func TestKeysAreReadAgain(t *testing.T) {
	t.Parallel()
	now, fetched := testNow, 0
	k := &keySet{now: func() time.Time { return now }, fetch: func(context.Context) ([]byte, error) {
		fetched++
		return []byte(`{"keys":[]}`), nil
	}}
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{0, 1}, {time.Second, 1}, {keysAgain, 2}, {keysFor + time.Second, 3}} {
		now = now.Add(step.wait)
		if _, err := k.find(t.Context(), "none"); err == nil || fetched != step.want {
			t.Errorf("after %v: %d reads, %v; want %d and an error", step.wait, fetched, err, step.want)
		}
	}
	for _, bad := range []string{`{`, `{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`, `{"keys":[{"kty":"EC","crv":"P-256","x":"!","y":"AA"}]}`} {
		if _, err := parseKeys([]byte(bad)); err == nil || strings.Contains(err.Error(), "panic") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}
