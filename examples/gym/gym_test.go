package gym

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// testNow is a Tuesday morning in both organisations.
var testNow = time.Date(2026, 3, 17, 13, 9, 0, 0, time.UTC)

type testGym struct {
	*Gym
	server *httptest.Server
	now    time.Time
}

// seeded is a database as the first start at testNow leaves it: filling one is by
// far the slowest part of a test.
var seeded = sync.OnceValues(func() (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "gym-seed-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	g, err := New(context.Background(), Config{Dir: dir, Secret: NewSecret(), Audience: "a", Now: func() time.Time { return testNow }})
	if err != nil {
		return nil, err
	}
	if err := g.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "gym.db"))
})

// newTestGym serves a gym at testNow. A test that changes Now wants a database that
// was filled then, and says so by newTestGymAt.
func newTestGym(t *testing.T, change ...func(*Config)) *testGym {
	t.Helper()
	raw, err := seeded()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gym.db"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return newTestGymAt(t, dir, testNow, change...)
}

func newTestGymAt(t *testing.T, dir string, now time.Time, change ...func(*Config)) *testGym {
	t.Helper()
	tg := &testGym{now: now}
	cfg := Config{Dir: dir, Secret: []byte(strings.Repeat("s", 32)), Audience: "steward", Now: func() time.Time { return tg.now }}
	for _, f := range change {
		f(&cfg)
	}
	g, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	tg.Gym, tg.server = g, httptest.NewServer(g)
	tg.server.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(func() {
		tg.server.Close()
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return tg
}

// token is one of the first person of a role, by the route that scripts use.
func (tg *testGym) token(t *testing.T, role string, org int) string {
	t.Helper()
	status, body, _ := tg.do(t, http.MethodGet, "/session/token?as="+role+"&org="+strconv.Itoa(org), "", nil)
	if status != http.StatusOK {
		t.Fatalf("token: %d %s", status, body)
	}
	var answer struct{ Token string }
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Token
}

// do sends one request; headers are pairs.
func (tg *testGym) do(t *testing.T, method, path, token string, body any, headers ...string) (int, []byte, http.Header) {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, tg.server.URL+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := tg.server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer, response.Header
}

// get reads a JSON object that must be there.
func (tg *testGym) get(t *testing.T, path, token string) map[string]any {
	t.Helper()
	status, body, _ := tg.do(t, http.MethodGet, path, token, nil)
	if status != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, status, body)
	}
	return decode(t, body)
}

func decode(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return answer
}

// item digs into decoded JSON: names for objects, numbers for lists.
func item(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if !ok {
				t.Fatalf("no object at %v of %v", step, path)
			}
			value = object[s]
		case int:
			list, ok := value.([]any)
			if !ok || s >= len(list) {
				t.Fatalf("nothing at %v of %v", step, path)
			}
			value = list[s]
		}
	}
	return value
}

func TestNewRefusesConfig(t *testing.T) {
	t.Parallel()
	good := Config{Dir: t.TempDir(), Secret: bytes.Repeat([]byte("s"), 32), Audience: "a"}
	for name, change := range map[string]func(*Config){
		"Dir": func(c *Config) { c.Dir = "" }, "Secret": func(c *Config) { c.Secret = []byte("short") }, "Audience": func(c *Config) { c.Audience = "" },
	} {
		cfg := good
		change(&cfg)
		if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error that names it", name, err)
		}
	}
}

func TestSecondStartKeepsData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg := Config{Dir: dir, Secret: bytes.Repeat([]byte("s"), 32), Audience: "a", Now: func() time.Time { return testNow }}
	for start := range 2 {
		g, err := New(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := g.db.QueryRowContext(t.Context(), `SELECT count(*) FROM people WHERE role = 'member'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n != 124+62 {
			t.Errorf("start %d: %d members, want %d", start, n, 124+62)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTomorrowAtSix(t *testing.T) {
	t.Parallel()
	// Whatever weekday it is, and in both organisations, someone is booked
	// tomorrow at 18:00 and places are left.
	for day := range 7 {
		tg := newTestGymAt(t, t.TempDir(), testNow.AddDate(0, 0, day))
		for org := 1; org <= 2; org++ {
			answer := tg.get(t, "/api/bookings?time=18:00&date="+tg.now.AddDate(0, 0, 1).Format(time.DateOnly), tg.token(t, "staff", org))
			sessions, _ := answer["sessions"].([]any)
			if len(sessions) != 1 || item(t, sessions, 0, "places_left") != 2.0 {
				t.Errorf("day %d, organisation %d: got sessions %v", day, org, sessions)
				continue
			}
			if want := item(t, sessions, 0, "booked"); answer["total"] != want {
				t.Errorf("day %d, organisation %d: %v bookings, want %v", day, org, answer["total"], want)
			}
		}
	}
}
