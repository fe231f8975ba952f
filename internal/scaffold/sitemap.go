package scaffold

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/steward-assistant/steward/tool"
)

const (
	// maxMapBytes bounds one site map; the protocol's own limit is 50 MB, which no nav index is made of.
	maxMapBytes = 2 << 20
	// maxMaps bounds the site maps of an index.
	maxMaps = 20
)

// Visit is one address of a site map.
type Visit struct {
	// Address is a path of the product or a whole address.
	Address string
	// Title is what the page is called; empty where the site map does not say.
	Title string
}

// ReadSiteMap reads a site map from a file or an http(s) address: XML as sitemaps.org has it (an index is followed one
// level down), or plain text with a path a line and, after a space, a title.
func ReadSiteMap(ctx context.Context, from string) ([]Visit, error) {
	raw, err := readMap(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	visits, parts, err := parseMap(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	for _, part := range parts[:min(len(parts), maxMaps)] {
		beside, err := besideMap(from, part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		if raw, err = readMap(ctx, beside); err != nil {
			return nil, fmt.Errorf("%s, of the index %s: %w", beside, from, err)
		}
		more, _, err := parseMap(raw)
		if err != nil {
			return nil, fmt.Errorf("%s, of the index %s: %w", beside, from, err)
		}
		visits = append(visits, more...)
	}
	if len(visits) == 0 {
		return nil, fmt.Errorf("%s: no page stands in it; it must be a sitemap.xml, or a path a line", from)
	}
	return visits, nil
}

func isAddress(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// besideMap says where a part of an index is. Parts of an address stay on its host, and parts of a file beside it, so that
// a document cannot send us anywhere else.
func besideMap(index, part string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(part))
	if err != nil {
		return "", errors.New("a part of the index has no address")
	}
	if !isAddress(index) {
		return filepath.Join(filepath.Dir(index), filepath.Base(filepath.FromSlash(u.Path))), nil
	}
	base, err := url.Parse(index)
	if err != nil {
		return "", errors.New("the address is not one")
	}
	if u = base.ResolveReference(u); u.Host != base.Host {
		return "", fmt.Errorf("a part of the index is on another host, %s; give its address itself", u.Host)
	}
	return u.String(), nil
}

// readMap reads a file or an address, and unpacks what is packed with gzip.
func readMap(ctx context.Context, from string) ([]byte, error) {
	var raw []byte
	var err error
	if isAddress(from) {
		u, parseErr := url.Parse(from)
		if parseErr != nil {
			return nil, errors.New("the address is not one")
		}
		// Whoever runs the command named this host, which is often on their own machine.
		raw, err = tool.Fetcher{Allow: []string{hostPort(u)}}.Get(ctx, from)
	} else {
		raw, err = readFile(from)
	}
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, errors.New("it is not whole")
		}
		if raw, err = readBounded(z); err != nil {
			return nil, err
		}
	}
	if len(raw) > maxMapBytes {
		return nil, errTooLarge
	}
	return raw, nil
}

var errTooLarge = fmt.Errorf("it is larger than %d MB; give a list of the pages that matter, a path a line", maxMapBytes>>20)

func readFile(name string) (_ []byte, err error) {
	f, err := os.Open(name) //nolint:gosec // whoever runs the command names the file
	if err != nil {
		if path, ok := errors.AsType[*os.PathError](err); ok {
			return nil, path.Err // the name stands before it already
		}
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return readBounded(f)
}

func readBounded(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxMapBytes+1))
	switch {
	case err != nil:
		return nil, errors.New("it cannot be read to its end")
	case len(raw) > maxMapBytes:
		return nil, errTooLarge
	}
	return raw, nil
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// siteMap is a <urlset> or a <sitemapindex>.
type siteMap struct {
	XMLName xml.Name
	URLs    []struct {
		Loc string `xml:"loc"`
	} `xml:"url"`
	Maps []struct {
		Loc string `xml:"loc"`
	} `xml:"sitemap"`
}

// parseMap gives the pages of a site map, or the parts of an index.
func parseMap(raw []byte) (pages []Visit, parts []string, err error) {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	if !bytes.HasPrefix(raw, []byte("<")) {
		return parseList(string(raw)), nil, nil
	}
	var m siteMap
	if err := xml.Unmarshal(raw, &m); err != nil {
		if start := strings.ToLower(string(raw[:min(len(raw), 200)])); strings.Contains(start, "<html") || strings.Contains(start, "<!doctype html") {
			return nil, nil, errors.New("it is a page, not a site map")
		}
		if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
			return nil, nil, fmt.Errorf("line %d: it is not XML", syntax.Line)
		}
		return nil, nil, errors.New("it is not XML in UTF-8")
	}
	if n := m.XMLName.Local; n != "urlset" && n != "sitemapindex" {
		return nil, nil, fmt.Errorf("it must be a <urlset> or a <sitemapindex>, and is <%s>", cutAt(oneLine(n), 40))
	}
	for _, u := range m.URLs {
		if loc := strings.TrimSpace(u.Loc); loc != "" {
			pages = append(pages, Visit{Address: loc})
		}
	}
	for _, p := range m.Maps {
		if loc := strings.TrimSpace(p.Loc); loc != "" {
			parts = append(parts, loc)
		}
	}
	return pages, parts, nil
}

// parseList reads a path a line, with a title behind it; lines that begin with "#" are remarks.
func parseList(text string) []Visit {
	var out []Visit
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		address, title, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		out = append(out, Visit{Address: address, Title: cutAt(oneLine(title), 60)})
	}
	return out
}
