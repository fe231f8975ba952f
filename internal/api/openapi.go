package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/steward-assistant/steward/internal/agui"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
)

// document makes the OpenAPI document from the routes and the Go types that they read and send. Types and reader share
// their struct tags, so that the document cannot ask for less or more than the reader does.
func (s *server) document(routes []route) ([]byte, error) {
	types := huma.NewMapRegistry("#/components/schemas/", schemaName)
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Steward", Version: version(s.Version),
			Description: "The assistant's conversations. Every answer that is no success is a problem document (RFC 9457).",
			License:     &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
		},
		Components: &huma.Components{
			Schemas: types,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"member": {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "The host product's token of its signed-in member."},
			},
		},
	}
	for i := range routes {
		doc.AddOperation(s.operation(&routes[i], types))
	}
	if c := types.Map()["Complete"]; c != nil {
		c.Properties["messages"] = &huma.Schema{
			Type: huma.TypeArray, Items: types.Schema(reflect.TypeFor[conversation.Message](), true, ""),
			Description: "The turn's messages as finally shown.",
		}
	}
	for name, schema := range types.Map() {
		body := strings.HasSuffix(name, "Body")
		if !body {
			schema.AdditionalProperties = nil // what is sent may grow; what is read is exact
		}
		for field, p := range schema.Properties {
			if p.Type == huma.TypeArray {
				p.Nullable = false
			}
			switch {
			case body && field == "text":
				p.MaxLength = &s.MaxText
			case body && p.Type == huma.TypeArray && p.Items != nil && p.Items.Type == huma.TypeString:
				p.Items.MaxLength = new(maxItemText)
			}
		}
	}
	b, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("api: encode openapi: %w", err)
	}
	return b, nil
}

// schemaName keeps AG-UI's own words apart from ours: both have a message and a context.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	if t.PkgPath() == reflect.TypeFor[agui.Input]().PkgPath() {
		name = "AGUI" + name
	}
	return name
}

func (s *server) operation(r *route, types huma.Registry) *huma.Operation {
	op := &huma.Operation{
		Method: r.method, Path: r.path, OperationID: r.id, Summary: r.summary, Tags: []string{"conversations"},
		Security: []map[string][]string{}, Responses: map[string]*huma.Response{},
	}
	if !strings.HasPrefix(r.path, "/v1/conversations") {
		op.Tags = []string{"assistant"}
	}
	if r.right != "" {
		op.Security = []map[string][]string{{"member": {}}}
		op.Description = "Needs the right to " + string(r.right) + "."
	}
	if strings.Contains(r.path, "{id}") {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "id", In: "path", Required: true, Description: "The conversation.", Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"},
		})
	}
	if strings.Contains(r.path, "{callId}") {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "callId", In: "path", Required: true, Description: "The call.", Schema: &huma.Schema{Type: huma.TypeString},
		})
	}
	for _, p := range append(r.params, param{name: "X-Locale", in: "header", about: "The language to answer in, as he.", most: maxLocale}) {
		schema := &huma.Schema{Type: huma.TypeString, MaxLength: new(int(p.most))}
		if p.numeric {
			schema = &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: new(float64(p.least))}
			if p.most <= loadMost {
				schema.Maximum = new(float64(p.most))
			}
		}
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: p.in, Description: p.about, Schema: schema})
	}
	if r.body != nil {
		op.RequestBody = &huma.RequestBody{
			Required: !r.optional,
			Content:  map[string]*huma.MediaType{"application/json": {Schema: types.Schema(r.body, true, "")}},
		}
	}
	trace := map[string]*huma.Param{"Steward-Trace": {
		Description: "What to quote to whoever runs the assistant.", Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"},
	}}
	ok := &huma.Response{Description: http.StatusText(r.status), Headers: trace}
	for media, v := range r.answers {
		if ok.Content == nil {
			ok.Content = map[string]*huma.MediaType{}
		}
		ok.Content[media] = &huma.MediaType{Schema: answerSchema(types, media, v)}
	}
	op.Responses[strconv.Itoa(r.status)] = ok
	op.Responses["default"] = &huma.Response{
		Description: "A problem", Headers: trace,
		Content: map[string]*huma.MediaType{"application/problem+json": {Schema: types.Schema(reflect.TypeFor[problem](), true, "")}},
	}
	return op
}

func answerSchema(types huma.Registry, media string, v any) *huma.Schema {
	switch {
	case media == "text/event-stream":
		kinds := make([]string, len(event.Kinds))
		for i, k := range event.Kinds {
			kinds[i] = string(k)
		}
		return &huma.Schema{
			Type:        huma.TypeString,
			Description: "Server-sent events; each data line is one JSON object with a type: AG-UI's own, or CUSTOM with a name. The kinds: " + strings.Join(kinds, ", ") + ".",
		}
	case v == nil:
		return &huma.Schema{Type: huma.TypeObject}
	}
	return types.Schema(reflect.TypeOf(v), true, "Answer")
}

func version(v string) string {
	if v == "" {
		return "0"
	}
	return v
}
