package tool_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

const swagger = `{"swagger":"2.0","info":{"title":"Old","version":"1"},"host":"old.example","basePath":"/v2","schemes":["http"],
"produces":["application/json"],
"paths":{
 "/orders/{id}":{"parameters":[{"$ref":"#/parameters/ID"}],
  "get":{"operationId":"get","parameters":[
    {"name":"tags","in":"query","type":"array","items":{"type":"string"}},
    {"name":"also","in":"query","type":"array","collectionFormat":"multi","items":{"type":"string","enum":["x","y"]}},
    {"name":"piped","in":"query","type":"array","collectionFormat":"pipes","items":{"type":"integer"}}],
   "responses":{"200":{"description":"ok","schema":{"$ref":"#/definitions/Order"}}}},
  "put":{"operationId":"put","parameters":[{"name":"body","in":"body","required":true,"schema":{"$ref":"#/definitions/Order"}}],"responses":{"200":{"description":"ok"}}},
  "post":{"operationId":"form","consumes":["application/x-www-form-urlencoded"],"parameters":[{"name":"f","in":"formData","type":"file"}],"responses":{"200":{"description":"ok"}}}},
 "/tabs":{"get":{"operationId":"tabs","parameters":[{"name":"t","in":"query","type":"array","collectionFormat":"tsv","items":{"type":"string"}}],"responses":{"200":{"description":"ok"}}}},
 "/xml":{"get":{"operationId":"xml","produces":["application/xml"],"responses":{"200":{"description":"ok","schema":{"type":"string"}}}}}},
"parameters":{"ID":{"name":"id","in":"path","required":true,"type":"integer","minimum":1}},
"definitions":{"Order":{"type":"object","required":["item"],"properties":{"item":{"type":"string"},"state":{"type":"string","enum":["open"]}}}}}`

// TestSwagger imports a document of version 2.0: parameters with their schema beside them, a body among them, forms.
func TestSwagger(t *testing.T) {
	t.Parallel()
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.URL.String()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"item":"a cup","state":"open"}`)
	}))
	defer server.Close()
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "old", Document: []byte(swagger), BaseURL: server.URL + "/v2"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"old.get": `{"additionalProperties":false,"properties":{"also":{"items":{"enum":["x","y"],"type":"string"},"type":"array"},"id":{"minimum":1,"type":"integer"},` +
			`"piped":{"items":{"type":"integer"},"type":"array"},"tags":{"items":{"type":"string"},"type":"array"}},"required":["id"],"type":"object"}`,
		"old.put": `{"additionalProperties":false,"properties":{"id":{"minimum":1,"type":"integer"},"item":{"type":"string"},"state":{"enum":["open"],"type":"string"}},"required":["id","item"],"type":"object"}`,
	} {
		if d := r.Find(name); d == nil || string(d.Input) != want || d.Note != "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
	for name, want := range map[string]string{
		"old.form": "its body is application/x-www-form-urlencoded, and Steward sends JSON",
		"old.tabs": `its parameter "t" has the collectionFormat "tsv", which Steward does not write`,
		"old.xml":  "it answers with application/xml, and Steward reads JSON",
	} {
		if d := r.Find(name); d == nil || d.Note != want {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if a := source.About(); a.Form != "Swagger 2.0" || len(a.Servers) != 1 || a.Servers[0] != "http://old.example/v2" {
		t.Errorf("%+v", a)
	}
	result := tool.NewRunner(r, nil).Run(t.Context(), tool.Call{
		ID: "1", Tool: r.Find("old.get"), Credential: tool.Credential{Token: "t"},
		Input: json.RawMessage(`{"also":["x","y"],"id":7,"piped":[1,2],"tags":["a","b"]}`),
	}, tool.Fence{Mark: "k7m2p9qrstuvw"})
	if want := "/v2/orders/7?tags=a,b&also=x&also=y&piped=1%7C2"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	if want := `{"status":"read","data":{"item":"` + (tool.Fence{Mark: "k7m2p9qrstuvw"}).Text("a cup") + `","state":"open"}}`; result.Envelope != want {
		t.Errorf("%s, want %s", result.Envelope, want)
	}
}

// TestNamedByCall names operations that have no id of their own by method and path.
func TestNamedByCall(t *testing.T) {
	t.Parallel()
	document := `{"openapi":"3.2.0","paths":{"/a.json":{"get":{"operationId":"x"},"post":{}},"/b":{"get":{"operationId":"x"},"delete":{"operationId":"y"}}}}`
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{
		Name: "api", Document: []byte(document), BaseURL: "https://a.example", LeaveOut: []string{"DELETE /b"},
		Actions: map[string]config.Action{"things.list": {Operation: "api.GET /a.json", Summary: "All things."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := source.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range definitions {
		got = append(got, d.Name()+" = "+d.Operation)
	}
	if want := `["api.post_a_json = api.POST /a.json" "api.x = api.GET /b" "things.list = api.GET /a.json"]`; want != quoted(got) {
		t.Errorf("%s, want %s", quoted(got), want)
	}
}

func quoted(list []string) string { return fmt.Sprintf("%q", list) }
