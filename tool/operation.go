package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// methods are those of a path item that become tools, in the order in which they are read.
var methods = []string{"get", "put", "post", "delete", "patch"}

// otherMethods are those that do not: they are not for asking or for changing something.
var otherMethods = []string{"head", "options", "query", "trace"}

// operation is one operation of a document, ready to be called.
type operation struct {
	id, method, path string
	tag, summary     string
	params           []parameter
	body             *requestBody
	input            json.RawMessage
	output           *shape
	// note says why it cannot be called; empty: it can. at is the place of that, or of the operation, in the document.
	note, at string
	// twice says that another operation of the document has the same id.
	twice bool
}

// key names the operation within its source: its id, or its method and path where that is missing or not its own.
func (o *operation) key() string {
	if o.id == "" || o.twice {
		return o.call()
	}
	return o.id
}

// call is its method and path.
func (o *operation) call() string { return o.method + " " + o.path }

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

// argumentKey is what vendors take as a property's name.
var argumentKey = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// operations reads every operation, in the order of paths and methods, and finds what could not be read.
func (d *document) operations() ([]*operation, error) {
	var out []*operation
	paths, isObject := d.root["paths"].(map[string]any)
	if !isObject && d.root["webhooks"] == nil {
		d.find("/paths", "", true, "there are no paths to read operations from: it must be an object, as {\"/orders\": {\"get\": …}}")
	}
	for _, path := range sortedKeys(paths) {
		if strings.HasPrefix(path, "x-") {
			continue
		}
		at := "/paths/" + escapeToken(path)
		if !fitForName(path) {
			d.find(at, oneLine(path), true, "its operations are not read: its path has characters that are not shown")
			continue
		}
		item := d.object(paths[path])
		if ref := text(object(paths[path])["$ref"]); item == nil && ref != "" {
			d.find(at, path, true, "its operations are not read: it refers to %s", d.leads(ref))
		} else if item == nil {
			d.find(at, path, true, "its operations are not read: it is no object")
		}
		for _, method := range methods {
			v, there := item[method]
			if !there {
				continue
			}
			read, err := d.operation(path, method, at, item, object(v))
			if err != nil {
				return nil, fmt.Errorf("read operation %s: %w", read.call(), err)
			}
			out = append(out, read)
		}
		for _, method := range otherMethods {
			if _, there := item[method]; there {
				d.find(at+"/"+method, strings.ToUpper(method)+" "+path, true, "%s is not read: a tool asks with GET or changes something", strings.ToUpper(method))
			}
		}
	}
	if hooks := object(d.root["webhooks"]); len(hooks) > 0 {
		d.find("/webhooks", "", true, "webhooks are not read: they are calls that the product makes")
	}
	first := map[string]*operation{}
	for _, o := range out {
		if o.note != "" {
			d.find(o.at, o.call(), true, "%s", o.note)
		}
		if o.id == "" {
			continue
		}
		if one := first[o.id]; one != nil {
			one.twice, o.twice = true, true
			d.find(o.at+"/operationId", o.call(), false, "has the operationId %q of %s; both are called by method and path", cutText(o.id, 80), one.call())
			continue
		}
		first[o.id] = o
	}
	d.findBroken()
	slices.SortStableFunc(d.findings, func(a, b Finding) int { return cmp.Compare(a.Pointer, b.Pointer) })
	return out, nil
}

func (d *document) operation(path, method, at string, item, op map[string]any) (*operation, error) {
	o := &operation{id: text(op["operationId"]), method: strings.ToUpper(method), path: path, at: at + "/" + method, summary: summary(op)}
	if !fitForName(o.id) {
		d.find(o.at+"/operationId", o.call(), false, "its operationId has characters that are not shown; it is called by method and path")
		o.id = ""
	}
	if tags := list(op["tags"]); len(tags) > 0 {
		o.tag = text(tags[0])
	}
	f := &fold{doc: d, op: o, slim: newSlimmer(d), properties: map[string]any{}}
	if op == nil {
		f.refuse("", "it is no object")
	}
	if d.swagger {
		op = d.modern(op)
	}
	f.parameters(at, item, op)
	f.requestBody(op)
	f.checkPath()
	if method == "get" {
		f.checkResponse(op)
	}
	root := map[string]any{"type": "object", "properties": f.properties, "additionalProperties": false}
	if len(f.required) > 0 {
		slices.Sort(f.required)
		root["required"] = slices.Compact(f.required)
	}
	var err error
	if o.input, err = f.slim.finish(root); err != nil {
		return o, err
	}
	if f.slim.cut {
		d.find(o.at, o.call(), false, "its input leads to more than %d schemas; anything is taken to stand in the others", maxDefinitions)
	}
	o.output = d.response(op)
	return o, nil
}

// fitForName reports whether all of a text is shown where it is printed, so that it can name something for people.
func fitForName(s string) bool { return s == Clean(s) && !strings.ContainsAny(s, "\n\t") }

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
			if mayBeJSON(mediaType) {
				return newShape(d, object(content[mediaType])["schema"])
			}
		}
	}
	return nil
}

func isJSON(mediaType string) bool {
	m, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(mediaType)), ";")
	m = strings.TrimSpace(m)
	return m == "application/json" || strings.HasPrefix(m, "application/") && strings.HasSuffix(m, "+json")
}

// mayBeJSON reports whether JSON is of a media type, or of a range of them as "*/*", which generators write where they do
// not know.
func mayBeJSON(mediaType string) bool {
	m, _, _ := strings.Cut(strings.TrimSpace(mediaType), ";")
	return isJSON(mediaType) || m == "*/*" || m == "application/*"
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
