package main

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	//go:embed page.html
	pageText string
	//go:embed openapi.json
	openAPI []byte
	//go:embed sitemap.xml
	siteMap []byte

	pages = template.Must(template.New("page").Parse(pageText))
)

// members are those who may sign in; a real product has accounts.
var members = []string{"Ada", "Bo", "Cleo"}

// app is the product: its pages, its API and its sessions.
type app struct {
	library *library
	secret  []byte
	now     func() time.Time

	mu       sync.Mutex
	sessions map[string]string // cookie → member
}

func newApp(secret []byte, steward string, now func() time.Time) (http.Handler, error) {
	a := &app{library: newLibrary(now), secret: secret, now: now, sessions: map[string]string{}}
	mux := http.NewServeMux()

	mux.HandleFunc("GET /login", a.loginPage)
	mux.HandleFunc("POST /login", a.login)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/tools", http.StatusSeeOther) })
	mux.HandleFunc("GET /tools", a.page("Tools", func(*http.Request) (any, error) { return a.library.list("", false), nil }))
	mux.HandleFunc("GET /tools/{id}", a.page("Tool", func(r *http.Request) (any, error) { return a.library.find(number(r)) }))
	mux.HandleFunc("GET /loans", a.page("Loans", func(*http.Request) (any, error) { return a.library.open(), nil }))

	mux.HandleFunc("GET /api/tools", a.api(func(r *http.Request, _ string) (any, error) {
		return map[string]any{"tools": a.library.list(r.FormValue("kind"), r.FormValue("free") == "true")}, nil
	}))
	mux.HandleFunc("GET /api/tools/{id}", a.api(func(r *http.Request, _ string) (any, error) { return a.library.find(number(r)) }))
	mux.HandleFunc("GET /api/loans", a.api(func(*http.Request, string) (any, error) {
		return map[string]any{"loans": a.library.open()}, nil
	}))
	mux.HandleFunc("POST /api/loans", a.api(func(r *http.Request, member string) (any, error) {
		var in struct {
			ToolID int `json:"tool_id"` //nolint:tagliatelle // this product's own API is in snake case
		}
		if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<10)).Decode(&in); err != nil {
			return nil, errNotFound
		}
		return a.library.lend(in.ToolID, member)
	}))
	mux.HandleFunc("POST /api/loans/{id}/return", a.api(func(r *http.Request, member string) (any, error) {
		return map[string]any{}, a.library.giveBack(number(r), member)
	}))
	mux.HandleFunc("GET /openapi.json", asset("application/json", openAPI))
	mux.HandleFunc("GET /sitemap.xml", asset("application/xml", siteMap))

	return mux, a.addSteward(mux, steward)
}

func asset(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // a reader that has gone needs no answer
	}
}

func number(r *http.Request) int {
	n, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return 0 // no tool and no loan has it
	}
	return n
}

// member is who is signed in: by the cookie in a browser, by the token where Steward calls.
func (a *app) member(r *http.Request) (string, bool) {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return a.memberOf(token)
	}
	cookie, err := r.Cookie("session")
	if err != nil {
		return "", false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	member, ok := a.sessions[cookie.Value]
	return member, ok
}

func (a *app) login(w http.ResponseWriter, r *http.Request) {
	for _, m := range members {
		if m != r.FormValue("member") {
			continue
		}
		session := rand.Text()
		a.mu.Lock()
		a.sessions[session] = m
		a.mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "session", Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}) //nolint:gosec // plain http, on the reader's own machine
		http.Redirect(w, r, "/tools", http.StatusSeeOther)
		return
	}
	http.Error(w, "No such member.", http.StatusBadRequest)
}

func (a *app) loginPage(w http.ResponseWriter, _ *http.Request) {
	draw(w, view{Title: "Sign in", Data: members})
}

// view is what a page is drawn from.
type view struct {
	Title, Member string
	Data          any
}

func (a *app) page(title string, load func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		member, ok := a.member(r)
		if !ok {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		data, err := load(r)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		draw(w, view{Title: title, Member: member, Data: data})
	}
}

func draw(w http.ResponseWriter, v view) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pages.Execute(w, v) // only a reader that has gone can stop it
}

func (a *app) api(run func(r *http.Request, member string) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		member, ok := a.member(r)
		if !ok {
			answer(w, http.StatusUnauthorized, map[string]string{"error": "Sign in first."})
			return
		}
		out, err := run(r, member)
		switch {
		case errors.Is(err, errNotFound):
			answer(w, http.StatusNotFound, map[string]string{"error": "There is no such thing."})
		case err != nil:
			answer(w, http.StatusConflict, map[string]string{"error": err.Error() + "."})
		default:
			answer(w, http.StatusOK, out)
		}
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a reader that has gone needs no answer
}
