package check_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/steward-assistant/steward/internal/check"
)

const libraryDocument = `{"openapi":"3.1.0","info":{"title":"Library","version":"1"},"paths":{
"/tools":{"get":{"operationId":"listTools","tags":["tools"],"parameters":[{"name":"q","in":"query","schema":{"type":"string"}},
  {"name":"kind","in":"query","schema":{"enum":["garden","power"]}},{"name":"day","in":"query","schema":{"type":"string","format":"date"}}],
 "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Tool"}}}}}}}},
"/loans":{"get":{"operationId":"listLoans","tags":["loans"],
 "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{
  "loans":{"type":"array","items":{"$ref":"#/components/schemas/Tool"}},"total":{"type":"integer"}}}}}}}}},
"/tools/{id}":{"get":{"operationId":"getTool","tags":["tools"],"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],
 "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Tool"}}}}}}},
"/raw":{"get":{"operationId":"getRaw","tags":["raw"],"responses":{"200":{"description":"ok"}}}}
},"components":{"schemas":{"Tool":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}}}}}`

const libraryHead = `product: {id: library, name: Library, about: A library.}
identity: {secret_env: SECRET, audience: steward, roles: {member: [read, send]}}
sources: {api: {openapi: openapi.json, base_url: "https://api.example.com"}}
`

// library checks a file beside [libraryDocument].
func library(t *testing.T, src string) check.Report {
	t.Helper()
	files := fstest.MapFS{"steward.yaml": {Data: []byte(libraryHead + src)}, "openapi.json": {Data: []byte(libraryDocument)}}
	r, err := check.Run(t.Context(), check.Options{Files: files, Name: "steward.yaml", Env: func(name string) (string, bool) {
		return strings.Repeat("s", 40), name == "SECRET"
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestResultIsTheList has results that are lists themselves, as many frameworks answer.
func TestResultIsTheList(t *testing.T) {
	t.Parallel()
	const entity = "entities: {tool: {search: tools.list, query: /q, %id: /id, label: /name}}\ntools:\n  actions:\n"
	for name, c := range map[string]struct{ src, want string }{
		"left out": {"tools: {actions: {tools.list: {operation: api.listTools, table: {columns: {Name: /name}}}}}", ""},
		"empty":    {`tools: {actions: {tools.list: {operation: api.listTools, table: {items: "", columns: {Name: /name}}}}}`, ""},
		"undescribed": {
			"tools: {actions: {raw.get: {operation: api.getRaw, table: {columns: {Name: /name}}}}}", "",
		},
		"no such column": {
			"tools: {actions: {tools.list: {operation: api.listTools, table: {columns: {Name: /nome}}}}}",
			"steward.yaml:4:66: tools.actions[tools.list].table.columns: /*/nome leads to nothing in the result of api.listTools",
		},
		"missing": {
			"tools: {actions: {loans.list: {operation: api.listLoans, table: {columns: {Name: /name}}}}}",
			"steward.yaml:4:58: tools.actions[loans.list].table.items: is missing: the result of api.listLoans is no list itself, so this must point at the list in it, as /loans",
		},
		"no list in it": {
			"tools: {actions: {tools.get: {operation: api.getTool, table: {columns: {Name: /name}}}}}",
			"steward.yaml:4:55: tools.actions[tools.get].table.items: is missing: the result of api.getTool is no list itself, so this must point at the list in it",
		},
		"not the list": {
			"tools: {actions: {loans.list: {operation: api.listLoans, table: {items: /total, columns: {Name: /name}}}}}",
			"steward.yaml:4:66: tools.actions[loans.list].table.items: /total is no list in the result of api.listLoans: this must point at one, as /loans",
		},
		"entity": {strings.Replace(entity, "%", "", 1) + "    tools.list: {operation: api.listTools}", ""},
		"entity, key missing": {
			strings.Replace(entity, "%id: /id, ", "", 1) + "    tools.list: {operation: api.listTools}",
			"steward.yaml:4:12: entities.tool.id: is missing: it must be a JSON Pointer such as /id",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := library(t, c.src).Faults.Error(); got != c.want && !strings.HasPrefix(got, c.want+"\n") || c.want == "" && got != "" {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// TestPhraseNoQuestionRuns warns of a slot that is free text, and of no other.
func TestPhraseNoQuestionRuns(t *testing.T) {
	t.Parallel()
	r := library(t, `entities: {tool: {search: tools.list, query: /q, id: /id, label: /name}}
tools:
  actions:
    tools.get:
      operation: api.getTool
      asks: {en: ["tool {id:tool}", "tool number {id}"]}
    tools.list:
      operation: api.listTools
      asks: {en: ["tools like {q}", "{kind} tools of {day}"]}
`)
	want := `steward.yaml:9:37: tools.actions[tools.get].asks.en[1]: {id} is free text, which the guide fills from no question, so this phrase never runs: ` +
		`a slot is a date, a time, a month, a number, true or false, one of an enum, or a name that entities looks up, as {id:tool}`
	if got := r.Warnings.Error(); got != want || r.Failed() {
		t.Errorf("%s\nwant %s\n%s", got, want, r.Faults)
	}
}

// TestToldOnce has an address that is none: the file is told of it, and its source not once more.
func TestToldOnce(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"steward.yaml": {Data: []byte(strings.Replace(libraryHead, "https://api.example.com", "api.example.com", 1) + "tools: {actions: {a.b: {operation: api.listTool}}}\n")},
		"openapi.json": {Data: []byte(libraryDocument)},
	}
	r, err := check.Run(t.Context(), check.Options{Files: files, Name: "steward.yaml", Env: func(name string) (string, bool) {
		return strings.Repeat("s", 40), name == "SECRET"
	}})
	want := `steward.yaml:3:40: sources.api.base_url: must be an address such as https://api.example.com
steward.yaml:4:25: tools.actions[a.b].operation: the document has no operation "listTool"; did you mean listTools?`
	if got := r.Faults.Error(); err != nil || got != want {
		t.Errorf("%v\n%s\nwant %s", err, got, want)
	}
}
