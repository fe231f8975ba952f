package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/principal"
)

// Asker is for whom an offer is made.
type Asker struct {
	Principal principal.Principal
	// Surface is where the assistant lives; empty: the one called "app".
	Surface string
	// Capabilities are what the client said that it can do.
	Capabilities []string
	// Channel is by which way the call comes: "app", "own_key", "mcp", "quick"; empty: app.
	Channel string
}

// Wire is a tool as a model is sent it.
type Wire struct {
	// Name matches [a-zA-Z0-9_-]{1,64}.
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Strict      bool            `json:"strict,omitempty"`
}

// Offer is what one principal may use: the same value, with the same bytes, for all who share roles, scopes, flags,
// surface, capabilities and channel. Safe for concurrent use.
type Offer struct {
	// Hash names the list: SHA-256 of its bytes in hexadecimal, shortened to 16 digits.
	Hash string
	// Bytes is the size of the list as JSON.
	Bytes int
	// Grouped says that a wire tool is a router with an action.
	Grouped bool
	// Strict says that the list is sent strict.
	Strict bool

	registry    *Registry
	tools       []Wire
	definitions []*Definition
	byWire      map[string]*wireTool
	// clients check the arguments of a front end's tools, by name.
	clients map[string]*validator
}

// Tools is the list for a model, sorted by name. It is shared, and not to be changed.
func (o *Offer) Tools() []Wire { return o.tools }

// Definitions are the tools behind the list, sorted by name. It is shared, and not to be changed.
func (o *Offer) Definitions() []*Definition { return o.definitions }

// maxOffers bounds the offers that are kept; a host has a few roles and flags.
const maxOffers = 1024

// Offer gives what an asker may use. Only reads are offered.
func (r *Registry) Offer(a Asker) *Offer {
	var allowed []*Definition
	var key strings.Builder
	for _, d := range r.definitions {
		if r.offered(d, a) {
			allowed = append(allowed, d)
			key.WriteString(d.Name())
			key.WriteByte('\n')
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if o, ok := r.offers[key.String()]; ok {
		return o
	}
	o := r.build(allowed)
	if len(r.offers) < maxOffers {
		r.offers[key.String()] = o
	}
	return o
}

// offered reports whether a tool stands in an asker's list.
func (r *Registry) offered(d *Definition, a Asker) bool {
	if !r.usable(d) {
		return false
	}
	if a.Channel != "" && a.Channel != "app" {
		return false
	}
	for _, need := range d.Needs {
		if !slices.Contains(a.Capabilities, need) {
			return false
		}
	}
	return r.Permits(d, a) && a.Principal.HasFeature(d.OrgFlag)
}

// Permits reports whether an asker's surface, roles and scopes allow a tool; it is asked again when a call runs.
func (r *Registry) Permits(d *Definition, a Asker) bool {
	surface := a.Surface
	if surface == "" {
		surface = "app"
	}
	if patterns := r.options.Surfaces[surface]; len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, d) }) {
		return false
	}
	if r.readers != nil && !slices.ContainsFunc(a.Principal.Roles, func(role string) bool { return r.readers[role] }) {
		return false
	}
	return a.Principal.HasRole(d.Roles...) && a.Principal.HasScopes(d.Scopes...)
}

func (r *Registry) build(definitions []*Definition) *Offer {
	return r.list(definitions, r.options.GroupBy == "router" || r.options.GroupBy == "" && len(definitions) > GroupAbove ||
		r.options.MaxTools > 0 && len(definitions) > r.options.MaxTools)
}

// list makes the offer of definitions, one tool each or one a router.
func (r *Registry) list(definitions []*Definition, grouped bool) *Offer {
	o := &Offer{definitions: definitions, registry: r, byWire: map[string]*wireTool{}, Grouped: grouped}
	var tools []*wireTool
	if o.Grouped {
		tools = groupByRouter(definitions)
	} else {
		for _, d := range definitions {
			tools = append(tools, singleTool(d))
		}
	}
	slices.SortFunc(tools, func(a, b *wireTool) int { return strings.Compare(a.wire.Name, b.wire.Name) })
	o.Strict = strictFits(tools, r.options.Strict)
	for _, t := range tools {
		t.wire.Strict, t.schema = o.Strict, nil // the maps were for counting; the text is what is sent
		o.tools = append(o.tools, t.wire)
		o.byWire[t.wire.Name] = t
	}
	return o.seal()
}

// seal names the list by its bytes.
func (o *Offer) seal() *Offer {
	b, err := canonical(o.tools)
	if err != nil { // every schema of it was encoded once already
		b = nil
	}
	sum := sha256.Sum256(b)
	o.Hash, o.Bytes = hex.EncodeToString(sum[:8]), len(b)
	return o
}

// Resolve finds the tool that a model's call means and checks its arguments, which it gives in canonical form. Where
// the call cannot run, the result says why, in words for the model; the definition is then given too if one is meant.
func (o *Offer) Resolve(wireName string, input json.RawMessage) (*Definition, json.RawMessage, *Result) {
	t := o.byWire[wireName]
	if t == nil {
		return o.stray(wireName, input)
	}
	d, args, problem := t.unfold(input)
	if problem != "" {
		if t.router != "" && d == nil {
			if other := o.registry.byName[t.router+"."+actionOf(input)]; other != nil {
				return other, input, notAllowed(other)
			}
		}
		r := invalid(problem)
		return d, input, finishRefusal(&r)
	}
	valid, err := o.validate(d, args)
	if err != nil {
		r := invalid(err.Error())
		return d, args, finishRefusal(&r)
	}
	return d, valid, nil
}

// stray answers a call of a tool that is not in the list: one that exists is not allowed here, also where the list is
// of routers and the model made up the name of an action.
func (o *Offer) stray(wireName string, input json.RawMessage) (*Definition, json.RawMessage, *Result) {
	for _, d := range o.registry.definitions {
		if wireName == d.Name() || wireName == actionWireName(d) || wireName == wireFit(d.Router) && actionOf(input) == d.Action {
			return d, input, notAllowed(d)
		}
	}
	r := Result{Status: StatusNotAvailable, Code: CodeNotAllowedHere, Reason: "There is no such tool. Use only the tools of the list."}
	return nil, input, finishRefusal(&r)
}

func notAllowed(d *Definition) *Result {
	reason := fmt.Sprintf("%s may not be used here. Nothing ran.", d.Name())
	if d.Effect == Write {
		reason = fmt.Sprintf("%s changes something, and changes cannot be made from here. Nothing was changed. Say so, and where in the product it can be done.", d.Name())
	}
	return finishRefusal(&Result{Status: StatusNotAvailable, Code: CodeNotAllowedHere, Reason: reason})
}

// finishRefusal writes the envelope of a result that says only why nothing ran.
func finishRefusal(r *Result) *Result {
	r.Envelope = envelope(&Definition{}, nil, *r, nil, nil, Fence{}, 0)
	return r
}
