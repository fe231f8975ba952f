package tool_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/tool"
)

const oddDocument = `openapi: 3.0.3
info: {title: Odd, version: 1.10}
servers: [{url: https://odd.example/v1}]
paths:
  /orders:
    get:
      operationId: list
      parameters:
        - $ref: 'parts.yaml#/Page'
      responses: {200: {description: ok}}
    head: {responses: {}}
    post:
      operationId: upload
      requestBody: {content: {multipart/form-data: {schema: {type: object}}}}
      responses: {201: {description: made}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, style: matrix, schema: {type: string}}]
    get:
      operationId: one
      responses: {200: {description: ok}}
  /label:
    get:
      operationId: label
      responses: {200: {description: a picture, content: {image/png: {}}}}
  /paid:
    get:
      operationId: paid
      responses: {204: {description: yes}, 404: {description: no}}
  /file:
    get:
      operationId: file
      responses: {302: {description: there}}
  /a: {get: {operationId: same, responses: {200: {description: ok, content: {'*/*': {schema: {$ref: '#/components/schemas/Gone'}}}}}}}
  /b: {get: {operationId: same, responses: {200: {description: ok, content: {'*/*': {schema: {$ref: '#/components/schemas/Gone'}}}}}}}
  /elsewhere: {$ref: 'other.yaml'}
  /nothing: null
webhooks: {paid: {post: {}}}
`

// TestFindings holds that what cannot be imported is named with its place, its line and the reason.
func TestFindings(t *testing.T) {
	t.Parallel()
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: []byte(oddDocument), BaseURL: "https://a.example"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`33 /paths/~1a/get/responses/200/content/*~1*/schema  false refers to "#/components/schemas/Gone", which is not in the document; anything is taken to stand there (and in one more place)`,
		`34 /paths/~1b/get/operationId GET /b false has the operationId "same" of GET /a; both are called by method and path`,
		`35 /paths/~1elsewhere /elsewhere true its operations are not read: it refers to "other.yaml", which is another document; bundle them into one`,
		`32 /paths/~1file/get/responses GET /file true it answers with a redirect (HTTP 302), which is not followed`,
		`24 /paths/~1label/get/responses GET /label true it answers with image/png, and Steward reads JSON`,
		`36 /paths/~1nothing /nothing true its operations are not read: it is no object`,
		`9 /paths/~1orders/get/parameters/0 GET /orders true one of its parameters refers to "parts.yaml#/Page", which is another document; bundle them into one`,
		`11 /paths/~1orders/head HEAD /orders true HEAD is not read: a tool asks with GET or changes something`,
		`14 /paths/~1orders/post/requestBody POST /orders true its body is multipart/form-data, and Steward sends JSON`,
		`17 /paths/~1orders~1{id}/parameters/0 GET /orders/{id} true its parameter "id" has the style "matrix", which Steward does not write`,
		`28 /paths/~1paid/get/responses GET /paid true it answers with nothing (HTTP 204), so there is nothing to read`,
		`37 /webhooks  true webhooks are not read: they are calls that the product makes`,
	}
	if got := findings(source, []byte(oddDocument)); !slices.Equal(got, want) {
		t.Errorf("found\n%s", strings.Join(got, "\n"))
	}
	about := source.About()
	if about.Title != "Odd" || about.Version != "1.10" || about.Form != "OpenAPI 3.0.3" || !slices.Equal(about.Servers, []string{"https://odd.example/v1"}) {
		t.Errorf("%+v", about)
	}
}

func findings(source *tool.OpenAPI, document []byte) []string {
	var pointers, out []string
	for _, f := range source.Findings() {
		pointers = append(pointers, f.Pointer)
	}
	lines := tool.Lines(document, pointers)
	for i, f := range source.Findings() {
		out = append(out, fmt.Sprintf("%d %s %s %v %s", lines[i], f.Pointer, f.Operation, f.Lost, f.Reason))
	}
	return out
}

func TestLines(t *testing.T) {
	t.Parallel()
	asJSON := "{\n \"a\": {\"x\": 1,\n  \"b~/c\": [\n 1,\n\n 2]},\n \"d\":\n {}}"
	asYAML := "a:\n  x: 1\n  b~/c:\n  - 1\n\n  - 2\nd: {}\n"
	pointers := []string{"/a", "/a/b~0~1c/1", "/d", "/none", "/a/b~0~1c/7", ""}
	for document, want := range map[string][]int{asJSON: {2, 6, 8, 0, 0, 1}, asYAML: {1, 6, 7, 0, 0, 1}, "": {0, 0, 0, 0, 0, 0}, "{": {0, 0, 0, 0, 0, 1}} {
		if got := tool.Lines([]byte(document), pointers); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", document, got, want)
		}
	}
}

// TestDocumentsThatSwell imports documents of a few lines that would be billions when they were written out.
func TestDocumentsThatSwell(t *testing.T) {
	t.Parallel()
	var yaml, refs, all strings.Builder
	yaml.WriteString("openapi: 3.1.0\nx-0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	refs.WriteString(`{"openapi":"3.1.0","paths":{"/a":{"get":{"parameters":[{"name":"q","in":"query","schema":{"$ref":"#/components/schemas/S40"}}],` +
		`"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/S40"}}}}}}}},"components":{"schemas":{"S0":{"type":"string"}`)
	all.WriteString(refs.String())
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&refs, `,"S%d":{"properties":{"a":{"$ref":"#/components/schemas/S%d"},"b":{"$ref":"#/components/schemas/S%d"}}}`, i, i-1, i-1)
		fmt.Fprintf(&all, `,"S%d":{"allOf":[{"$ref":"#/components/schemas/S%d"},{"$ref":"#/components/schemas/S%d"}]}`, i, i-1, i-1)
		if i < 12 {
			fmt.Fprintf(&yaml, "x-%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
		}
	}
	refs.WriteString("}}}")
	all.WriteString("}}}")
	deep := strings.Repeat(`{"properties":{"a":`, 3000) + `{}` + strings.Repeat("}}", 3000)
	for name, test := range map[string]struct{ document, want string }{
		"YAML aliases":    {yaml.String(), "aliases make it too large"},
		"references":      {refs.String(), ""},
		"allOf":           {all.String(), ""},
		"deep":            {`{"openapi":"3.1.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":` + deep + `}}}}}}}`, ""},
		"deep YAML":       {"openapi: " + strings.Repeat("[", 400) + strings.Repeat("]", 400), "nests too deeply"},
		"an alias within": {"openapi: &a [*a]", "an anchor that it has not"},
		"a circle":        {`{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/paths/~1a"}}}`, ""},
	} {
		source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: []byte(test.document), BaseURL: "https://a.example"})
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", name, err, test.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		definitions, err := source.Definitions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range definitions {
			if len(d.Input) > 100_000 {
				t.Errorf("%s: the input of %s has %d bytes", name, d.Name(), len(d.Input))
			}
		}
	}
}
