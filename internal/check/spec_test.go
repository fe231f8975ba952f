package check_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/steward-assistant/steward/internal/check"
)

var update = flag.Bool("update", false, "write the golden files")

const spec = `swagger: "2.0"
info: {title: Old shop, version: "3"}
host: shop.example
paths:
  /orders:
    get: {operationId: listOrders, tags: [orders], summary: All orders, responses: {200: {description: ok}}}
    post: {operationId: makeOrder, tags: [orders], responses: {201: {description: made}}}
  /orders/{id}:
    parameters: [{name: id, in: path, type: integer, required: true}]
    get: {operationId: orders_get, tags: [orders], summary: One order, responses: {200: {description: ok}}}
    put: {consumes: [text/csv], parameters: [{name: b, in: body, schema: {type: string}}], responses: {200: {description: ok}}}
  /logout:
    get: {operationId: logOut, responses: {200: {description: bye}}}
  /picture:
    get: {produces: [image/png], responses: {200: {description: ok, schema: {type: file}}}}
`

// TestSpec holds what a newcomer is told of a document.
func TestSpec(t *testing.T) {
	t.Parallel()
	outline, err := check.Spec(t.Context(), []byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := outline.WriteText(&b, "shop.yaml", false); err != nil {
		t.Fatal(err)
	}
	golden := "testdata/spec.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestSpecJSON holds that the JSON says the same, of a gzipped document too.
func TestSpecJSON(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(spec)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	outline, err := check.Spec(t.Context(), packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := outline.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		About                                    struct{ Title, Form string }
		Operations, Reads, Writes, UnusableReads int
		Doubtful                                 []string
		Findings                                 []struct {
			Line                       int
			Pointer, Operation, Reason string
			Lost                       bool
		}
		Providers []struct {
			Name, GroupBy string
			MaxTools      int
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.About.Title != "Old shop" || got.About.Form != "Swagger 2.0" || got.Operations != 6 || got.Reads != 4 || got.Writes != 2 ||
		got.UnusableReads != 1 || len(got.Doubtful) != 1 || got.Doubtful[0] != "logOut" || len(got.Findings) != 2 || got.Findings[0].Line == 0 ||
		!got.Findings[0].Lost || len(got.Providers) != 3 || got.Providers[1].MaxTools != 128 {
		t.Errorf("%+v", got)
	}
}

func TestSpecUnreadable(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		"":                        "the document is empty",
		"{":                       "the document is not JSON: it breaks off before its end",
		"<html></html>":           "no object",
		`{"openapi":"4.0.0"}`:     `is of version "4.0.0"; OpenAPI 3.0 to 3.2 and Swagger 2.0 are read`,
		"\x1f\x8bnot gzip at all": "unpack: ",
	} {
		if _, err := check.Spec(t.Context(), []byte(document)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sources") {
			t.Errorf("%q: %v, want %q", document, err, want)
		}
	}
}

// TestSpecIsClean holds that nothing of a document that a terminal would act on is printed, in words or as JSON.
func TestSpecIsClean(t *testing.T) {
	t.Parallel()
	const evil = `\u001b]0;x\u0007\u009b31m\r\nOK: all is well\u202e\ue000\udb80\udc00`
	document := `{"openapi":"3.0.0` + evil + `","info":{"title":"T` + evil + `","version":"1` + evil + `"},"servers":[{"url":"https://a` + evil + `"}],"paths":{"/a` + evil +
		`":{"get":{}},"/b":{"get":{"operationId":"logOut` + evil + `","tags":["t` + evil + `"],"summary":"s` + evil + `","responses":{"200":{"description":"ok"}}},"put":{"requestBody":{"content":{"text/` + evil + `":{}}}},
		"trace":{}},"/c":{"$ref":"` + evil + `"}}}`
	outline, err := check.Spec(t.Context(), []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var short, whole, asJSON strings.Builder
	if err := errors.Join(outline.WriteText(&short, "-", false), outline.WriteText(&whole, "-", true), outline.WriteJSON(&asJSON)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"short": short.String(), "whole": whole.String(), "JSON": asJSON.String()} {
		if i := strings.IndexFunc(text, func(r rune) bool {
			return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
		}); i >= 0 {
			t.Errorf("%s: %q", name, text[max(0, i-40):min(len(text), i+20)])
		}
		if strings.Contains(text, "\nOK: all is well") {
			t.Errorf("%s: a document writes a line of its own:\n%s", name, text)
		}
	}
	var back check.Outline
	if err := json.Unmarshal([]byte(asJSON.String()), &back); err != nil || !reflect.DeepEqual(back.Findings, outline.Findings) {
		t.Errorf("%v: %+v", err, back.Findings)
	}
}

// TestSpecIsShort looks at every document that there is: what is printed fits on a screen or two.
func TestSpecIsShort(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/data/openapi/*/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("the shared documents are not here")
	}
	for _, file := range append(files, "../../../shared/data/openapi/github-api.json.gz") {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		outline, err := check.Spec(t.Context(), document)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var short, whole strings.Builder
		if err := outline.WriteText(&short, file, false); err != nil {
			t.Fatal(err)
		}
		if err := outline.WriteText(&whole, file, true); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(short.String(), "\n"); n > 60 {
			t.Errorf("%s: %d lines", file, n)
		}
		for _, f := range outline.Findings {
			if !strings.Contains(whole.String(), f.Pointer) || !strings.Contains(whole.String(), f.Reason) {
				t.Errorf("%s: --all lacks %s", file, f.Pointer)
			}
		}
	}
}
