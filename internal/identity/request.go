package identity

import (
	"net/http"
	"strings"
)

// queryNames are names under which a token is wrongly put into an address, where logs and histories keep it.
var queryNames = map[string]bool{
	"access_token": true, "accesstoken": true, "token": true, "id_token": true, "auth": true, "auth_token": true,
	"authorization": true, "bearer": true, "jwt": true, "api_key": true, "apikey": true, "secret": true,
}

// TokenInQuery gives the name of the first query parameter, if any, that is there to carry a token (RFC 6750 section
// 2.3, which Steward refuses). It looks at names only.
func TokenInQuery(rawQuery string) (string, bool) {
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name = strings.ToLower(name); queryNames[name] {
			return name, true
		}
	}
	return "", false
}

// Bearer gives the token of a request's Authorization header. The error is a *TokenError. No cookie is ever read.
func Bearer(h http.Header) (string, error) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", &TokenError{"Authorization", `required once, as "Bearer TOKEN"`}
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " ,\t") {
		return "", &TokenError{"Authorization", `"Bearer TOKEN"`}
	}
	if len(token) > MaxTokenBytes {
		return "", &TokenError{"Authorization", "a token of at most 8192 bytes"}
	}
	return token, nil
}
