package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckSpec looks at a document with nothing else there: no host's file, no environment.
func TestCheckSpec(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	document := "openapi: 3.1.0\ninfo: {title: Shop, version: 1}\npaths: {/orders: {get: {operationId: listOrders, responses: {200: {description: ok}}}}}\n"
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		args      []string
		code      int
		out, said string
	}{
		{"text", []string{"--spec", file}, 0, "Shop 1, OpenAPI 3.1.0\n", ""},
		{"next", []string{"--spec", file}, 0, "Next: steward init --spec " + file, ""},
		{"JSON", []string{"--spec", file, "--json"}, 0, `"title": "Shop"`, ""},
		{"nowhere", []string{"--spec", file + "x"}, 1, "", "there is no file " + file + "x; of an address, fetch it first: curl -sL ADDRESS | steward check --spec -"},
		{"a folder", []string{"--spec", filepath.Dir(file)}, 1, "", "--spec: "},
	} {
		var out, said strings.Builder
		terminal := &terminal{out: &out, err: &said, env: func(string) (string, bool) { return "", false }}
		if code := run(t.Context(), append([]string{"check"}, test.args...), terminal); code != test.code {
			t.Errorf("%s: exit %d: %s", test.name, code, said.String())
		}
		if !strings.Contains(out.String(), test.out) || !strings.Contains(said.String(), test.said) {
			t.Errorf("%s: %q %q", test.name, out.String(), said.String())
		}
		if test.name == "JSON" && !json.Valid([]byte(out.String())) {
			t.Errorf("not JSON: %s", out.String())
		}
	}
}
