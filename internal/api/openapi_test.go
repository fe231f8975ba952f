package api

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestDocument(t *testing.T) {
	b := serve(t, func(c *Config) {
		c.ContractShape = struct {
			Hash string `json:"hash"`
		}{}
	})
	a := b.do(t, "GET", "/openapi.json", "", "Authorization: ")
	if a.status != 200 || a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("testdata/openapi-3.1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	meta, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("meta.json", meta); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("meta.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("no OpenAPI document: %v", err)
	}
	if strings.Contains(a.body, "$schema") || strings.Contains(a.body, "omitempty") {
		t.Error("it tells what it should not")
	}

	s, err := build(testConfig(t, b.log), b.engine)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Security    []any
		}
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, methods := range got.Paths {
		told += len(methods)
	}
	routes := s.routes()
	if told != len(routes) {
		t.Errorf("%d operations for %d routes", told, len(routes))
	}
	for _, r := range routes {
		op, ok := got.Paths[r.path][strings.ToLower(r.method)]
		if !ok || op.OperationID != r.id || (len(op.Security) > 0) != (r.right != "") {
			t.Errorf("%s %s: %+v", r.method, r.path, op)
		}
	}
	// Each schema is one, with every reference found.
	if err := c.AddResource("doc.json", doc); err != nil {
		t.Fatal(err)
	}
	if len(got.Components.Schemas) < 10 {
		t.Errorf("only %d schemas", len(got.Components.Schemas))
	}
	for name := range got.Components.Schemas {
		if _, err := c.Compile("doc.json#/components/schemas/" + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDocumentAndReaderAgree validates bodies against the document's schema and reads them.
func TestDocumentAndReaderAgree(t *testing.T) {
	b := serve(t, nil)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(b.do(t, "GET", "/openapi.json", "").body))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("doc.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("doc.json#/components/schemas/MessageBody")
	if err != nil {
		t.Fatal(err)
	}
	for body, ok := range map[string]bool{
		`{"text":"a"}`:       true,
		`{"text":""}`:        false,
		`{}`:                 false,
		`{"text":"a","x":1}`: false,
		`{"text":"` + strings.Repeat("a", 100) + `"}`:                          true,
		`{"text":"` + strings.Repeat("a", 101) + `"}`:                          false,
		`{"text":"a","id":"x"}`:                                                false,
		`{"text":"a","id":"` + messageID + `"}`:                                true,
		`{"text":"a","engine":"guide"}`:                                        true,
		`{"text":"a","engine":"other"}`:                                        false,
		`{"text":"a","page":{"route":"/"}}`:                                    true,
		`{"text":"a","page":{"route":"/","x":1}}`:                              true,
		`{"text":"a","page":{}}`:                                               true,
		`{"text":"a","capabilities":["a"]}`:                                    true,
		`{"text":"a","capabilities":[1]}`:                                      false,
		`{"text":"a","capabilities":null}`:                                     false,
		`{"text":"a","queue":1}`:                                               false,
		`{"text":"a","launch":{"seed":{"any":[1]}}}`:                           true,
		`{"text":"a","page":{"route":"/","viewport":{"width":1,"height":-1}}}`: true,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != ok {
			t.Errorf("document on %.80s: %v", body, err)
		}
		a := b.do(t, "POST", messagesPath, body, "Accept: application/json")
		if (a.status == 200) != ok {
			t.Errorf("reader on %.80s: %d %s", body, a.status, a.body)
		}
	}
}
