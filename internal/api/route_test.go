package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/turn"
)

func TestAnswers(t *testing.T) {
	const one = "/v1/conversations/" + ownID
	summary := `"title":"","state":"resting","createdAt":"0001-01-01T00:00:00Z","updatedAt":"0001-01-01T00:00:00Z"`
	for _, tt := range []struct {
		method, target, body string
		headers              []string
		status               int
		want                 string
	}{
		{
			"GET", "/v1/status", "",
			[]string{"Authorization: ", "Accept-Language: fr, he-IL;q=0.8, en;q=0.5"},
			200,
			`{"enabled":true,"answers":"model","modes":["kept"],"limits":{"maxText":100,"maxBodyBytes":262144},"product":{"id":"gym","name":"Harbour Row"},"launcher":{"title":"שאלו","shortcut":"","layout":"","bottomBar":"","drawer":"","locales":["en","he","ru"]},"version":"1"}`,
		},
		{"GET", "/v1/contract", "", nil, 200, `{"locale":"ru","rights":["read","send"]}`},
		{"GET", "/v1/contract", "", []string{"X-Locale: HE-il"}, 200, `{"locale":"he-IL","rights":["read","send"]}`},
		{"POST", "/v1/conversations", "", nil, 201, `{"conversation":{"id":"` + ownID + `",` + summary + `}}`},
		{"POST", "/v1/conversations", `{"id":"` + strings.ToUpper(foreignID) + `"}`, nil, 201, `{"conversation":{"id":"` + foreignID + `",` + summary + `}}`},
		{"GET", "/v1/conversations", "", nil, 200, `{"conversations":[]}`},
		{"GET", "/v1/conversations?limit=1&cursor=abc", "", nil, 200, `{"conversations":[{"id":"` + ownID + `",` + summary + `}],"nextCursor":"next"}`},
		{"GET", one + "?before=7&limit=200", "", nil, 200, `{"id":"` + ownID + `",` + strings.Replace(summary, "resting", "", 1) + `,"messages":[],"head":"4.0"}`},
		{"DELETE", one, "", nil, 204, ""},
		{"POST", one + "/cancel", "{}", nil, 202, `{"cancelled":true}`},
		{"POST", one + "/cancel", "", nil, 202, `{"cancelled":true}`},
		// An error's end is a turn all the same.
		{
			"POST", one + "/messages", `{"text":"hello"}`,
			[]string{"Accept: application/json"},
			200,
			`{"turnId":"t1","messageId":"","text":"Hello.","messages":[],"usage":{"inputTokens":null,"outputTokens":null,"cacheReadTokens":null,"cacheWriteTokens":null,"rounds":0},"answers":"model","outcome":"provider_error","code":"provider_overloaded","traceId":"x"}`,
		},
		{"GET", "/.well-known/steward/jwks.json", "", nil, 200, `{"keys":[]}`},
	} {
		b := serve(t, nil)
		a := b.do(t, tt.method, tt.target, tt.body, tt.headers...)
		if a.status != tt.status || a.body != tt.want {
			t.Errorf("%s %s: %d\n got %s\nwant %s", tt.method, tt.target, a.status, a.body, tt.want)
		}
		if a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Content-Type-Options") != "nosniff" ||
			a.header.Get("Steward-Trace") == "" || a.header.Get("Set-Cookie") != "" {
			t.Errorf("%s %s: headers %v", tt.method, tt.target, a.header)
		}
	}
}

func TestMessageReachesTheEngine(t *testing.T) {
	b := serve(t, nil)
	a := b.do(t, "POST", "/v1/conversations/"+strings.ToUpper(ownID)+"/messages", `{
		"id":"`+strings.ToUpper(messageID)+`","text":"שלום","page":{"route":"/schedule","title":"Schedule","locale":"he",
		"viewport":{"width":1280,"height":720},"headings":["A",{"level":2,"text":"B"}],"selection":{"text":null}},
		"clientId":"tab-1","capabilities":["navigate"],"launch":{"point":"x"},"engine":"guide","queue":true,"retryOf":"`+ownID+`"}`,
		"Accept: text/event-stream", "Content-Type: application/json;charset=UTF-8")
	if a.status != http.StatusOK {
		t.Fatal(a.body)
	}
	got := b.engine.sent[0]
	page := `{"route":"/schedule","title":"Schedule","locale":"he","viewport":{"width":1280,"height":720},"headings":["A",{"level":2,"text":"B"}],"selection":{"text":null}}`
	if got.ConversationID != ownID || got.MessageID != messageID || got.Text != "שלום" || compact(got.Page) != page ||
		got.ClientID != "tab-1" || strings.Join(got.Capabilities, ",") != "navigate" || got.Engine != "guide" || !got.Queue || got.RetryOf != ownID {
		t.Errorf("got %+v", got)
	}
	by := b.engine.askers[0]
	if by.Principal.Member != "m1" || by.Principal.Org != "default" || by.Credential.Token == "" || by.Credential.Expires.IsZero() || by.Locale != "ru" {
		t.Errorf("asked by %+v", by.Principal)
	}
}

func TestRights(t *testing.T) {
	const one = "/v1/conversations/" + ownID
	reads := []string{"GET /v1/contract", "GET /v1/conversations", "GET " + one, "GET " + one + "/events"}
	writes := []string{"POST /v1/conversations", "DELETE " + one, "POST " + one + "/messages", "POST " + one + "/cancel"}
	for role, may := range map[string]struct{ read, send bool }{
		"owner": {true, true}, "viewer": {true, false}, "nobody": {}, "stranger": {},
	} {
		for i, target := range append(reads, writes...) {
			method, path, _ := strings.Cut(target, " ")
			body := ""
			if strings.HasSuffix(path, "/messages") {
				body = `{"text":"hello"}`
			}
			b := serve(t, nil)
			a := b.do(t, method, path, body, "Authorization: Bearer "+token(t, role))
			want := may.send
			if i < len(reads) {
				want = may.read
			}
			if want != (a.status < 300) {
				t.Errorf("%s as %s: %d", target, role, a.status)
			}
			if !want {
				if p := a.problem(t); a.status != 403 || p.Code != event.Forbidden || p.Field != "roles" || len(b.engine.askers) > 0 {
					t.Errorf("%s as %s: %d %s", target, role, a.status, a.body)
				}
			}
		}
	}
}

func TestAccept(t *testing.T) {
	for accept, want := range map[string]string{
		"":                                     "application/json",
		"*/*":                                  "application/json",
		"application/json":                     "application/json",
		"text/event-stream":                    "text/event-stream",
		"Text/Event-Stream, */*;q=0.5":         "text/event-stream",
		"application/json, text/event-stream":  "text/event-stream",
		"text/event-stream;q=0.2, */*":         "application/json",
		"text/*":                               "text/event-stream",
		"application/json;q=0.5, text/html, *": "application/json",
	} {
		b := serve(t, nil)
		a := b.do(t, "POST", "/v1/conversations/"+ownID+"/messages", `{"text":"hello"}`, "Accept: "+accept)
		if got := a.header.Get("Content-Type"); a.status != 200 || got != want {
			t.Errorf("%q: %d %s, want %s", accept, a.status, got, want)
		}
	}
}

func TestProblemSpeaksTheRequestsLanguage(t *testing.T) {
	b := serve(t, nil)
	for name, tt := range map[string]struct {
		headers []string
		part    string
	}{
		"the token's":     {nil, "\u2066limit: a whole number"},
		"the header's":    {[]string{"X-Locale: en"}, "limit: a whole number"},
		"before a member": {[]string{"X-Locale: he", "Authorization: "}, "\u2066Authorization: "},
	} {
		a := b.do(t, "GET", "/v1/conversations?limit=0", "", tt.headers...)
		if p := a.problem(t); !strings.Contains(p.Detail, tt.part) {
			t.Errorf("%s: %s", name, p.Detail)
		}
	}
}

func TestOrigins(t *testing.T) {
	b := serve(t, nil)
	ask := []string{"Access-Control-Request-Method: POST", "Authorization: "}
	a := b.do(t, "OPTIONS", "/v1/conversations", "", append(ask, "Origin: https://app.example")...)
	if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != "https://app.example" ||
		!strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "Authorization") || a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight: %d %v", a.status, a.header)
	}
	for _, origin := range []string{"https://app.example.evil", "http://app.example", "null", "https://APP.example"} {
		if a := b.do(t, "OPTIONS", "/v1/conversations", "", append(ask, "Origin: "+origin)...); a.status != 403 || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", origin, a.status, a.header)
		}
		if a := b.do(t, "GET", "/v1/status", "", "Origin: "+origin); a.status != 200 || a.header.Get("Access-Control-Allow-Origin") != "" || a.header.Get("Vary") != "Origin" {
			t.Errorf("%s: %d %v", origin, a.status, a.header)
		}
	}
	if a := b.do(t, "GET", "/v1/nothing", "", "Origin: https://app.example"); a.header.Get("Access-Control-Allow-Origin") == "" {
		t.Error("a page cannot read the problem")
	}
	for _, bad := range []string{"*", "https://*.example", "https://app.example/", "app.example", "https://App.example", "ftp://app.example"} {
		c := testConfig(t, b.log)
		c.Origins = []string{bad}
		if _, err := build(c, b.engine); err == nil {
			t.Errorf("%q: taken", bad)
		}
	}
}

func TestHosts(t *testing.T) {
	b := serve(t, func(c *Config) { c.Hosts = LoopbackHosts() })
	own := b.Listener.Addr().String()
	for _, tt := range []struct {
		host, origin string
		status       int
		field        string
	}{
		{own, "", 200, ""},
		{own, "http://" + own, 200, ""},
		{"localhost:1", "", 200, ""},
		{"[::1]:1", "", 200, ""},
		{own, "https://app.example", 200, ""},
		{"evil.example", "", 403, "Host"},
		{"localhost.evil.example:80", "", 403, "Host"},
		{own, "http://evil.example", 403, "Origin"},
		{own, "http://localhost:1", 403, "Origin"},
		{own, "null", 403, "Origin"},
	} {
		a := b.do(t, "GET", "/v1/status", "", "Host: "+tt.host, "Origin: "+tt.origin)
		if a.status != tt.status {
			t.Errorf("%s from %q: %d", tt.host, tt.origin, a.status)
		}
		if tt.status != 200 {
			if p := a.problem(t); p.Field != tt.field {
				t.Errorf("%s from %q: field %s", tt.host, tt.origin, p.Field)
			}
		}
	}
}

func TestAssets(t *testing.T) {
	b := serve(t, func(c *Config) {
		c.Assets = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "public")
			_, _ = w.Write([]byte(r.URL.Path))
		})
	})
	for path, status := range map[string]int{"/steward.js": 200, "/steward/panel.js": 200, "/steward": 404, "/": 404} {
		a := b.do(t, "GET", path, "", "Authorization: ")
		if a.status != status || status == 200 && (a.body != path || a.header.Get("Cache-Control") != "public") {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

func TestLogLine(t *testing.T) {
	b := serve(t, nil)
	a := b.do(t, "GET", "/v1/conversations/"+ownID+"?limit=2", "")
	line := b.logged()
	for _, part := range []string{"method=GET", "route=/v1/conversations/{id} ", "status=200", "ms=", "trace=" + a.header.Get("Steward-Trace")} {
		if !strings.Contains(line, part) {
			t.Errorf("%q is not in %q", part, line)
		}
	}
	if strings.Contains(line, ownID) || strings.Contains(line, "limit") {
		t.Error(line)
	}
}

func TestNew(t *testing.T) {
	c := testConfig(t, &syncBuffer{})
	if _, err := New(c); err == nil {
		t.Error("made without an engine")
	}
	c.Engine = new(turn.Engine)
	if _, err := New(c); err != nil {
		t.Error(err)
	}
}

func compact(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}
