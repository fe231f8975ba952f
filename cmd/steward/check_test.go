package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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

// TestCheckSpecStops holds that a stop ends a check that waits for a document: for a pipe that nobody opens, and for one that
// says nothing.
func TestCheckSpecStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"silent", "unopened"} {
		file := filepath.Join(dir, name)
		if err := syscall.Mkfifo(file, 0o600); err != nil {
			t.Skip("there are no named pipes here:", err)
		}
		if name == "silent" {
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		var out, said strings.Builder
		code := make(chan int)
		go func() {
			code <- run(ctx, []string{"check", "--spec", file}, &terminal{out: &out, err: &said, env: func(string) (string, bool) { return "", false }})
		}()
		cancel(errors.New("told to stop"))
		select {
		case got := <-code:
			if want := "--spec: stopped before " + file + " was read: told to stop"; got != 1 || !strings.Contains(said.String(), want) {
				t.Errorf("%s: exit %d, %q", name, got, said.String())
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it goes on", name)
		}
	}
}
