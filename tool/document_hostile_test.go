package tool_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/steward-assistant/steward/tool"
)

func read(t *testing.T, document, baseURL string) *tool.OpenAPI {
	t.Helper()
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: []byte(document), BaseURL: baseURL})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// TestNestedYAML holds that a document which nests as deeply as it is long is refused before it is parsed: the parser takes
// memory with the square of the depth. It must not run beside others, whose memory would count.
func TestNestedYAML(t *testing.T) { //nolint:paralleltest // see above
	const depth = 20_000
	var lines strings.Builder
	for i := range 2000 {
		lines.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, test := range map[string]struct{ document, want string }{
		"brackets":    {"a: " + strings.Repeat("{a: ", depth) + strings.Repeat("}", depth), "the document nests too deeply: line 1"},
		"never ended": {"a:\n  b: " + strings.Repeat("[", depth), "the document nests too deeply: line 2"},
		"dashes":      {strings.Repeat("- ", depth) + "x", "the document nests too deeply: line 1"},
		"keys":        {strings.Repeat("? ", depth) + "x", "the document nests too deeply: line 1"},
		"indentation": {lines.String(), "the document nests too deeply: line 201"},
		"long keys":   {longKeys(), "the document's keys are too long to nest that deeply: line "},
		"a long line": {"a: '" + strings.Repeat("b", 1<<20) + "'", "the document has a line of more than 1 MB; convert it to JSON: line 1"},
		"a key twice": {"openapi: 3.0.0\npaths: {}\npaths: {}\n", "the document has a key twice in one object: line 3"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: []byte(test.document), BaseURL: "https://a.example"})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %.200v, want %q", name, err, test.want)
		}
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 150 {
			t.Errorf("%s: took %d MB", name, used)
		}
	}
	flat := "openapi: 3.0.0\npaths: {}\nx-text: |\n" + strings.Repeat("  [{ - - - {[\n", 1000) + "x-list:\n" + strings.Repeat("- [{a: 1}]\n- b: 'x: {{{{'\n  c: 1\n", 1000)
	if found := read(t, flat, "https://a.example").Findings(); len(found) != 0 {
		t.Error(found)
	}
}

// longKeys is a key of half a megabyte with a thousand keys below it.
func longKeys() string {
	var b strings.Builder
	b.WriteString(strings.Repeat("k", 1<<19) + ":\n")
	for i := range 2000 {
		fmt.Fprintf(&b, " a%d: 1\n", i)
	}
	return b.String()
}

// TestLongDocuments reads what is long rather than deep in time that grows with the length: a square of it would be minutes.
func TestLongDocuments(t *testing.T) {
	t.Parallel()
	const response = `"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/S0"}}}}}`
	body := `{"openapi":"3.1.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/S0"}}}}},` + response + `}}},"components":{"schemas":{"S20000":{"type":"string"}`
	var chain, nested, parts, ring, same strings.Builder
	for _, b := range []*strings.Builder{&chain, &nested, &parts, &ring} {
		b.WriteString(body)
	}
	same.WriteString(`{"openapi":"3.1.0","paths":{"/":{}`)
	for i := range 20_000 {
		to := fmt.Sprintf(`{"$ref":"#/components/schemas/S%d"}`, i+1)
		fmt.Fprintf(&chain, `,"S%d":%s`, i, to)
		fmt.Fprintf(&nested, `,"S%d":{"properties":{"a":%s}}`, i, to)
		fmt.Fprintf(&parts, `,"S%d":{"allOf":[%s]}`, i, to)
		fmt.Fprintf(&ring, `,"S%d":{"properties":{"a":%s,"b":{"$ref":"#/components/schemas/S%d"}}}`, i, to, i*7%20_000)
		fmt.Fprintf(&same, `,"/a%d":{"get":{"operationId":"same",%s}}`, i, strings.Replace(response, `"$ref":"#/components/schemas/S0"`, "", 1))
	}
	cut := "its input leads to more than 1000 schemas; anything is taken to stand in the others"
	for name, test := range map[string]struct{ document, want string }{
		"references": {chain.String() + "}}}", `refers to "#/components/schemas/S0", which leads through more than 16 references, or in a circle; anything is taken to stand there (and in one more place)`},
		"properties": {nested.String() + "}}}", cut},
		"allOf":      {parts.String() + "}}}", cut},
		"a ring":     {ring.String() + "}}}", cut},
		"one id":     {same.String() + "}}", `has the operationId "same" of GET /a0; both are called by method and path`},
	} {
		begin := time.Now()
		source := read(t, test.document, "https://a.example")
		registry, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if !slices.ContainsFunc(source.Findings(), func(f tool.Finding) bool { return f.Reason == test.want }) {
			t.Errorf("%s: %.500v", name, source.Findings())
		}
		for _, d := range registry.All() {
			if len(d.Input) > 200_000 || strings.Count(string(d.Input), "{") > 10_000 {
				t.Errorf("%s: %d bytes", name, len(d.Input))
			}
		}
	}
}

// TestReservedParameters holds that what could make another request of a read, or another person of the member, is never an
// argument.
func TestReservedParameters(t *testing.T) {
	t.Parallel()
	const control = "it tells servers what a request is and whose, which is not the model's to say"
	const credential = "it is a credential, which is not the model's to give"
	const method = "it can make another method of a request, which is not the model's to say"
	for _, test := range []struct{ in, name, why string }{
		{"header", "X-HTTP-Method", control},
		{"header", "X-HTTP-Method-Override", control},
		{"header", "x_http_method_override", control},
		{"header", "X-Method-Override", control},
		{"header", "X-Original-URL", control},
		{"header", "X-Rewrite-URL", control},
		{"header", "X-Forwarded-User", control},
		{"header", "X-Real-IP", control},
		{"header", "Forwarded", control},
		{"header", "Via", control},
		{"header", "HOST", control},
		{"header", "Cookie", control},
		{"header", "Proxy-Authorization", control},
		{"header", "Content-Length", control},
		{"header", "Transfer-Encoding", control},
		{"header", "Connection", control},
		{"header", "TE", control},
		{"header", "Upgrade", control},
		{"header", "Expect", control},
		{"header", "Origin", control},
		{"header", "Referer", control},
		{"header", "Impersonate-User", control},
		{"header", "X-CSRF-Token", credential},
		{"header", "X-XSRF-TOKEN", credential},
		{"header", "X-Api-Key", credential},
		{"header", "X-Shop-Access-Token", credential},
		{"header", "X-Auth-Token", credential},
		{"query", "_method", method},
		{"query", "_METHOD[]", method},
		{"query", "$method", method},
		{"query", "X-HTTP-Method-Override", method},
		{"query", "access_token", credential},
		{"query", "api_key", credential},
		{"header", "Authorization", "Steward sets it itself"},
		{"header", "Accept", "Steward sets it itself"},
		{"header", "X-Request-Source", ""},
		{"header", "If-Match", ""},
		{"header", "Prefer", ""},
		{"query", "method", ""},
		{"query", "payment_method", ""},
		{"query", "origin", ""},
		{"query", "session_id", ""},
		{"query", "page_token", ""},
	} {
		kind := strings.Replace(test.in, "query", "query parameter", 1)
		for _, required := range []bool{false, true} {
			document := fmt.Sprintf(`{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"a","parameters":[{"name":%q,"in":%q,"required":%v,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok"}}}}}}`, test.name, test.in, required)
			source := read(t, document, "https://a.example")
			definitions, err := source.Definitions(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			note, reason := "", ""
			switch own := strings.HasPrefix(test.why, "Steward"); {
			case test.why == "":
			case required && !own:
				note = fmt.Sprintf("it needs the %s %q, which is left out: %s", kind, test.name, test.why)
				reason = note
			default:
				reason = fmt.Sprintf("its %s %q is left out: %s", kind, test.name, test.why)
			}
			if d := definitions[0]; d.Note != note || strings.Contains(string(d.Input), `"string"`) != (test.why == "") {
				t.Errorf("%s %s: %q, %s", test.in, test.name, d.Note, d.Input)
			}
			var got []string
			for _, f := range source.Findings() {
				if f.Pointer != "/paths/~1a/get/parameters/0" || f.Operation != "GET /a" || f.Lost != (note != "") {
					t.Errorf("%s %s: %+v", test.in, test.name, f)
				}
				got = append(got, f.Reason)
			}
			if strings.Join(got, "\n") != reason {
				t.Errorf("%s %s: %q, want %q", test.in, test.name, got, reason)
			}
		}
	}
}

const openQuery = `{"openapi":"3.0.0","paths":{"/items/{id}":{"get":{"operationId":"get","parameters":[
	{"name":"id","in":"path","required":true,"schema":{"type":"string"}},
	{"name":"X-Tenant","in":"header","schema":{"type":"string"}},
	{"name":"org_id","in":"query","schema":{"type":"string","enum":["mine"]}},
	{"name":"filter","in":"query","schema":{"type":"object"}},
	{"name":"more","in":"query","schema":{"type":"object"}},
	{"name":"flat","in":"query","explode":false,"schema":{"type":"object"}},
	{"name":"deep","in":"query","style":"deepObject","schema":{"type":"object"}}],
	"responses":{"200":{"description":"ok"}}}},
"/x/{a}{b}":{"get":{"operationId":"joined","parameters":[
	{"name":"a","in":"path","required":true,"schema":{"type":"string"}},{"name":"b","in":"path","required":true,"schema":{"type":"string"}}],
	"responses":{"200":{"description":"ok"}}}},
"/y":{"post":{"operationId":"send","requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}},"responses":{"200":{"description":"ok"}}}}}}`

// TestArgumentsStayInTheirPlace holds that no argument is read as another one, nor two of them as a step in the path.
func TestArgumentsStayInTheirPlace(t *testing.T) {
	t.Parallel()
	asked := ""
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.RequestURI()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
	}))
	t.Cleanup(host.Close)
	source := read(t, openQuery, host.URL)
	definitions, err := source.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	call := func(ctx context.Context, operation, input string) string {
		asked = ""
		for _, d := range definitions {
			if d.Operation != "api."+operation {
				continue
			}
			r, err := source.Run(ctx, tool.Call{ID: "1", Tool: &d, Input: []byte(input), Credential: tool.Credential{Token: "t"}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Reason != "" {
				return r.Reason
			}
		}
		return asked
	}
	const plain = `must be an id, not a step in a path`
	for _, test := range []struct{ operation, input, want string }{
		{"get", `{"id":"1","filter":{"a&b":"c&d=1"},"flat":{"x":1,"y":"a,b"},"deep":{"org_id":2}}`, "/items/1?a%26b=c%26d%3D1&flat=x,1,y,a%2Cb&deep%5Borg_id%5D=2"},
		{"get", `{"id":"1","filter":{"org_id":"other"}}`, `/filter/org_id: must not have the name of the argument "org_id"`},
		{"get", `{"id":"1","filter":{"ORG_ID":"other"}}`, `/filter/ORG_ID: must not have the name of the argument "org_id"`},
		{"get", `{"id":"1","filter":{"org_id[]":"other"}}`, `/filter/org_id[]: must not have the name of the argument "org_id"`},
		{"get", `{"id":"1","filter":{"org.id":"other"}}`, `/filter/org.id: must not have the name of the argument "org_id"`},
		{"get", `{"id":"1","filter":{"id":"2"}}`, `/filter/id: must not have the name of the argument "id"`},
		{"get", `{"id":"1","filter":{"x-tenant":"2"}}`, `/filter/x-tenant: must not have the name of the argument "X-Tenant"`},
		{"get", `{"id":"1","filter":{"deep[org]":"2"}}`, `/filter/deep[org]: must not have the name of the argument "deep"`},
		{"get", `{"id":"1","filter":{"a":1},"more":{"a":2}}`, `/more/a: must not have the name of the argument "filter"`},
		{"get", `{"id":"1","filter":{"_method":"DELETE"}}`, `/filter/_method: must be left out: it can make another method of a request, which is not the model's to say`},
		{"get", `{"id":"1","filter":{"":"x"}}`, `/filter/: must have a name`},
		{"get", `{"id":"1","deep":{"a][org_id":"x"}}`, `/deep/a][org_id: must not have brackets in its name`},
		{"joined", `{"a":"%4","b":"1"}`, "/x/%2541"},
		{"joined", `{"a":"%2","b":"e"}`, `/a and /b: put into "{a}{b}" it ` + plain},
		{"joined", `{"a":"a%","b":"2"}`, "/x/a%252"},
		{"joined", `{"a":"%2","b":"e%2e"}`, `/a and /b: put into "{a}{b}" it ` + plain},
		{"joined", `{"a":"%2","b":"fadmin"}`, `/a and /b: put into "{a}{b}" it must not hold a slash`},
		{"joined", `{"a":"x%0","b":"a"}`, `/a and /b: put into "{a}{b}" it must not hold control characters`},
		{"send", `{"body":{"_method":"DELETE"}}`, `/body/_method: must be left out: it can make another method of a request`},
	} {
		if got := call(t.Context(), test.operation, test.input); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.operation, test.input, got, test.want)
		}
	}
}

// TestOddPaths holds that paths which are not, and keys which hide others, are told of; and that nothing of a document
// reaches a terminal that would act on it.
func TestOddPaths(t *testing.T) {
	t.Parallel()
	const ok = `"responses":{"200":{"description":"ok"}}`
	for _, test := range []struct {
		document string
		want     []string
	}{
		{`{"openapi":"3.0.0","paths":[]}`, []string{`1 /paths  true there are no paths to read operations from: it must be an object, as {"/orders": {"get": …}}`}},
		{`{"openapi":"3.0.0"}`, []string{`0 /paths  true there are no paths to read operations from: it must be an object, as {"/orders": {"get": …}}`}},
		{`{"openapi":"3.0.0","paths":{}}`, nil},
		{
			"{\"openapi\":\"3.0.0\",\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\"," + ok + "}},\n\"/a\":{\"post\":{\"operationId\":\"b: \\\" : \\\\\"}}}}",
			[]string{`2 /paths/~1a  true this key stands more than once in its object, and only the last one counts; put what they hold under one key`},
		},
		{`{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"x\u001b[31m",` + ok + `}}}}`, []string{`1 /paths/~1a/get/operationId GET /a false its operationId has characters that are not shown; it is called by method and path`}},
		{`{"openapi":"3.0.0","paths":{"/a\u001b]0;x\u0007\r\n":{"get":{"operationId":"x",` + ok + `}}}}`, []string{"1 /paths/~1a\x1b]0;x\a\r\n /a]0;x true its operations are not read: its path has characters that are not shown"}},
		{`{"openapi":"3.0.0","paths":{"/a/%2e%2E/b":{"get":{` + ok + `}}}}`, []string{`1 /paths/~1a~1%2e%2E~1b/get GET /a/%2e%2E/b true a part of its path must be an id, not a step in a path`}},
		{`{"openapi":"3.0.0","paths":{"/a/{b":{"get":{` + ok + `}}}}`, []string{`1 /paths/~1a~1{b/get GET /a/{b true its path has a brace without its other one`}},
		{
			`{"openapi":"3.0.0","paths":{"/a":{"get":{"parameters":[{"$ref":"#/components/parameters/p"}],` + ok + `}}},"components":{"parameters":{"p":{"$ref":"#/components/parameters/q"},"q":{"$ref":"#/components/parameters/p"}}}}`,
			[]string{
				`1 /components/parameters/q  false refers to "#/components/parameters/p", which leads through more than 16 references, or in a circle; anything is taken to stand there (and in one more place)`,
				`1 /paths/~1a/get/parameters/0 GET /a true one of its parameters refers to "#/components/parameters/p", which leads through more than 16 references, or in a circle`,
			},
		},
	} {
		if got := findings(read(t, test.document, "https://a.example"), []byte(test.document)); !slices.Equal(got, test.want) {
			t.Errorf("%s\n%q\nwant\n%q", test.document, got, test.want)
		}
	}
}
