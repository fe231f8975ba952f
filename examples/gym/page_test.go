package gym

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// cookie is a session of a person, in a language.
func (tg *testGym) cookie(t *testing.T, role string, org int64, locale string) string {
	t.Helper()
	id, err := tg.firstOf(t.Context(), role, org)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"person": {fmt.Sprint(id)}}
	value := ""
	for _, step := range []struct{ path, name, value string }{{"/session/act-as", "person", fmt.Sprint(id)}, {"/session/looks", "locale", locale}} {
		form.Set(step.name, step.value)
		status, body, header := tg.do(t, http.MethodPost, step.path, "", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", value)
		if status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", step.path, status, body)
		}
		value, _, _ = strings.Cut(header.Get("Set-Cookie"), ";")
	}
	return value
}

// outline is what the tests look at in a page.
type outline struct {
	attrs    map[string]string // of <html>
	headings int               // of the first level
	title    string
	inline   []string // scripts, styles and handlers that stand in the page
	elements map[string]int
	ids      map[string]int
	unnamed  []string // controls without a name
}

func readPage(t *testing.T, body []byte) outline {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	o := outline{attrs: map[string]string{}, elements: map[string]int{}, ids: map[string]int{}}
	labelled := map[string]bool{}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "label" {
			labelled[attr(n, "for")] = true
		}
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		o.elements[n.Data]++
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				o.inline = append(o.inline, n.Data+" "+a.Key)
			}
		}
		if id := attr(n, "id"); id != "" {
			o.ids[id]++
		}
		switch n.Data {
		case "html":
			for _, a := range n.Attr {
				o.attrs[a.Key] = a.Val
			}
		case "h1":
			o.headings++
		case "title":
			o.title = text(n)
		case "style":
			o.inline = append(o.inline, "style")
		case "script":
			if attr(n, "src") == "" {
				o.inline = append(o.inline, "script")
			}
		case "a", "button", "summary":
			if strings.TrimSpace(text(n)) == "" && attr(n, "aria-label") == "" {
				o.unnamed = append(o.unnamed, n.Data+" "+attr(n, "href"))
			}
		case "input", "select", "textarea":
			inLabel := false
			for p := n.Parent; p != nil; p = p.Parent {
				inLabel = inLabel || p.Data == "label"
			}
			if attr(n, "type") != "hidden" && !inLabel && !labelled[attr(n, "id")] {
				o.unnamed = append(o.unnamed, n.Data+" "+attr(n, "name"))
			}
		}
	}
	return o
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var out strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			out.WriteString(d.Data)
		}
	}
	return out.String()
}

// pagePaths are all pages, with ids that the organisation has.
func (tg *testGym) pagePaths(t *testing.T, org int) []string {
	t.Helper()
	token := tg.token(t, "owner", org)
	var paths []string
	for _, p := range pageTable() {
		path := strings.ReplaceAll(strings.TrimSuffix(p.pattern, "{$}"), "/classes/", "/class-sessions/")
		path = strings.ReplaceAll(path, "/inbox/", "/threads/")
		path = strings.TrimPrefix(tg.sample(t, "/api"+path, token), "/api")
		path = strings.ReplaceAll(strings.ReplaceAll(path, "/class-sessions/", "/classes/"), "/threads/", "/inbox/")
		paths = append(paths, path)
	}
	return append(paths, "/no-such-page", "/members/999999")
}

func TestPages(t *testing.T) {
	t.Parallel()
	tg, c := newTestGym(t), loadConfig(t)
	dirs := map[string]string{"en": "ltr", "he": "rtl", "ru": "ltr"}
	for org := 1; org <= 2; org++ {
		paths := tg.pagePaths(t, org)
		for _, entry := range c.Nav {
			if !strings.Contains(entry.Path, "{") {
				paths = append(paths, entry.Path)
			}
		}
		for _, locale := range locales {
			cookie := tg.cookie(t, "owner", int64(org), locale)
			for _, path := range paths {
				status, body, header := tg.do(t, http.MethodGet, path, "", nil, "Cookie", cookie)
				want := http.StatusOK
				if path == "/no-such-page" || path == "/members/999999" {
					want = http.StatusNotFound
				}
				if status != want {
					t.Errorf("%s %s: got %d, want %d", locale, path, status, want)
				}
				for name, value := range map[string]string{
					"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Content-Type": "text/html; charset=utf-8",
				} {
					if header.Get(name) != value {
						t.Errorf("%s: %s is %q", path, name, header.Get(name))
					}
				}
				o := readPage(t, body)
				if o.attrs["lang"] != locale || o.attrs["dir"] != dirs[locale] {
					t.Errorf("%s %s: lang %q, dir %q", locale, path, o.attrs["lang"], o.attrs["dir"])
				}
				if o.headings != 1 || o.elements["main"] != 1 || o.elements["steward-assistant"] != 1 || o.ids["tabs"] != 1 || len(strings.TrimSpace(o.title)) < 5 {
					t.Errorf("%s %s: %d first headings, %v, title %q", locale, path, o.headings, o.elements, o.title)
				}
				if len(o.inline) > 0 || len(o.unnamed) > 0 {
					t.Errorf("%s %s: inline %v, unnamed %v", locale, path, o.inline, o.unnamed)
				}
				for id, n := range o.ids {
					if n > 1 {
						t.Errorf("%s %s: %d elements are called %q", locale, path, n, id)
					}
				}
				if !strings.Contains(string(body), `<script src="/steward.js" defer></script>`) || strings.Contains(string(body), "ZgotmplZ") || strings.Contains(string(body), "&lt;nil") || strings.Contains(string(body), "<nil>") {
					t.Errorf("%s %s: the page is not whole", locale, path)
				}
			}
		}
	}
}

func TestNavLeadsToPages(t *testing.T) {
	t.Parallel()
	tg, c := newTestGym(t), loadConfig(t)
	known := map[string]bool{}
	for _, p := range pageTable() {
		known[p.pattern] = true
	}
	cookie := tg.cookie(t, "owner", 1, "en")
	for _, entry := range c.Nav {
		if !known[entry.Path] {
			t.Errorf("%s is no page", entry.Path)
		}
		for _, old := range entry.OldPaths {
			if status, _, header := tg.do(t, http.MethodGet, old, "", nil); status != http.StatusMovedPermanently || header.Get("Location") != entry.Path {
				t.Errorf("%s: got %d to %q, want %s", old, status, header.Get("Location"), entry.Path)
			}
		}
		if len(entry.Focus) == 0 {
			continue
		}
		_, body, _ := tg.do(t, http.MethodGet, entry.Path, "", nil, "Cookie", cookie)
		for _, id := range entry.Focus {
			if readPage(t, body).ids[id] != 1 {
				t.Errorf("%s has no %q to focus", entry.Path, id)
			}
		}
	}
}

func TestMemberSeesOnlyTheSchedule(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	cookie := tg.cookie(t, "member", 1, "en")
	for _, path := range tg.pagePaths(t, 1) {
		status, body, _ := tg.do(t, http.MethodGet, path, "", nil, "Cookie", cookie)
		want := http.StatusForbidden
		switch path {
		case "/", "/schedule":
			want = http.StatusOK
		case "/no-such-page":
			want = http.StatusNotFound
		}
		if status != want {
			t.Errorf("%s: got %d, want %d", path, status, want)
		}
		if strings.Contains(string(body), "Maya Stern") {
			t.Errorf("%s shows a lead to a member", path)
		}
	}
}

func TestFormsWrite(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	token := tg.token(t, "staff", 1)
	cookie := tg.cookie(t, "staff", 1, "en")
	post := func(operation string, form url.Values) (int, []byte, http.Header) {
		return tg.do(t, http.MethodPost, "/do/"+operation, "", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)
	}
	status, _, header := post("createTask", url.Values{"title": {"Sweep <the> floor"}, "due_on": {""}, "back": {"/tasks"}})
	if status != http.StatusSeeOther || header.Get("Location") != "/tasks" {
		t.Fatalf("got %d %v", status, header)
	}
	if body := fmt.Sprint(tg.get(t, "/api/tasks?limit=100", token)["items"]); !strings.Contains(body, "Sweep <the> floor") {
		t.Error("the task is not there")
	}
	_, page, _ := tg.do(t, http.MethodGet, "/tasks", "", nil, "Cookie", cookie)
	if !strings.Contains(string(page), "Sweep &lt;the&gt; floor") {
		t.Error("the page does not show the task, or shows it as markup")
	}
	for _, test := range []struct {
		operation string
		form      url.Values
		want      int
	}{
		{"createTask", url.Values{}, 400},
		{"completeTask", url.Values{"id": {"999999"}}, 404},
		{"setPaymentFeed", url.Values{"state": {"ok"}}, 403},
		{"listTasks", url.Values{}, 404},
		{"nothing", url.Values{}, 404},
	} {
		if status, _, header := post(test.operation, test.form); status != test.want || header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: got %d %s, want %d and a page", test.operation, status, header.Get("Content-Type"), test.want)
		}
	}
}

func TestWordsAreWhole(t *testing.T) {
	t.Parallel()
	for key, texts := range words {
		for i, text := range texts {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%q has no %s", key, locales[i])
			}
		}
	}
	used := regexp.MustCompile(`\.T "([A-Za-z0-9_]+)"`)
	entries, err := own.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		raw, err := own.ReadFile("templates/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range used.FindAllStringSubmatch(string(raw), -1) {
			if _, ok := words[match[1]]; !ok {
				t.Errorf("%s: there is no word %q", entry.Name(), match[1])
			}
		}
	}
	for locale, names := range months {
		if len(names) != 12 || len(weekdays[locale]) != 7 || len(weekdayLetters[locale]) != 7 {
			t.Errorf("%s: the calendar is not whole", locale)
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	v := &view{call: &call{zone: time.UTC}}
	at := func(from, to string) object {
		return object{"starts_at": "2026-03-17T" + from + ":00Z", "ends_at": "2026-03-17T" + to + ":00Z"}
	}
	sessions := []object{at("06:00", "07:00"), at("09:00", "10:00"), at("09:30", "10:30"), at("10:00", "10:20"), at("20:30", "22:00"), at("23:00", "23:59")}
	v.place(sessions)
	for i, want := range []string{"r1 h4", "r13 h4 l1of2", "r15 h4 l2of2", "r17 h2 l1of2", "r59 h2", "r60 h1"} {
		if sessions[i]["place"] != want {
			t.Errorf("session %d: got %v, want %s", i, sessions[i]["place"], want)
		}
	}
}
