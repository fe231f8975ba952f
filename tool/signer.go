package tool

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/principal"
)

// StatementHeader carries a statement of a [Signer].
const StatementHeader = "Steward-Member"

// statementLife is how long a statement holds.
const statementLife = 60 * time.Second

// Signer makes the statements with which Steward calls a host by its own authority: a JWS (ES256) that names the member
// and is bound to one call, one method, one URL and one body, for 60 seconds. Safe for concurrent use.
type Signer struct {
	issuer string
	key    *ecdsa.PrivateKey
	id     string
}

// NewSigner makes a signer of a P-256 key. Replicas that serve one host need the same key.
func NewSigner(issuer string, key *ecdsa.PrivateKey) (*Signer, error) {
	if key == nil || key.Curve != elliptic.P256() {
		return nil, errors.New("make a signer: the key must be of the curve P-256")
	}
	s := &Signer{issuer: issuer, key: key}
	x, y, err := s.coordinates()
	if err != nil {
		return nil, err
	}
	// The id is the key's thumbprint (RFC 7638 section 3).
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":"P-256","kty":"EC","x":%q,"y":%q}`, x, y))
	s.id = base64.RawURLEncoding.EncodeToString(sum[:])
	return s, nil
}

// GenerateSigner makes a signer with a key of its own, which lives as long as the process.
func GenerateSigner(issuer string) (*Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	return NewSigner(issuer, key)
}

// ParseSigner makes a signer of a P-256 key in PEM, as PKCS #8 or SEC 1. An error never holds the key.
func ParseSigner(issuer, text string) (*Signer, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("read the signing key: it must be a P-256 key in PEM")
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return NewSigner(issuer, key)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(*ecdsa.PrivateKey)
	if err != nil || !ok {
		return nil, errors.New("read the signing key: it must be a P-256 key in PEM")
	}
	return NewSigner(issuer, key)
}

func (s *Signer) coordinates() (x, y string, err error) {
	public, err := s.key.PublicKey.ECDH()
	if err != nil {
		return "", "", fmt.Errorf("read the public key: %w", err)
	}
	point := public.Bytes() // 0x04, then x and y of 32 bytes each (SEC 1 section 2.3.3)
	return base64.RawURLEncoding.EncodeToString(point[1:33]), base64.RawURLEncoding.EncodeToString(point[33:]), nil
}

// JWKS is the key set (RFC 7517) that a host checks statements with; it holds the public key alone.
func (s *Signer) JWKS() (json.RawMessage, error) {
	x, y, err := s.coordinates()
	if err != nil {
		return nil, err
	}
	key := map[string]string{"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": s.id, "x": x, "y": y}
	return canonical(map[string]any{"keys": []any{key}})
}

type statement struct {
	jwt.RegisteredClaims
	Org      string   `json:"org"`
	Roles    []string `json:"roles"`
	Method   string   `json:"htm"`
	URL      string   `json:"htu"`
	BodyHash string   `json:"bh"`
}

// sign states for whom a request is made. The body's hash is SHA-256 in base64url without padding, also of no body.
func (s *Signer) sign(r *http.Request, body []byte, callID, audience string, p principal.Principal, now time.Time) (string, error) {
	sum := sha256.Sum256(body)
	roles := p.Roles
	if roles == nil {
		roles = []string{}
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, statement{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: s.issuer, Subject: p.Member, Audience: jwt.ClaimStrings{audience}, ID: callID,
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(statementLife)),
		},
		Org: p.Org, Roles: roles, Method: r.Method, URL: r.URL.String(),
		BodyHash: base64.RawURLEncoding.EncodeToString(sum[:]),
	})
	token.Header["kid"] = s.id
	signed, err := token.SignedString(s.key)
	if err != nil {
		return "", fmt.Errorf("sign a statement: %w", err)
	}
	return signed, nil
}
