package config

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
)

// fieldDocs is what the doc comments of this package say of each field, "Type.Field" → text. It is made from the
// comments by a test with -update, so that the schema and the comments cannot differ.
//
//go:embed fielddocs.json
var fieldDocs []byte

// A schemaDescriber describes itself, for types that decode themselves.
type schemaDescriber interface {
	jsonSchema(w *schemaWriter) map[string]any
}

type schemaWriter struct {
	docs map[string]string
}

// Schema gives the JSON Schema (2020-12) of steward.yaml, indented, the same bytes each time. Editors complete and
// check the file with it; [Load] checks more than a schema can say.
func Schema() ([]byte, error) {
	w := &schemaWriter{docs: map[string]string{}}
	if err := json.Unmarshal(fieldDocs, &w.docs); err != nil {
		return nil, fmt.Errorf("read field docs: %w", err)
	}
	root := w.of(reflect.TypeFor[Config]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "steward.yaml"
	root["required"] = []string{"product", "identity"}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return append(out, '\n'), nil
}

func (w *schemaWriter) of(t reflect.Type) map[string]any {
	if d, ok := reflect.TypeAssert[schemaDescriber](reflect.Zero(t)); ok {
		return d.jsonSchema(w)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.of(t.Elem())
	case reflect.Struct:
		properties := map[string]any{}
		for f := range t.Fields() {
			name := f.Tag.Get("yaml")
			if name == "" || name == "-" {
				continue
			}
			s := w.of(f.Type)
			if doc := w.docs[t.Name()+"."+f.Name]; doc != "" {
				s["description"] = doc
			}
			properties[name] = s
		}
		return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": w.of(t.Elem())}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": w.of(t.Elem())}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	default:
		return map[string]any{"type": "string"}
	}
}
