package identity

import (
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/principal"
)

// Right is one thing that a role may do.
type Right string

// The rights.
const (
	Read   Right = "read"   // see the assistant and what it says, and have the product read
	Send   Right = "send"   // send messages, stop turns, erase conversations
	Decide Right = "decide" // decide on cards
	Pick   Right = "pick"   // answer a pick
	Undo   Right = "undo"   // take a call back
)

// rights are all there are, in the order in which they are listed.
var rights = []Right{Read, Send, Decide, Pick, Undo}

// Set is a set of rights. The zero Set is shut out. A plain value.
type Set uint8

// Has reports whether the right is in the set; a right that does not exist is in none.
func (s Set) Has(r Right) bool { return s&bit(r) != 0 }

// Shut reports whether the set holds nothing: its owner may use no route that asks who they are.
func (s Set) Shut() bool { return s == 0 }

// List gives the rights in a fixed order: read, send, decide, pick, undo. Never nil.
func (s Set) List() []string {
	out := make([]string, 0, len(rights))
	for _, r := range rights {
		if s.Has(r) {
			out = append(out, string(r))
		}
	}
	return out
}

// Rights gives what any of the principal's roles may do. A principal without a listed role is shut out.
func (v *Verifier) Rights(p principal.Principal) Set {
	var s Set
	for _, role := range p.Roles {
		s |= v.roles[role]
	}
	return s
}

func bit(r Right) Set {
	for i, known := range rights {
		if r == known {
			return 1 << i
		}
	}
	return 0
}

func setsOf(roles map[string][]Right) (map[string]Set, error) {
	out := make(map[string]Set, len(roles))
	for role, list := range roles {
		for _, r := range list {
			if bit(r) == 0 {
				return nil, fmt.Errorf("roles: %q has a right that does not exist; there are %s", role, names())
			}
			out[role] |= bit(r)
		}
	}
	return out, nil
}

func names() string {
	s := make([]string, len(rights))
	for i, r := range rights {
		s[i] = string(r)
	}
	return strings.Join(s, ", ")
}
