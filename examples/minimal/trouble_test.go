package main

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTroubles makes each trouble of the tutorial's table, and finds the words in the table that the product says.
func TestTroubles(t *testing.T) {
	p := build(t)
	p.must("init", "--spec", "openapi.json", "--sitemap", "sitemap.xml")
	told := func(what, said, words string) {
		t.Helper()
		has(t, what, said, words)
		hasTold(t, words)
	}
	product := httptest.NewUnstartedServer(nil)
	steward, _ := p.serve("TOOL_LIBRARY_URL=http://127.0.0.1:1/api")
	ada := open(t, product, steward, secret)

	text := p.edit()
	slip := strings.Replace(text, "items: /loans\n", "items: /loan\n", 1)
	if err := os.WriteFile(filepath.Join(p.dir, "steward.yaml"), []byte(slip), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := p.run("check")
	if err == nil {
		t.Error("steward check is content with a slip")
	}
	first, _, _ := strings.Cut(out, "\n")
	told("a slip", out, first)

	p.env[2] = "X=y"
	out, err = p.run("check")
	if err == nil {
		t.Error("steward check is content without a secret")
	}
	told("no secret", out, "TOOL_LIBRARY_TOKEN_SECRET is not set in the environment")

	_, body := ada.do(http.MethodGet, "/v1/contract", "", nil)
	if strings.Contains(body, `\"`) { // as a person reads it
		body = strings.ReplaceAll(body, `\"`, `"`)
	}
	told("no token", body, `Authorization: required once, as "Bearer TOKEN"`)
	_, body = ada.do(http.MethodGet, "/v1/contract", (&app{secret: []byte("another secret"), now: time.Now}).tokenFor("Ada"), nil)
	told("another secret", body, "signature: HS256, made with the secret that this server was given")
	_, body = ada.do(http.MethodGet, "/v1/contract", (&app{secret: []byte(secret), now: func() time.Time { return time.Now().Add(-time.Hour) }}).tokenFor("Ada"), nil)
	told("an old token", body, "exp: in the future: the token has ended")

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, steward+"/v1/contract", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "http://127.0.0.1:3000")
	r.Header.Set("Authorization", "Bearer "+ada.token())
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	told("another origin", string(raw), "Origin: this server's own, or one that its operator lists")

	body = ada.ask("Show tools.")
	told("an API that is not there", body, "This could not be read, so it is unknown.")
	told("an API that is not there", body, "The product could not be reached.")
}

// TestNoBearer has the product's API refuse the token that Steward brings.
func TestNoBearer(t *testing.T) {
	p := build(t)
	p.must("init", "--spec", "openapi.json", "--sitemap", "sitemap.xml")
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusUnauthorized, map[string]string{"error": "Sign in first."})
	}))
	defer api.Close()
	product := httptest.NewUnstartedServer(nil)
	steward, _ := p.serve("TOOL_LIBRARY_URL=" + api.URL)
	has(t, "an API that does not take the token", open(t, product, steward, secret).ask("Show tools."), "The product refused this: “Sign in first.”")
	hasTold(t, "The product refused this:")
	hasTold(t, "“Sign in first.”")
}

// TestWrongPath has a base_url whose path the product does not have.
func TestWrongPath(t *testing.T) {
	p := build(t)
	p.must("init", "--spec", "openapi.json", "--sitemap", "sitemap.xml")
	api := httptest.NewServer(http.NotFoundHandler())
	defer api.Close()
	product := httptest.NewUnstartedServer(nil)
	steward, _ := p.serve("TOOL_LIBRARY_URL=" + api.URL + "/apis")
	const words = "The product has no such thing, or you may not see it."
	has(t, "a path that is not there", open(t, product, steward, secret).ask("Show tools."), words)
	hasTold(t, words)
}

// TestNothingToOffer has a document without a read, and an operation that only another role may use.
func TestNothingToOffer(t *testing.T) {
	p := build(t)
	document := `{"openapi":"3.1.0","info":{"title":"Tool Library","version":"1"},"servers":[{"url":"http://127.0.0.1:3000"}],"paths":{"/loans":{"post":{"operationId":"createLoan","responses":{"200":{"description":"ok"}}}}}}`
	if err := os.WriteFile(filepath.Join(p.dir, "openapi.json"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	p.must("init", "--spec", "openapi.json", "--sitemap", "sitemap.xml")
	said := p.must("check")
	for _, words := range []string{"Role member: 2 actions", "Reads: app.find_in_app, app.whoami."} {
		has(t, "steward check", said, words)
		hasTold(t, words)
	}
	product := httptest.NewUnstartedServer(nil)
	steward, _ := p.serve()
	ada := open(t, product, steward, secret)
	_, body := ada.do(http.MethodGet, "/v1/contract", signed(`{"sub":"Ada","roles":["keeper"],"aud":"steward","exp":9999999999}`), nil)
	has(t, "a role that is not listed", body, "Your role here does not include it.")
	hasTold(t, "Your role here does not include it.")
}

// signed makes a token of any claims.
func signed(claims string) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
	return text + "." + (&app{secret: []byte(secret)}).signature(text)
}
