package tool_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

func TestStatement(t *testing.T) {
	t.Parallel()
	s := newShop(t, config.AuthorityService, nil)
	s.answers(jsonAnswer(`{}`))
	if r := s.call(t, "orders.get", `{"id":7}`); !r.OK {
		t.Fatalf("%+v", r)
	}
	request := s.requests[0]
	if request.Header.Get("Authorization") != "" {
		t.Error("the member's own token went along")
	}
	var set struct {
		Keys []struct{ Kid, X, Y, D string }
	}
	raw, err := s.signer.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &set); err != nil || len(set.Keys) != 1 || set.Keys[0].D != "" {
		t.Fatalf("key set %s: %v", raw, err)
	}
	x, _ := base64.RawURLEncoding.DecodeString(set.Keys[0].X)
	y, _ := base64.RawURLEncoding.DecodeString(set.Keys[0].Y)
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y)) // SEC 1, section 2.3.4
	if err != nil {
		t.Fatalf("key %s: %v", raw, err)
	}
	claims := jwt.MapClaims{}
	token, err := jwt.ParseWithClaims(request.Header.Get(tool.StatementHeader), claims, func(*jwt.Token) (any, error) { return key, nil },
		jwt.WithValidMethods([]string{"ES256"}), jwt.WithAudience(s.URL), jwt.WithIssuer("steward"), jwt.WithExpirationRequired())
	if err != nil {
		t.Fatal(err)
	}
	empty := sha256.Sum256(nil)
	want := map[string]any{
		"sub": "m1", "org": "o1", "jti": "01990000-0000-7000-8000-000000000001", "htm": "GET",
		"htu": s.URL + "/v1/orders/7", "bh": base64.RawURLEncoding.EncodeToString(empty[:]),
	}
	for name, v := range want {
		if claims[name] != v {
			t.Errorf("%s is %v, want %v", name, claims[name], v)
		}
	}
	issued, _ := claims.GetIssuedAt()
	expires, _ := claims.GetExpirationTime()
	if expires.Sub(issued.Time) != time.Minute || token.Header["kid"] != set.Keys[0].Kid {
		t.Errorf("from %v to %v by %v", issued, expires, token.Header["kid"])
	}
	if s.registry.NeedsCredential(s.registry.Find("orders.get")) {
		t.Error("a service source needs no credential of the member")
	}
}

func TestParseSigner(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	var sets []string
	for kind, der := range map[string][]byte{"EC PRIVATE KEY": sec1, "PRIVATE KEY": pkcs8} {
		s, err := tool.ParseSigner("steward", string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		set, err := s.JWKS()
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, string(set))
	}
	if sets[0] != sets[1] {
		t.Errorf("one key gives two sets: %v", sets)
	}
	other, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.NewSigner("steward", other); err == nil {
		t.Error("a key of another curve is taken")
	}
	if _, err := tool.ParseSigner("steward", "sec-ret-text"); err == nil || strings.Contains(err.Error(), "sec-ret") {
		t.Errorf("no key: %v", err)
	}
}
