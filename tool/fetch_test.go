package tool

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestIsPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"1.1.1.1": true, "2606:4700:4700::1111": true, "127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false,
		"192.168.1.1": false, "169.254.169.254": false, "0.0.0.0": false, "100.64.0.1": false, "224.0.0.1": false,
		"255.255.255.255": false, "::1": false, "::": false, "fe80::1": false, "fc00::1": false, "::ffff:127.0.0.1": false,
		"64:ff9b::a9fe:a9fe": false, "2002:7f00:1::": false, "fd00:ec2::254": false, "198.18.0.1": false,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
}

func TestFetcher(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/doc", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "document")
	}))
	defer server.Close()
	inside := strings.TrimPrefix(server.URL, "http://")
	if _, err := (Fetcher{}).Get(t.Context(), server.URL+"/doc"); !errors.Is(err, errInside) {
		t.Errorf("an inside address: %v", err)
	}
	if _, err := (Fetcher{}).Get(t.Context(), "http://localhost"+inside[strings.LastIndexByte(inside, ':'):]+"/doc"); !errors.Is(err, errInside) {
		t.Errorf("a name that leads inside: %v", err)
	}
	allowed := Fetcher{Allow: []string{inside}}
	if b, err := allowed.Get(t.Context(), server.URL+"/doc"); err != nil || string(b) != "document" {
		t.Errorf("an allowed address: %q, %v", b, err)
	}
	if _, err := allowed.Get(t.Context(), server.URL+"/moved"); err == nil || !strings.Contains(err.Error(), "HTTP 302") {
		t.Errorf("a redirect: %v", err)
	}
	for _, address := range []string{"", "ftp://a.example/x", "file:///etc/passwd", "//a"} {
		if _, err := allowed.Get(t.Context(), address); err == nil {
			t.Errorf("%q is fetched", address)
		}
	}
}
