package tool

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fold folds parameters and body of an operation into one input.
type fold struct {
	doc        *document
	op         *operation
	slim       *slimmer
	properties map[string]any
	required   []string
	// stems are how many keys were made of a name that was taken.
	stems map[string]int
	// body is the operation's requestBody, of Swagger 2.0 too.
	body map[string]any
}

// refuse notes why the operation cannot be called, and where in the document that stands, seen from the operation; the
// first reason counts.
func (f *fold) refuse(place, format string, args ...any) {
	if f.op.note != "" {
		return
	}
	f.op.note = cutText(fmt.Sprintf(format, args...), maxDescription)
	if strings.HasPrefix(place, "/paths/") {
		f.op.at = place
	} else {
		f.op.at += place
	}
}

// placed is a parameter and its place in the document.
type placed struct {
	value map[string]any
	at    string
}

func (f *fold) parameters(path string, item, op map[string]any) {
	// An operation's parameter replaces the path's one of the same name and place.
	merged := map[string]placed{}
	var order []string
	add := func(at string, values []any) {
		for i, v := range values {
			p, here := f.doc.object(v), fmt.Sprintf("%s/parameters/%d", at, i)
			if ref := text(object(v)["$ref"]); p == nil && ref != "" {
				f.refuse(here, "one of its parameters refers to %s", f.doc.leads(ref))
				continue
			}
			id := text(p["in"]) + " " + text(p["name"])
			if _, twice := merged[id]; !twice {
				order = append(order, id)
			}
			merged[id] = placed{p, here}
		}
	}
	own := f.op.at
	add(path, list(item["parameters"]))
	add(own, list(op["parameters"]))
	for _, id := range order {
		if p := merged[id]; f.doc.swagger {
			f.swaggerParameter(p, op)
		} else {
			f.parameter(p.value, p.at)
		}
	}
}

func (f *fold) parameter(p map[string]any, at string) {
	o := parameter{name: text(p["name"]), in: text(p["in"]), required: p["required"] == true}
	if o.name == "" {
		f.refuse(at, "one of its parameters has no name")
		return
	}
	switch o.in {
	case "path":
		o.required, o.style = true, "simple"
	case "query":
		if why := reservedQuery(o.name); why != "" {
			f.leaveOut(at, o, "query parameter", why)
			return
		}
		o.style, o.explode = "form", true
	case "header":
		if why, own := reservedHeader(o.name); why != "" {
			o.required = o.required && !own
			f.leaveOut(at, o, "header", why)
			return
		}
		o.style = "simple"
		if !validHeaderName(o.name) {
			f.refuse(at, "the name of a header that it takes is not one")
			return
		}
	case "cookie":
		if o.required {
			f.refuse(at, "it needs a cookie, and Steward sends none")
		}
		return
	default:
		f.refuse(at, "its parameter %q stands in %q, which is not known", o.name, o.in)
		return
	}
	if s := text(p["style"]); s != "" {
		o.style, o.explode = s, s == "form"
	}
	if e, ok := p["explode"].(bool); ok {
		o.explode = e
	}
	if o.in == "path" && o.style != "simple" || o.in == "query" && !slices.Contains([]string{"form", "spaceDelimited", "pipeDelimited", "deepObject"}, o.style) {
		f.refuse(at, "its parameter %q has the style %q, which Steward does not write", o.name, o.style)
		return
	}
	schema := p["schema"]
	if content := object(p["content"]); len(content) > 0 {
		for _, mediaType := range sortedKeys(content) {
			o.asJSON = mayBeJSON(mediaType)
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

// leaveOut notes a parameter that is never an argument; where it must be there, the operation cannot be called.
func (f *fold) leaveOut(at string, p parameter, kind, why string) {
	name := cutText(p.name, 80)
	if p.required {
		f.refuse(at, "it needs the %s %q, which is left out: %s", kind, name, why)
		return
	}
	f.doc.find(at, f.op.call(), false, "its %s %q is left out: %s", kind, name, why)
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
	if len(name) > 40 {
		name = name[:40]
	}
	stem := in + "_" + name
	for {
		key := stem
		if f.stems == nil {
			f.stems = map[string]int{}
		}
		if f.stems[stem]++; f.stems[stem] > 1 {
			key += "_" + strconv.Itoa(f.stems[stem])
		}
		if _, taken := f.properties[key]; !taken {
			return key
		}
	}
}

var badKeyRun = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)

func (f *fold) requestBody(op map[string]any) {
	if !f.doc.swagger {
		f.body = f.doc.object(op["requestBody"])
	}
	body := f.body
	if ref := text(object(op["requestBody"])["$ref"]); body == nil && ref != "" && f.op.method != http.MethodGet {
		f.refuse(f.bodyPlace(), "its body refers to %s", f.doc.leads(ref))
	}
	content := object(body["content"])
	if f.op.method == http.MethodGet { // a body of a GET has no meaning (RFC 9110 section 9.3.1) and may not arrive
		if body["required"] == true {
			f.refuse(f.bodyPlace(), "it needs a body, and a GET is sent without one")
		}
		return
	}
	if len(content) == 0 {
		return
	}
	mediaType := ""
	for _, m := range sortedKeys(content) {
		if mayBeJSON(m) && (mediaType == "" || m == "application/json") {
			mediaType = m
		}
	}
	if mediaType == "" {
		f.refuse(f.bodyPlace(), "its body is %s, and Steward sends JSON", strings.Join(sortedKeys(content), " or "))
		return
	}
	if strings.Contains(mediaType, "*") {
		content, mediaType = map[string]any{"application/json": content[mediaType]}, "application/json"
	}
	b := &requestBody{required: body["required"] == true, mediaType: mediaType}
	f.op.body = b
	schema := object(content[mediaType])["schema"]
	flat := &flatBody{doc: f.doc, properties: map[string]any{}, seen: map[string]bool{}}
	if flat.add(schema) && f.fits(flat.properties) {
		b.keys = map[string]string{}
		needed := map[string]bool{}
		for _, name := range flat.required {
			needed[name] = b.required
		}
		for _, name := range sortedKeys(flat.properties) {
			if f.doc.object(flat.properties[name])["readOnly"] == true || overridesMethod(name) {
				continue
			}
			b.keys[name] = name
			f.properties[name] = f.slim.schema(flat.properties[name])
			if needed[name] {
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

func (f *fold) bodyPlace() string {
	if f.doc.swagger {
		return "/parameters"
	}
	return "/requestBody"
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
	for segment := range strings.SplitSeq(f.op.path, "/") {
		// Any id may stand in a parameter's place.
		filled := templateParameter.ReplaceAllLiteralString(segment, "id")
		if err := checkPlain(filled); filled != "" && err != nil {
			f.refuse("", "a part of its path %s", err)
		}
		if strings.ContainsAny(filled, "{}") {
			f.refuse("", "its path has a brace without its other one")
		}
	}
	if !strings.HasPrefix(f.op.path, "/") || strings.ContainsAny(f.op.path, "?#\\ ") {
		f.refuse("", "its path is not one: it must begin with a slash, without ?, # or spaces")
	}
	in, described := map[string]bool{}, map[string]bool{}
	for _, p := range f.op.params {
		if p.in == "path" {
			described[p.name] = true
		}
	}
	for _, m := range templateParameter.FindAllStringSubmatch(f.op.path, -1) {
		in[m[1]] = true
		if !described[m[1]] {
			f.refuse("", "the parameter {%s} of its path is not described", m[1])
		}
	}
	for _, p := range f.op.params {
		if p.in == "path" && !in[p.name] {
			f.refuse("", "its path has no {%s}, which its parameters name", p.name)
		}
	}
}

// checkResponse refuses a read that by its document never answers with JSON: whoever called it would learn nothing.
func (f *fold) checkResponse(op map[string]any) {
	responses := object(op["responses"])
	var kinds, successes []string
	redirect := ""
	for _, code := range sortedKeys(responses) {
		if strings.HasPrefix(code, "3") && code != "304" {
			redirect = code
		}
		if code != "default" && !strings.HasPrefix(code, "2") {
			continue
		}
		successes = append(successes, code)
		for _, mediaType := range sortedKeys(object(f.doc.object(responses[code])["content"])) {
			if mayBeJSON(mediaType) {
				return
			}
			kinds = append(kinds, mediaType)
		}
	}
	switch {
	case len(kinds) > 0:
		f.refuse("/responses", "it answers with %s, and Steward reads JSON", strings.Join(slices.Compact(kinds), " or "))
	case len(successes) == 0 && redirect != "":
		f.refuse("/responses", "it answers with a redirect (HTTP %s), which is not followed", redirect)
	case len(successes) > 0 && !slices.ContainsFunc(successes, func(code string) bool { return code != "204" && code != "205" }):
		f.refuse("/responses", "it answers with nothing (HTTP %s), so there is nothing to read", successes[0])
	}
}

// maxParts bounds the schemas of which a body is put together; one of more is one argument.
const maxParts = 256

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
		if b.seen[ref] || len(b.seen) >= maxParts {
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
