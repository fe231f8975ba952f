package identity

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// keys find the key of a token.
type keys interface {
	// version changes when keys do. It fails with ErrUnavailable when there are none to verify with.
	version(ctx context.Context, now time.Time) (int64, error)
	// key gives the key for an algorithm and a key id, which may be empty, and the version that it is of.
	key(ctx context.Context, now time.Time, alg, kid string) (any, int64, error)
}

var (
	_ keys = secretKey(nil)
	_ keys = (*keySet)(nil)
)

// secretKey is one shared secret. A key id is of no meaning to it.
type secretKey []byte

func (k secretKey) version(context.Context, time.Time) (int64, error) { return 0, nil }

func (k secretKey) key(context.Context, time.Time, string, string) (any, int64, error) {
	return []byte(k), 0, nil
}

// maxSetBytes and maxSetKeys bound what a host may publish.
const (
	maxSetBytes = 1 << 20
	maxSetKeys  = 256
)

// minRSABits is the shortest RSA key (RFC 7518 section 3.3).
const minRSABits = 2048

// publicKey is one usable key of a set.
type publicKey struct {
	kid, alg string
	key      any
}

// parseSet reads a key set (RFC 7517) and keeps the public keys that verify RS256 or ES256; others, such as those for
// encryption or of another curve, are passed over, as section 5 asks.
func parseSet(b []byte) ([]publicKey, error) {
	var set struct {
		Keys []struct {
			KTY string   `json:"kty"`
			Use string   `json:"use"`
			Alg string   `json:"alg"`
			KID string   `json:"kid"`
			Ops []string `json:"key_ops"` //nolint:tagliatelle // RFC 7517
			CRV string   `json:"crv"`
			N   string   `json:"n"`
			E   string   `json:"e"`
			X   string   `json:"x"`
			Y   string   `json:"y"`
		} `json:"keys"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), &set); err != nil {
		return nil, errors.New(`a key set is a JSON object with a list "keys"`)
	}
	if len(set.Keys) > maxSetKeys {
		return nil, fmt.Errorf("a key set of at most %d keys", maxSetKeys)
	}
	var out []publicKey
	for _, k := range set.Keys {
		if k.Use != "" && k.Use != "sig" || len(k.Ops) > 0 && !slices.Contains(k.Ops, "verify") {
			continue
		}
		p := publicKey{kid: k.KID}
		switch {
		case k.KTY == "RSA":
			p.alg = jwt.SigningMethodRS256.Alg()
			p.key = rsaKey(k.N, k.E)
		case k.KTY == "EC" && k.CRV == "P-256":
			p.alg = jwt.SigningMethodES256.Alg()
			p.key = ecKey(k.X, k.Y)
		}
		if p.key == nil || k.Alg != "" && k.Alg != p.alg {
			continue
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, errors.New("the key set holds no key for RS256 (RSA, at least 2048 bits) or ES256 (P-256)")
	}
	return out, nil
}

// rsaKey and ecKey give nil where a key is unusable, typed as any so that a nil is a nil.
func rsaKey(n, e string) any {
	modulus, err1 := base64.RawURLEncoding.DecodeString(n)
	exponent, err2 := base64.RawURLEncoding.DecodeString(e)
	if err1 != nil || err2 != nil || len(exponent) == 0 || len(exponent) > 4 {
		return nil
	}
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: int(new(big.Int).SetBytes(exponent).Int64())}
	if key.N.BitLen() < minRSABits || key.N.BitLen() > 8*minRSABits || key.E < 3 || key.E%2 == 0 {
		return nil
	}
	return key
}

func ecKey(x, y string) any {
	bx, err1 := base64.RawURLEncoding.DecodeString(x)
	by, err2 := base64.RawURLEncoding.DecodeString(y)
	const size = 32 // octets of a coordinate of P-256
	if err1 != nil || err2 != nil || len(bx) != size || len(by) != size {
		return nil
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, bx...), by...))
	if err != nil { // not a point of the curve
		return nil
	}
	return key
}
