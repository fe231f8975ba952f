package check

import (
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/examples/gym"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/tool"
)

// Bounds of a tool list: at 180 actions it may weigh 74,000 tokens of 3.5 bytes, and in proportion below.
const (
	mostTokens  = 74_000
	mostActions = 180
)

// TestBytesPerRole prints what each role's tool list weighs, with and without each of the org's flags, and holds it.
func TestBytesPerRole(t *testing.T) {
	cfg, faults := config.Load(gym.Files, "steward.yaml", func(name string) (string, bool) {
		v, ok := map[string]string{"GYM_TOKEN_SECRET": "0123456789abcdef0123456789abcdef", "GYM_URL": "http://127.0.0.1:1"}[name]
		return v, ok
	})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	own, err := page.NewSource(cfg, page.NewIndex(cfg))
	if err != nil {
		t.Fatal(err)
	}
	registry, err := tool.Open(t.Context(), cfg, tool.OpenOptions{}, own)
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]bool{"": true}
	for _, d := range registry.All() {
		flags[d.OrgFlag] = true
	}
	for _, role := range registry.Roles() {
		for flag := range flags {
			offer := registry.Offer(asker(role, flag))
			n := len(offer.Definitions())
			tokens := float64(offer.Bytes) / bytesPerToken
			t.Logf("%s %q: %d actions, %d bytes, about %.0f tokens", role, flag, n, offer.Bytes, tokens)
			if n < 25 {
				t.Errorf("%s may use only %d actions", role, n)
			}
			if most := float64(mostTokens) * float64(n) / mostActions; tokens > most {
				t.Errorf("%s %q: %.0f tokens, over %.0f", role, flag, tokens, most)
			}
		}
	}
}
