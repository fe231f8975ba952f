package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	a := &app{secret: []byte(secret), now: func() time.Time { return now }}
	good := a.tokenFor("Ada")
	parts := strings.Split(good, ".")
	other := (&app{secret: []byte("another"), now: a.now}).tokenFor("Ada")
	for token, want := range map[string]string{
		good: "Ada", other: "", "": "", "a.b": "", "...": "",
		parts[0] + "." + parts[1] + ".": "", parts[0] + "." + parts[1] + "x." + parts[2]: "",
		signed(`{"sub":"Bo","aud":"steward","exp":1800000001}`): "Bo",
		signed(`{"sub":"Bo","aud":"other","exp":1800000001}`):   "",
		signed(`{"sub":"Bo","aud":"steward","exp":1799999999}`): "",
		signed(`not json`): "",
	} {
		if got, ok := a.memberOf(token); got != want || ok != (want != "") {
			t.Errorf("%q is %q's", token, got)
		}
	}
}

func TestProduct(t *testing.T) {
	steward := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.Host + r.URL.Path)) }))
	defer steward.Close()
	ada := open(t, httptest.NewUnstartedServer(nil), steward.URL, secret)
	for _, test := range []struct {
		method, path string
		body         any
		status       int
		want         string
	}{
		{http.MethodGet, "/tools", nil, 200, "Cordless drill"},
		{http.MethodGet, "/tools/4", nil, 200, "It is lent"},
		{http.MethodGet, "/tools/44", nil, 404, ""},
		{http.MethodGet, "/loans", nil, 200, "Hedge trimmer"},
		{http.MethodGet, "/api/tools?kind=garden&free=true", nil, 200, `{"tools":[]}`},
		{http.MethodGet, "/api/tools/x", nil, 404, "There is no such thing."},
		{http.MethodPost, "/api/loans", map[string]int{"tool_id": 1}, 200, `"member":"Ada"`},
		{http.MethodPost, "/api/loans", map[string]int{"tool_id": 1}, 409, "somebody has it."},
		{http.MethodPost, "/api/loans/1/return", map[string]int{}, 409, "another member has it."},
		{http.MethodPost, "/api/loans/3/return", map[string]int{}, 200, "{}"},
		{http.MethodPost, "/login", map[string]int{}, 400, "No such member."},
		{http.MethodGet, "/v1/status", nil, 200, strings.TrimPrefix(ada.home, "http://") + "/v1/status"},
		{http.MethodGet, "/openapi.json", nil, 200, "listTools"},
		{http.MethodGet, "/sitemap.xml", nil, 200, "<urlset"},
	} {
		if status, body := ada.do(test.method, test.path, "", test.body); status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s %s is %d: %s", test.method, test.path, status, body)
		}
	}
	stranger := &browser{t: t, home: ada.home, client: &http.Client{}}
	if status, body := stranger.do(http.MethodGet, "/loans", "", nil); status != 200 || !strings.Contains(body, "Who are you?") || strings.Contains(body, "steward") {
		t.Errorf("a stranger is shown %d %s", status, body)
	}
	for _, path := range []string{"/api/tools", "/steward-token"} {
		if status, _ := stranger.do(http.MethodGet, path, "", nil); status != http.StatusUnauthorized {
			t.Errorf("a stranger gets %d of %s", status, path)
		}
	}
	if _, err := newApp([]byte(secret), "steward", time.Now); err == nil || !strings.Contains(err.Error(), "--steward") {
		t.Errorf("an address that is none: %v", err)
	}
}
