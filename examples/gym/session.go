package gym

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// cookieName is the session's cookie. It is the gym's own: Steward reads none.
const cookieName = "gym_session"

// session is what a browser carries, signed: whom it acts as, and how pages look.
type session struct {
	ID     string `json:"id"` // random: two browsers never share a cookie's value
	Person int64  `json:"person"`
	Locale string `json:"locale"` // empty: the person's own
	Theme  string `json:"theme"`  // light, dark, or empty: the system's
}

// session reads the request's session. Without one, or with one that is not
// ours, it acts as the first owner of the first organisation.
func (g *Gym) session(r *http.Request) (*session, *identity, error) {
	s := g.openCookie(r)
	if s != nil {
		p, err := g.person(r.Context(), s.Person)
		if err == nil {
			if s.Locale == "" {
				s.Locale = p.locale
			}
			return s, p, nil
		}
		if refused := (*problemError)(nil); !errors.As(err, &refused) {
			return nil, nil, err
		}
	}
	owner, err := g.firstOf(r.Context(), "owner", 1)
	if err != nil {
		return nil, nil, err
	}
	p, err := g.person(r.Context(), owner)
	if err != nil {
		return nil, nil, err
	}
	return &session{ID: rand.Text(), Person: owner, Locale: p.locale}, p, nil
}

func (g *Gym) openCookie(r *http.Request) *session {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil
	}
	payload, mac, ok := strings.Cut(cookie.Value, ".")
	if !ok || !hmac.Equal([]byte(mac), []byte(g.mac(payload))) {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return nil
	}
	var s session
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return &s
}

func (g *Gym) mac(payload string) string {
	h := hmac.New(sha256.New, g.cfg.Secret)
	_, _ = h.Write([]byte("session\n" + payload)) // a hash takes any write
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func (g *Gym) setCookie(w http.ResponseWriter, r *http.Request, s *session) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	payload := base64.RawURLEncoding.EncodeToString(raw)
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever the page itself came over TLS; the demo's is on loopback
		Name: cookieName, Value: payload + "." + g.mac(payload), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: r.TLS != nil, MaxAge: 30 * 24 * 60 * 60,
	})
	return nil
}

// actAs makes the session another person's, of either organisation.
func (g *Gym) actAs(w http.ResponseWriter, r *http.Request) {
	s, _, err := g.session(r)
	if err != nil {
		g.pageFail(w, r, err)
		return
	}
	person, err := strconv.ParseInt(r.PostFormValue("person"), 10, 64)
	if err == nil {
		_, err = g.person(r.Context(), person)
	}
	if err != nil {
		g.pageFail(w, r, badField("person", "must be the id of someone here"))
		return
	}
	s.Person, s.Locale = person, ""
	g.back(w, r, s)
}

// setLooks changes the session's language or its light.
func (g *Gym) setLooks(w http.ResponseWriter, r *http.Request) {
	s, _, err := g.session(r)
	if err != nil {
		g.pageFail(w, r, err)
		return
	}
	if locale := r.PostFormValue("locale"); slices.Contains(locales, locale) {
		s.Locale = locale
	}
	switch theme := r.PostFormValue("theme"); theme {
	case "light", "dark":
		s.Theme = theme
	case "system":
		s.Theme = ""
	}
	g.back(w, r, s)
}

// back keeps the session and returns to the page that the form stood on.
func (g *Gym) back(w http.ResponseWriter, r *http.Request, s *session) {
	if err := g.setCookie(w, r, s); err != nil {
		g.pageFail(w, r, err)
		return
	}
	http.Redirect(w, r, backPath(r), http.StatusSeeOther) //nolint:gosec // backPath gives paths of this site only
}

// backPath is the form's `back`, if that is a path of this site.
func backPath(r *http.Request) string {
	back := r.PostFormValue("back")
	if u, err := url.Parse(back); err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(back, "/") || strings.ContainsAny(back, "\\\r\n") || strings.HasPrefix(back, "//") {
		return "/schedule"
	}
	return back
}

// token answers a token for the page's own session, or, with `as`, for the first
// person of a role. Only pages of this origin and programs may read it.
func (g *Gym) token(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if err := sameOrigin(r); err != nil {
		writeProblem(w, asRefusal(err))
		return
	}
	s, p, err := g.session(r)
	if query := r.URL.Query(); err == nil && (query.Has("as") || query.Has("org")) {
		if p, err = g.stand(r.Context(), query.Get("as"), query.Get("org")); err == nil {
			s.Locale = p.locale
		}
	}
	var signed string
	if err == nil {
		signed, err = g.sign(p, s.Locale)
	}
	if err != nil {
		problem, known := asProblem(err)
		if !known {
			g.log.ErrorContext(r.Context(), "gym token failed", "error", err)
		}
		writeProblem(w, problem)
		return
	}
	answer, err := encode(object{"token": signed})
	if err != nil {
		writeProblem(w, asRefusal(err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // the reader is gone: nothing is left to tell
}

// stand finds the first person of a role; org may be empty: the first organisation.
func (g *Gym) stand(ctx context.Context, role, org string) (*identity, error) {
	if !slices.Contains(roles, role) {
		return nil, badField("as", "must be one of "+strings.Join(roles, ", "))
	}
	id := int64(1)
	if org != "" {
		var err error
		if id, err = strconv.ParseInt(org, 10, 64); err != nil || g.zones[id] == nil {
			var known []string
			for id := range g.zones {
				known = append(known, strconv.FormatInt(id, 10))
			}
			slices.Sort(known)
			return nil, badField("org", "must be one of "+strings.Join(known, ", "))
		}
	}
	person, err := g.firstOf(ctx, role, id)
	if err != nil {
		return nil, err
	}
	return g.person(ctx, person)
}

// sameOrigin refuses a request that a browser says another site has made.
func sameOrigin(r *http.Request) error {
	refused := refuse(http.StatusForbidden, "Only pages of this site may ask for this.")
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return refused
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host != r.Host {
			return refused
		}
	}
	return nil
}
