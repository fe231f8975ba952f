package tool

import (
	"maps"
	"slices"
)

// modern gives an operation of a Swagger 2.0 document with its responses as OpenAPI 3 has them; parameters and body are
// translated one by one, by [fold.swaggerParameter].
func (d *document) modern(op map[string]any) map[string]any {
	out := maps.Clone(op)
	responses := map[string]any{}
	for code, v := range object(op["responses"]) {
		response := d.object(v)
		content := map[string]any{}
		if response["schema"] != nil {
			for _, mediaType := range d.mediaTypes(op, "produces") {
				content[mediaType] = map[string]any{"schema": response["schema"]}
			}
		}
		responses[code] = map[string]any{"content": content}
	}
	if out == nil {
		out = map[string]any{}
	}
	out["responses"] = responses
	return out
}

// mediaTypes are those that an operation "consumes" or "produces", else those of the document, else JSON.
func (d *document) mediaTypes(op map[string]any, key string) []string {
	for _, l := range [][]any{list(op[key]), list(d.root[key])} {
		var out []string
		for _, v := range l {
			if t := text(v); t != "" {
				out = append(out, t)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return []string{"application/json"}
}

// swaggerParameter reads a parameter of Swagger 2.0, which holds its schema's keywords beside its own and may be a body,
// or a field of a form.
func (f *fold) swaggerParameter(p placed, op map[string]any) {
	switch text(p.value["in"]) {
	case "body":
		f.swaggerBody(f.doc.mediaTypes(op, "consumes"), p.value["schema"], p.value["required"])
		return
	case "formData":
		kinds := slices.DeleteFunc(f.doc.mediaTypes(op, "consumes"), isJSON)
		if len(kinds) == 0 {
			kinds = []string{"application/x-www-form-urlencoded"}
		}
		f.swaggerBody(kinds, nil, true)
		return
	}
	schema := maps.Clone(p.value)
	for _, own := range []string{"name", "in", "required", "description", "collectionFormat"} {
		delete(schema, own)
	}
	out := map[string]any{
		"name": p.value["name"], "in": p.value["in"], "required": p.value["required"], "description": p.value["description"], "schema": schema,
	}
	if schema["type"] == "array" {
		switch format := text(p.value["collectionFormat"]); {
		case format == "" || format == "csv":
			out["explode"] = false
		case p.value["in"] == "query" && format == "multi":
			out["explode"] = true
		case p.value["in"] == "query" && format == "ssv":
			out["style"], out["explode"] = "spaceDelimited", false
		case p.value["in"] == "query" && format == "pipes":
			out["style"], out["explode"] = "pipeDelimited", false
		default:
			f.refuse(p.at, "its parameter %q has the collectionFormat %q, which Steward does not write", text(p.value["name"]), format)
			return
		}
	}
	f.parameter(out, p.at)
}

func (f *fold) swaggerBody(mediaTypes []string, schema, required any) {
	content := map[string]any{}
	for _, mediaType := range mediaTypes {
		content[mediaType] = map[string]any{"schema": schema}
	}
	f.body = map[string]any{"content": content, "required": required}
}
