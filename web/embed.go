// Package web holds the browser's side of Steward: its sources, and what is built of them, which is embedded here so that
// the binary needs no other file.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed dist
var dist embed.FS

// asset is one embedded file as it is served.
type asset struct {
	plain, gzipped []byte
	etag           string
	contentType    string
}

// assets makes them on first use, not at start: the process should be up before it compresses anything.
var assets = sync.OnceValues(func() (map[string]*asset, error) {
	all := map[string]*asset{}
	err := fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".js" {
			return err
		}
		content, err := dist.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read asset %q: %w", name, err)
		}
		a, err := newAsset(content)
		if err != nil {
			return fmt.Errorf("compress asset %q: %w", name, err)
		}
		all[strings.TrimPrefix(name, "dist")] = a
		return nil
	})
	return all, err
})

func newAsset(content []byte) (*asset, error) {
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	return &asset{
		plain:       content,
		gzipped:     zipped.Bytes(),
		etag:        base64.RawURLEncoding.EncodeToString(sum[:12]),
		contentType: "text/javascript; charset=utf-8",
	}, nil
}

// Version is the hash under which the loader asks for the modules of its own build.
func Version() string {
	b, err := dist.ReadFile("dist/VERSION")
	if err != nil {
		return "" // a build without it asks under no version, and nothing is then kept for good
	}
	return strings.TrimSpace(string(b))
}

// Handler serves /steward.js and /steward/…: to GET and HEAD, compressed where the browser takes it, with an ETag. A module
// that is asked for under this build's [Version] may be kept for good; everything else is asked for again each time. Any
// origin may load them: they hold no secret, and pages that isolate themselves need to be told so. What is not there is
// 404 with no body of its own. Safe for concurrent use.
func Handler() http.Handler {
	version := Version()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		all, err := assets()
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		a, ok := all[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		serve(w, r, a, version != "" && r.URL.Query().Get("v") == version)
	})
}

func serve(w http.ResponseWriter, r *http.Request, a *asset, forGood bool) {
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Access-Control-Allow-Origin", "*") // modules of another origin are loaded with CORS; no cookie goes with them
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if forGood {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	content, etag := a.plain, `"`+a.etag+`"`
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		content, etag = a.gzipped, `"`+a.etag+`-gz"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", etag)
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(known), "W/") == etag {
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", fmt.Sprint(len(content)))
	if r.Method == http.MethodHead {
		return
	}
	// A browser that has gone away is no fault of this side, and nothing could be told to it.
	_, _ = w.Write(content)
}

// takesGzip reports whether an Accept-Encoding names gzip without refusing it (RFC 9110, section 12.5.3).
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		coding, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q := strings.ReplaceAll(params, " ", "")
		return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
	}
	return false
}
