package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// addSteward adds the two things that the assistant needs of its product: an endpoint that says who is signed in, and
// its own routes on the product's address.
func (a *app) addSteward(mux *http.ServeMux, steward string) error {
	target, err := url.Parse(steward)
	if err != nil || target.Host == "" {
		return fmt.Errorf("--steward: %q must be an address such as http://127.0.0.1:8080", steward)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // Steward compares it with the page's origin
	}}
	for _, path := range []string{"/v1/", "/steward.js", "/steward/"} {
		mux.Handle(path, proxy)
	}
	mux.HandleFunc("GET /steward-token", func(w http.ResponseWriter, r *http.Request) {
		member, ok := a.member(r)
		if !ok {
			answer(w, http.StatusUnauthorized, map[string]string{"error": "Sign in first."})
			return
		}
		answer(w, http.StatusOK, map[string]string{"token": a.tokenFor(member)})
	})
	return nil
}

// tokenFor signs who is signed in (a JWT, HS256), for five minutes.
func (a *app) tokenFor(member string) string {
	claims, _ := json.Marshal(map[string]any{ // texts and numbers always encode
		"sub": member, "name": member, "roles": []string{"member"},
		"aud": "steward", "exp": a.now().Add(5 * time.Minute).Unix(),
	})
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(claims)
	return signed + "." + a.signature(signed)
}

func (a *app) signature(signed string) string {
	mac := hmac.New(sha256.New, a.secret)
	mac.Write([]byte(signed))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// memberOf says whose token it is that comes with a call of Steward.
func (a *app) memberOf(token string) (string, bool) {
	dot := strings.LastIndexByte(token, '.')
	if dot < 0 || !hmac.Equal([]byte(token[dot+1:]), []byte(a.signature(token[:dot]))) {
		return "", false
	}
	_, middle, _ := strings.Cut(token[:dot], ".")
	raw, err := base64.RawURLEncoding.DecodeString(middle)
	if err != nil {
		return "", false
	}
	var claims struct {
		Sub string `json:"sub"`
		Aud string `json:"aud"`
		Exp int64  `json:"exp"`
	}
	if json.Unmarshal(raw, &claims) != nil || claims.Aud != "steward" || claims.Exp < a.now().Unix() {
		return "", false
	}
	return claims.Sub, true
}
