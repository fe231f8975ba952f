package api

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/turn"
)

// originSet reads the origins of the operator's file.
func originSet(origins []string) (map[string]bool, error) {
	out := make(map[string]bool, len(origins))
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || o != u.Scheme+"://"+strings.ToLower(u.Host) ||
			strings.Contains(u.Host, "*") {
			return nil, fmt.Errorf("%q: an exact origin in lower case, as https://app.example", o)
		}
		out[o] = true
	}
	return out, nil
}

// checkHost refuses a request under a name that is not ours, which is how a hostile page reaches a server on its
// visitor's own machine (DNS rebinding), and one of another origin's page.
func (s *server) checkHost(x *exchange) error {
	if len(s.hosts) == 0 {
		return nil
	}
	name := x.r.Host
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	if !s.hosts[strings.ToLower(strings.Trim(name, "[]"))] {
		return &turn.Refusal{Code: event.Forbidden, Field: "Host", Detail: "a name that this server answers under"}
	}
	if origin := x.r.Header.Get("Origin"); origin != "" && !s.origins[origin] {
		if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, x.r.Host) {
			return &turn.Refusal{Code: event.Forbidden, Field: "Origin", Detail: "this server's own, or one that its operator lists"}
		}
	}
	return nil
}

// What a page of another origin may send and see, and for how long a browser may remember it (seconds).
const (
	sharedMethods = "GET, POST, DELETE"
	sharedHeaders = "Accept, Authorization, Content-Type, Last-Event-ID, X-Locale"
	seenHeaders   = "Retry-After, Steward-Trace"
	sharedFor     = "600"
)

// share lets pages of the listed origins read answers (CORS), and answers preflights; it reports true when it did.
// Credentials are never allowed: a page's token travels in a header, and cookies mean nothing here.
func (s *server) share(x *exchange) (bool, error) {
	h, origin := x.Header(), x.r.Header.Get("Origin")
	h.Add("Vary", "Origin")
	ok := origin != "" && s.origins[origin]
	if ok {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", seenHeaders)
	}
	if x.r.Method != http.MethodOptions || x.r.Header.Get("Access-Control-Request-Method") == "" {
		return false, nil
	}
	if !ok {
		return false, &turn.Refusal{Code: event.Forbidden, Field: "Origin", Detail: "one that the operator lists"}
	}
	h.Set("Access-Control-Allow-Methods", sharedMethods)
	h.Set("Access-Control-Allow-Headers", sharedHeaders)
	h.Set("Access-Control-Max-Age", sharedFor)
	x.WriteHeader(http.StatusNoContent)
	return true, nil
}
