package gym

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// answers validates responses against the document's schemas.
type answers struct {
	mu       sync.Mutex // of the compiler, which keeps what it has read
	compiler *jsonschema.Compiler
	document map[string]any
}

func readAnswers(t *testing.T) *answers {
	t.Helper()
	raw, err := Files.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource("mem:///openapi.json", document); err != nil {
		t.Fatal(err)
	}
	object, _ := document.(map[string]any)
	return &answers{compiler: compiler, document: object}
}

// check holds an answer to the schema that the document has for its status.
func (a *answers) check(op *operation, status int, body []byte) error {
	pointer := "#/components/schemas/Problem"
	if status < 400 {
		escaped := strings.ReplaceAll(op.path, "/", "~1")
		escaped = strings.NewReplacer("{", "%7B", "}", "%7D").Replace(escaped)
		pointer = fmt.Sprintf("#/paths/%s/%s/responses/%d/content/application~1json/schema", escaped, strings.ToLower(op.method), status)
	}
	a.mu.Lock()
	schema, err := a.compiler.Compile("mem:///openapi.json" + pointer)
	a.mu.Unlock()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// sampleLists are where paths that need an id find one.
var sampleLists = map[string]string{
	"members": "/api/members", "bookings": "/api/bookings", "class-sessions": "/api/class-sessions/next", "class-types": "/api/class-types", "daily-programming": "/api/daily-programming",
	"workouts": "/api/workouts", "programs": "/api/programs", "program-templates": "/api/program-templates", "assignments": "/api/assignments?status=active",
	"memberships": "/api/memberships?status=active", "leads": "/api/leads", "tasks": "/api/tasks", "forms": "/api/forms?kind=lead&status=open", "automations": "/api/automations", "threads": "/api/threads",
	"announcements": "/api/announcements?status=draft", "help": "/api/help",
}

func (tg *testGym) sample(t *testing.T, path, token string) string {
	t.Helper()
	if !strings.Contains(path, "{") {
		return path
	}
	if strings.Contains(path, "form-answers") {
		form := item(t, tg.get(t, "/api/forms?kind=lead&status=open", token), "items", 0, "id")
		for _, answer := range tg.get(t, fmt.Sprintf("/api/forms/%v/answers", form), token)["items"].([]any) {
			if item(t, answer, "lead") == nil {
				return strings.ReplaceAll(path, "{id}", fmt.Sprint(item(t, answer, "id")))
			}
		}
	}
	first := item(t, tg.get(t, sampleLists[strings.Split(path, "/")[2]], token), "items", 0)
	path = strings.ReplaceAll(path, "{slug}", fmt.Sprint(item(t, first, "slug")))
	return strings.ReplaceAll(path, "{id}", fmt.Sprint(item(t, first, "id")))
}

func TestDocumentAndRoutesAgree(t *testing.T) {
	t.Parallel()
	tg := newTestGym(t)
	// Each operation of the document is a route: without a token it is refused as
	// one, while a path of no operation is unknown. Each handler is an operation,
	// or New would have failed.
	for id, op := range tg.doc.operations {
		path := strings.NewReplacer("{id}", "1", "{slug}", "x").Replace(op.path)
		if status, body, _ := tg.do(t, op.method, path, "", nil); status != http.StatusUnauthorized {
			t.Errorf("%s: %s %s: got %d %s, want 401", id, op.method, op.path, status, body)
		}
		if handlers()[id] == nil {
			t.Errorf("%s has no handler", id)
		}
	}
	for _, path := range []string{"/api/", "/api/nothing", "/api/members/1/nothing"} {
		if status, _, header := tg.do(t, http.MethodGet, path, "", nil); status != http.StatusNotFound || header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: got %d %s", path, status, header.Get("Content-Type"))
		}
	}
	if err := tg.doc.bind(map[string]handler{"noSuchOperation": getMe}); err == nil {
		t.Error("a handler without an operation is bound")
	}
	reads, writes := 0, 0
	for _, op := range tg.doc.operations {
		if op.method == http.MethodGet {
			reads++
		} else {
			writes++
		}
	}
	if reads < 40 || writes < 25 {
		t.Errorf("%d reads and %d writes, want 40 and 25", reads, writes)
	}
}

func TestReadsMatchTheDocument(t *testing.T) {
	t.Parallel()
	tg, document := newTestGym(t), readAnswers(t)
	for org := 1; org <= 2; org++ {
		token := tg.token(t, "owner", org)
		for id, op := range tg.doc.operations {
			if op.method != http.MethodGet {
				continue
			}
			path := tg.sample(t, op.path, token)
			if id == "search" {
				path += "?q=an"
			}
			status, body, _ := tg.do(t, http.MethodGet, path, token, nil)
			if status != http.StatusOK {
				t.Errorf("%s: %d %s", id, status, body)
				continue
			}
			if err := document.check(op, status, body); err != nil {
				t.Errorf("%s: %v\n%.600s", id, err, body)
			}
			if items, isList := decode(t, body)["items"].([]any); isList && len(items) == 0 && id != "listMyBookings" && id != "listAbsentees" {
				t.Errorf("%s of organisation %d is empty", id, org)
			}
		}
	}
}

// sampleBody makes a body of an operation's required fields and, for a PATCH, of
// the first of all.
func (tg *testGym) sampleBody(t *testing.T, op *operation, token string) map[string]any {
	t.Helper()
	ids := map[string]string{
		"member_id": "/api/members", "session_id": "/api/class-sessions/next", "class_type_id": "/api/class-types", "coach_id": "/api/staff", "plan_id": "/api/plans",
		"workout_id": "/api/workouts", "program_id": "/api/programs", "assignee_id": "/api/staff", "owner_id": "/api/staff",
	}
	names := slices.Clone(op.body.Required)
	if op.method == http.MethodPatch {
		for name := range op.body.Properties {
			names = append(names, name)
		}
	}
	body := map[string]any{}
	for _, name := range names {
		s := op.body.Properties[name]
		switch {
		case ids[name] != "":
			body[name] = item(t, tg.get(t, ids[name], token), "items", 0, "id")
		case name == "stage_id":
			body[name] = item(t, tg.get(t, "/api/pipelines", token), "items", 0, "stages", 1, "id")
		case name == "starts_at":
			body[name] = "2026-03-20T10:00"
		case name == "email":
			body[name] = "new.person@example.com"
		case len(s.Enum) > 0:
			body[name] = s.Enum[len(s.Enum)-1]
		case s.Format == "date":
			body[name] = "2026-04-01"
		case s.Type == "integer":
			body[name] = 30
		case s.Type == "number":
			body[name] = 61.5
		case s.Type == "boolean":
			body[name] = true
		default:
			body[name] = "Something"
		}
	}
	return body
}

func TestWritesMatchTheDocument(t *testing.T) {
	t.Parallel()
	document := readAnswers(t)
	probe := newTestGym(t)
	for id, op := range probe.doc.operations {
		if op.method == http.MethodGet {
			continue
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			tg := newTestGym(t)
			token := tg.token(t, "owner", 1)
			path := tg.sample(t, op.path, token)
			var body any
			if op.body != nil {
				values := tg.sampleBody(t, op, token)
				if id == "createMembership" {
					values["member_id"] = item(t, tg.get(t, "/api/members?status=lapsed", token), "items", 0, "id")
				}
				body = values
			}
			switch id {
			case "deleteWorkout":
				created := map[string]any{"title": "New", "kind": "skill", "minutes": 10, "description": "x"}
				_, answer, _ := tg.do(t, http.MethodPost, "/api/workouts", token, created)
				path = fmt.Sprintf("/api/workouts/%v", decode(t, answer)["id"])
			case "resumeMembership":
				path = fmt.Sprintf("/api/memberships/%v/resume", item(t, tg.get(t, "/api/memberships?status=paused", token), "items", 0, "id"))
			case "cancelBooking", "checkInBooking", "markNoShow":
				booked := item(t, tg.get(t, "/api/bookings?status=booked&date=2026-03-18", token), "items", 0, "id")
				path = strings.Replace(op.path, "{id}", fmt.Sprint(booked), 1)
			}
			before := tg.dump(t)
			status, answer, _ := tg.do(t, op.method, path, token, body, "Idempotency-Key", "k-1")
			if status != op.status {
				t.Fatalf("%d %s", status, answer)
			}
			if err := document.check(op, status, answer); err != nil {
				t.Errorf("%v\n%.600s", err, answer)
			}
			after := tg.dump(t)
			if before == after {
				t.Error("nothing was written")
			}
			again, same, header := tg.do(t, op.method, path, token, body, "Idempotency-Key", "k-1")
			if again != status || !bytes.Equal(same, answer) || header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("again: got %d %s, want the first answer", again, same)
			}
			if tg.dump(t) != after {
				t.Error("the same key wrote twice")
			}
		})
	}
}

// dump is the sum of what all tables but that of the keys hold.
func (tg *testGym) dump(t *testing.T) string {
	t.Helper()
	c := &call{db: tg.db, zone: tg.zones[1]}
	// One row a table: the database puts it together faster than Go would. Bookings
	// are by far the most rows, and only their states ever change.
	tables, err := c.rows(t.Context(), `SELECT m.name AS name, group_concat('quote(' || i.name || ')', ',') AS columns
		FROM sqlite_schema m JOIN pragma_table_info(m.name) i WHERE m.type = 'table' AND m.name <> 'idempotency' AND (m.name <> 'bookings' OR i.name IN ('id', 'status')) GROUP BY m.name ORDER BY m.name`)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, table := range tables {
		rows, err := c.rows(t.Context(), fmt.Sprintf(`SELECT group_concat(concat_ws('|', %v), ';') AS rows FROM %v`, table["columns"], table["name"]))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, table["name"], rows[0]["rows"])
	}
	return out.String()
}
