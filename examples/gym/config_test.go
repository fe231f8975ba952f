package gym

import (
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
)

func loadConfig(t *testing.T) *config.Config {
	t.Helper()
	c, faults := config.Load(Files, "steward.yaml", func(name string) (string, bool) {
		v, ok := map[string]string{"GYM_TOKEN_SECRET": strings.Repeat("s", 32), "GYM_URL": "http://127.0.0.1:8080"}[name]
		return v, ok
	})
	for _, fault := range faults {
		t.Error(fault)
	}
	if c == nil {
		t.FailNow()
	}
	return c
}

func TestConfigNamesEveryRead(t *testing.T) {
	t.Parallel()
	c, tg := loadConfig(t), newTestGym(t)
	named := map[string]bool{}
	for name, action := range c.Tools.Actions {
		op := tg.doc.operations[strings.TrimPrefix(action.Operation, "api.")]
		if op == nil {
			t.Errorf("%s: no operation %q", name, action.Operation)
			continue
		}
		named[op.id] = true
		for _, role := range action.Roles {
			if !slices.Contains(op.roles, role) {
				t.Errorf("%s: the API refuses %s", name, role)
			}
		}
	}
	for id, op := range tg.doc.operations {
		if op.method == "GET" && !named[id] {
			t.Errorf("%s has no action", id)
		}
	}
}
