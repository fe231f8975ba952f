package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// ClientTool is a tool that a front end brings: the member's browser runs it. Its words and schema are text of others.
type ClientTool struct {
	// Name matches [a-zA-Z0-9_-]{1,64} and is no server tool's.
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is a JSON Schema of type object; empty: no arguments.
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

// Bounds of what a front end brings.
const (
	MaxClientTools       = 64
	maxClientDescription = 2000     // characters
	maxClientSchema      = 16 << 10 // bytes of one tool's
	maxClientBytes       = 64 << 10 // of all
)

// SourceBrowser is the source of tools that the member's browser runs.
const SourceBrowser = "browser"

var clientName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// ClientToolError says which of the tools is wrong and what would be right. It holds names of the tool and its schema,
// and no value.
type ClientToolError struct {
	// Field is the place in the list, as "[2].parameters".
	Field string
	// Want is what would be right.
	Want string
}

func (e *ClientToolError) Error() string { return e.Field + ": " + e.Want }

// CheckClientTools refuses a list that cannot be offered beside the registry's own tools. An error is a
// *[ClientToolError].
func (r *Registry) CheckClientTools(tools []ClientTool) error {
	if len(tools) > MaxClientTools {
		return &ClientToolError{Want: fmt.Sprintf("at most %d tools", MaxClientTools)}
	}
	seen, total := map[string]bool{}, 0
	for i, t := range tools {
		wrong := func(field, want string) error {
			return &ClientToolError{Field: fmt.Sprintf("[%d].%s", i, field), Want: want}
		}
		total += len(t.Name) + len(t.Description) + len(t.Parameters)
		switch {
		case !clientName.MatchString(t.Name):
			return wrong("name", "1 to 64 letters, digits, underscores and hyphens")
		case seen[t.Name]:
			return wrong("name", "a name that no other tool of the list has")
		case r.taken(t.Name):
			return wrong("name", "a name that no tool of the server has")
		case utf8.RuneCountInString(t.Description) > maxClientDescription:
			return wrong("description", fmt.Sprintf("at most %d characters", maxClientDescription))
		case len(t.Parameters) > maxClientSchema:
			return wrong("parameters", fmt.Sprintf("at most %d bytes", maxClientSchema))
		case total > maxClientBytes:
			return wrong("parameters", fmt.Sprintf("at most %d bytes in all tools together", maxClientBytes))
		}
		seen[t.Name] = true
		if made := r.clients.of(t.Parameters); made.err != nil {
			return wrong("parameters", fmt.Sprintf("of %s: %s", t.Name, made.err))
		}
	}
	return nil
}

// taken reports whether a server's tool has a name, on the wire or in the host's file, offered to this member or not:
// what a name means must not depend on who asks.
func (r *Registry) taken(name string) bool {
	return slices.ContainsFunc(r.definitions, func(d *Definition) bool {
		return strings.EqualFold(name, actionWireName(d)) || strings.EqualFold(name, wireFit(d.Router)) || name == d.Name()
	})
}

// With adds a front end's tools to an offer, sorted among the others, their words fenced. Where they are together more
// than the provider takes, the server's are folded by router, and what is still over is left out; so is one whose name
// a server's tool has come to bear since, and one that vendors would not take. The same tools and fence give the same bytes.
func (o *Offer) With(tools []ClientTool, fence Fence) *Offer {
	if len(tools) == 0 {
		return o
	}
	most := o.registry.options.MaxTools
	if most > 0 && !o.Grouped && len(o.tools)+len(tools) > most {
		o = o.registry.list(o.definitions, true)
	}
	out := &Offer{
		Grouped: o.Grouped, registry: o.registry, tools: slices.Clone(o.tools), definitions: slices.Clone(o.definitions),
		byWire: make(map[string]*wireTool, len(o.byWire)+len(tools)), clients: map[string]*validator{},
	}
	maps.Copy(out.byWire, o.byWire)
	for _, t := range tools {
		made := o.registry.clients.of(t.Parameters)
		if made.err != nil || o.registry.taken(t.Name) || most > 0 && len(out.tools) >= most {
			continue
		}
		schema, err := made.fenced(fence)
		if err != nil {
			continue
		}
		description := "A tool of the page that the member has open; the page runs it and answers."
		if t.Description != "" {
			description += " The page says of it: " + fence.Text(t.Description)
		}
		d := &Definition{Action: t.Name, Source: SourceBrowser, Summary: description, Input: schema, Effect: Read, Browser: true}
		w := &wireTool{definition: d, wire: Wire{Name: t.Name, Description: description, Input: schema}}
		out.definitions = append(out.definitions, d)
		out.tools = append(out.tools, w.wire)
		out.byWire[t.Name] = w
		out.clients[t.Name] = made.check
	}
	slices.SortFunc(out.tools, func(a, b Wire) int { return strings.Compare(a.Name, b.Name) })
	// A front end's schema is not made for a vendor's strict mode, and a list is strict as a whole.
	for i := range out.tools {
		out.tools[i].Strict = false
	}
	return out.seal()
}

// validate checks the arguments of a tool of the list.
func (o *Offer) validate(d *Definition, raw json.RawMessage) (json.RawMessage, error) {
	check := o.clients[d.Action]
	if !d.Browser || check == nil {
		return o.registry.Validate(d, raw)
	}
	return validateInput(check, raw)
}

// ClientAnswer is what a page answered to a call of a tool that it runs.
type ClientAnswer struct {
	// Content is the result, JSON or plain text.
	Content string
	// Fault is the page's own sentence about why there is no result; empty: there is one.
	Fault string
}

// ClientResult makes the result of a call that a page answered: all of it is text of others. limit is the most
// characters that a model is given; zero: no bound.
func ClientResult(a ClientAnswer, fence Fence, limit int, locale string) Result {
	d := &Definition{ResultLimit: limit}
	result := Result{OK: true, Status: StatusRead}
	if a.Fault != "" {
		result = unreadable("The page says that this failed.")
		result.Said = cutText(oneLine(Clean(a.Fault)), maxClientDescription)
		result.Envelope = envelope(d, nil, result, nil, nil, fence, limit)
		result.Sentence = sentence(Call{Tool: d, Locale: locale}, result)
		return result
	}
	data, err := parseNode([]byte(a.Content))
	if err != nil {
		data = stringNode(a.Content)
	}
	result.Data = json.RawMessage(data.String())
	result.Envelope = envelope(d, nil, result, data, nil, fence, limit)
	return result
}
