package config_test

import (
	"os"
	"testing"

	"github.com/steward-assistant/steward/config"
)

func TestExample(t *testing.T) {
	b, err := os.ReadFile("../../shared/steward.example.yaml")
	if err != nil {
		t.Skip("shared example absent")
	}
	_ = b
	_, faults := config.Load(config.Dir("../../shared"), "steward.example.yaml", func(k string) (string, bool) {
		switch k {
		case "GYM_TOKEN_SECRET":
			return "0123456789012345678901234567890123", true
		case "GYM_URL":
			return "http://127.0.0.1:1", true
		}
		return "", false
	})
	for _, f := range faults {
		t.Log(f)
	}
}
