// Package id makes and checks the identifiers that Steward gives out, and is the seam through which tests fix them.
package id

import (
	"github.com/google/uuid"
)

// New returns a new UUIDv7 (RFC 9562 section 5.7) in canonical lower case: sortable by the time of its making.
// Safe for concurrent use.
func New() string { return uuid.Must(uuid.NewV7()).String() }

// IsUUID reports whether s is a UUID of any version in canonical form (8-4-4-4-12, either case).
func IsUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	_, err := uuid.Parse(s)
	return err == nil
}
