// Package principal says who asks: the member of a host's product on whose behalf a request runs.
package principal

import "slices"

// Principal is the person behind one request, as the host's token or a grant proves. It is made by the server from
// verified claims only, never from a page or from model text, and is a plain value: copy it freely.
type Principal struct {
	// Member is the host's id of the signed-in user (claim "sub"); never empty.
	Member string
	// Org is the tenant the member acts in; never empty (hosts without tenants get "default"). It stands in the key
	// of everything that is stored or cached.
	Org string
	// Roles are the host's role names, sorted; only those that the host's file lists are kept.
	Roles []string
	// Scopes are what the token may be used for, beside roles; sorted.
	Scopes []string
	// StewardScopes are Steward's own: "steward:admin", "steward:operator"; sorted.
	StewardScopes []string
	// Plan is the host's name of the member's plan; empty when the token does not say.
	Plan string
	// Features are the org's feature flags that are on; sorted.
	Features []string
	// Locale is a BCP 47 tag; empty when the token does not say.
	Locale string
	// TimeZone is an IANA name; empty means UTC.
	TimeZone string
	// Name is how the host calls the member on screen; empty when the token does not say. It is others' text.
	Name string
}

// HasRole reports whether the member has at least one of roles; no roles at all asks for nothing and is true.
func (p Principal) HasRole(roles ...string) bool {
	if len(roles) == 0 {
		return true
	}
	return slices.ContainsFunc(roles, func(r string) bool { return slices.Contains(p.Roles, r) })
}

// HasScopes reports whether the token carries every one of scopes.
func (p Principal) HasScopes(scopes ...string) bool {
	for _, s := range scopes {
		if !slices.Contains(p.Scopes, s) {
			return false
		}
	}
	return true
}

// HasFeature reports whether the org's flag is on; the empty name is always on.
func (p Principal) HasFeature(name string) bool {
	return name == "" || slices.Contains(p.Features, name)
}
