package config

import (
	"fmt"
	"slices"
)

// minSecretBytes is the least key of HS256 (RFC 7518 section 3.2: at least the size of the hash).
const minSecretBytes = 32

func (l *loader) identity() {
	id := l.c.Identity
	l.envName("identity.secret_env", id.SecretEnv)
	ways := 0
	if id.SecretEnv != "" || id.SecretFile != "" {
		ways++
	}
	if id.JWKSURL != "" {
		ways++
		if u := l.address("identity.jwks_url", id.JWKSURL); u != nil && u.Scheme != "https" && !isLoopback(u.Hostname()) {
			l.fault("identity.jwks_url", "must be https, because whoever answers there decides who signs in")
		}
	}
	if id.JWKSFile != "" {
		ways++
		if _, err := readBounded(l.c.Files, id.JWKSFile); err != nil {
			l.fault("identity.jwks_file", "the file "+readFault(err))
		}
	}
	if ways != 1 {
		l.fault("identity", "must say with exactly one of secret_env (or secret_file), jwks_url and jwks_file how a token is checked")
	}
	if !id.Secret.IsZero() && len(id.Secret.Reveal()) < minSecretBytes {
		l.fault("identity", fmt.Sprintf("the secret must be at least %d bytes long", minSecretBytes))
	}
	if id.Audience == "" {
		l.fault("identity.audience", "must be set, so that a token made for another service is refused")
	}
	for _, claim := range sortedKeys(id.Claims) {
		path := join("identity.claims", claim)
		if !slices.Contains(claimNames, claim) {
			l.fault(path, "must be "+orList(claimNames))
		}
		if id.Claims[claim] == "" {
			l.fault(path, "must be the name of a claim")
		}
	}
	if len(id.Roles) == 0 {
		l.fault("identity.roles", "must list the roles that may use the assistant, with what they may do")
	}
	for _, role := range sortedKeys(id.Roles) {
		for i, right := range id.Roles[role] {
			l.oneOf(fmt.Sprintf("%s[%d]", join("identity.roles", role), i), right, Rights...)
		}
		if len(id.Roles[role]) > 0 && !slices.Contains(id.Roles[role], RightRead) {
			l.fault(join("identity.roles", role), "must have read, without which no other right can be used")
		}
	}
}
