package config

import "slices"

// Rights that a role may have.
const (
	RightRead   = "read"   // see the assistant and what it says, and have the product read
	RightSend   = "send"   // send messages
	RightDecide = "decide" // decide on cards
	RightPick   = "pick"   // answer a pick
	RightUndo   = "undo"   // take a call back
)

// Rights is every right there is.
var Rights = []string{RightRead, RightSend, RightDecide, RightPick, RightUndo}

// Identity says how the product proves who asks: with a signed token whose key is exactly one of a secret (HS256), a
// key set at a URL, or a key set in a file (RS256, ES256).
type Identity struct {
	// SecretEnv and SecretFile name the variable or file of the HS256 secret, of at least 32 bytes.
	SecretEnv  string `yaml:"secret_env"`
	SecretFile string `yaml:"secret_file"`
	// JWKSURL is where the key set is fetched: https, or http on this machine.
	JWKSURL string `yaml:"jwks_url"`
	// JWKSFile is a key set beside this file.
	JWKSFile string `yaml:"jwks_file"`
	// Issuer is the token's "iss". Empty: any.
	Issuer string `yaml:"issuer"`
	// Audience stands in the token's "aud". Required, so that a token made for another service is refused.
	Audience string `yaml:"audience"`
	// Claims maps what Steward needs to the names of the product's claims, for those named otherwise: sub, org, roles,
	// scopes, plan, features, locale, time_zone, name.
	Claims map[string]string `yaml:"claims"`
	// Roles maps a role of the product to what it may do: read, send, decide, pick, undo. A role that is not listed is
	// shut out.
	Roles map[string][]string `yaml:"roles"`

	// Secret is the resolved HS256 secret; zero with a key set.
	Secret Secret `yaml:"-"`
}

// Claim gives the name of the product's claim for one of Steward's.
func (i Identity) Claim(name string) string {
	if mapped, ok := i.Claims[name]; ok {
		return mapped
	}
	return name
}

// RolesWith lists the roles that have a right, sorted.
func (i Identity) RolesWith(right string) []string {
	var out []string
	for _, role := range sortedKeys(i.Roles) {
		if slices.Contains(i.Roles[role], right) {
			out = append(out, role)
		}
	}
	return out
}

var claimNames = []string{"sub", "org", "roles", "scopes", "plan", "features", "locale", "time_zone", "name"}
