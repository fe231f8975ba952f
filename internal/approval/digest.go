package approval

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/steward-assistant/steward/tool"
)

// Digest stands for everything that a person is shown of a call: its id, its tool, its canonical arguments, who is asked
// and each fact that was looked up. A decision sends it back; what runs has the same digest or does not run. It is made
// with a key, so that nobody can make one for a card that the server did not show.
func Digest(key []byte, call tool.Call, p *Preview) (string, error) {
	shown, err := json.Marshal(struct {
		Call, Tool, Org, Member string
		Input                   json.RawMessage
		Preview                 *Preview
	}{call.ID, call.Tool.Name(), call.Principal.Org, call.Principal.Member, tool.Canonical(call.Input), p})
	if err != nil {
		return "", fmt.Errorf("digest the card of %q: %w", call.Tool.Name(), err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(shown)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}

// Same reports whether a digest is that of what would be shown now, in a time that tells nothing of either.
func Same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }
