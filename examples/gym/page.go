package gym

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// policy is the pages' Content-Security-Policy: nothing inline, nothing from
// elsewhere, and Trusted Types with the policies that the assistant names.
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; " +
	"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types steward lit-html dompurify"

// page is one kind of page: its path, its template and what it shows.
type page struct {
	pattern  string // of http.ServeMux, without the method
	template string
	nav      string // the sidebar's entry that it belongs to
	load     func(ctx context.Context, v *view) error
}

func pageTable() []page {
	return []page{
		{"/{$}", "schedule", "schedule", loadSchedule},
		{"/schedule", "schedule", "schedule", loadSchedule},
		{"/classes/{id}", "class", "schedule", loadClass},
		{"/members", "members", "members", loadMembers},
		{"/members/{id}", "member", "members", loadMember},
		{"/leads", "leads", "leads", loadLeads},
		{"/leads/{id}", "lead", "leads", loadLead},
		{"/workouts", "workouts", "workouts", loadWorkouts},
		{"/workouts/{id}", "workout", "workouts", loadWorkout},
		{"/inbox", "inbox", "inbox", loadInbox},
		{"/inbox/{id}", "inbox", "inbox", loadInbox},
		{"/reports", "reports", "reports", loadReports},
		{"/tasks", "tasks", "tasks", loadTasks},
		{"/settings", "settings", "settings", loadSettings},
		{"/help", "help", "help", loadHelp},
		{"/help/{slug}", "article", "help", loadArticle},
	}
}

// oldPaths redirect to where their pages are now.
var oldPaths = map[string]string{"/calendar": "/schedule", "/clients": "/members", "/pipeline": "/leads", "/messages": "/inbox", "/analytics": "/reports"}

func (g *Gym) pageRoutes(mux *http.ServeMux) {
	guard := http.NewCrossOriginProtection()
	for _, p := range pageTable() {
		mux.HandleFunc("GET "+p.pattern, func(w http.ResponseWriter, r *http.Request) { g.servePage(w, r, p) })
	}
	for from, to := range oldPaths {
		mux.Handle("GET "+from, http.RedirectHandler(to, http.StatusMovedPermanently))
	}
	mux.Handle("POST /do/{operation}", guard.Handler(http.HandlerFunc(g.act)))
	mux.Handle("POST /session/act-as", guard.Handler(http.HandlerFunc(g.actAs)))
	mux.Handle("POST /session/looks", guard.Handler(http.HandlerFunc(g.setLooks)))
	mux.HandleFunc("GET /session/token", g.token)
	mux.HandleFunc("GET /assets/grid.css", serveGrid)
	files := http.StripPrefix("/assets/", http.FileServerFS(g.static))
	mux.HandleFunc("GET /assets/{file}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		g.pageFail(w, r, refuse(http.StatusNotFound, ""))
	})
}

// view is what a template gets. Its methods are in view.go.
type view struct {
	Lang, Dir, Theme, Title, Nav string
	Path                         string // with the query: forms return to it
	Me                           object
	Organisation, About          string
	Session                      object
	Counts                       object
	People                       []orgPeople
	Data                         object // what the page shows
	Member                       bool   // a member has no business but their own

	g       *Gym
	me      *identity
	request *http.Request
	call    *call
	now     time.Time
}

// orgPeople are those of one organisation that the switch offers.
type orgPeople struct {
	Name   string
	People []object
}

func (g *Gym) newView(r *http.Request) (*view, error) {
	s, p, err := g.session(r)
	if err != nil {
		return nil, err
	}
	who := &principal{person: p.id, org: p.org, name: p.name, roles: []string{p.role}}
	v := &view{
		Lang: s.Locale, Dir: "ltr", Theme: s.Theme, Path: r.URL.RequestURI(), Me: object{"name": p.name, "title": p.title, "role": p.role}, me: p, Organisation: p.orgName, About: p.orgAbout, Member: p.role == "member",
		Session: object{"person": p.id, "locale": s.Locale, "theme": s.Theme}, Data: object{}, g: g, request: r,
		call: &call{db: g.db, who: who, org: p.org, zone: g.zones[p.org], now: g.now(), in: input{}},
	}
	v.now = v.call.now.In(v.call.zone)
	if v.Lang == "he" {
		v.Dir = "rtl"
	}
	if v.People, err = g.everyone(r.Context(), v.call); err != nil {
		return nil, err
	}
	v.Counts, err = v.call.one(r.Context(), (&query{
		cols: `(SELECT count(*) FROM leads WHERE org_id = o.id AND status = 'open' AND last_contact_at IS NULL) AS leads,
			(SELECT count(*) FROM threads WHERE org_id = o.id AND unread = 1) AS inbox`, from: `orgs o`,
	}).and(`o.id = ?`, p.org), "organisation")
	return v, err
}

// everyone lists whom the switch offers: the team and two members of each organisation.
func (g *Gym) everyone(ctx context.Context, c *call) ([]orgPeople, error) {
	rows, err := c.rows(ctx, `SELECT p.id, p.name, p.role, o.name AS org FROM people p JOIN orgs o ON o.id = p.org_id
		WHERE p.role <> 'member' OR p.id IN (SELECT id FROM (
			SELECT id, row_number() OVER (PARTITION BY org_id ORDER BY id) AS place FROM people WHERE role = 'member') WHERE place <= 2) ORDER BY p.org_id, p.id`)
	if err != nil {
		return nil, err
	}
	var all []orgPeople
	for _, row := range rows {
		name, _ := row["org"].(string)
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, orgPeople{Name: name})
		}
		all[len(all)-1].People = append(all[len(all)-1].People, row)
	}
	return all, nil
}

// read runs a read of the API for the page's person.
func (v *view) read(ctx context.Context, id string, in input) (object, error) {
	op := v.g.doc.operations[id]
	if !op.allows(v.call.who.roles) {
		return nil, refuse(http.StatusForbidden, "")
	}
	c := *v.call
	c.in = input{}
	for _, p := range op.params {
		if p.In == "query" && p.Schema.Default != nil {
			value, err := p.Schema.parse(p.Name, fmt.Sprint(p.Schema.Default))
			if err != nil {
				return nil, err
			}
			c.in[p.Name] = value
		}
	}
	for name, value := range in {
		if value != nil && value != "" {
			c.in[name] = value
		}
	}
	result, err := op.handle(ctx, &c)
	found, _ := result.(object)
	return found, err
}

func (g *Gym) servePage(w http.ResponseWriter, r *http.Request, p page) {
	v, err := g.newView(r)
	if err != nil {
		g.pageFail(w, r, err)
		return
	}
	v.Nav = p.nav
	if err := p.load(r.Context(), v); err != nil {
		g.pageFail(w, r, err)
		return
	}
	g.render(w, r, http.StatusOK, p.template, v)
}

// pageFail shows an error as a page of the gym.
func (g *Gym) pageFail(w http.ResponseWriter, r *http.Request, err error) {
	p, known := asProblem(err)
	if !known && r.Context().Err() == nil {
		g.log.ErrorContext(r.Context(), "gym page failed", "path", r.URL.Path, "error", err)
	}
	v, viewErr := g.newView(r)
	if viewErr != nil {
		g.log.ErrorContext(r.Context(), "gym page failed", "path", r.URL.Path, "error", viewErr)
		http.Error(w, p.detail, p.status)
		return
	}
	key := "wentWrong"
	switch p.status {
	case http.StatusNotFound:
		key = "notFound"
	case http.StatusForbidden:
		key = "forStaff"
	}
	v.Title = v.T(key)
	v.Data["detail"], v.Data["key"] = p.detail, key
	g.render(w, r, p.status, "problem", v)
}

func (g *Gym) render(w http.ResponseWriter, r *http.Request, status int, name string, v *view) {
	var out bytes.Buffer
	if err := g.pages[name].ExecuteTemplate(&out, "shell", v); err != nil {
		g.log.ErrorContext(r.Context(), "gym template failed", "template", name, "error", err)
		http.Error(w, "Something went wrong here.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Cookie")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // the reader is gone: nothing is left to tell
}

// act runs a write of the API from a form of a page, as the page's person.
func (g *Gym) act(w http.ResponseWriter, r *http.Request) {
	op := g.doc.operations[r.PathValue("operation")]
	if op == nil || op.method == http.MethodGet {
		g.pageFail(w, r, refuse(http.StatusNotFound, ""))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
	if err := r.ParseForm(); err != nil {
		g.pageFail(w, r, refuse(http.StatusBadRequest, "The form cannot be read."))
		return
	}
	_, p, err := g.session(r)
	if err != nil {
		g.pageFail(w, r, err)
		return
	}
	who := &principal{person: p.id, org: p.org, name: p.name, roles: []string{p.role}}
	if !op.allows(who.roles) {
		g.pageFail(w, r, refuse(http.StatusForbidden, ""))
		return
	}
	in, err := op.readForm(r)
	if err == nil {
		_, _, err = g.run(r.Context(), op, who, in, "")
	}
	if err != nil {
		g.pageFail(w, r, err)
		return
	}
	http.Redirect(w, r, backPath(r), http.StatusSeeOther) //nolint:gosec // backPath gives paths of this site only
}

// readForm reads an operation's input from a form; empty fields were not given.
func (op *operation) readForm(r *http.Request) (input, error) {
	in := input{}
	schemas := map[string]*schema{}
	var required []string
	for i, p := range op.params {
		if p.In == "path" {
			schemas[p.Name] = &op.params[i].Schema
			required = append(required, p.Name)
		}
	}
	if op.body != nil {
		required = append(required, op.body.Required...)
		maps.Copy(schemas, op.body.Properties)
	}
	for name, s := range schemas {
		text := strings.TrimSpace(r.PostFormValue(name))
		if text == "" {
			continue
		}
		value, err := s.parse(name, text)
		if err != nil {
			return nil, err
		}
		in[name] = value
	}
	slices.Sort(required)
	for _, name := range required {
		if !in.has(name) {
			return nil, badField(name, "is required")
		}
	}
	return in, nil
}

// parsePages reads every page's template with the shell that all share.
func parsePages(files embed.FS) (map[string]*template.Template, error) {
	shell, err := template.New("shell").Funcs(template.FuncMap{"entry": newEntry, "person": newPersonTag}).ParseFS(files, "templates/shell.html", "templates/parts.html")
	if err != nil {
		return nil, err
	}
	entries, err := files.ReadDir("templates")
	if err != nil {
		return nil, err
	}
	pages := map[string]*template.Template{}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".html")
		if name == "shell" || name == "parts" {
			continue
		}
		copied, err := shell.Clone()
		if err != nil {
			return nil, err
		}
		if pages[name], err = copied.ParseFS(files, path.Join("templates", entry.Name())); err != nil {
			return nil, err
		}
	}
	return pages, nil
}
