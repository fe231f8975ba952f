package gym

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
)

// assistant is Steward beside a gym, answering with no model, both by one clock. Its tests run one after another: a
// program opens its server once, before it serves.
type assistant struct {
	*testGym
	web string
}

func newAssistant(t *testing.T, now time.Time) *assistant {
	t.Helper()
	tg := newTestGymAt(t, t.TempDir(), now)
	c, faults := config.Load(Files, "steward.yaml", func(name string) (string, bool) {
		v, ok := map[string]string{"GYM_TOKEN_SECRET": strings.Repeat("s", 32), "GYM_URL": tg.server.URL}[name]
		return v, ok
	})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	server, err := steward.New(t.Context(), c, steward.WithClock(func() time.Time { return now }),
		steward.WithDatabase("sqlite:"+filepath.Join(t.TempDir(), "steward.db")))
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server)
	t.Cleanup(func() {
		web.Close()
		if err := server.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return &assistant{testGym: tg, web: web.URL}
}

// call sends one request to Steward and reads its JSON into out.
func (a *assistant) call(t *testing.T, method, path, token, locale string, body, out any) {
	t.Helper()
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), method, a.web+path, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + token, "X-Locale": locale, "Accept": "application/json", "Content-Type": "application/json"} {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(out); err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %v", method, path, response.StatusCode, err)
	}
}

type starter struct {
	Pages []string
	Text  string
}

// starters are the first three questions that the panel offers on each page.
func (a *assistant) starters(t *testing.T, token, locale string) map[string][]string {
	t.Helper()
	var contract struct {
		Starters []starter
		Nav      []struct{ Path string }
	}
	a.call(t, http.MethodGet, "/v1/contract", token, locale, nil, &contract)
	offered := map[string][]string{}
	for _, entry := range contract.Nav {
		for _, s := range contract.Starters {
			if (len(s.Pages) == 0 || slices.Contains(s.Pages, entry.Path)) && len(offered[entry.Path]) < 3 {
				offered[entry.Path] = append(offered[entry.Path], s.Text)
			}
		}
	}
	return offered
}

// reply is what was answered to one question.
type reply struct {
	Messages []struct {
		Text  string
		Calls []struct {
			Name, State, Args, Content string
		}
	}
}

func (a *assistant) ask(t *testing.T, token, locale, page, text string) reply {
	t.Helper()
	var r reply
	body := map[string]any{"text": text, "page": map[string]any{"route": page}}
	a.call(t, http.MethodPost, "/v1/conversations/"+uuid.Must(uuid.NewV7()).String()+"/messages", token, locale, body, &r)
	return r
}

// wrong says what is wrong with a reply; empty where it is a good one.
func (r reply) wrong() string {
	said, read, failed, empty := "", 0, "", ""
	for _, m := range r.Messages {
		said += m.Text + "\n"
		for _, c := range m.Calls {
			read++
			if c.State != "succeeded" {
				failed += c.Name + " "
			}
			if !tells(c.Content) {
				empty += c.Name + " "
			}
		}
	}
	switch {
	case read == 0:
		return fmt.Sprintf("nothing was read: %s", said)
	case failed != "":
		return fmt.Sprintf("%sfailed: %s", failed, said)
	case empty != "":
		return fmt.Sprintf("%sfound nothing: %s", empty, said)
	}
	return ""
}

// tells reports whether a result has something to tell: a record, or a list that is not empty.
func tells(content string) bool {
	var result map[string]any
	if json.Unmarshal([]byte(content), &result) != nil {
		return false
	}
	if data, ok := result["data"].(map[string]any); ok {
		result = data
	}
	if items, listed := result["items"].([]any); listed {
		return len(items) > 0
	}
	visits, counted := result["visits"].(float64)
	return !counted || visits > 0
}

// TestStartersAreAnsweredWell holds that a first question is no disappointment: whatever the day of the week and the
// hour, each question that a page offers first finds something.
func TestStartersAreAnsweredWell(t *testing.T) {
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		t.Fatal(err)
	}
	for day := range 7 {
		for _, hour := range []int{7, 13, 22} {
			// A week that begins on a Sunday and is still to come: the server's deadlines are by this clock, and real.
			now := time.Date(2040, time.November, 4+day, hour, 20, 0, 0, zone)
			t.Run(now.Format("Monday 15h"), func(t *testing.T) {
				a := newAssistant(t, now)
				a.holdStarters(t, "owner", "en")
				if hour == 13 { // other languages and roles lead to the same reads: once a day is enough
					a.holdStarters(t, "staff", []string{"he", "ru"}[day%2])
				}
			})
		}
	}
}

func (a *assistant) holdStarters(t *testing.T, role, locale string) {
	t.Helper()
	token := a.token(t, role, 1)
	member := fmt.Sprint(item(t, a.get(t, "/api/members?status=active", token), "items", 0, "id"))
	pages := a.starters(t, token, locale)
	if len(pages["/schedule"]) != 3 {
		t.Errorf("%s %s: the schedule offers %q", role, locale, pages["/schedule"])
	}
	for page, questions := range pages {
		for _, question := range questions {
			if wrong := a.ask(t, token, locale, strings.ReplaceAll(page, "{id}", member), question).wrong(); wrong != "" {
				t.Errorf("%s on %s: %q: %s", role, page, question, wrong)
			}
		}
	}
}

// TestFullClassesAreSessions holds that who asks for full classes is told those of the calendar, not percentages of kinds.
func TestFullClassesAreSessions(t *testing.T) {
	a := newAssistant(t, time.Date(2040, time.November, 5, 21, 20, 0, 0, time.UTC))
	token := a.token(t, "staff", 1)
	for locale, question := range map[string]string{
		"en": "Which classes are full this week?", "he": "אילו שיעורים מלאים השבוע?", "ru": "Какие занятия полные на этой неделе?",
	} {
		r := a.ask(t, token, locale, "/schedule", question)
		for _, m := range r.Messages {
			for _, c := range m.Calls {
				if c.Name != "class_sessions.list" || !strings.Contains(c.Args, `"full_only":true`) || !strings.Contains(c.Args, `"from":"2040-11-0`) {
					t.Errorf("%q read %s %s", question, c.Name, c.Args)
				}
				if strings.Contains(c.Content, `"places_left":0`) == strings.Contains(strings.ReplaceAll(c.Content, `"places_left":0`, ""), `"places_left":`) {
					t.Errorf("%q: not the full ones alone: %s", question, c.Content)
				}
			}
		}
		if wrong := r.wrong(); wrong != "" {
			t.Errorf("%q: %s", question, wrong)
		}
	}
}
