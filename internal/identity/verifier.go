// Package identity says who asks: it verifies the token that a host product signed for its own member and makes a
// [principal.Principal] of it.
//
// A token is a signed JWT (RFC 7519), HS256 with a shared secret or RS256 and ES256 with a published key set (RFC 7517).
// The key's kind decides the algorithm; what the token says of itself never does. No token and no value of a claim ever
// stands in an error.
package identity

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward/principal"
)

// MaxTokenBytes is the longest token that is looked at.
const MaxTokenBytes = 8 << 10

// MinSecretBytes is the shortest HS256 secret (RFC 7518 section 3.2: at least the size of the hash).
const MinSecretBytes = 32

// DefaultLeeway is how far the host's clock and ours may be apart.
const DefaultLeeway = 60 * time.Second

// Config says how a host's token is verified. Exactly one of Secret, JWKSURL and JWKSFile is set.
type Config struct {
	// Secret verifies HS256; at least [MinSecretBytes].
	Secret []byte
	// JWKSURL is where the host publishes its keys: https, or http on a loopback address. Fetched at the first token,
	// and again when it is older than 15 minutes or a token names a key that is not in it (at most every 30 s).
	JWKSURL string
	// JWKSFile is a file with the same content, read by New and then as often as an address is.
	JWKSFile string
	// Issuer is the "iss" that a token must carry. Empty: any.
	Issuer string
	// Audience must stand in a token's "aud", so that one made for another service is refused. Required.
	Audience string
	// Claims maps our names (sub, org, roles, scopes, plan, features, locale, time_zone, name, steward_scopes) to the
	// host's, for those that differ. A name that begins with a slash is a JSON Pointer into the claims
	// ("/realm_access/roles").
	Claims map[string]string
	// Roles maps the host's roles to what each may do. A role that is not listed is dropped from the principal, who is
	// shut out when none is left. Required.
	Roles map[string][]Right
	// Leeway is how far the clocks may be apart. Zero: [DefaultLeeway]; negative: none.
	Leeway time.Duration
	// HTTPClient fetches JWKSURL; it never follows a redirect. Nil: one with a time-out of 5 s.
	HTTPClient *http.Client
	// Now is the clock. Required.
	Now func() time.Time
}

// ErrUnavailable says that the host's keys cannot be read now, so that no token can be verified: not the asker's fault.
var ErrUnavailable = errors.New("the keys that verify tokens cannot be read")

// TokenError says what is wrong with a token. It names a claim or a part of the token and what would be right, and holds
// nothing of the token itself.
type TokenError struct {
	// Claim is the host's name of the claim, or "Authorization", "token", "header", "signature", "kid" for what is
	// no claim.
	Claim string
	// Want says what would be right.
	Want string
}

// Error gives both.
func (e *TokenError) Error() string { return "token: " + e.Claim + ": " + e.Want }

// Verifier verifies tokens. Safe for concurrent use; it starts no goroutine and needs no closing.
type Verifier struct {
	keys     keys
	methods  []string
	parser   *jwt.Parser
	claims   *jwt.Validator
	issuer   string
	names    map[string]string
	roles    map[string]Set
	leeway   time.Duration
	now      func() time.Time
	verified *cache
}

// New makes a Verifier. A file is read at once, an address at the first token.
func New(c Config) (*Verifier, error) {
	switch {
	case c.Now == nil:
		return nil, errors.New("identity: now: a clock is required")
	case c.Audience == "":
		return nil, errors.New("identity: audience: required, so that a token made for another service is refused")
	case len(c.Roles) == 0:
		return nil, errors.New("identity: roles: list at least one role with what it may do")
	}
	v := &Verifier{
		issuer: c.Issuer, names: maps.Clone(c.Claims), leeway: c.Leeway, now: c.Now,
		verified: newCache(maxVerified),
	}
	switch {
	case c.Leeway == 0:
		v.leeway = DefaultLeeway
	case c.Leeway < 0:
		v.leeway = 0
	}
	for ours := range c.Claims {
		if _, ok := limits[ours]; !ok {
			return nil, fmt.Errorf("identity: claims: %q is no claim of ours", ours)
		}
	}
	var err error
	if v.roles, err = setsOf(c.Roles); err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	if v.keys, v.methods, err = keysOf(c); err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	v.parser = jwt.NewParser(jwt.WithValidMethods(v.methods), jwt.WithJSONNumber(), jwt.WithStrictDecoding(), jwt.WithoutClaimsValidation())
	options := []jwt.ParserOption{
		jwt.WithLeeway(v.leeway), jwt.WithTimeFunc(v.now), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithAudience(c.Audience),
	}
	if c.Issuer != "" {
		options = append(options, jwt.WithIssuer(c.Issuer))
	}
	v.claims = jwt.NewValidator(options...)
	return v, nil
}

func keysOf(c Config) (keys, []string, error) {
	ways := 0
	for _, set := range []bool{len(c.Secret) > 0, c.JWKSURL != "", c.JWKSFile != ""} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return nil, nil, errors.New("exactly one of a secret, a key set's address and a key set's file is required")
	}
	asymmetric := []string{jwt.SigningMethodRS256.Alg(), jwt.SigningMethodES256.Alg()}
	switch {
	case c.JWKSURL != "":
		k, err := remoteKeys(c)
		return k, asymmetric, err
	case c.JWKSFile != "":
		k, err := fileKeys(c)
		return k, asymmetric, err
	}
	if len(c.Secret) < MinSecretBytes {
		return nil, nil, fmt.Errorf("secret: at least %d bytes", MinSecretBytes)
	}
	return secretKey(c.Secret), []string{jwt.SigningMethodHS256.Alg()}, nil
}

// Verify gives the principal that a token proves and when the token ends. The error is a *TokenError, [ErrUnavailable]
// (wrapped), or ctx's. The principal's slices are shared between calls with the same token: do not write to them.
func (v *Verifier) Verify(ctx context.Context, token string) (principal.Principal, time.Time, error) {
	if token == "" || len(token) > MaxTokenBytes {
		return principal.Principal{}, time.Time{}, &TokenError{"token", fmt.Sprintf("a signed JWT of at most %d bytes", MaxTokenBytes)}
	}
	now := v.now()
	// The set's version is asked on every token, so that a key that the host withdrew ends what was verified with it.
	version, err := v.keys.version(ctx, now)
	if err != nil {
		return principal.Principal{}, time.Time{}, err
	}
	sum := sha256.Sum256([]byte(token))
	if e, ok := v.verified.get(sum, version, now); ok {
		return e.principal, e.expires, nil
	}
	p, expires, version, err := v.verify(ctx, token, now)
	if err != nil {
		return principal.Principal{}, time.Time{}, err
	}
	v.verified.put(entry{sum: sum, version: version, principal: p, expires: expires}, now)
	return p, expires, nil
}

func (v *Verifier) verify(ctx context.Context, token string, now time.Time) (p principal.Principal, expires time.Time, version int64, err error) {
	var keyErr error
	claims := jwt.MapClaims{}
	_, err = v.parser.ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) {
		// A "crit" names extensions that must be understood (RFC 7515 section 4.1.11); we know none.
		if _, ok := t.Header["crit"]; ok {
			keyErr = &TokenError{"header", "no crit: no extension is understood"}
			return nil, keyErr
		}
		kid, isText := t.Header["kid"].(string)
		if _, has := t.Header["kid"]; has && !isText {
			keyErr = &TokenError{"kid", "text"}
			return nil, keyErr
		}
		var key any
		key, version, keyErr = v.keys.key(ctx, now, t.Method.Alg(), kid)
		return key, keyErr
	})
	switch {
	case keyErr != nil:
		return p, expires, 0, keyErr
	case err != nil:
		return p, expires, 0, v.parseError(err)
	}
	if err := v.claims.Validate(claims); err != nil {
		return p, expires, 0, v.claimError(claims, err)
	}
	end, err := claims.GetExpirationTime()
	if err != nil || end.Unix() > maxExpiry {
		return p, expires, 0, &TokenError{"exp", "seconds since 1970"}
	}
	p, err = v.principal(claims)
	return p, end.UTC(), version, err
}

// maxExpiry is the last second of the year 9999, in seconds since 1970.
const maxExpiry = 253402300799

func (v *Verifier) parseError(err error) error {
	switch {
	case errors.Is(err, jwt.ErrTokenMalformed):
		return &TokenError{"token", "a JWT: header, claims and signature in base64url, joined by dots"}
	case v.methods[0] == jwt.SigningMethodHS256.Alg():
		return &TokenError{"signature", "HS256, made with the secret that this server was given"}
	}
	return &TokenError{"signature", "RS256 or ES256, made with the key that kid names in the host's key set"}
}

func (v *Verifier) claimError(claims jwt.MapClaims, err error) error {
	for _, c := range []string{"exp", "aud"} {
		if _, ok := claims[c]; !ok {
			return &TokenError{c, "required"}
		}
	}
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return &TokenError{"exp", "in the future: the token has ended"}
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return &TokenError{"nbf", "in the past, or no more than the leeway ahead"}
	case errors.Is(err, jwt.ErrTokenUsedBeforeIssued):
		return &TokenError{"iat", "in the past, or no more than the leeway ahead"}
	case errors.Is(err, jwt.ErrTokenInvalidAudience):
		return &TokenError{"aud", "the audience that this server was given, alone or in a list"}
	case errors.Is(err, jwt.ErrTokenInvalidIssuer):
		return &TokenError{"iss", "the issuer that this server was given"}
	}
	for _, c := range []string{"exp", "nbf", "iat"} {
		if n, ok := claims[c]; ok && !isNumber(n) {
			return &TokenError{c, "seconds since 1970, a number"}
		}
	}
	if _, ok := claims["iss"]; !ok && v.issuer != "" {
		return &TokenError{"iss", "required"}
	}
	return &TokenError{"aud", "text or a list of texts"}
}
