package scaffold_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/scaffold"
)

func urls(locs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, l := range locs {
		fmt.Fprintf(&b, "<url><loc> %s </loc><lastmod>2026-01-01</lastmod></url>", l)
	}
	return b.String() + "</urlset>"
}

// navOf gives "path label" of each page that a site map makes.
func navOf(t *testing.T, text string) (nav, skipped []string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "map")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	visits, err := scaffold.ReadSiteMap(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	doc := document("Shop", "", `[{"url":"https://api.example"}]`, `{}`)
	d := write(t, doc, visits...)
	cfg, _ := hold(t, d, []byte(doc))
	for _, p := range cfg.Nav {
		nav = append(nav, p.Path+" "+p.Label.In("en"))
	}
	return nav, d.Skipped
}

func TestNav(t *testing.T) {
	many := []string{"https://shop.example/articles"}
	for i := range 30 {
		many = append(many, fmt.Sprintf("https://shop.example/articles/how-to-%c%c", 'a'+i/26, 'a'+i%26))
	}
	tests := []struct {
		name, text    string
		want, skipped []string
	}{
		{
			"a list with another site first", "https://x.example/z Elsewhere\n/a The first\nhttps://api.example/b At the API",
			[]string{"/a The first", "/b At the API"},
			[]string{"https://x.example/z (another site than api.example)"},
		},
		{
			"a list of paths", "https://x.example/z\n/a",
			[]string{"/a A"},
			[]string{"https://x.example/z (another site: a page of yours is a path, as /orders)"},
		},
		{
			"a map of two sites", urls("https://x.example/z", "https://www.s.example/a", "https://s.example/b"),
			[]string{"/a A", "/b B"},
			[]string{"https://x.example/z (another site than s.example)"},
		},
		{
			"ids fold into one page", urls("https://shop.example/", "https://shop.example/orders?page=2", "https://shop.example/orders/1", "https://shop.example/orders/2/",
				"https://shop.example/orders/1/items/9", "https://shop.example/orders/7/items/0b9cf3f0-3c2e-4b7f-8f0e-0a6f0f3b2f11", "https://shop.example/customers/cus_9s6XKzkNRiz8i3", "https://shop.example/tickets/ORD-1042"),
			[]string{"/ Home", "/orders Orders", "/orders/{id} Order", "/orders/{order_id}/items/{id} Item", "/customers/{id} Customer", "/tickets/{id} Ticket"},
			nil,
		},
		{
			"labels", urls("https://s.example/orders/new", "https://s.example/orders/5/edit", "https://s.example/orders/5/line-items", "https://s.example/team_members",
				"https://s.example/settings/profile", "https://s.example/profile", "https://s.example/about.html", "https://s.example/help/index.html"),
			[]string{"/orders/new New order", "/orders/{id}/edit Edit order", "/orders/{id}/line-items Order: line items", "/team_members Team members", "/settings/profile Settings: profile", "/profile Profile", "/about.html About", "/help Help"},
			nil,
		},
		{
			"what is no page", urls("https://s.example/a", "https://s.example/logo.png", "https://other.example/b", "https://s.example/caf%C3%A9", "ftp://s.example/c", "https://s.example/a#part"),
			[]string{"/a A"},
			[]string{"https://s.example/logo.png", "https://other.example/b (another site than s.example)", "https://s.example/caf%C3%A9", "ftp://s.example/c"},
		},
		{"many under one path", urls(many...), []string{"/articles Articles", "/articles/{slug} Article"}, nil},
		{
			"a list", "# my pages\n/orders\tAll orders\n/orders/:orderId One order\n/orders/17 Order of Ada\n/teams/<int:pk>/members/[id]\n/users/{userId}/files/{userId}\n\n/hilfe  Hilfe: \"Fragen\"\n",
			[]string{"/orders All orders", "/orders/{orderId} One order", "/teams/{pk}/members/{id} Member", "/users/{id}/files/{userId} File", "/hilfe Hilfe: \"Fragen\""},
			nil,
		},
		{"not a path", "/a\nb\n/c/../d\n/x{y\n", []string{"/a A", "/d D"}, []string{"b", "/x{y"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nav, skipped := navOf(t, test.text)
			if !slices.Equal(nav, test.want) {
				t.Errorf("nav\n%q, want\n%q", nav, test.want)
			}
			if !slices.Equal(skipped, test.skipped) {
				t.Errorf("skipped %q, want %q", skipped, test.skipped)
			}
		})
	}
}

func TestSiteMapIndex(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(urls("https://s.example/b"))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	index := `<sitemapindex><sitemap><loc>/a.xml</loc></sitemap><sitemap><loc>/b.xml.gz</loc></sitemap></sitemapindex>`
	mux := http.NewServeMux()
	for path, body := range map[string]string{
		"/sitemap.xml": index, "/a.xml": urls("https://s.example/a"), "/b.xml.gz": packed.String(),
		"/away.xml":  `<sitemapindex><sitemap><loc>http://10.0.0.1/a.xml</loc></sitemap></sitemapindex>`,
		"/loop.xml":  `<sitemapindex><sitemap><loc>/loop.xml</loc></sitemap></sitemapindex>`,
		"/page.html": "<!doctype html><html><head><meta charset=utf-8><title>x</title>",
		"/large.xml": urls(strings.Repeat("x", 3<<20)), "/feed.xml": "<rss/>", "/cut.xml": "<urlset>\n<url>", "/empty.xml": "<urlset/>",
		"/entity.xml": `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><urlset><url><loc>/&e;</loc></url></urlset>`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	visits, err := scaffold.ReadSiteMap(t.Context(), server.URL+"/sitemap.xml")
	if err != nil || len(visits) != 2 || visits[0].Address != "https://s.example/a" || visits[1].Address != "https://s.example/b" {
		t.Errorf("%v %v", visits, err)
	}
	for path, want := range map[string]string{
		"/away.xml": "another host, 10.0.0.1", "/loop.xml": "no page stands in it", "/page.html": "a page, not a site map",
		"/large.xml": "larger than 2 MB", "/feed.xml": "<urlset> or a <sitemapindex>, and is <rss>", "/cut.xml": "line 2: it is not XML",
		"/empty.xml": "no page stands in it", "/entity.xml": "it is not XML", "/none.xml": "HTTP 404",
	} {
		_, err := scaffold.ReadSiteMap(t.Context(), server.URL+path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"index.xml": `<sitemapindex><sitemap><loc>https://s.example/maps/a.xml</loc></sitemap></sitemapindex>`, "a.xml": urls("https://s.example/a"),
		"up.xml": `<sitemapindex><sitemap><loc>../../../../etc/passwd</loc></sitemap></sitemapindex>`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if visits, err := scaffold.ReadSiteMap(t.Context(), filepath.Join(folder, "index.xml")); err != nil || len(visits) != 1 {
		t.Errorf("%v %v", visits, err)
	}
	if _, err := scaffold.ReadSiteMap(t.Context(), filepath.Join(folder, "up.xml")); err == nil || !strings.Contains(err.Error(), filepath.Join(folder, "passwd")) {
		t.Errorf("a part outside of the folder: %v", err)
	}
	if _, err := scaffold.ReadSiteMap(t.Context(), filepath.Join(folder, "none.xml")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// FuzzWrite holds that whatever stands in a site map or a title, the file that is made of it is one without faults.
func FuzzWrite(f *testing.F) {
	f.Add("Shop: \"x\"\n# y", "lists the\u2028 {things} of, all", "/a Title: # [x]\n/b/:id 'x'\n/b/7")
	f.Add("", "", urls("https://s.example/a/{x", "https://s.example/%2e%2e/b"))
	f.Add("\u202eAPI", "Get \\ \x00", "/{A}/{a}/{a} ~\n/- -\n/~ null\n/. .\n/x/NaN/1 1")
	f.Fuzz(func(t *testing.T, title, summary, text string) {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "map"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		visits, err := scaffold.ReadSiteMap(t.Context(), filepath.Join(folder, "map"))
		if err != nil {
			visits = nil
		}
		doc := document(title, summary, `[{"url":"https://a.example"}]`, `{"/loans":{"get":{"operationId":"a.b: c","summary":`+quote(summary)+`,"tags":[`+quote(title)+`],"responses":{"200":{"description":"ok"}}},"post":{"operationId":`+quote(title)+`,"summary":`+quote(summary)+`}}}`)
		d, err := scaffold.Write(t.Context(), scaffold.Options{Document: []byte(doc), DocumentPath: "openapi.json", Pages: visits, PagesFrom: title})
		if err != nil {
			t.Skip(err)
		}
		hold(t, d, []byte(doc))
	})
}
