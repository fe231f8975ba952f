package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// methods are those of an OpenAPI path item, in the order in which they are read.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// operation is one operation of a document, ready to be called.
type operation struct {
	id, method, path string
	tag, summary     string
	params           []parameter
	body             *requestBody
	input            json.RawMessage
	output           *shape
	// note says why it cannot be called; empty: it can.
	note string
}

// parameter is one parameter of an operation.
type parameter struct {
	// name is the API's, key the one in the tool's input.
	name, key string
	in        string // path, query, header
	style     string
	explode   bool
	asJSON    bool // the value is sent as JSON text ("content" instead of "schema")
	required  bool
}

// requestBody says how arguments become a JSON body: keys maps those of the input to those of the body, or the whole body
// is the one argument whole.
type requestBody struct {
	keys  map[string]string
	whole string
	// required says that a body is sent even when no argument goes into it.
	required  bool
	mediaType string
}

// ownHeaders are set by Steward itself, whatever a document asks for.
var ownHeaders = map[string]bool{
	"authorization": true, "proxy-authorization": true, "cookie": true, "host": true, "accept": true,
	"accept-language": true, "accept-encoding": true, "content-type": true, "content-length": true,
	"transfer-encoding": true, "connection": true, "te": true, "upgrade": true, "expect": true, "idempotency-key": true,
	"steward-member": true, "traceparent": true, "tracestate": true, "x-locale": true, "user-agent": true,
	"x-forwarded-for": true, "x-forwarded-host": true, "x-forwarded-proto": true, "forwarded": true, "x-real-ip": true,
}

// argumentKey is what vendors take as a property's name.
var argumentKey = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// operations reads every operation, in the order of paths and methods.
func (d *document) operations() ([]*operation, error) {
	paths := object(d.root["paths"])
	var out []*operation
	for _, path := range sortedKeys(paths) {
		item := d.object(paths[path])
		for _, method := range methods {
			op, ok := item[method].(map[string]any)
			if !ok {
				continue
			}
			read, err := d.operation(path, method, item, op)
			if err != nil {
				return nil, fmt.Errorf("read operation %s %s: %w", strings.ToUpper(method), path, err)
			}
			out = append(out, read)
		}
	}
	return out, nil
}

func (d *document) operation(path, method string, item, op map[string]any) (*operation, error) {
	o := &operation{id: text(op["operationId"]), method: strings.ToUpper(method), path: path, summary: summary(op)}
	if tags := list(op["tags"]); len(tags) > 0 {
		o.tag = text(tags[0])
	}
	f := &fold{doc: d, op: o, slim: newSlimmer(d), properties: map[string]any{}}
	f.parameters(item, op)
	if method != "get" && method != "head" {
		f.requestBody(op)
	}
	f.checkPath()
	root := map[string]any{"type": "object", "properties": f.properties, "additionalProperties": false}
	if len(f.required) > 0 {
		slices.Sort(f.required)
		root["required"] = slices.Compact(f.required)
	}
	var err error
	if o.input, err = f.slim.finish(root); err != nil {
		return nil, err
	}
	o.output = d.response(op)
	return o, nil
}

// summary is the operation's own, else the first sentence of its description.
func summary(op map[string]any) string {
	if s := description(op["summary"]); s != "" {
		return s
	}
	d := description(op["description"])
	if i := strings.Index(d, ". "); i > 0 {
		return d[:i+1]
	}
	return d
}

// response is the shape of the JSON that a success brings.
func (d *document) response(op map[string]any) *shape {
	responses := object(op["responses"])
	for _, code := range []string{"200", "201", "202", "203", "2XX", "default"} {
		content := object(d.object(responses[code])["content"])
		for _, mediaType := range sortedKeys(content) {
			if isJSON(mediaType) {
				return newShape(d, object(content[mediaType])["schema"])
			}
		}
	}
	return nil
}

// fold folds parameters and body of an operation into one input.
type fold struct {
	doc        *document
	op         *operation
	slim       *slimmer
	properties map[string]any
	required   []string
}

func (f *fold) refuse(format string, args ...any) {
	if f.op.note == "" {
		f.op.note = fmt.Sprintf(format, args...)
	}
}

func (f *fold) parameters(item, op map[string]any) {
	// An operation's parameter replaces the path's one of the same name and place.
	merged := map[string]map[string]any{}
	var order []string
	for _, v := range append(slices.Clone(list(item["parameters"])), list(op["parameters"])...) {
		p := f.doc.object(v)
		id := text(p["in"]) + " " + text(p["name"])
		if _, twice := merged[id]; !twice {
			order = append(order, id)
		}
		merged[id] = p
	}
	for _, id := range order {
		f.parameter(merged[id])
	}
}

func (f *fold) parameter(p map[string]any) {
	o := parameter{name: text(p["name"]), in: text(p["in"]), required: p["required"] == true}
	if o.name == "" {
		f.refuse("one of its parameters has no name")
		return
	}
	switch o.in {
	case "path":
		o.required, o.style = true, "simple"
	case "query":
		o.style, o.explode = "form", true
	case "header":
		if ownHeaders[strings.ToLower(o.name)] {
			return
		}
		o.style = "simple"
		if !validHeaderName(o.name) {
			f.refuse("the name of a header of its is not one")
			return
		}
	case "cookie":
		if o.required {
			f.refuse("it needs a cookie, and Steward sends none")
		}
		return
	default:
		f.refuse("its parameter %q stands in %q, which is not known", o.name, o.in)
		return
	}
	if s := text(p["style"]); s != "" {
		o.style, o.explode = s, s == "form"
	}
	if e, ok := p["explode"].(bool); ok {
		o.explode = e
	}
	if o.in == "path" && o.style != "simple" || o.in == "query" && !slices.Contains([]string{"form", "spaceDelimited", "pipeDelimited", "deepObject"}, o.style) {
		f.refuse("its parameter %q has the style %q, which is not written", o.name, o.style)
		return
	}
	schema := p["schema"]
	if content := object(p["content"]); len(content) > 0 {
		for _, mediaType := range sortedKeys(content) {
			o.asJSON = isJSON(mediaType)
			schema = object(content[mediaType])["schema"]
			break
		}
	}
	slim := object(f.slim.schema(schema))
	if slim == nil {
		slim = map[string]any{}
	}
	if d := description(p["description"]); d != "" {
		slim["description"] = d
	}
	o.key = f.key(o.name, o.in)
	f.properties[o.key] = slim
	if o.required {
		f.required = append(f.required, o.key)
	}
	f.op.params = append(f.op.params, o)
}

// key finds a free name in the input for an argument: its own, made fit for a model, else with its place before it.
func (f *fold) key(name, in string) string {
	if !argumentKey.MatchString(name) {
		name = strings.Trim(badKeyRun.ReplaceAllString(name, "_"), "_")
		if len(name) > 56 {
			name = name[:56]
		}
		if name == "" {
			name = in
		}
	}
	if _, taken := f.properties[name]; !taken {
		return name
	}
	for i := 1; ; i++ {
		key := in + "_" + name
		if i > 1 {
			key += "_" + strconv.Itoa(i)
		}
		if _, taken := f.properties[key]; !taken && len(key) <= 64 {
			return key
		}
		if len(name) > 40 {
			name = name[:40]
		}
	}
}

var badKeyRun = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)

func (f *fold) requestBody(op map[string]any) {
	body := f.doc.object(op["requestBody"])
	content := object(body["content"])
	if len(content) == 0 {
		return
	}
	mediaType := ""
	for _, m := range sortedKeys(content) {
		if isJSON(m) && (mediaType == "" || m == "application/json") {
			mediaType = m
		}
	}
	if mediaType == "" {
		if body["required"] == true {
			f.refuse("its body is not JSON")
		}
		return
	}
	b := &requestBody{required: body["required"] == true, mediaType: mediaType}
	f.op.body = b
	schema := object(content[mediaType])["schema"]
	flat := &flatBody{doc: f.doc, properties: map[string]any{}, seen: map[string]bool{}}
	if flat.add(schema) && f.fits(flat.properties) {
		b.keys = map[string]string{}
		for _, name := range sortedKeys(flat.properties) {
			if f.doc.object(flat.properties[name])["readOnly"] == true {
				continue
			}
			b.keys[name] = name
			f.properties[name] = f.slim.schema(flat.properties[name])
			if b.required && slices.Contains(flat.required, name) {
				f.required = append(f.required, name)
			}
		}
		return
	}
	b.whole = f.key("body", "request")
	f.properties[b.whole] = f.slim.schema(schema)
	if b.required {
		f.required = append(f.required, b.whole)
	}
}

// fits reports whether the body's properties can stand beside the parameters under their own names.
func (f *fold) fits(properties map[string]any) bool {
	for name := range properties {
		if _, taken := f.properties[name]; taken || !argumentKey.MatchString(name) {
			return false
		}
	}
	return true
}

var templateParameter = regexp.MustCompile(`\{([^{}]*)\}`)

// checkPath holds the template against the path parameters.
func (f *fold) checkPath() {
	if !strings.HasPrefix(f.op.path, "/") || strings.ContainsAny(f.op.path, "?#\\ ") {
		f.refuse("its path is not one")
	}
	in := map[string]bool{}
	for _, m := range templateParameter.FindAllStringSubmatch(f.op.path, -1) {
		in[m[1]] = true
		if !slices.ContainsFunc(f.op.params, func(p parameter) bool { return p.in == "path" && p.name == m[1] }) {
			f.refuse("the parameter {%s} of its path is not described", m[1])
		}
	}
	for _, p := range f.op.params {
		if p.in == "path" && !in[p.name] {
			f.refuse("its path has no {%s}", p.name)
		}
	}
}

// flatBody collects the properties of an object that may be put together with allOf.
type flatBody struct {
	doc        *document
	properties map[string]any
	required   []string
	seen       map[string]bool
}

// add reports whether the schema is a closed list of properties, so that it can be folded.
func (b *flatBody) add(schema any) bool {
	m, ok := schema.(map[string]any)
	if !ok {
		return false
	}
	if ref := text(m["$ref"]); ref != "" {
		if b.seen[ref] {
			return false
		}
		b.seen[ref] = true
		target, ok := b.doc.at(ref)
		return ok && b.add(target)
	}
	if t := m["type"]; t != nil && t != "object" || m["anyOf"] != nil || m["oneOf"] != nil || m["not"] != nil {
		return false
	}
	if _, open := m["additionalProperties"].(map[string]any); open || m["nullable"] == true {
		return false
	}
	for _, part := range list(m["allOf"]) {
		if !b.add(part) {
			return false
		}
	}
	maps.Copy(b.properties, object(m["properties"]))
	for _, r := range list(m["required"]) {
		b.required = append(b.required, text(r))
	}
	return len(b.properties) > 0
}

func isJSON(mediaType string) bool {
	m, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(mediaType)), ";")
	m = strings.TrimSpace(m)
	return m == "application/json" || strings.HasPrefix(m, "application/") && strings.HasSuffix(m, "+json")
}

func validHeaderName(n string) bool {
	for _, r := range n {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return n != ""
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
