package identity_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/principal"
)

var (
	secret = []byte("a secret of the host, 32 bytes at least")
	noon   = time.Date(2030, 5, 6, 12, 0, 0, 0, time.UTC)
	roles  = map[string][]identity.Right{
		"owner":  {identity.Read, identity.Send, identity.Decide, identity.Pick, identity.Undo},
		"viewer": {identity.Read},
		"nobody": {},
	}
)

type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func config(c *clock) identity.Config {
	return identity.Config{Secret: secret, Issuer: "gym", Audience: "steward", Roles: roles, Now: c.now}
}

func verifier(t *testing.T, c identity.Config) *identity.Verifier {
	t.Helper()
	v, err := identity.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// with gives sound claims, changed; a nil value removes one.
func with(changes map[string]any) jwt.MapClaims {
	c := jwt.MapClaims{
		"sub": "m1", "iss": "gym", "aud": "steward", "exp": noon.Add(time.Hour).Unix(), "roles": []string{"owner"},
	}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

func sign(t *testing.T, method jwt.SigningMethod, key any, kid string, claims jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims)
	if kid != "" {
		token.Header["kid"] = kid
	}
	s, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func raw(t *testing.T, header, claims any, mac func(text string) []byte) string {
	t.Helper()
	part := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(b)
	}
	text := part(header) + "." + part(claims)
	return text + "." + base64.RawURLEncoding.EncodeToString(mac(text))
}

func hs256(key []byte) func(string) []byte {
	return func(text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
}

func TestPrincipal(t *testing.T) {
	c := config(&clock{noon})
	c.Claims = map[string]string{"org": "org_id", "time_zone": "tz", "features": "/app/flags/on", "name": "https://gym.example/name"}
	v := verifier(t, c)
	p, expires, err := v.Verify(t.Context(), sign(t, jwt.SigningMethodHS256, secret, "", with(map[string]any{
		"aud": []string{"other", "steward"}, "org_id": 7, "tz": "Asia/Jerusalem", "locale": "he_IL",
		"roles": []string{"viewer", "stranger", "owner", "owner"}, "scopes": "b a", "steward_scopes": []string{"steward:admin"},
		"plan": "pro", "app": map[string]any{"flags": map[string]any{"on": []string{"x"}}}, "https://gym.example/name": "דנה",
		"nbf": noon.Add(30 * time.Second).Unix(), "iat": noon.Add(30 * time.Second).Unix(),
	})))
	if err != nil {
		t.Fatal(err)
	}
	want := principal.Principal{
		Member: "m1", Org: "7", Roles: []string{"owner", "viewer"}, Scopes: []string{"a", "b"},
		StewardScopes: []string{"steward:admin"}, Plan: "pro", Features: []string{"x"}, Locale: "he-IL",
		TimeZone: "Asia/Jerusalem", Name: "דנה",
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("principal\n got %+v\nwant %+v", p, want)
	}
	if !expires.Equal(noon.Add(time.Hour)) {
		t.Errorf("expires %v", expires)
	}
	if got := v.Rights(p).List(); strings.Join(got, " ") != "read send decide pick undo" {
		t.Errorf("rights %v", got)
	}
}

func TestRights(t *testing.T) {
	v := verifier(t, config(&clock{noon}))
	for _, tt := range []struct {
		roles []string
		want  string
	}{
		{[]string{"viewer"}, "read"},
		{[]string{"viewer", "nobody"}, "read"},
		{[]string{"nobody"}, ""},
		{[]string{"stranger"}, ""},
		{nil, ""},
	} {
		s := v.Rights(principal.Principal{Member: "m", Org: "o", Roles: tt.roles})
		if got := strings.Join(s.List(), " "); got != tt.want || s.Shut() != (tt.want == "") || s.Has("fly") {
			t.Errorf("%v: got %q, shut %v", tt.roles, got, s.Shut())
		}
	}
}

func TestRefusedTokens(t *testing.T) {
	const canary = "canary-7f3a"
	unix := func(d time.Duration) int64 { return noon.Add(d).Unix() }
	hs := func(changes map[string]any) string {
		return sign(t, jwt.SigningMethodHS256, secret, "", with(changes))
	}
	for _, tt := range []struct{ name, token, claim string }{
		{"empty", "", "token"},
		{"no token", canary, "token"},
		{"two parts", "a.b", "token"},
		{"too long", strings.Repeat("a", 9000), "token"},
		{"other secret", sign(t, jwt.SigningMethodHS256, []byte(canary+"0123456789012345678901234567890"), "", with(nil)), "signature"},
		{"HS512", sign(t, jwt.SigningMethodHS512, secret, "", with(nil)), "signature"},
		{"none", sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "", with(nil)), "signature"},
		{"None", raw(t, map[string]any{"alg": "None"}, with(nil), func(string) []byte { return nil }), "signature"},
		{"no algorithm", raw(t, map[string]any{"typ": "JWT"}, with(nil), hs256(secret)), "signature"},
		{"crit", raw(t, map[string]any{"alg": "HS256", "crit": []string{"b64"}}, with(nil), hs256(secret)), "header"},
		{"kid of a wrong type", raw(t, map[string]any{"alg": "HS256", "kid": 7}, with(nil), hs256(secret)), "kid"},
		{"ended", hs(map[string]any{"exp": unix(-61 * time.Second)}), "exp"},
		{"without end", hs(map[string]any{"exp": nil}), "exp"},
		{"end as text", hs(map[string]any{"exp": canary}), "exp"},
		{"end beyond all", hs(map[string]any{"exp": 1e18}), "exp"},
		{"not yet", hs(map[string]any{"nbf": unix(62 * time.Second)}), "nbf"},
		{"nbf as text", hs(map[string]any{"nbf": canary}), "nbf"},
		{"made later", hs(map[string]any{"iat": unix(62 * time.Second)}), "iat"},
		{"other audience", hs(map[string]any{"aud": canary}), "aud"},
		{"other audiences", hs(map[string]any{"aud": []string{canary, "x"}}), "aud"},
		{"no audience", hs(map[string]any{"aud": nil}), "aud"},
		{"audience of a wrong type", hs(map[string]any{"aud": 1}), "aud"},
		{"other issuer", hs(map[string]any{"iss": canary}), "iss"},
		{"no issuer", hs(map[string]any{"iss": nil}), "iss"},
		{"no member", hs(map[string]any{"sub": nil}), "sub"},
		{"empty member", hs(map[string]any{"sub": ""}), "sub"},
		{"member of a wrong type", hs(map[string]any{"sub": []string{canary}}), "sub"},
		{"member too long", hs(map[string]any{"sub": strings.Repeat("a", 257)}), "sub"},
		{"member with a line", hs(map[string]any{"sub": "a\n" + canary}), "sub"},
		{"roles of a wrong type", hs(map[string]any{"roles": map[string]any{"a": canary}}), "roles"},
		{"a role of a wrong type", hs(map[string]any{"roles": []any{"owner", 3}}), "roles"},
		{"too many roles", hs(map[string]any{"roles": strings.Split(strings.Repeat("a,", 300), ",")}), "roles"},
		{"no such zone", hs(map[string]any{"time_zone": "Mars/" + canary}), "time_zone"},
		{"the machine's zone", hs(map[string]any{"time_zone": "Local"}), "time_zone"},
		{"a zone outside", hs(map[string]any{"time_zone": "../../etc/passwd"}), "time_zone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := verifier(t, config(&clock{noon})).Verify(t.Context(), tt.token)
			var te *identity.TokenError
			if !errors.As(err, &te) || te.Claim != tt.claim {
				t.Fatalf("got %v, want a fault of %s", err, tt.claim)
			}
			if strings.Contains(err.Error(), canary) || te.Want == "" {
				t.Errorf("error says %q", err)
			}
		})
	}
}

func TestSkew(t *testing.T) {
	c := &clock{noon}
	v := verifier(t, config(c))
	token := sign(t, jwt.SigningMethodHS256, secret, "", with(map[string]any{"exp": noon.Unix()}))
	for _, tt := range []struct {
		at time.Duration
		ok bool
	}{{-time.Second, true}, {59 * time.Second, true}, {61 * time.Second, false}} {
		c.at = noon.Add(tt.at)
		if _, _, err := v.Verify(t.Context(), token); (err == nil) != tt.ok {
			t.Errorf("%v after its end: %v", tt.at, err)
		}
	}
	strict := config(c)
	strict.Leeway = -1
	c.at = noon.Add(time.Second)
	if _, _, err := verifier(t, strict).Verify(t.Context(), token); err == nil {
		t.Error("taken after its end with no leeway")
	}
}

func TestRememberedTokenEnds(t *testing.T) {
	c := &clock{noon}
	v := verifier(t, config(c))
	token := sign(t, jwt.SigningMethodHS256, secret, "", with(nil))
	for range 3 {
		if _, _, err := v.Verify(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	c.at = noon.Add(time.Hour + 61*time.Second)
	if _, _, err := v.Verify(t.Context(), token); err == nil {
		t.Error("a remembered token outlived its end")
	}
}

func TestConfigFaults(t *testing.T) {
	for name, change := range map[string]func(*identity.Config){
		"now":          func(c *identity.Config) { c.Now = nil },
		"audience":     func(c *identity.Config) { c.Audience = "" },
		"roles":        func(c *identity.Config) { c.Roles = nil },
		"right":        func(c *identity.Config) { c.Roles = map[string][]identity.Right{"a": {"fly"}} },
		"claims":       func(c *identity.Config) { c.Claims = map[string]string{"subject": "x"} },
		"secret":       func(c *identity.Config) { c.Secret = []byte("short") },
		"exactly one":  func(c *identity.Config) { c.JWKSURL = "https://gym.example/keys" },
		"https":        func(c *identity.Config) { c.Secret, c.JWKSURL = nil, "http://gym.example/keys" },
		"absolute":     func(c *identity.Config) { c.Secret, c.JWKSURL = nil, "https://u:p@gym.example/keys" },
		"jwks_file":    func(c *identity.Config) { c.Secret, c.JWKSFile = nil, "no/such/file" },
		"exactly one ": func(c *identity.Config) { c.Secret = nil },
	} {
		c := config(&clock{noon})
		change(&c)
		if _, err := identity.New(c); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAlgorithmIsTheKeys signs with the public key's own bytes, as a forger would who hopes that a server takes them for
// a secret.
func TestAlgorithmIsTheKeys(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := config(&clock{noon})
	c.Secret, c.JWKSFile = nil, setFile(t, jwk(t, "r", rsaKey.Public()), jwk(t, "e", ecKey.Public()))
	v := verifier(t, c)
	for name, public := range map[string]crypto.PublicKey{"r": rsaKey.Public(), "e": ecKey.Public()} {
		der, err := x509.MarshalPKIXPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{
			sign(t, jwt.SigningMethodHS256, der, name, with(nil)),
			sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, name, with(nil)),
		} {
			if _, _, err := v.Verify(t.Context(), token); err == nil {
				t.Errorf("taken under %q", name)
			}
		}
	}
	for _, tt := range []struct {
		method jwt.SigningMethod
		key    any
		kid    string
		ok     bool
	}{
		{jwt.SigningMethodRS256, rsaKey, "r", true},
		{jwt.SigningMethodES256, ecKey, "e", true},
		{jwt.SigningMethodRS256, rsaKey, "", true}, // the only one of its kind
		{jwt.SigningMethodRS256, rsaKey, "e", false},
		{jwt.SigningMethodES256, ecKey, "r", false},
		{jwt.SigningMethodRS512, rsaKey, "r", false},
		{jwt.SigningMethodPS256, rsaKey, "r", false},
		{jwt.SigningMethodRS256, rsaKey, "unknown", false},
	} {
		if _, _, err := v.Verify(t.Context(), sign(t, tt.method, tt.key, tt.kid, with(nil))); (err == nil) != tt.ok {
			t.Errorf("%s with %q: %v", tt.method.Alg(), tt.kid, err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	v, err := identity.New(config(&clock{noon}))
	if err != nil {
		b.Fatal(err)
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, with(nil)).SignedString(secret)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := v.Verify(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
}
