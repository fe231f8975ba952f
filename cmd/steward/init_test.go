package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const initDocument = `{"openapi":"3.1.0","info":{"title":"Shop API","version":"1"},"servers":[{"url":"/api"}],"paths":{"/orders":{"get":{
"operationId":"listOrders","tags":["orders"],"summary":"Orders of today.","responses":{"200":{"description":"ok"}}}}}}`

// inFolder writes files into a folder of their own, which is the working directory until the test ends.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// typed runs a command line and gives its exit status and what it printed.
func typed(t *testing.T, env map[string]string, args ...string) (status int, out, errors string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, &terminal{out: &stdout, err: &stderr, env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	return status, stdout.String(), stderr.String()
}

func TestInit(t *testing.T) {
	inFolder(t, map[string]string{"docs/openapi.json": initDocument, "pages.txt": "/orders\n/logo.png\n"})
	status, out, errors := typed(t, nil, "init", "--spec", "docs/openapi.json", "--pages", "pages.txt")
	if status != 0 {
		t.Fatalf("status %d: %s%s", status, out, errors)
	}
	for _, part := range []string{
		"Wrote steward.yaml for Shop: 1 read (1 described), 0 writes not offered, 1 page.", "Left out of its pages: /logo.png.",
		"http://127.0.0.1:3000/api was taken", "export SHOP_TOKEN_SECRET=$(openssl rand -base64 32)", "steward check\n", "<steward-assistant token-url=",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("it does not say %q:\n%s", part, out)
		}
	}
	if strings.Contains(out, "faults") {
		t.Errorf("faults in\n%s", out)
	}
	written, err := os.ReadFile("steward.yaml")
	if err != nil || !strings.Contains(string(written), "openapi: docs/openapi.json\n") {
		t.Errorf("%v\n%s", err, written)
	}
	if status, out, _ := typed(t, map[string]string{"SHOP_TOKEN_SECRET": strings.Repeat("s", 32)}, "check"); status != 0 || !strings.Contains(out, "No faults.") {
		t.Errorf("check ends with %d: %s", status, out)
	}

	if err := os.WriteFile("steward.yaml", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, errors = typed(t, nil, "init", "--spec", "docs/openapi.json")
	if mine, _ := os.ReadFile("steward.yaml"); status != 1 || string(mine) != "mine" || !strings.Contains(errors, "steward.yaml is there already; say --force") {
		t.Errorf("status %d, the file says %q: %s", status, mine, errors)
	}
	if status, _, errors := typed(t, nil, "init", "--spec", "docs/openapi.json", "--force"); status != 0 {
		t.Errorf("--force: %s", errors)
	}
	if again, _ := os.ReadFile("steward.yaml"); string(again) == "mine" {
		t.Error("--force left the file as it was")
	}
}

func TestInitElsewhere(t *testing.T) {
	inFolder(t, map[string]string{"openapi.json": initDocument, "deploy/x": ""})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<urlset><url><loc>https://shop.example/orders/7</loc></url></urlset>`))
	}))
	defer site.Close()
	status, out, errors := typed(t, nil, "init", "--spec", "openapi.json", "--sitemap", site.URL+"/sitemap.xml", "--base-url", "https://api.shop.example", "--out", "deploy/shop.yaml")
	if status != 0 || strings.Contains(out, "was taken") || !strings.Contains(out, "steward check --config deploy/shop.yaml") {
		t.Fatalf("status %d: %s%s", status, out, errors)
	}
	written, err := os.ReadFile("deploy/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"openapi: \"../openapi.json\"\n", "base_url: \"https://api.shop.example\"\n", "- {path: \"/orders/{id}\", label: Order}\n"} {
		if !strings.Contains(string(written), part) {
			t.Errorf("the file lacks %q:\n%s", part, written)
		}
	}
}

func TestInitRefuses(t *testing.T) {
	inFolder(t, map[string]string{"openapi.json": initDocument, "old.json": `{"openapi":"1.2"}`, "page.html": "<html><body>", "empty.txt": "# nothing\n"})
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--spec", "none.json"}, 1, "--spec: none.json: the file does not exist"},
		{[]string{"--spec", "old.json"}, 1, "old.json: the document is of version"},
		{[]string{"--spec", "openapi.json", "--sitemap", "page.html"}, 1, "--sitemap: page.html: it is a page, not a site map"},
		{[]string{"--spec", "openapi.json", "--pages", "empty.txt"}, 1, "--pages: empty.txt: no page stands in it"},
		{[]string{"--spec", "openapi.json", "--base-url", "shop"}, 1, "--base-url: must be an address"},
		{[]string{"--spec", "openapi.json", "--out", "no/such/steward.yaml"}, 1, "--out: "},
		{[]string{"--spec", "openapi.json", "--pages", "a", "--sitemap", "b"}, 2, "can't be used together"},
		{nil, 2, "--spec"},
	} {
		status, _, errors := typed(t, nil, append([]string{"init"}, test.args...)...)
		if status != test.status || !strings.Contains(errors, test.want) {
			t.Errorf("%v: status %d, %q; want %d, %q", test.args, status, errors, test.status, test.want)
		}
		if _, err := os.Stat("steward.yaml"); err == nil {
			t.Fatalf("%v wrote a file", test.args)
		}
	}
}

// TestInitOfMuch has a document whose reads are much for a model to be sent.
func TestInitOfMuch(t *testing.T) {
	var paths []string
	for i := range 400 {
		paths = append(paths, fmt.Sprintf(`"/things%d":{"get":{"operationId":"listThings%d","tags":["things"],"summary":"%s","responses":{"200":{"description":"ok"}}}}`, i, i, strings.Repeat("word ", 60)))
	}
	inFolder(t, map[string]string{"openapi.json": `{"openapi":"3.1.0","info":{"title":"Much","version":"1"},"servers":[{"url":"https://a.example"}],"paths":{` + strings.Join(paths, ",") + `}}`})
	status, out, errors := typed(t, nil, "init", "--spec", "openapi.json")
	if status != 0 || !strings.Contains(out, "Worth a look:\nsteward.yaml:") || !strings.Contains(out, "tokens of tools. Name what a surface needs in surfaces.app.tools") {
		t.Errorf("status %d: %s%s", status, out, errors)
	}
}
