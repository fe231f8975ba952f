package check_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/check"
)

const document = `{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{
"/orders":{"get":{"operationId":"listOrders","tags":["orders"],"summary":"Orders","parameters":[{"name":"q","in":"query","schema":{"type":"string"}}],
 "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}}}}}}},
 "post":{"operationId":"createOrder","tags":["orders"],"responses":{"201":{"description":"ok"}}}},
"/orders/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],
 "get":{"operationId":"getOrder","tags":["orders"],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}}}},
 "delete":{"operationId":"dropOrder","tags":["orders"],"responses":{"204":{"description":"gone"}}}},
"/token":{"get":{"operationId":"getToken","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"token":{"type":"string"},"api_key":{"type":"string"}}}}}}}}}
},"components":{"schemas":{"Order":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}}}}}`

const head = `product: {id: shop, name: Shop, about: A shop.}
locales: [en, he]
identity: {secret_env: SECRET, audience: steward, roles: {owner: [read, send], staff: [read], guest: []}}
sources: {api: {openapi: openapi.json, base_url: "https://api.example.com", authority: service}}
`

func run(t *testing.T, src string) check.Report {
	t.Helper()
	files := fstest.MapFS{"steward.yaml": {Data: []byte(src)}, "openapi.json": {Data: []byte(document)}}
	r, err := check.Run(t.Context(), check.Options{Files: files, Name: "steward.yaml", Env: func(name string) (string, bool) {
		return strings.Repeat("s", 40), name == "SECRET"
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFaults(t *testing.T) {
	t.Parallel()
	r := run(t, head+`entities:
  order: {search: orders.find, query: /q, items: /items, id: /id, label: /name}
  thing: {search: orders.list, query: /x, items: /rows, id: /id, label: /title}
tools:
  actions:
    orders.list:
      operation: api.listOrders
      roles: [guest]
      trusted: [/items/*/nope]
      table: {items: /items, columns: {Name: /nome}}
      progress: {en: Reading}
      asks: {en: ["orders like {q}", "orders of {who}"]}
    orders.get: {operation: api.getOrder, asks: {en: [that order]}}
    orders.gone: {operation: api.listOrder}
    orders.token: {operation: api.getToken}
    orders.drop:
      operation: api.dropOrder
      sentence: {en: "Drop {name}", he: "למחוק את {name}"}
      preview: {read: orders.get, input: {ident: /input/id}, name: [/title]}
      inverse: {tool: orders.undrop}
nav: [{path: /a, label: A}, {path: /a, label: B}]
`)
	want := `steward.yaml:6:11: entities.order.search: no tool is called orders.find
steward.yaml:7:32: entities.thing.query: x is no parameter of orders.list
steward.yaml:7:43: entities.thing.items: /rows leads to nothing in the result of api.listOrders
steward.yaml:7:57: entities.thing.id: /rows/*/id leads to nothing in the result of api.listOrders
steward.yaml:7:66: entities.thing.label: /rows/*/title leads to nothing in the result of api.listOrders
steward.yaml:12:15: tools.actions[orders.list].roles[0]: guest has no right to read, so it can never use this
steward.yaml:13:17: tools.actions[orders.list].trusted[0]: /items/*/nope leads to nothing in the result of api.listOrders
steward.yaml:14:30: tools.actions[orders.list].table.columns: /items/*/nome leads to nothing in the result of api.listOrders
steward.yaml:16:38: tools.actions[orders.list].asks.en[1]: {who} is no parameter of api.listOrders
steward.yaml:17:55: tools.actions[orders.get].asks.en[0]: lacks {id}, which api.getOrder cannot be called without
steward.yaml:18:19: tools.actions[orders.gone].operation: the document has no operation "listOrder"; did you mean listOrders?
steward.yaml:19:20: tools.actions[orders.token].operation: returns only what is never shown (secrets, tokens, or what omit names)
steward.yaml:23:35: tools.actions[orders.drop].preview.input: lacks id, which api.getOrder cannot be called without
steward.yaml:23:43: tools.actions[orders.drop].preview.input.ident: is no parameter of api.getOrder
steward.yaml:23:69: tools.actions[orders.drop].preview.name[0]: /title leads to nothing in the result of api.getOrder
steward.yaml:24:17: tools.actions[orders.drop].inverse.tool: no tool is called orders.undrop
steward.yaml:25:30: nav[1].path: /a stands at nav[0].path already`
	if got := r.Faults.Error(); got != want {
		t.Errorf("faults\n%s\nwant\n%s", got, want)
	}
	if got := r.Warnings.Error(); got != `steward.yaml:15:7: tools.actions[orders.list].progress: has no text in he
steward.yaml:16:7: tools.actions[orders.list].asks: has no text in he
steward.yaml:16:19: tools.actions[orders.list].asks.en[0]: {q} is free text, which the guide fills from no question, so this phrase never runs: a slot is a date, a time, a month, a number, true or false, one of an enum, or a name that entities looks up, as {q:order}
steward.yaml:17:43: tools.actions[orders.get].asks: has no text in he` {
		t.Errorf("warnings\n%s", got)
	}
	if !r.Failed() {
		t.Error("not failed")
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := run(t, head+"tools: {actions: {orders.drop: {operation: api.dropOrder, preview: {kind: Order}, sentence: {en: Drop it, he: למחוק}}, orders.token: {operation: api.getOrder, org_flag: beta}}}\n")
	var b strings.Builder
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"6 tools: 4 reads, 2 writes of which the file describes 1.",
		"Source api calls https://api.example.com by Steward's own signed statement: after a crash its reads go on by themselves.",
		"Model claude-sonnet-5 of anthropic, wire anthropic, effort medium: no key is set, so it is not asked; any of these switches one on: ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY.\n",
		"Role owner: 3 actions in 3 tools, one tool an action, strict, ",
		"Role owner with beta: 4 actions in 4 tools",
		"Role staff: ",
		"  orders.create (api.createOrder)\n",
		"  orders.drop (api.dropOrder): described, but changes are not in this version\n",
		"No faults.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "Role guest") || r.Failed() {
		t.Error(b.String())
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"":             "steward.yaml: is empty\n1 fault.\n",
		"product: [\n": "steward.yaml:1:10: ",
		strings.ReplaceAll(head, "openapi.json", "steward.yaml"): "steward.yaml:4:17: sources.api.openapi: the document has no \"openapi\"",
	} {
		r := run(t, src)
		var b strings.Builder
		if _, err := r.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), want) || !r.Failed() {
			t.Errorf("%q: %s", src, b.String())
		}
	}
}

// TestGym checks the example's own file, and prints what it makes.
func TestGym(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../../examples/gym/steward.yaml"); err != nil {
		t.Skip("the example is not here")
	}
	r, err := check.Run(t.Context(), check.Options{Files: config.Dir("../../examples/gym"), Name: "steward.yaml", Env: func(name string) (string, bool) {
		v, ok := map[string]string{"GYM_TOKEN_SECRET": strings.Repeat("s", 40), "GYM_URL": "http://127.0.0.1:8080"}[name]
		return v, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
	for _, w := range r.Warnings { // its searches for words have such phrases, and are rightly warned of
		if !strings.Contains(w.Message, "is free text") {
			t.Error(w)
		}
	}
	if r.Failed() {
		t.Error("the example has faults")
	}
}
