package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/web"
)

func get(t *testing.T, method, target string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	web.Handler().ServeHTTP(w, r)
	return w
}

func TestHandlerHeaders(t *testing.T) {
	for _, path := range []string{"/steward.js", "/steward/panel.js", "/steward/words.en.js", "/steward/words.he.js", "/steward/words.ru.js"} {
		res := get(t, http.MethodGet, path, nil)
		if res.Code != http.StatusOK {
			t.Fatalf("%s: status %d, want 200", path, res.Code)
		}
		for name, want := range map[string]string{
			"Content-Type":                 "text/javascript; charset=utf-8",
			"X-Content-Type-Options":       "nosniff",
			"Cross-Origin-Resource-Policy": "cross-origin",
			"Cache-Control":                "no-cache",
		} {
			if got := res.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if res.Header().Get("ETag") == "" || res.Body.String() == "" {
			t.Errorf("%s: no ETag or no body", path)
		}
	}
}

func TestHandlerKeepsOnlyItsOwnVersionForGood(t *testing.T) {
	if web.Version() == "" {
		t.Fatal("the build has no version")
	}
	for query, want := range map[string]string{
		"?v=" + web.Version(): "public, max-age=31536000, immutable",
		"?v=older":            "no-cache",
		"":                    "no-cache",
	} {
		if got := get(t, http.MethodGet, "/steward/panel.js"+query, nil).Header().Get("Cache-Control"); got != want {
			t.Errorf("%q: Cache-Control is %q, want %q", query, got, want)
		}
	}
	if !strings.Contains(get(t, http.MethodGet, "/steward.js", nil).Body.String(), web.Version()) {
		t.Error("the loader does not ask for this build's modules")
	}
}

func TestHandlerCompresses(t *testing.T) {
	plain := get(t, http.MethodGet, "/steward.js", nil).Body.String()
	for accept, want := range map[string]bool{"gzip, deflate, br": true, "br;q=1, gzip;q=0.5": true, "gzip;q=0": false, "identity": false, "x-gzip-not": false} {
		res := get(t, http.MethodGet, "/steward.js", map[string]string{"Accept-Encoding": accept})
		if got := res.Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%q: compressed is %v, want %v", accept, got, want)
			continue
		}
		if !want {
			continue
		}
		zr, err := gzip.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(zr)
		if err != nil || string(b) != plain {
			t.Errorf("%q: the compressed body differs (%v)", accept, err)
		}
	}
}

func TestHandlerAnswersWhatIsKnown(t *testing.T) {
	for _, accept := range []string{"", "gzip"} {
		tag := get(t, http.MethodGet, "/steward.js", map[string]string{"Accept-Encoding": accept}).Header().Get("ETag")
		res := get(t, http.MethodGet, "/steward.js", map[string]string{"Accept-Encoding": accept, "If-None-Match": `"other", W/` + tag})
		if res.Code != http.StatusNotModified || res.Body.String() != "" {
			t.Errorf("accept %q: status %d, want 304 without a body", accept, res.Code)
		}
	}
}

func TestHandlerRefuses(t *testing.T) {
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/steward/", http.StatusNotFound},
		{http.MethodGet, "/steward/VERSION", http.StatusNotFound},
		{http.MethodGet, "/VERSION", http.StatusNotFound},
		{http.MethodGet, "/steward/../steward.js", http.StatusNotFound},
		{http.MethodPost, "/steward.js", http.StatusMethodNotAllowed},
		{http.MethodHead, "/steward.js", http.StatusOK},
	} {
		res := get(t, c.method, c.path, nil)
		if res.Code != c.want || (c.method == http.MethodHead && res.Body.String() != "") {
			t.Errorf("%s %s: status %d, want %d", c.method, c.path, res.Code, c.want)
		}
	}
}

// TestSizes holds what a page pays: the loader on every page, the rest when the panel is first opened.
func TestSizes(t *testing.T) {
	size := func(path string) int {
		return get(t, http.MethodGet, path, map[string]string{"Accept-Encoding": "gzip"}).Body.Len()
	}
	const kB = 1000
	loader, panel := size("/steward.js"), size("/steward/panel.js")
	if loader > 6*kB {
		t.Errorf("the loader is %d bytes, at most %d", loader, 6*kB)
	}
	for _, language := range []string{"en", "he", "ru"} {
		if all := loader + panel + size("/steward/words."+language+".js"); all > 70*kB {
			t.Errorf("a first open in %q loads %d bytes, at most %d", language, all, 70*kB)
		}
	}
}
