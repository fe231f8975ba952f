// Package scaffold writes a host's first steward.yaml from what the host has already: its OpenAPI document and its site
// map. What it writes is a file for people: each block says in a line what it is for, and nothing in it is a secret.
package scaffold

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// sourceName is the name of the one source of a first file.
const sourceName = "api"

// Options say what a first file is made of.
type Options struct {
	// Document is the OpenAPI document, JSON or YAML, of any version that [tool.NewOpenAPI] reads. Required.
	Document []byte
	// DocumentPath is how the file names the document, relative to the file itself. Required.
	DocumentPath string
	// PagesFrom names where Pages were read, for the comment at the head of the file. Empty: from nowhere.
	PagesFrom string
	// BaseURL is where the API is. Empty: where the document's first server says.
	BaseURL string
	// Pages are the addresses of the product's pages, as [ReadSiteMap] gives them; those on another site than the product's
	// are left out. Empty: an example stands in a comment.
	Pages []Visit
}

// Draft is a first file and what whoever asked for it has to know.
type Draft struct {
	// File is the text of steward.yaml.
	File []byte
	// Product is its name.
	Product string
	// SecretEnv and BaseURLEnv are the variables that the file names.
	SecretEnv, BaseURLEnv string
	// BaseURL is where the API was taken to be; Guessed says that nothing told so.
	BaseURL string
	Guessed bool
	// Listed are the reads that the file describes, Reads all that will be offered, Writes those that will not.
	Listed, Reads, Writes int
	// Nav is how many pages the file lists; Skipped are addresses that could not be one, at most [maxSkipped].
	Nav     int
	Skipped []string
}

// Write makes a first file. What is wrong with the document is a [config.Faults] without a place.
func Write(ctx context.Context, o Options) (*Draft, error) {
	definitions, about, err := definitionsOf(ctx, o.Document)
	if err != nil {
		return nil, err
	}
	doc := readOutline(o.Document)
	base, guessed, err := doc.address(o.BaseURL, about.Servers)
	if err != nil {
		return nil, err
	}
	product := newProduct(doc)
	picked := pick(doc, definitions)
	nav, skipped := navOf(o.Pages, siteOf(o.Pages, o.PagesFrom, base))
	d := &Draft{
		Product: product.name, SecretEnv: product.env + "_TOKEN_SECRET", BaseURLEnv: product.env + "_URL",
		BaseURL: base, Guessed: guessed, Listed: len(picked.listed), Reads: len(picked.listed) + picked.more,
		Writes: len(picked.writes) + picked.moreWrites, Nav: len(nav), Skipped: skipped,
	}
	f := &file{options: o, draft: d, product: product, picked: picked, nav: nav}
	d.File = f.write()
	return d, nil
}

// definitionsOf makes the document's tools as a start would, sorted by name. Nothing is called.
func definitionsOf(ctx context.Context, document []byte) ([]read, tool.About, error) {
	api, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: sourceName, Document: document, BaseURL: localAddress})
	if err != nil {
		return nil, tool.About{}, documentFault(err)
	}
	defer func() { _ = api.Close() }() // it has no error
	registry, err := tool.NewRegistry(ctx, tool.RegistryOptions{}, api)
	if err != nil {
		return nil, tool.About{}, documentFault(err)
	}
	var out []read
	for _, d := range registry.All() {
		out = append(out, read{Definition: d, showsNothing: registry.ShowsNothing(d)})
	}
	return out, api.About(), nil
}

// read is a tool of the document.
type read struct {
	*tool.Definition

	// showsNothing says that all of its result is kept back, as that of an operation that gives a token.
	showsNothing bool
}

// documentFault says what is wrong with a document without the paths of a file that does not exist yet.
func documentFault(err error) error {
	var faults config.Faults
	if !errors.As(err, &faults) {
		return err
	}
	faults = slices.Clone(faults)
	for i := range faults {
		faults[i].Path = ""
	}
	return faults
}

// product is what the document's title makes of the product.
type product struct {
	id, name, about, env string
}

func newProduct(doc *outline) product {
	p := product{name: productName(doc.Info.Title)}
	p.id = slug(p.name, 40)
	if p.id == "" {
		p.id = "product"
	}
	p.env = strings.ToUpper(strings.ReplaceAll(slug(p.id, 24), "-", "_"))
	if p.about = firstSentence(doc.Info.Description); p.about == "" {
		p.about = p.name + ", for the people who use it."
	}
	return p
}

// productName is a document's title without the words that say that it is one: "Tool Library API v2" is Tool Library.
func productName(title string) string {
	words := strings.Fields(oneLine(title))
	for len(words) > 0 && isTitleNoise(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	name := strings.Trim(strings.Join(words, " "), " -–—:,.")
	if name == "" {
		return "Product"
	}
	return cutAt(name, 60)
}

func isTitleNoise(word string) bool {
	w := strings.ToLower(strings.Trim(word, "()[]-–—:,."))
	switch w {
	case "", "api", "apis", "rest", "restful", "http", "web", "openapi", "swagger", "spec", "specification", "v", "version", "public":
		return true
	}
	return strings.Trim(strings.TrimPrefix(w, "v"), "0123456789.x") == ""
}

// slug writes a name in lower-case letters, digits and hyphens, beginning with a letter and cut between words; empty where
// nothing remains.
func slug(name string, limit int) string {
	var b bytes.Buffer
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !bytes.HasSuffix(b.Bytes(), []byte("-")):
			b.WriteByte('-')
		}
	}
	out := strings.TrimSuffix(b.String(), "-")
	if len(out) > limit {
		cut := out[:limit]
		if i := strings.LastIndexByte(out[:limit+1], '-'); i > 0 {
			cut = out[:i]
		}
		out = cut
	}
	return out
}

// Script is the tag that a page of the product carries.
func (d *Draft) Script() string {
	return `<script src="/steward.js" defer></script>` + "\n" + `<steward-assistant token-url="/steward-token"></steward-assistant>`
}

// String sums the draft up in a line.
func (d *Draft) String() string {
	return fmt.Sprintf("%s: %s (%d described), %s not offered, %s", d.Product,
		count(d.Reads, "read"), d.Listed, count(d.Writes, "write"), count(d.Nav, "page"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
