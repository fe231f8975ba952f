package tool_test

import (
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

func TestGym(t *testing.T) {
	cfg, faults := config.Load(config.Dir("/tmp/g"), "steward.yaml", func(k string) (string, bool) {
		switch k {
		case "S":
			return "0123456789012345678901234567890123", true
		case "GYM_URL":
			return "http://127.0.0.1:1", true
		}
		return "", false
	})
	for _, f := range faults {
		t.Log(f)
	}
	r, err := tool.Open(t.Context(), cfg, tool.OpenOptions{})
	t.Log(err)
	o := r.Offer(tool.Asker{Principal: principal.Principal{Member: "m", Org: "o", Roles: []string{"owner"}}})
	t.Log(len(r.All()), len(o.Definitions()), o.Bytes, o.Hash, o.Grouped, o.Strict)
	for _, w := range o.Tools() {
		t.Log(w.Name, w.Description, string(w.Input))
	}
}
