package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// wireTool is one tool of a model's list, and the way back from a call of it to a definition.
type wireTool struct {
	wire Wire
	// definition is the one that it stands for; nil for a router.
	definition *Definition
	// router and actions are those of a router.
	router  string
	actions map[string]*Definition
	// schema is wire.Input as maps, while the list is made.
	schema map[string]any
}

// maxWireName is what vendors take as a tool's name.
const maxWireName = 64

// wireFit keeps a name within what vendors take; a longer one ends in a part of its hash, so that names stay different.
func wireFit(name string) string {
	if len(name) <= maxWireName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:maxWireName-9] + "-" + hex.EncodeToString(sum[:4])
}

// actionWireName is a definition's name on the wire. The hyphen stands in no router and no action, so names stay one to
// one.
func actionWireName(d *Definition) string { return wireFit(d.Router + "-" + d.Action) }

func singleTool(d *Definition) *wireTool {
	return &wireTool{
		definition: d, schema: schemaOf(d),
		wire: Wire{Name: actionWireName(d), Description: d.Summary, Input: d.Input},
	}
}

// groupByRouter makes one tool a router: an "action" out of a list, and "input" with the arguments. Each action stands
// once in the description, with the names of its arguments and its summary; an argument that several actions share
// stands once in the schema.
func groupByRouter(definitions []*Definition) []*wireTool {
	routers := map[string][]*Definition{}
	for _, d := range definitions {
		routers[d.Router] = append(routers[d.Router], d)
	}
	out := make([]*wireTool, 0, len(routers))
	for _, router := range sortedKeys(routers) {
		out = append(out, routerTool(router, routers[router]))
	}
	return out
}

func routerTool(router string, definitions []*Definition) *wireTool {
	t := &wireTool{router: router, actions: map[string]*Definition{}}
	var names []string
	var lines strings.Builder
	lines.WriteString("One action a call; put its arguments into input (? = may be left out).")
	merged := newMerge()
	for _, d := range definitions {
		names = append(names, d.Action)
		t.actions[d.Action] = d
		schema := schemaOf(d)
		fmt.Fprintf(&lines, "\n%s(%s): %s", d.Action, signature(schema), d.Summary)
		merged.add(d.Action, schema)
	}
	input := map[string]any{"type": "object", "properties": merged.properties(), "additionalProperties": false}
	root := map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"action"},
		"properties": map[string]any{"action": map[string]any{"type": "string", "enum": names}, "input": input},
	}
	if len(merged.defs) > 0 {
		root["$defs"] = merged.defs
	}
	t.wire = Wire{Name: wireFit(router), Description: lines.String()}
	if b, err := canonical(root); err == nil { // it is made of what was decoded from JSON
		t.wire.Input = b
	}
	t.schema = schemaOf(&Definition{Input: t.wire.Input})
	return t
}

// signature lists the arguments of a tool: required ones first, then those that may be left out.
func signature(schema map[string]any) string {
	required := map[string]bool{}
	for _, r := range list(schema["required"]) {
		required[text(r)] = true
	}
	var first, then []string
	for _, name := range sortedKeys(object(schema["properties"])) {
		if required[name] {
			first = append(first, name)
		} else {
			then = append(then, name+"?")
		}
	}
	return strings.Join(append(first, then...), ", ")
}

// merge puts the arguments of several actions into one list.
type merge struct {
	uses map[string][]use
	defs map[string]any
}

type use struct {
	action      string
	schema      map[string]any
	description string
	bytes       string // schema without its description, to tell equal ones
}

func newMerge() *merge { return &merge{uses: map[string][]use{}, defs: map[string]any{}} }

func (m *merge) add(action string, schema map[string]any) {
	defs := object(schema["$defs"])
	names := map[string]string{}
	for _, name := range sortedKeys(defs) {
		names[name] = name
		if old, taken := m.defs[name]; taken && !sameJSON(old, defs[name]) {
			names[name] = action + "." + name
			for m.defs[names[name]] != nil || defs[names[name]] != nil {
				names[name] += "_"
			}
		}
	}
	for name, d := range defs {
		m.defs[names[name]] = renameRefs(d, names)
	}
	properties := object(schema["properties"])
	for _, name := range sortedKeys(properties) {
		p, ok := renameRefs(properties[name], names).(map[string]any)
		if !ok {
			p = map[string]any{}
		}
		description := text(p["description"])
		bare := map[string]any{}
		for k, v := range p {
			if k != "description" {
				bare[k] = v
			}
		}
		b, err := canonical(bare)
		if err != nil {
			continue
		}
		m.uses[name] = append(m.uses[name], use{action, bare, description, string(b)})
	}
}

func sameJSON(a, b any) bool {
	x, errA := canonical(a)
	y, errB := canonical(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// renameRefs copies a schema with its references under other names.
func renameRefs(v any, names map[string]string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = renameRefs(v[i], names)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, one := range v {
			if to, ok := strings.CutPrefix(text(one), "#/$defs/"); ok && k == "$ref" {
				out[k] = "#/$defs/" + names[to]
				continue
			}
			out[k] = renameRefs(one, names)
		}
		return out
	default:
		return v
	}
}

// properties writes each argument once: one schema where all actions agree, else each variant that there is. A
// description that differs names the actions that it is of.
func (m *merge) properties() map[string]any {
	out := map[string]any{}
	for name, uses := range m.uses {
		var variants []string
		byBytes := map[string][]use{}
		for _, u := range uses {
			if _, known := byBytes[u.bytes]; !known {
				variants = append(variants, u.bytes)
			}
			byBytes[u.bytes] = append(byBytes[u.bytes], u)
		}
		var schemas []any
		for _, v := range variants {
			schemas = append(schemas, described(byBytes[v], len(variants) > 1))
		}
		if len(schemas) == 1 {
			out[name] = schemas[0]
		} else {
			out[name] = map[string]any{"anyOf": schemas}
		}
	}
	return out
}

func described(uses []use, several bool) map[string]any {
	out := map[string]any{}
	maps.Copy(out, uses[0].schema)
	actions := map[string][]string{}
	var order []string
	for _, u := range uses {
		if !slices.Contains(order, u.description) {
			order = append(order, u.description)
		}
		actions[u.description] = append(actions[u.description], u.action)
	}
	if len(order) == 1 && !several {
		if order[0] != "" {
			out["description"] = order[0]
		}
		return out
	}
	var parts []string
	for _, d := range order {
		switch of := strings.Join(actions[d], ", "); {
		case d != "":
			parts = append(parts, of+": "+d)
		case several:
			parts = append(parts, "for "+of)
		}
	}
	if len(parts) > 0 {
		out["description"] = strings.Join(parts, " ")
	}
	return out
}

// unfold finds the definition and the arguments that a call means. It takes arguments that stand beside the action
// instead of in input, and an input that is JSON as text, because models write both.
func (t *wireTool) unfold(raw json.RawMessage) (*Definition, json.RawMessage, string) {
	if t.definition != nil {
		return t.definition, raw, ""
	}
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	v, _, err := canonicalInput(raw)
	call, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, nil, "/: must be an object with action and input"
	}
	d := t.actions[text(call["action"])]
	if d == nil {
		return nil, nil, "/action: must be one of " + strings.Join(sortedKeys(t.actions), ", ")
	}
	args, given := call["input"]
	if s, isText := args.(string); isText {
		if inner, _, err := canonicalInput([]byte(s)); err == nil {
			args = inner
		}
	}
	if !given || args == nil {
		delete(call, "action")
		delete(call, "input")
		args = call
	}
	out, err := canonical(args)
	if err != nil {
		return d, nil, "/input: is not valid JSON"
	}
	return d, out, ""
}

// actionOf is the action that a call names, where it names one.
func actionOf(raw json.RawMessage) string {
	v, _, err := canonicalInput(raw)
	if err != nil {
		return ""
	}
	return text(object(v)["action"])
}
