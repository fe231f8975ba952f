package config_test

import (
	"encoding/json"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/steward-assistant/steward/config"
)

// TestFieldDocs holds fielddocs.json against the comments of the fields, all of which must have one.
func TestFieldDocs(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	docs := map[string]string{}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, entry.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			last := ""
			for _, f := range fields.Fields.List {
				if f.Tag == nil || strings.Contains(f.Tag.Value, `"-"`) {
					continue
				}
				if text := plain(f.Doc.Text()); text != "" {
					last = text
				}
				for _, name := range f.Names {
					if last == "" {
						t.Errorf("%s.%s has no comment", spec.Name, name)
					}
					docs[spec.Name.Name+"."+name.Name] = last
				}
			}
			return true
		})
	}
	if *update {
		b, err := json.MarshalIndent(docs, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("fielddocs.json", append(b, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile("fielddocs.json")
	if err != nil {
		t.Fatal(err)
	}
	var stored map[string]string
	if err := json.Unmarshal(b, &stored); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(stored, docs) {
		t.Error("fielddocs.json is stale: run go test ./config -update")
	}
}

func plain(doc string) string {
	var p comment.Parser
	return strings.Join(strings.Fields(string((&comment.Printer{}).Text(p.Parse(doc)))), " ")
}

// TestSchema holds the schema against a file that is right and one that is not.
func TestSchema(t *testing.T) {
	t.Parallel()
	raw, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	again, err := config.Schema()
	if err != nil || string(again) != string(raw) {
		t.Fatal("the schema differs from one call to the next", err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("steward", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("steward")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		file string
		ok   bool
	}{{"testdata/whole-and-right.txt", true}, {"testdata/unknown-and-duplicate-keys.txt", false}, {"testdata/wrong-kinds.txt", false}, {"../examples/gym/steward.yaml", true}} {
		b, err := os.ReadFile(test.file)
		if err != nil {
			t.Logf("%s is not here", test.file)
			continue
		}
		src, _, _ := strings.Cut(string(b), separator)
		var v any
		if err := yaml.UnmarshalWithOptions([]byte(src), &v, yaml.AllowDuplicateMapKey()); err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(string(asJSON)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.file, err)
		}
	}
}
