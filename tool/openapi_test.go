package tool_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// TestImportOddDocuments imports documents that nobody here wrote: no crash, no endless recursion, names that are
// unique, input schemas that compile and stand alone, writes that are not offered.
func TestImportOddDocuments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(shared + "openapi/*/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("the shared documents are not here")
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+" "+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			document, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: document, BaseURL: "https://api.example.com"})
			if err != nil {
				t.Fatal(err)
			}
			holdImported(t, source)
			holdFindings(t, document, source)
		})
	}
}

// github is GitHub's document, 1,223 operations.
func github(tb testing.TB) []byte {
	tb.Helper()
	f, err := os.Open(shared + "openapi/github-api.json.gz")
	if err != nil {
		tb.Skip("the shared document is not here")
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	document, err := io.ReadAll(unzipped)
	if err != nil {
		tb.Fatal(err)
	}
	return document
}

func TestImportLargeDocument(t *testing.T) {
	t.Parallel()
	document := github(t)
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "github", Document: document, BaseURL: "https://api.github.com"})
	if err != nil {
		t.Fatal(err)
	}
	// 24 reads answer with a redirect, with nothing or with text; two writes take what is no JSON.
	if all, reads := holdImported(t, source); all != 1223 || reads != 639-24 {
		t.Errorf("%d operations, %d reads offered, want 1223 and 615", all, reads)
	}
	if found := holdFindings(t, document, source); found != 26 {
		t.Errorf("%d findings, want 26", found)
	}
}

// holdFindings holds that whatever cannot be called is named, with a place that is in the document and has a line.
func holdFindings(t *testing.T, document []byte, source *tool.OpenAPI) int {
	t.Helper()
	definitions, err := source.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	findings := source.Findings()
	var pointers []string
	lost := map[string]bool{}
	for _, f := range findings {
		pointers = append(pointers, f.Pointer)
		lost[f.Operation] = lost[f.Operation] || f.Lost
		if f.Reason == "" {
			t.Errorf("%+v has no reason", f)
		}
	}
	for i, line := range tool.Lines(document, pointers) {
		if line == 0 {
			t.Errorf("%s leads nowhere", pointers[i])
		}
	}
	writes := 0
	for _, d := range definitions {
		if d.Effect == tool.Write {
			writes++
		}
		if d.Note != "" && len(findings) == 0 {
			t.Errorf("%s cannot be called and is not named: %s", d.Name(), d.Note)
		}
	}
	return len(findings)
}

func holdImported(t *testing.T, source tool.Source) (all, reads int) {
	t.Helper()
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, d := range r.All() {
		if !json.Valid(d.Input) || strings.Contains(string(d.Input), `"#/components`) || strings.Contains(string(d.Input), `"$schema"`) {
			t.Errorf("%s: input %s", d.Name(), d.Input)
		}
		if d.Note == "its input schema is not valid" {
			t.Errorf("%s: %s", d.Name(), d.Input)
		}
		if d.Effect == tool.Write && d.Confirm != tool.ConfirmAlways {
			t.Errorf("%s does not always ask", d.Name())
		}
		if len(d.Name()) > 120 || names[d.Name()] {
			t.Errorf("the name %q is long or not its own", d.Name())
		}
		names[d.Name()] = true
	}
	o := r.Offer(tool.Asker{})
	for _, d := range o.Definitions() {
		if d.Effect != tool.Read {
			t.Errorf("%s is offered", d.Name())
		}
	}
	holdWire(t, o)
	singly, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{GroupBy: "action"}, source)
	if err != nil {
		t.Fatal(err)
	}
	holdWire(t, singly.Offer(tool.Asker{}))
	return len(r.All()), len(o.Definitions())
}

// holdWire holds a list against what vendors take.
func holdWire(t *testing.T, o *tool.Offer) {
	t.Helper()
	seen := map[string]bool{}
	for _, w := range o.Tools() {
		var schema map[string]any
		if err := json.Unmarshal(w.Input, &schema); err != nil || !wireName.MatchString(w.Name) || seen[w.Name] {
			t.Errorf("wire tool %q: %v", w.Name, err)
		}
		seen[w.Name] = true
		for _, key := range []string{"anyOf", "oneOf", "allOf", "not", "enum", "$ref"} {
			if schema[key] != nil {
				t.Errorf("%s has %s at its top", w.Name, key)
			}
		}
		if schema["type"] != "object" {
			t.Errorf("%s is no object", w.Name)
		}
	}
}

// TestImportIsStable holds that the same document gives the same bytes.
func TestImportIsStable(t *testing.T) {
	t.Parallel()
	hash := func() string {
		s := newShop(t, config.AuthorityForward, nil)
		return offerFor(s.registry, "owner").Hash
	}
	first := hash()
	for range 5 {
		if got := hash(); got != first {
			t.Fatalf("%s, then %s", first, got)
		}
	}
}

func TestOpenAPIFaults(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		o    tool.OpenAPIOptions
		want string
	}{
		{"no address", tool.OpenAPIOptions{Document: document}, "sources.api: base_url must be an address"},
		{"empty", tool.OpenAPIOptions{BaseURL: "https://a.example"}, "the document is empty"},
		{"no JSON", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte("{\n\n!")}, "not JSON: line 3"},
		{"no YAML", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte("a: [")}, "neither JSON nor YAML"},
		{"no version", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"a":1}`)}, `has no "openapi"`},
		{"another version", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"swagger":1.2}`)}, `of version "1.2"; OpenAPI 3.0 to 3.2 and Swagger 2.0 are read`},
		{"messages", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`asyncapi: 3.0.0`)}, "AsyncAPI"},
		{"compressed", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte("\x1f\x8b\x08")}, "gunzip"},
		{"cut", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"openapi":`)}, "breaks off"},
		{"two documents", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"openapi":"3.1.0"} {}`)}, "goes on after its end"},
		{"unknown operation", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.listorders"}}}, `tools.actions[a.b].operation: the document has no operation "listorders"; it has "listOrders"`},
		{"what a read has not", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.listOrders", Confirm: "always"}}}, "tools.actions[a.b].confirm: is for writes"},
		{"cannot be called", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.getBasket"}}}, "cannot be called: it needs a cookie, and Steward sends none (at /paths/~1basket/get/parameters/0 of the document)"},
		{"misspelt operation", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.listOrder"}}}, `tools.actions[a.b].operation: the document has no operation "listOrder"; did you mean listOrders?`},
		{"leave out", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, LeaveOut: []string{"nope"}}, `sources.api.leave_out[0]: the document has no operation "nope"; it has `},
		{"leave out twice", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, LeaveOut: []string{"GET /orders", "get /orders"}}, `leave_out[1]: the document has no operation "get /orders"; it has "GET /orders"`},
		{"twice", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"x"}},"/b":{"get":{"operationId":"x"}}}}`), Actions: map[string]config.Action{"a.b": {Operation: "api.x"}}}, `has operationId "x" twice; name the one that is meant: api.GET /a or api.GET /b`},
	} {
		test.o.Name = "api"
		_, err := tool.NewOpenAPI(test.o)
		var faults config.Faults
		if !errors.As(err, &faults) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func FuzzOpenAPI(f *testing.F) {
	if b, err := os.ReadFile("testdata/shop.yaml"); err == nil {
		f.Add(b)
	}
	files, err := filepath.Glob(shared + "openapi/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if b, err := os.ReadFile(file); err == nil && len(b) < 30_000 {
			f.Add(b)
		}
	}
	f.Add([]byte(`{"openapi":"3.0.1","paths":{"/a/{b}":{"get":{"parameters":[{"name":"b","in":"path","schema":{"$ref":"#"}}]}}}}`))
	f.Add([]byte(`{"swagger":"2.0","paths":{"/a":{"post":{"parameters":[{"name":"b","in":"body","schema":{"$ref":"#/paths"}},{"$ref":"#/paths/~1a"}]}}}}`))
	f.Add([]byte("openapi: 3.1.0\npaths: {/a: &a {get: {operationId: x, <<: *a}}, /b: *a}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: b, BaseURL: "https://api.example.com"})
		if err != nil {
			return
		}
		source.About()
		var pointers []string
		for _, found := range source.Findings() {
			pointers = append(pointers, found.Pointer)
		}
		tool.Lines(b, pointers)
		r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{MaxTools: 3}, source)
		var faults config.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatal(err)
		}
		if r == nil {
			return
		}
		for _, d := range r.All() {
			if d.Effect == tool.Write && d.Confirm != tool.ConfirmAlways {
				t.Fatalf("%s does not always ask", d.Name())
			}
		}
		for _, w := range r.Offer(tool.Asker{}).Tools() {
			if !wireName.MatchString(w.Name) || !json.Valid(w.Input) {
				t.Fatalf("wire tool %q", w.Name)
			}
		}
	})
}
