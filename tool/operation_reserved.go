package tool

import (
	"slices"
	"strings"
)

// ownHeaders are set by Steward itself where they are sent, whatever a document asks for.
var ownHeaders = []string{
	"accept", "accept-encoding", "accept-language", "authorization", "content-type", "idempotency-key", "steward-member",
	"traceparent", "tracestate", "user-agent", "x-locale",
}

// controlHeaders say to servers, and to proxies before them, what a request is, where it comes from and who makes it. One
// that a model filled could turn a read into a write, lead to another path or speak for another person.
var controlHeaders = []string{
	"connection", "content-encoding", "content-length", "content-transfer-encoding", "cookie", "cookie2", "expect",
	"forwarded", "from", "host", "http2-settings", "keep-alive", "max-forwards", "origin", "referer", "set-cookie", "te",
	"trailer", "transfer-encoding", "upgrade", "via",
	"client-ip", "fastly-client-ip", "front-end-https", "true-client-ip", "x-client-cert", "x-client-ip", "x-cluster-client-ip",
	"x-host", "x-http-host-override", "x-https", "x-real-ip", "x-remote-addr", "x-remote-ip", "x-scheme", "x-ssl",
	"remote-user", "x-remote-user", "x-user", "x-sendfile", "x-method",
}

// controlPrefixes begin the names of more such headers.
var controlPrefixes = []string{
	"proxy-", "sec-", "access-control-", "cf-", "x-accel-", "x-amzn-", "x-arr-", "x-authenticated-", "x-envoy-", "x-forwarded",
	"x-http-method", "x-middleware-", "x-ms-client-principal", "x-original-", "x-proxy-", "x-rewrite-", "x-url-scheme",
	"x-webauth-", "impersonate-", "x-impersonate-", "x-goog-authenticated-", "x-goog-iap-",
}

// credentialNames are parts of the names that credentials go by; of headers, credentialHeaders too, which in a query may
// be the name of something else.
var (
	credentialNames   = []string{"access-token", "api-key", "api-secret", "api-token", "apikey", "auth-token", "authorization", "bearer-token", "client-secret", "csrf", "xsrf"}
	credentialHeaders = []string{"auth-key", "id-token", "password", "refresh-token", "security-token", "session", "x-auth", "x-token"}
)

// reservedHeader says why a header is never an argument; empty: it may be. own says that Steward sets it itself.
func reservedHeader(name string) (why string, own bool) {
	name = spelled(name)
	switch {
	case slices.Contains(ownHeaders, name):
		return "Steward sets it itself", true
	case slices.Contains(controlHeaders, name), overridesMethod(name), slices.ContainsFunc(controlPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }):
		return "it tells servers what a request is and whose, which is not the model's to say", false
	case isOneOf(name, credentialNames), isOneOf(name, credentialHeaders):
		return "it is a credential, which is not the model's to give", false
	}
	return "", false
}

// reservedQuery says why a query parameter is never an argument; empty: it may be.
func reservedQuery(name string) string {
	switch name = spelled(name); {
	case overridesMethod(name):
		return "it can make another method of a request, which is not the model's to say"
	case isOneOf(name, credentialNames):
		return "it is a credential, which is not the model's to give"
	}
	return ""
}

// overridesMethod reports whether frameworks take a field of a name for the method that is really meant.
func overridesMethod(name string) bool {
	name = spelled(name)
	switch strings.TrimLeft(name, "-$!") {
	case "method", "http-method", "httpmethod":
		return name[0] < 'a' || name[0] > 'z' // "method" alone may be one of payment
	}
	return strings.Contains(name, "method-override") || strings.Contains(name, "methodoverride") || strings.HasPrefix(name, "x-http-method")
}

// isOneOf reports whether one of parts stands in a name, at the beginning of a word.
func isOneOf(name string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		at := strings.Index(name, part)
		return at == 0 || at > 0 && name[at-1] == '-'
	})
}

// spelled is a name as the least careful servers compare it: in lower case, "_", "." and spaces as "-", and without what
// stands in brackets after it ("_method[]" is "_method").
func spelled(name string) string {
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '.' || r == ' ' {
			return '-'
		}
		return r
	}, strings.ToLower(strings.TrimSpace(name)))
}
