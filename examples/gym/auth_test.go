package gym

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func TestTokenIsChecked(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	sign := func(method jwt.SigningMethod, key any, change func(jwt.MapClaims)) string {
		c := jwt.MapClaims{
			"iss": "gym", "aud": "steward", "sub": "1", "org_id": "1", "roles": []string{"owner"},
			"exp": tg.now.Add(time.Minute).Unix(), "iat": tg.now.Unix(),
		}
		change(c)
		signed, err := jwt.NewWithClaims(method, c).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	set := func(name string, value any) func(jwt.MapClaims) { return func(c jwt.MapClaims) { c[name] = value } }
	for name, test := range map[string]struct {
		token string
		want  int
	}{
		"good":                    {sign(jwt.SigningMethodHS256, tg.cfg.Secret, func(jwt.MapClaims) {}), http.StatusOK},
		"within the skew":         {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("exp", tg.now.Add(-30*time.Second).Unix())), http.StatusOK},
		"none":                    {"", http.StatusUnauthorized},
		"no algorithm":            {sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, func(jwt.MapClaims) {}), http.StatusUnauthorized},
		"another algorithm":       {sign(jwt.SigningMethodHS512, tg.cfg.Secret, func(jwt.MapClaims) {}), http.StatusUnauthorized},
		"another secret":          {sign(jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), func(jwt.MapClaims) {}), http.StatusUnauthorized},
		"another audience":        {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("aud", "other")), http.StatusUnauthorized},
		"another issuer":          {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("iss", "other")), http.StatusUnauthorized},
		"expired":                 {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("exp", tg.now.Add(-2*time.Minute).Unix())), http.StatusUnauthorized},
		"no expiry":               {sign(jwt.SigningMethodHS256, tg.cfg.Secret, func(c jwt.MapClaims) { delete(c, "exp") }), http.StatusUnauthorized},
		"a person of another org": {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("org_id", "2")), http.StatusUnauthorized},
		"nobody":                  {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("sub", "999999")), http.StatusUnauthorized},
		"no role":                 {sign(jwt.SigningMethodHS256, tg.cfg.Secret, set("roles", []string{"king"})), http.StatusForbidden},
	} {
		if status, body, _ := tg.do(t, http.MethodGet, "/api/profile", test.token, nil); status != test.want {
			t.Errorf("%s: got %d %s, want %d", name, status, body, test.want)
		}
	}
	if status, _, _ := tg.do(t, http.MethodGet, "/api/profile?access_token=x", "", nil); status != http.StatusBadRequest {
		t.Errorf("a token in the address: got %d, want 400", status)
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	for _, role := range roles {
		token := tg.token(t, role, 1)
		for id, op := range tg.doc.operations {
			path := strings.NewReplacer("{id}", "999999", "{slug}", "x").Replace(op.path)
			status, _, _ := tg.do(t, op.method, path, token, nil)
			if forbidden := status == http.StatusForbidden; forbidden == op.allows([]string{role}) {
				t.Errorf("%s of %s: got %d", id, role, status)
			}
		}
	}
	if me := tg.get(t, "/api/me", tg.token(t, "member", 1)); item(t, me, "role") != "member" {
		t.Errorf("me of a member: %v", me)
	}
}

// TestOrganisationsAreApart asks every route of one organisation for the ids of
// the other's: in the path, in the query, and in the body of writes.
func TestOrganisationsAreApart(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	ours, theirs := tg.token(t, "owner", 1), tg.token(t, "owner", 2)
	foreign := map[string]string{
		"member_id": "/api/members", "session_id": "/api/class-sessions", "class_type_id": "/api/class-types", "coach_id": "/api/staff", "plan_id": "/api/plans",
		"workout_id": "/api/workouts", "program_id": "/api/programs", "assignee_id": "/api/staff", "owner_id": "/api/staff", "pipeline_id": "/api/pipelines",
		"lead_id": "/api/leads", "thread_id": "/api/threads", "automation_id": "/api/automations",
	}
	theirID := func(name string) string {
		if name == "stage_id" {
			return fmt.Sprint(item(t, tg.get(t, "/api/pipelines", theirs), "items", 0, "stages", 0, "id"))
		}
		return fmt.Sprint(item(t, tg.get(t, foreign[name], theirs), "items", 0, "id"))
	}
	before, asked := tg.dump(t), 0
	for id, op := range tg.doc.operations {
		if strings.Contains(op.path, "{id}") {
			var body any
			if op.body != nil {
				body = tg.sampleBody(t, op, ours)
			}
			asked++
			if status, answer, _ := tg.do(t, op.method, tg.sample(t, op.path, theirs), ours, body); status != http.StatusNotFound {
				t.Errorf("%s of their id: got %d %s, want 404", id, status, answer)
			}
		}
		for _, p := range op.params {
			if p.In != "query" || !strings.HasSuffix(p.Name, "_id") {
				continue
			}
			asked++
			path := tg.sample(t, op.path, ours) + "?" + p.Name + "=" + theirID(p.Name)
			if status, answer, _ := tg.do(t, op.method, path, ours, nil); status != http.StatusNotFound {
				t.Errorf("%s with their %s: got %d %s, want 404", id, p.Name, status, answer)
			}
		}
		if op.body == nil {
			continue
		}
		for name := range op.body.Properties {
			if !strings.HasSuffix(name, "_id") {
				continue
			}
			body := tg.sampleBody(t, op, ours)
			body[name] = json.RawMessage(theirID(name))
			asked++
			if status, answer, _ := tg.do(t, op.method, tg.sample(t, op.path, ours), ours, body); status != http.StatusNotFound {
				t.Errorf("%s with their %s in its body: got %d %s, want 404", id, name, status, answer)
			}
		}
	}
	if asked < 80 {
		t.Errorf("only %d questions were asked", asked)
	}
	if tg.dump(t) != before {
		t.Error("a refused write wrote")
	}
	if item(t, tg.get(t, "/api/search?q=Marcus", ours), "total") != 0.0 {
		t.Error("search finds the other organisation's people")
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	token := tg.token(t, "owner", 1)
	for _, test := range []struct {
		method, path, body string
		want               int
		says               string
	}{
		{"GET", "/api/members?limit=101", "", 400, "limit"},
		{"GET", "/api/members?limit=x", "", 400, "limit"},
		{"GET", "/api/members?offset=-1", "", 400, "offset"},
		{"GET", "/api/members?status=rich", "", 400, "status"},
		{"GET", "/api/members?limit=1&limit=2", "", 400, "limit"},
		{"GET", "/api/members?colour=red", "", 400, "colour"},
		{"GET", "/api/members/abc", "", 404, ""},
		{"GET", "/api/members/0", "", 404, ""},
		{"GET", "/api/members/999999", "", 404, ""},
		{"GET", "/api/bookings?date=2026-02-30", "", 400, "date"},
		{"GET", "/api/bookings?time=25:00", "", 400, "time"},
		{"GET", "/api/bookings?from=2026-03-20&to=2026-03-19", "", 400, "to"},
		{"GET", "/api/bookings?date=2026-03-20&to=2026-03-21", "", 400, "date"},
		{"GET", "/api/analytics/revenue?month=2027-01", "", 400, "month"},
		{"GET", "/api/search", "", 400, "q"},
		{"POST", "/api/tasks", ``, 400, ""},
		{"POST", "/api/tasks", `[]`, 400, ""},
		{"POST", "/api/tasks", `{"title":"a"`, 400, ""},
		{"POST", "/api/tasks", `{"title":"a"} {}`, 400, ""},
		{"POST", "/api/tasks", `{}`, 400, "title"},
		{"POST", "/api/tasks", `{"title":""}`, 400, "title"},
		{"POST", "/api/tasks", `{"title":7}`, 400, "title"},
		{"POST", "/api/tasks", `{"title":"a","title":"b"}`, 400, "title"},
		{"POST", "/api/tasks", `{"title":"a","Title":"b"}`, 400, "Title"},
		{"POST", "/api/tasks", `{"title":"` + strings.Repeat("a", 161) + `"}`, 400, "title"},
		{"POST", "/api/tasks", `{"title":"` + strings.Repeat("a", 70<<10) + `"}`, 413, ""},
		{"PATCH", "/api/tasks/1", `{}`, 400, ""},
		{"POST", "/api/class-sessions", `{"class_type_id":1,"coach_id":1,"starts_at":"soon"}`, 400, "starts_at"},
		{"POST", "/api/members", `{"name":"A","email":"nope","phone":"1"}`, 400, "email"},
		{"DELETE", "/api/tasks/1", `{"why":1}`, 400, ""},
	} {
		var body any
		if test.body != "" {
			body = test.body
		}
		status, answer, header := tg.do(t, test.method, test.path, token, body)
		if status != test.want || header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s %.40s: got %d %s, want %d", test.method, test.path, test.body, status, answer, test.want)
			continue
		}
		if field, _ := decode(t, answer)["field"].(string); test.says != "" && !strings.Contains(field, test.says) {
			t.Errorf("%s %s %.40s: the field is %q, want %q", test.method, test.path, test.body, field, test.says)
		}
	}
}

func TestSessionToken(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	claimsOf := func(body []byte) claims {
		var answer struct{ Token string }
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatal(err)
		}
		var c claims
		if _, _, err := jwt.NewParser().ParseUnverified(answer.Token, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	status, body, header := tg.do(t, http.MethodGet, "/session/token", "", nil)
	if status != http.StatusOK || header.Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d %v", status, header)
	}
	if c := claimsOf(body); c.OrgID != "1" || c.Roles[0] != "owner" || c.TimeZone != "Asia/Jerusalem" || c.ExpiresAt.Sub(tg.now) != tokenLife {
		t.Errorf("the first session's claims: %+v", c)
	}
	for _, test := range []struct {
		path    string
		headers []string
		want    int
		says    string
	}{
		{"/session/token?as=member&org=2", nil, 200, ""},
		{"/session/token?as=king", nil, 400, "owner, admin, staff, member"},
		{"/session/token?as=owner&org=3", nil, 400, "1, 2"},
		{"/session/token", []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"/session/token", []string{"Sec-Fetch-Site", "same-site"}, 403, ""},
		{"/session/token", []string{"Sec-Fetch-Site", "same-origin"}, 200, ""},
		{"/session/token", []string{"Origin", "https://evil.example"}, 403, ""},
		{"/session/token", []string{"Origin", tg.server.URL}, 200, ""},
	} {
		status, answer, _ := tg.do(t, http.MethodGet, test.path, "", nil, test.headers...)
		if status != test.want || !strings.Contains(string(answer), test.says) {
			t.Errorf("%s %v: got %d %s, want %d", test.path, test.headers, status, answer, test.want)
		}
	}

	// The switch: someone else's session, and so someone else's token.
	form := url.Values{"person": {"199"}, "back": {"/members"}}
	var member int64
	if err := tg.db.QueryRowContext(t.Context(), `SELECT min(id) FROM people WHERE org_id = 2 AND role = 'staff'`).Scan(&member); err != nil {
		t.Fatal(err)
	}
	form.Set("person", fmt.Sprint(member))
	status, _, header = tg.do(t, http.MethodPost, "/session/act-as", "", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	cookie := header.Get("Set-Cookie")
	if status != http.StatusSeeOther || header.Get("Location") != "/members" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Fatalf("act as: %d %v", status, header)
	}
	value, _, _ := strings.Cut(cookie, ";")
	_, body, _ = tg.do(t, http.MethodGet, "/session/token", "", nil, "Cookie", value)
	if c := claimsOf(body); c.OrgID != "2" || c.Roles[0] != "staff" || c.TimeZone != "America/New_York" {
		t.Errorf("after the switch: %+v", c)
	}
	_, body, _ = tg.do(t, http.MethodGet, "/session/token", "", nil, "Cookie", value[:len(value)-2]+"AA")
	if c := claimsOf(body); c.OrgID != "1" {
		t.Errorf("a cookie with another signature is believed: %+v", c)
	}
	for _, path := range []string{"/session/act-as", "/session/looks", "/do/createTask"} {
		if status, _, _ := tg.do(t, http.MethodPost, path, "", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
			t.Errorf("%s from another site: got %d, want 403", path, status)
		}
	}
	form.Set("back", "//evil.example/")
	_, _, header = tg.do(t, http.MethodPost, "/session/act-as", "", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if header.Get("Location") != "/schedule" {
		t.Errorf("the form leads to %q", header.Get("Location"))
	}
}
