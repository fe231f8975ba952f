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
			if strings.Contains(file, "/2.0/") {
				if err == nil || !strings.Contains(err.Error(), "Swagger 2.0") {
					t.Errorf("Swagger 2.0: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			holdImported(t, source)
		})
	}
}

func TestImportLargeDocument(t *testing.T) {
	t.Parallel()
	f, err := os.Open(shared + "openapi/github-api.json.gz")
	if err != nil {
		t.Skip("the shared document is not here")
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	document, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "github", Document: document, BaseURL: "https://api.github.com"})
	if err != nil {
		t.Fatal(err)
	}
	if all, reads := holdImported(t, source); all != 1223 || reads != 639 {
		t.Errorf("%d operations, %d reads offered, want 1223 and 639", all, reads)
	}
}

func holdImported(t *testing.T, source tool.Source) (all, reads int) {
	t.Helper()
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
	if err != nil {
		t.Fatal(err)
	}
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
	}
	o := r.Offer(tool.Asker{})
	for _, d := range o.Definitions() {
		if d.Effect != tool.Read {
			t.Errorf("%s is offered", d.Name())
		}
	}
	for _, w := range o.Tools() {
		if !wireName.MatchString(w.Name) || !json.Valid(w.Input) {
			t.Errorf("wire tool %q %s", w.Name, w.Input)
		}
	}
	return len(r.All()), len(o.Definitions())
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
		{"two documents", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"openapi":"3.1.0"} {}`)}, "goes on after its end"},
		{"unknown operation", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.listorders"}}}, `tools.actions[a.b].operation: the document has no operation "listorders"; it has "listOrders"`},
		{"what a read has not", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.listOrders", Confirm: "always"}}}, "tools.actions[a.b].confirm: is for writes"},
		{"cannot be called", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, Actions: map[string]config.Action{"a.b": {Operation: "api.getBasket"}}}, "cannot be called: it needs a cookie"},
		{"leave out", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: document, LeaveOut: []string{"nope"}}, `sources.api.leave_out[0]: the document has no operation "nope"`},
		{"twice", tool.OpenAPIOptions{BaseURL: "https://a.example", Document: []byte(`{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"x"}},"/b":{"get":{"operationId":"x"}}}}`)}, `has operationId "x" twice`},
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
	f.Add([]byte(`{"openapi":"3.0.1","paths":{"/a/{b}":{"get":{"parameters":[{"name":"b","in":"path","schema":{"$ref":"#"}}]}}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: b, BaseURL: "https://api.example.com"})
		if err != nil {
			return
		}
		r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
		var faults config.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatal(err)
		}
		if r != nil {
			r.Offer(tool.Asker{})
		}
	})
}
