package tool_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// shop is a host with one API, whose answer a test chooses.
type shop struct {
	*httptest.Server
	registry *tool.Registry
	runner   *tool.Runner
	signer   *tool.Signer

	mu       sync.Mutex
	answer   http.HandlerFunc
	requests []*http.Request
	bodies   []string
}

var owner = principal.Principal{Member: "m1", Org: "o1", Roles: []string{"owner"}, TimeZone: "Asia/Jerusalem"}

func newShop(t *testing.T, authority string, actions map[string]config.Action, change ...func(*tool.RegistryOptions)) *shop {
	t.Helper()
	s := &shop{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(b))
		answer := s.answer
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	document, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if s.signer, err = tool.GenerateSigner("steward"); err != nil {
		t.Fatal(err)
	}
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{
		Name: "api", Document: document, BaseURL: s.URL + "/v1", Authority: authority, Signer: s.signer, Actions: actions,
	})
	if err != nil {
		t.Fatal(err)
	}
	o := tool.RegistryOptions{Rights: map[string][]string{"owner": {"read"}, "guest": {}}}
	for _, f := range change {
		f(&o)
	}
	if s.registry, err = tool.NewRegistry(t.Context(), o, source); err != nil {
		t.Fatal(err)
	}
	s.runner = tool.NewRunner(s.registry, nil)
	return s
}

func (s *shop) answers(f http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

func (s *shop) call(t *testing.T, name, input string) tool.Result {
	t.Helper()
	d := s.registry.Find(name)
	if d == nil {
		t.Fatalf("there is no tool %s", name)
	}
	return s.runner.Run(t.Context(), tool.Call{
		ID: "01990000-0000-7000-8000-000000000001", Tool: d, Input: json.RawMessage(input), Principal: owner,
		Credential: tool.Credential{Token: "member-token"}, Locale: "en", TimeZone: owner.TimeZone,
	}, tool.Fence{Mark: "k7m2p9qrstuvw"})
}

func jsonAnswer(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

func offerFor(r *tool.Registry, roles ...string) *tool.Offer {
	return r.Offer(tool.Asker{Principal: principal.Principal{Member: "m", Org: "o", Roles: roles}})
}

const testTimeout = 50 * time.Millisecond
