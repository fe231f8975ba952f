package scaffold_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/check"
	"github.com/steward-assistant/steward/internal/scaffold"
)

// found holds documents and site maps that nobody here wrote.
const found = "../../../shared/data/openapi"

// hold has a first file checked as a start would check it, with nothing set but its secret.
func hold(t *testing.T, d *scaffold.Draft, document []byte) (*config.Config, check.Report) {
	t.Helper()
	files := fstest.MapFS{"steward.yaml": {Data: d.File}, "openapi.json": {Data: document}}
	env := func(name string) (string, bool) { return strings.Repeat("s", 32), name == d.SecretEnv }
	report, err := check.Run(t.Context(), check.Options{Files: files, Name: "steward.yaml", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	// That an API is large is said as it should be.
	warned := slices.DeleteFunc(slices.Clone(report.Warnings), func(f config.Fault) bool { return f.Path == "surfaces.app.tools" })
	if report.Failed() || len(warned) > 0 {
		t.Fatalf("%v\n%v\n%s", report.Faults, report.Warnings, d.File)
	}
	cfg, faults := config.Load(files, "steward.yaml", env)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	return cfg, report
}

func write(t *testing.T, document string, pages ...scaffold.Visit) *scaffold.Draft {
	t.Helper()
	d, err := scaffold.Write(t.Context(), scaffold.Options{Document: []byte(document), DocumentPath: "openapi.json", Pages: pages})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDocumentsAsFound(t *testing.T) {
	var names []string
	for _, pattern := range []string{"*/*.json", "*.gz"} {
		more, err := filepath.Glob(filepath.Join(found, pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, more...)
	}
	if len(names) == 0 {
		t.Skip("the documents are not on this machine")
	}
	passed := 0
	for _, name := range names {
		t.Run(strings.TrimPrefix(name, found+"/"), func(t *testing.T) {
			document := readDocument(t, name)
			d, err := scaffold.Write(t.Context(), scaffold.Options{Document: document, DocumentPath: "openapi.json", Pages: []scaffold.Visit{{Address: "/"}}})
			if err != nil {
				t.Skipf("not imported: %v", err)
			}
			passed++
			cfg, _ := hold(t, d, document)
			if len(cfg.Tools.Actions) != d.Listed || len(cfg.Nav) != 1 {
				t.Errorf("%d actions and %d pages; the draft says %s", len(cfg.Tools.Actions), len(cfg.Nav), d)
			}
			if d.Listed > 30 {
				t.Errorf("%d reads are more than a person reads through", d.Listed)
			}
			for line := range strings.Lines(string(d.File)) {
				if len(line) > 400 {
					t.Errorf("a line of %d bytes: %s", len(line), line)
				}
			}
		})
	}
	if passed < 12 {
		t.Errorf("only %d of %d documents gave a file", passed, len(names))
	}
}

func readDocument(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// document writes an OpenAPI document with these parts.
func document(title, description, servers, paths string) string {
	info, _ := json.Marshal(map[string]string{"title": title, "description": description, "version": "1"})
	return `{"openapi":"3.1.0","info":` + string(info) + `,"servers":` + servers + `,"paths":` + paths + `}`
}

func get(id, summary, parameters string) string {
	return `{"get":{"operationId":"` + id + `","tags":["loans"],"summary":"` + summary + `","parameters":[` + parameters + `],"responses":{"200":{"description":"ok"}}}}`
}

func TestProduct(t *testing.T) {
	tests := []struct{ title, id, name string }{
		{"Tool Library API", "tool-library", "Tool Library"},
		{"Acme REST API v2.1", "acme", "Acme"},
		{"Swagger Petstore - OpenAPI 3.0", "swagger-petstore", "Swagger Petstore"},
		{"API", "product", "Product"},
		{"", "product", "Product"},
		{"42 Shops", "shops", "42 Shops"},
		{"Zürich Verkehr", "z-rich-verkehr", "Zürich Verkehr"},
		{"A: \"b\"\n# c\u2028d\u202e", "a-b-c-d", `A: "b" # c d`},
		{"yes", "yes", "yes"},
		{strings.Repeat("very ", 30) + "long", "very-very-very-very-very-very-very-very", ""},
	}
	for _, test := range tests {
		doc := document(test.title, "", `[{"url":"https://api.example.com/v1/"}]`, `{}`)
		cfg, _ := hold(t, write(t, doc), []byte(doc))
		if name := cfg.Product.Name.In("en"); cfg.Product.ID != test.id || test.name != "" && name != test.name {
			t.Errorf("%q: %q %q", test.title, cfg.Product.ID, name)
		}
		if got := cfg.Sources["api"].BaseURL; got != "https://api.example.com/v1" {
			t.Errorf("%q: base URL %q", test.title, got)
		}
	}
}

func TestAbout(t *testing.T) {
	tests := []struct{ description, want string }{
		{"", "Shop, for the people who use it."},
		{"Orders of a shop. With much more.", "Orders of a shop."},
		{"# Welcome\n\nThe [API](https://x.example) of a **shop**, e.g. this one", "The API of a shop, e.g."},
		{"- a list\n- of things\n\n<p>Orders &amp; more</p>\n", "Orders &amp; more"},
		{"One line\nand the next: \"quoted\"\n\nAnother.", `One line and the next: "quoted"`},
	}
	for _, test := range tests {
		doc := document("Shop", test.description, `[]`, `{}`)
		cfg, _ := hold(t, write(t, doc), []byte(doc))
		if cfg.Product.About != test.want {
			t.Errorf("%q: %q, want %q", test.description, cfg.Product.About, test.want)
		}
	}
}

func TestBaseURL(t *testing.T) {
	tests := []struct {
		servers, given, want string
		guessed              bool
	}{
		{servers: `[{"url":"https://{region}.example.com/{v}","variables":{"region":{"default":"eu"},"v":{"default":"v2"}}}]`, want: "https://eu.example.com/v2"},
		{servers: `[{"url":"/api/"}]`, want: "http://127.0.0.1:3000/api", guessed: true},
		{servers: `[]`, want: "http://127.0.0.1:3000", guessed: true},
		{servers: `[{"url":"https://{host}/"}]`, want: "http://127.0.0.1:3000", guessed: true},
		{servers: `[{"url":"https://user:pass@api.example.com"}]`, want: "http://127.0.0.1:3000", guessed: true},
		{servers: `[{"url":"https://api.example.com"}]`, given: "http://10.0.0.7:9000/x/", want: "http://10.0.0.7:9000/x"},
	}
	for _, test := range tests {
		doc := document("Shop", "", test.servers, `{}`)
		d, err := scaffold.Write(t.Context(), scaffold.Options{Document: []byte(doc), DocumentPath: "openapi.json", BaseURL: test.given})
		if err != nil {
			t.Fatal(err)
		}
		cfg, _ := hold(t, d, []byte(doc))
		if d.BaseURL != test.want || d.Guessed != test.guessed || cfg.Sources["api"].BaseURL != test.want {
			t.Errorf("%s %s: %q, guessed %v", test.servers, test.given, d.BaseURL, d.Guessed)
		}
	}
	if _, err := scaffold.Write(t.Context(), scaffold.Options{Document: []byte(document("Shop", "", `[]`, `{}`)), BaseURL: "shop"}); err == nil || !strings.Contains(err.Error(), "--base-url") {
		t.Errorf("an address that is none: %v", err)
	}
}

func TestReadsAndWrites(t *testing.T) {
	doc := document("Shop", "", `[{"url":"https://api.example.com"}]`, `{
		"/loans": `+strings.TrimSuffix(get("getLoans", "List all the loans that are out: who has what.", ""), "}")+`,
			"post":{"operationId":"createLoan","tags":["loans"],"summary":"Lend\nsomething","responses":{"200":{"description":"ok"}}}},
		"/loans/{id}": `+get("getLoan", "One loan", `{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}`)+`,
		"/who": `+get("whoHasWhat", "Who has what", "")+`,
		"/unsaid": `+get("listOpenDays", "", "")+`,
		"/health": `+get("healthCheck", "Whether it is up", "")+`,
		"/old": {"get":{"operationId":"oldLoans","deprecated":true,"tags":["loans"],"responses":{"200":{"description":"ok"}}}},
		"/nameless": {"get":{"tags":["loans"],"summary":"Things without a name","responses":{"200":{"description":"ok"}}}}}`)
	d := write(t, doc)
	cfg, report := hold(t, d, []byte(doc))
	got := map[string]string{}
	for name, a := range cfg.Tools.Actions {
		got[name] = a.Operation + "|" + a.Summary + "|" + strings.Join(a.Asks["en"], ";")
	}
	want := map[string]string{
		"loans.list":           "api.getLoans|List all the loans that are out: who has what.|show loans that are out",
		"loans.get":            "api.getLoan|One loan|",
		"loans.who_has_what":   "api.whoHasWhat|Who has what|who has what",
		"loans.list_open_days": "api.listOpenDays|List open days.|show open days",
		"loans.get_nameless":   "api.GET /nameless|Things without a name|show things without a name",
	}
	if len(got) != len(want) {
		t.Errorf("actions %v", got)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	outline, err := check.Spec(t.Context(), []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range outline.Suggested {
		if _, same := cfg.Tools.Actions[a.Name]; !same && a.Operation != "api.healthCheck" && a.Operation != "api.oldLoans" {
			t.Errorf("check --spec calls %s %s, and the file does not", a.Operation, a.Name)
		}
	}
	if left := cfg.Sources["api"].LeaveOut; !slices.Equal(left, []string{"healthCheck"}) {
		t.Errorf("left out %v", left)
	}
	var starters []string
	for _, s := range cfg.Starters {
		starters = append(starters, s.Text.In("en"))
	}
	if !slices.Equal(starters, []string{"Show things without a name.", "Show loans that are out.", "Who has what?"}) {
		t.Errorf("starters %q", starters)
	}
	text := string(d.File)
	for _, part := range []string{
		"they are not offered until you name them:\n#   loans.create: POST /loans, Lend something\n",
		"# These 5 are described; 1 other GET of the document is offered too",
		"    loans.get: # GET /loans/{id}, needs id\n",
		"export SHOP_TOKEN_SECRET=$(openssl rand -base64 32)",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the file lacks %q:\n%s", part, text)
		}
	}
	if d.Reads != 6 || d.Writes != 1 || !strings.Contains(strings.Join(report.Lines, "\n"), "loans.create") {
		t.Errorf("%s\n%s", d, strings.Join(report.Lines, "\n"))
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	for doc, want := range map[string]string{
		"":                  "is empty",
		`{"openapi":"1.2"}`: "version",
		"[1, 2":             "neither JSON nor YAML",
		"just words":        "neither JSON nor YAML",
	} {
		_, err := scaffold.Write(t.Context(), scaffold.Options{Document: []byte(doc), DocumentPath: "openapi.json"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", doc, err, want)
		}
	}
}

func TestSwaggerDocument(t *testing.T) {
	doc := `{"swagger":"2.0","info":{"title":"Shop","version":"1"},"host":"shop.example","basePath":"/v2","schemes":["https"],"paths":{"/orders":{"get":{"operationId":"listOrders","responses":{"200":{"description":"ok"}}}}}}`
	cfg, _ := hold(t, write(t, doc), []byte(doc))
	if got := cfg.Sources["api"].BaseURL; got != "https://shop.example/v2" || len(cfg.Tools.Actions) != 1 {
		t.Errorf("base URL %q, actions %v", got, cfg.Tools.Actions)
	}
}

func TestYAMLDocument(t *testing.T) {
	doc := "openapi: 3.0.3\ninfo: {title: Shop API, version: '1'}\nservers: [{url: 'https://shop.example'}]\npaths:\n  /orders:\n    get:\n      operationId: listOrders\n      tags: [orders]\n      summary: Orders of today\n      responses: {'200': {description: ok}}\n"
	cfg, _ := hold(t, write(t, doc), []byte(doc))
	if a := cfg.Tools.Actions["orders.list"]; a.Operation != "api.listOrders" || a.Asks["en"][0] != "show orders of today" {
		t.Errorf("%+v", cfg.Tools.Actions)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
