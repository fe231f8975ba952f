// Package web holds the widget, built and embedded.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed dist
var files embed.FS

// asset is one file, made ready when it is first asked for.
type asset struct {
	body, zipped []byte
	etag         string
	contentType  string
}

// Handler serves /steward.js and what it loads under /steward/. Names under /steward/ hold a hash of their content, so
// a browser keeps them; /steward.js is asked for again each time.
func Handler() http.Handler { return &handler{ready: map[string]*asset{}} }

type handler struct {
	mu    sync.Mutex
	ready map[string]*asset
}

// ServeHTTP answers GET and HEAD.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	a := h.find(strings.TrimPrefix(path.Clean(r.URL.Path), "/"))
	if a == nil {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("ETag", a.etag)
	header.Set("X-Content-Type-Options", "nosniff")
	// A page that isolates itself (COEP) takes scripts of another origin only with this.
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Vary", "Accept-Encoding")
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(r.URL.Path, "/steward/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if match := r.Header.Get("If-None-Match"); match != "" && strings.Contains(match, a.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := a.body
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = a.zipped
	}
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a reader that has gone needs nothing more
	}
}

func (h *handler) find(name string) *asset {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a, ok := h.ready[name]; ok {
		return a
	}
	body, err := fs.ReadFile(files, "dist/"+name)
	contentType := types[path.Ext(name)]
	if err != nil || contentType == "" {
		return nil
	}
	sum := sha256.Sum256(body)
	a := &asset{body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`, contentType: contentType}
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level exists
	_, _ = z.Write(body)                                       // memory does not fail
	_ = z.Close()
	a.zipped = zipped.Bytes()
	h.ready[name] = a
	return a
}

var types = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}
