package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/principal"
)

// StrictLimits are what a provider allows of a list of strict tools (model.Capabilities says which): how many tools,
// optional parameters and unions in all. The zero value: strict is not used.
type StrictLimits struct {
	Tools, Optional, Unions int
}

// RegistryOptions describe a [Registry]. The zero value offers every read to every role.
type RegistryOptions struct {
	// Rights are what each role may do, as config.Identity.Roles; nil: every role may read.
	Rights map[string][]string
	// Surfaces are the tools that a surface may use, names or "router.*", by surface; one that is not listed, or lists
	// nothing, may use all.
	Surfaces map[string][]string
	// GroupBy is "router", "action", or empty: router where an offer has more than [GroupAbove] actions.
	GroupBy string
	// Strict are the provider's limits.
	Strict StrictLimits
	// MaxTools is the most tools that the provider takes in a request. An offer of more is folded by router, whatever
	// GroupBy says; one that is over it even so is a fault. Zero: no limit.
	MaxTools int
	// Timeout cuts a call whose definition says nothing. Zero: 30 s.
	Timeout time.Duration
	// ResultLimit is the most characters of a result whose definition says nothing. Zero: 50,000.
	ResultLimit int
	// Omit are names of result fields that never reach model, log or card, beside the built-in ones.
	Omit []string
	// Fault makes a fault at a place of the host's file; nil: without a place.
	Fault func(path, message string) config.Fault
}

// GroupAbove is the number of actions above which tools are grouped by router unless told otherwise.
const GroupAbove = 20

// Registry holds the tools of all sources. It does not change after it was made. Safe for concurrent use.
type Registry struct {
	options     RegistryOptions
	definitions []*Definition
	byName      map[string]*Definition
	sources     map[string]Source
	validators  map[string]*validator
	omitter     *omitter
	readers     map[string]bool // roles that may read; nil: all
	clients     clientSchemas

	mu     sync.Mutex
	offers map[string]*Offer
}

// NewRegistry asks every source for its tools. What is wrong is a [config.Faults] where it is a matter of the host's
// file.
func NewRegistry(ctx context.Context, o RegistryOptions, sources ...Source) (*Registry, error) {
	if o.Timeout <= 0 {
		o.Timeout = config.DefaultTimeout.Std()
	}
	if o.ResultLimit <= 0 {
		o.ResultLimit = config.DefaultResultLimit
	}
	if o.Fault == nil {
		o.Fault = func(path, message string) config.Fault { return config.Fault{Path: path, Message: message} }
	}
	r := &Registry{
		options: o, byName: map[string]*Definition{}, sources: map[string]Source{}, validators: map[string]*validator{},
		omitter: newOmitter(o.Omit), offers: map[string]*Offer{},
	}
	if o.Rights != nil {
		r.readers = map[string]bool{}
		for role, rights := range o.Rights {
			if slices.Contains(rights, config.RightRead) {
				r.readers[role] = true
			}
		}
	}
	var faults config.Faults
	for _, s := range sources {
		if r.sources[s.Name()] != nil {
			return nil, fmt.Errorf("make the registry: two sources are called %q", s.Name())
		}
		r.sources[s.Name()] = s
		definitions, err := s.Definitions(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the tools of source %q: %w", s.Name(), err)
		}
		for i := range definitions {
			faults = append(faults, r.add(&definitions[i])...)
		}
	}
	slices.SortFunc(r.definitions, func(a, b *Definition) int { return strings.Compare(a.Name(), b.Name()) })
	for surface, patterns := range o.Surfaces {
		for i, p := range patterns {
			if !slices.ContainsFunc(r.definitions, func(d *Definition) bool { return matches(p, d) }) {
				faults = append(faults, o.Fault(fmt.Sprintf("%s.tools[%d]", config.Path("surfaces", surface), i), fmt.Sprintf("no tool is called %q", p)))
			}
		}
	}
	faults = append(faults, r.tooMany()...)
	return r, faults.Sort().Err()
}

// tooMany finds the surfaces whose list would be over the provider's limit with one tool a router: for some role, with
// every scope and flag that there is.
func (r *Registry) tooMany() config.Faults {
	if r.options.MaxTools == 0 {
		return nil
	}
	var faults config.Faults
	roles := sortedKeys(r.readers)
	if r.readers == nil {
		roles = []string{""}
	}
	surfaces := map[string]bool{"app": true}
	for name := range r.options.Surfaces {
		surfaces[name] = true
	}
	for _, surface := range sortedKeys(surfaces) {
		most := 0
		for _, role := range roles {
			routers := map[string]bool{}
			for _, d := range r.definitions {
				if r.usable(d) && r.Permits(d, Asker{Surface: surface, Principal: principal.Principal{Roles: []string{role}, Scopes: d.Scopes}}) {
					routers[d.Router] = true
				}
			}
			most = max(most, len(routers))
		}
		if most > r.options.MaxTools {
			faults = append(faults, r.options.Fault(config.Path("surfaces", surface)+".tools", fmt.Sprintf(
				"would be offered %d tools, folded by router, and the model's provider takes at most %d: list here what this surface needs, as \"orders.*\", or leave operations out with sources.*.leave_out",
				most, r.options.MaxTools)))
		}
	}
	return faults
}

// usable reports whether a tool can be offered to somebody.
func (r *Registry) usable(d *Definition) bool {
	return d.Effect == Read && d.Note == "" && r.validators[d.Name()] != nil
}

var wordPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (r *Registry) add(d *Definition) config.Faults {
	path := config.Path("tools.actions", d.Name())
	fault := func(format string, args ...any) config.Faults {
		return config.Faults{r.options.Fault(path, fmt.Sprintf(format, args...))}
	}
	if !wordPattern.MatchString(d.Router) || !wordPattern.MatchString(d.Action) {
		return fault("a tool must be named router.action, in lower-case letters, digits and underscores")
	}
	if first := r.byName[d.Name()]; first != nil {
		return fault("two tools are called %s, of the sources %s and %s", d.Name(), first.Source, d.Source)
	}
	if d.Effect != Read && d.Effect != Write {
		return fault("must be a read or a write")
	}
	var faults config.Faults
	if r.options.Rights != nil {
		for _, role := range d.Roles {
			if _, ok := r.options.Rights[role]; !ok {
				faults = append(faults, fault("there is no role %q in identity.roles", role)...)
			}
		}
	}
	if d.Timeout == 0 {
		d.Timeout = r.options.Timeout
	}
	if d.ResultLimit == 0 {
		d.ResultLimit = r.options.ResultLimit
	}
	fit, check, err := fitInput(d.Input)
	switch {
	case err == nil:
		d.Input, r.validators[d.Name()] = fit, check
	case d.Note == "":
		// Without a schema that can be checked and that a vendor takes, a tool is listed and cannot be called: what a model
		// sends it is not known to be what the host takes, or no model can be offered it.
		d.Note = "its input schema is not valid"
		if wrong, ok := errors.AsType[*schemaError](err); ok {
			d.Note = "its input schema: " + wrong.Error()
		}
		if d.Named {
			faults = append(faults, fault("cannot be called: %s", d.Note)...)
		}
	}
	r.definitions = append(r.definitions, d)
	r.byName[d.Name()] = d
	return faults
}

// All lists every tool, sorted by name, those that are never offered included.
func (r *Registry) All() []*Definition { return slices.Clone(r.definitions) }

// NeedsCredential reports whether a tool's calls carry the member's own token.
func (r *Registry) NeedsCredential(d *Definition) bool {
	s, ok := r.sources[d.Source].(interface{ NeedsCredential() bool })
	return ok && s.NeedsCredential()
}

// Find gives a tool by its name "router.action"; nil where there is none.
func (r *Registry) Find(name string) *Definition { return r.byName[name] }

// Source gives a source by name; nil where there is none.
func (r *Registry) Source(name string) Source { return r.sources[name] }

// Validate checks an input against a tool's schema and gives it in canonical form. An error is an [*InputError].
func (r *Registry) Validate(d *Definition, raw json.RawMessage) (json.RawMessage, error) {
	check := r.validators[d.Name()]
	if check == nil {
		return nil, &InputError{Faults: []string{"/: " + d.Note}}
	}
	return validateInput(check, raw)
}

func validateInput(check *validator, raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	v, out, err := canonicalInput(raw)
	if err != nil {
		return nil, &InputError{Faults: []string{"/: the arguments are not valid JSON"}}
	}
	if faults := check.check(v); len(faults) > 0 {
		return nil, &InputError{Faults: faults}
	}
	return out, nil
}

// InputError is what is wrong with the arguments of a call, in words for a model. It holds no value of an argument.
type InputError struct {
	// Faults are one sentence each, with the place of the value: "/date: must be a date like 2026-03-17".
	Faults []string
}

// Error is all faults in one line.
func (e *InputError) Error() string { return strings.Join(e.Faults, "; ") }

var _ error = (*InputError)(nil)

// ErrUnknownTool says that no tool has a name.
var ErrUnknownTool = errors.New("no such tool")

func matches(pattern string, d *Definition) bool {
	if router, ok := strings.CutSuffix(pattern, ".*"); ok {
		return d.Router == router
	}
	return pattern == d.Name()
}

// schemaOf is a tool's input schema as maps.
func schemaOf(d *Definition) map[string]any {
	v, _, err := canonicalInput(d.Input)
	if err != nil {
		return nil
	}
	return object(v)
}
