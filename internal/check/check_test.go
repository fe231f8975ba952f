package check_test

import (
	"os"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/check"
)

func TestScratch(t *testing.T) {
	r, err := check.Run(t.Context(), check.Options{Files: config.Dir("../../examples/gym"), Name: "steward.yaml", Env: func(k string) (string, bool) { v, ok := map[string]string{"GYM_TOKEN_SECRET": "0123456789012345678901234567890123", "GYM_URL": "http://127.0.0.1:1"}[k]; return v, ok }})
	if err != nil {
		t.Fatal(err)
	}
	r.WriteTo(os.Stdout)
}
