package id

import (
	"crypto/sha256"

	"github.com/google/uuid"
)

// FromText gives the UUID that a name of somebody else's making stands for: the name itself in lower case where it is a
// UUID, else one made from it (RFC 9562 section 5.8, version 8). The same space and name give the same UUID.
func FromText(space, name string) string {
	if IsUUID(name) {
		return uuid.MustParse(name).String()
	}
	sum := sha256.Sum256([]byte(space + "\x00" + name))
	u := uuid.UUID(sum[:16])
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return u.String()
}
