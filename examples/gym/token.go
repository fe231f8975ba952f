package gym

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// tokenLife is how long a token holds.
	tokenLife = 5 * time.Minute
	// issuer is the `iss` of the gym's tokens.
	issuer = "gym"
	// clockSkew is how far the clock of a signer may be off.
	clockSkew = 60 * time.Second
)

// claims are what the gym signs: who, of which organisation, in which roles.
type claims struct {
	jwt.RegisteredClaims
	OrgID    string   `json:"org_id"` //nolint:tagliatelle // the host's own claim name, mapped in steward.yaml
	Roles    []string `json:"roles"`
	TimeZone string   `json:"tz"`
	Locale   string   `json:"locale"`
	Name     string   `json:"name"`
	Plan     string   `json:"plan"`
	Features []string `json:"features"`
}

// roles are those that people of the gym can have. Members use the gym; the
// others run it.
var roles = []string{"owner", "admin", "staff", "member"}

// Token signs a token for a person, good for five minutes. An unknown person is
// an error.
func (g *Gym) Token(ctx context.Context, person int64) (string, error) {
	p, err := g.person(ctx, person)
	if err != nil {
		return "", err
	}
	return g.sign(p, p.locale)
}

func (g *Gym) sign(p *identity, locale string) (string, error) {
	now := g.now()
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Audience: jwt.ClaimStrings{g.cfg.Audience}, Subject: strconv.FormatInt(p.id, 10),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(tokenLife)),
		},
		OrgID: strconv.FormatInt(p.org, 10), Roles: []string{p.role}, TimeZone: p.timeZone, Locale: locale,
		Name: p.name, Plan: p.plan, Features: p.features,
	})
	signed, err := token.SignedString(g.cfg.Secret)
	if err != nil {
		return "", fmt.Errorf("sign a token: %w", err)
	}
	return signed, nil
}

// identity is a person as sessions and tokens need them.
type identity struct {
	id, org                           int64
	name, role, email, locale, title  string
	orgName, orgAbout, timeZone, plan string
	features                          []string
	weekStart                         time.Weekday
}

// person reads one person; an unknown id is a 404 problem.
func (g *Gym) person(ctx context.Context, id int64) (*identity, error) {
	p := &identity{id: id}
	var features string
	err := g.db.QueryRowContext(ctx, `SELECT p.org_id, p.name, p.role, p.email, p.locale, p.title, o.name, o.about, o.tz, o.plan, o.features, o.week_start
		FROM people p JOIN orgs o ON o.id = p.org_id WHERE p.id = ?`, id).
		Scan(&p.org, &p.name, &p.role, &p.email, &p.locale, &p.title, &p.orgName, &p.orgAbout, &p.timeZone, &p.plan, &features, &p.weekStart)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, missing("person")
	}
	if err != nil {
		return nil, fmt.Errorf("read person %d: %w", id, err)
	}
	p.features = strings.Fields(features)
	return p, nil
}

// firstOf is the first person of a role in an organisation; 0 when there is none.
func (g *Gym) firstOf(ctx context.Context, role string, org int64) (int64, error) {
	var id sql.NullInt64
	if err := g.db.QueryRowContext(ctx, `SELECT min(id) FROM people WHERE role = ? AND org_id = ?`, role, org).Scan(&id); err != nil {
		return 0, fmt.Errorf("find a person: %w", err)
	}
	return id.Int64, nil
}

// authenticate finds who asks: by a statement of Steward's, or by a token of the
// gym's. statementID is the id that a statement gives its call, else empty.
func (g *Gym) authenticate(r *http.Request, body []byte) (who *principal, statementID string, err error) {
	if r.URL.Query().Has("access_token") {
		return nil, "", refuse(http.StatusBadRequest, "A token belongs in the Authorization header, never in the address.")
	}
	if statement := r.Header.Get("Steward-Member"); statement != "" {
		who, statementID, err = g.readStatement(r, statement, body)
	} else {
		who, err = g.readToken(r)
	}
	if err != nil {
		return nil, "", err
	}
	p, err := g.person(r.Context(), who.person)
	if refused := (*problemError)(nil); errors.As(err, &refused) || err == nil && p.org != who.org {
		return nil, "", unauthorized("The token names a person who is not here.")
	}
	if err != nil {
		return nil, "", err
	}
	who.name = p.name
	return who, statementID, nil
}

func (g *Gym) readToken(r *http.Request) (*principal, error) {
	raw, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer {
		return nil, unauthorized("This needs a bearer token.")
	}
	var c claims
	_, err := jwt.ParseWithClaims(raw, &c, func(*jwt.Token) (any, error) { return g.cfg.Secret, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithAudience(g.cfg.Audience), jwt.WithIssuer(issuer),
		jwt.WithExpirationRequired(), jwt.WithLeeway(clockSkew), jwt.WithTimeFunc(g.now))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, unauthorized("The token has expired.")
	case err != nil:
		return nil, unauthorized("The token is not one of this gym's.")
	}
	return newPrincipal(c.Subject, c.OrgID, c.Roles)
}

func newPrincipal(subject, org string, given []string) (*principal, error) {
	person, personErr := strconv.ParseInt(subject, 10, 64)
	orgID, orgErr := strconv.ParseInt(org, 10, 64)
	if personErr != nil || orgErr != nil {
		return nil, unauthorized("The token names no person of an organisation.")
	}
	return &principal{person: person, org: orgID, roles: slices.DeleteFunc(slices.Clone(given), func(role string) bool { return !slices.Contains(roles, role) })}, nil
}

func unauthorized(detail string) error { return refuse(http.StatusUnauthorized, detail) }
