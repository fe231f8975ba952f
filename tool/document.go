package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// document is an OpenAPI 3.x or Swagger 2.0 document as plain maps, with its local references followed on demand. It is
// dropped as soon as its operations are read: what they keep of it, they copy. Only what Steward uses is ever looked at:
// paths, operations, parameters, request bodies, responses and schemas; servers, security and examples are passed over,
// because where calls go and whose authority they carry is the host's file to say. Not safe for concurrent use.
type document struct {
	root map[string]any
	// version is what the document says of itself: "3.0.3", "2.0".
	version string
	// old says that schemas are of OpenAPI 3.0 or older, whose "nullable" and "exclusiveMinimum" differ from JSON
	// Schema's.
	old bool
	// swagger says that the document is of version 2.0.
	swagger bool
	forms   *formReader
	// broken are the references that were followed and led nowhere, and what is said of where they lead.
	broken   map[string]string
	findings []Finding
}

// maxRefs bounds a chain of references that lead to references. A longer one leads nowhere.
const maxRefs = 16

func parseDocument(raw []byte) (*document, error) {
	raw, isJSON, err := trimDocument(raw)
	if err != nil {
		return nil, err
	}
	doc := &document{broken: map[string]string{}}
	if !isJSON {
		doc.root, err = readYAML(raw)
	} else {
		doc.root, err = readJSON(raw)
	}
	if err != nil {
		return nil, err
	}
	if isJSON {
		doc.findTwice(raw)
	}
	return doc, doc.readVersion()
}

// trimDocument takes off what may stand around a document, and says whether it is JSON.
func trimDocument(raw []byte) (trimmed []byte, isJSON bool, err error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	switch trimmed := bytes.TrimSpace(raw); {
	case len(trimmed) == 0:
		return nil, false, errors.New("the document is empty")
	case bytes.HasPrefix(raw, []byte("\x1f\x8b")):
		return nil, false, errors.New("the document is compressed; unpack it with gunzip")
	default:
		return raw, trimmed[0] == '{', nil
	}
}

func readJSON(raw []byte) (root map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("the document is not JSON: line %d", lineAt(raw, syntax.Offset))
		}
		return nil, errors.New("the document is not JSON: it breaks off before its end")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the document goes on after its end")
	}
	return root, nil
}

// readVersion finds out which OpenAPI the document is of.
func (d *document) readVersion() error {
	var ok bool
	switch v := d.root["openapi"]; {
	case v != nil:
		d.version, ok = versionOf(v), strings.HasPrefix(versionOf(v), "3.")
		d.old = strings.HasPrefix(d.version, "3.0")
	case d.root["swagger"] != nil:
		d.version = versionOf(d.root["swagger"])
		ok = d.version == "2.0" || d.version == "2"
		d.old, d.swagger = true, true
	}
	switch {
	case ok:
		return nil
	case d.version != "":
		return fmt.Errorf("the document is of version %q; OpenAPI 3.0 to 3.2 and Swagger 2.0 are read, so convert it to one of them", cutText(d.version, 20))
	case d.root["asyncapi"] != nil:
		return errors.New("the document is an AsyncAPI one, which describes messages; OpenAPI 3.0 to 3.2 and Swagger 2.0 are read")
	default:
		return errors.New(`the document has no "openapi": "3.1.0" or the like, so it is no OpenAPI document`)
	}
}

// about is what the document says of itself.
func (d *document) about() About {
	info := object(d.root["info"])
	a := About{Title: description(info["title"]), Version: cutText(oneLine(versionOf(info["version"])), 40), Form: "OpenAPI " + cutText(oneLine(d.version), 20)}
	if d.swagger {
		a.Form = "Swagger 2.0"
		if host := text(d.root["host"]); host != "" {
			scheme := "https"
			if schemes := list(d.root["schemes"]); len(schemes) > 0 && !slices.Contains(schemes, any(scheme)) {
				scheme = text(schemes[0])
			}
			a.Servers = []string{oneLine(scheme + "://" + host + text(d.root["basePath"]))}
		}
		return a
	}
	for _, s := range list(d.root["servers"]) {
		if address := text(object(s)["url"]); address != "" && len(a.Servers) < 20 {
			a.Servers = append(a.Servers, oneLine(address))
		}
	}
	return a
}

// versionOf is a version as text, also where it was written without quotes.
func versionOf(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	return text(v)
}

// object follows references until v is an object that is none; nil where it is no object, or where a reference leads
// out of the document, nowhere, or in a circle.
func (d *document) object(v any) map[string]any {
	first := text(object(v)["$ref"])
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
	if _, again := object(v)["$ref"].(string); again {
		d.endless(first)
		return nil
	}
	return object(v)
}

// at gives what a local reference ("#/components/schemas/Booking") points at, and remembers one that leads nowhere.
func (d *document) at(ref string) (any, bool) {
	v, ok := d.follow(ref)
	if !ok && d.broken != nil {
		d.broken[ref] = leads(ref)
	}
	return v, ok
}

// endless remembers a reference from which more references follow than are followed.
func (d *document) endless(ref string) {
	if d.broken != nil {
		d.broken[ref] = quoteRef(ref) + fmt.Sprintf(", which leads through more than %d references, or in a circle", maxRefs)
	}
}

func (d *document) follow(ref string) (any, bool) {
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
