package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/model/modeltest"
)

// start opens the product with these variables and gives its address.
func start(t *testing.T, env map[string]string) string {
	t.Helper()
	env["TOOL_LIBRARY_TOKEN_SECRET"] = strings.Repeat("s", 32)
	handler, closeSteward, err := newProduct(t.Context(), func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		steward.WithDatabase("sqlite:"+filepath.Join(t.TempDir(), "steward.db")))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		if err := closeSteward(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

func do(t *testing.T, method, url, token, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s is %d: %s %v", url, res.StatusCode, out, err)
	}
	return string(out)
}

// ask sends a message as the page does.
func ask(t *testing.T, home, text string) string {
	t.Helper()
	var token struct{ Token string }
	if err := json.Unmarshal([]byte(do(t, http.MethodGet, home+"/steward-token", "", "")), &token); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	return do(t, http.MethodPost, home+"/v1/conversations/00000000-0000-4000-8000-000000000001/messages", token.Token, string(body))
}

func TestGuideAnswers(t *testing.T) {
	home := start(t, map[string]string{})
	if p := do(t, http.MethodGet, home, "", ""); !strings.Contains(p, "<steward-assistant") {
		t.Errorf("the page is %s", p)
	}
	do(t, http.MethodGet, home+"/steward.js", "", "")
	got := ask(t, home, "Who has which tool?")
	for _, part := range []string{`"answers":"guide"`, `"outcome":"completed"`, "Hedge trimmer", `"Held by"`, `"ada"`} {
		if !strings.Contains(got, part) {
			t.Errorf("the answer lacks %s: %s", part, got)
		}
	}
}

func TestModelAnswers(t *testing.T) {
	script := modeltest.New(modeltest.Config{Script: func(r modeltest.Request) modeltest.Reply {
		if len(r.Results()) == 0 {
			return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Call("tools-list", map[string]any{"free": true})}}
		}
		return modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("The cordless drill is free.")}}
	}})
	models := httptest.NewServer(script)
	defer models.Close()
	got := ask(t, start(t, map[string]string{"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": models.URL}), "What is free?")
	for _, part := range []string{`"answers":"model"`, `"state":"succeeded"`, "The cordless drill is free."} {
		if !strings.Contains(got, part) {
			t.Errorf("the answer lacks %s: %s", part, got)
		}
	}
	if strings.Contains(got, "Hedge trimmer") {
		t.Errorf("the argument was not heard: %s", got)
	}
	if refused := script.Rejected(); len(refused) > 0 {
		t.Errorf("the model refused %v", refused)
	}
}

func TestASecretIsNeeded(t *testing.T) {
	_, _, err := newProduct(t.Context(), func(string) (string, bool) { return "", false })
	if err == nil || !strings.Contains(err.Error(), "TOOL_LIBRARY_TOKEN_SECRET is not set") {
		t.Errorf("without a secret: %v", err)
	}
}
