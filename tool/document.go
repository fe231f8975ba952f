package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// document is an OpenAPI 3.0 or 3.1 document as plain maps, with its local references followed on demand. It is
// read-only after parseDocument. Only what Steward uses is ever looked at: paths, operations, parameters, request
// bodies, responses and schemas; servers, security and examples are passed over, because where calls go and whose
// authority they carry is the host's file to say.
type document struct {
	root map[string]any
	// old says that schemas are of OpenAPI 3.0, whose "nullable" and "exclusiveMinimum" differ from JSON Schema's.
	old bool
}

// maxRefs bounds a chain of references that lead to references.
const maxRefs = 16

func parseDocument(raw []byte) (*document, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 {
		return nil, errors.New("the document is empty")
	} else if trimmed[0] != '{' {
		converted, err := yaml.YAMLToJSON(raw)
		if err != nil {
			return nil, errors.New("the document is neither JSON nor YAML")
		}
		raw = converted
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	doc := &document{}
	if err := d.Decode(&doc.root); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line := 1 + bytes.Count(raw[:min(int(syntax.Offset), len(raw))], []byte("\n"))
			return nil, fmt.Errorf("the document is not JSON: line %d", line)
		}
		return nil, errors.New("the document is not a JSON object")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the document goes on after its end")
	}
	version, _ := doc.root["openapi"].(string)
	switch {
	case strings.HasPrefix(version, "3.0"):
		doc.old = true
	case strings.HasPrefix(version, "3.1"):
	case doc.root["swagger"] != nil:
		return nil, errors.New("the document is of Swagger 2.0; OpenAPI 3.0 and 3.1 are read")
	default:
		return nil, errors.New(`the document has no "openapi": "3.0…" or "3.1…"`)
	}
	return doc, nil
}

// object follows references until v is an object that is none; nil where it is no object, or where a reference leads
// out of the document, nowhere, or in a circle.
func (d *document) object(v any) map[string]any {
	for range maxRefs {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		ref, ok := m["$ref"].(string)
		if !ok {
			return m
		}
		if v, ok = d.at(ref); !ok {
			return nil
		}
	}
	return nil
}

// at gives what a local reference ("#/components/schemas/Booking") points at.
func (d *document) at(ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	if pointer == "" {
		return d.root, true
	}
	var v any = d.root
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[unescapeToken(unescapePercent(token))]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// refName is the last token of a reference, as a name for a definition.
func refName(ref string) string {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
}

func text(v any) string { s, _ := v.(string); return s }

func list(v any) []any { l, _ := v.([]any); return l }

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
