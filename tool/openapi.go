package tool

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/steward-assistant/steward/config"
)

// OpenAPIOptions describes an [OpenAPI] source.
type OpenAPIOptions struct {
	// Name is the source's name in the host's file.
	Name string
	// Document is the document, JSON or YAML, of OpenAPI 3.0 to 3.2 or Swagger 2.0. It is not kept.
	Document []byte
	// BaseURL is where the API is: scheme, host, port and perhaps a path before the document's paths. Calls go to
	// exactly this scheme, host and port, whatever network that is in.
	BaseURL string
	// Authority is config.AuthorityForward (empty means that too) or config.AuthorityService.
	Authority string
	// Signer makes the statements of authority service; required for it.
	Signer *Signer
	// Actions are the host's own descriptions of this source's operations, by tool name.
	Actions map[string]config.Action
	// LeaveOut lists operations that are not imported, by operationId or as "GET /orders".
	LeaveOut []string
	// Transport carries the calls; nil takes one of the source's own, which uses no proxy and follows no redirect.
	Transport http.RoundTripper
	// MaxResponseBytes is the largest response that is read. Zero: 4 MiB.
	MaxResponseBytes int64
	// Now is the clock; nil: the system's.
	Now func() time.Time
	// Fault makes a fault at a place of the host's file, as [config.Config.Fault] does; nil: without a place.
	Fault func(path, message string) config.Fault
}

// OpenAPI is a source whose tools are the operations of an OpenAPI document. A GET is a read; everything else is a
// write, whatever the document says of it. Safe for concurrent use.
type OpenAPI struct {
	name        string
	base        *url.URL
	authority   string
	signer      *Signer
	client      *http.Client
	maxResponse int64
	now         func() time.Time
	about       About
	findings    []Finding
	definitions []Definition
	operations  map[string]*operation // by Definition.Operation
}

// About is what a document says of itself.
type About struct {
	// Title and Version are the API's; empty where the document has none.
	Title   string `json:"title"`
	Version string `json:"version"`
	// Form is what the document is of, as "OpenAPI 3.0.3" or "Swagger 2.0".
	Form string `json:"form"`
	// Servers are the addresses at which it says that the API is. They are a hint for people: calls go where the host's
	// file says.
	Servers []string `json:"servers,omitempty"`
}

var _ Source = (*OpenAPI)(nil)

const defaultMaxResponse = 4 << 20

// NewOpenAPI reads a document and makes its tools. What is wrong is a [config.Faults] where it is a matter of the
// host's file.
func NewOpenAPI(o OpenAPIOptions) (*OpenAPI, error) {
	if o.Fault == nil {
		o.Fault = func(path, message string) config.Fault { return config.Fault{Path: path, Message: message} }
	}
	base, err := url.Parse(strings.TrimSuffix(o.BaseURL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, config.Faults{o.Fault(config.Path("sources", o.Name), "base_url must be an address such as https://api.example.com")}
	}
	if o.Authority == config.AuthorityService && o.Signer == nil {
		return nil, fmt.Errorf("source %q: authority service needs a signer", o.Name)
	}
	doc, err := parseDocument(o.Document)
	if err != nil {
		return nil, config.Faults{o.Fault(config.Path("sources", o.Name)+".openapi", err.Error())}
	}
	operations, err := doc.operations()
	if err != nil {
		return nil, fmt.Errorf("source %q: %w", o.Name, err)
	}
	s := &OpenAPI{
		name: o.Name, base: base, authority: o.Authority, signer: o.Signer, maxResponse: o.MaxResponseBytes, now: o.Now,
		operations: map[string]*operation{}, about: doc.about(),
	}
	if s.authority == "" {
		s.authority = config.AuthorityForward
	}
	if s.maxResponse <= 0 {
		s.maxResponse = defaultMaxResponse
	}
	if s.now == nil {
		s.now = systemClock
	}
	transport := o.Transport
	if transport == nil {
		transport = directTransport()
	}
	s.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	faults := s.define(o, operations)
	s.findings = doc.findings
	return s, faults.Sort().Err()
}

// directTransport goes straight to the host that a URL names: a proxy of the environment would be another place that
// sees the member's credential.
func directTransport() *http.Transport {
	return &http.Transport{
		Proxy: nil, ForceAttemptHTTP2: true, MaxIdleConns: 256, MaxIdleConnsPerHost: 64,
		IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10,
	}
}

// Name is the source's name in the host's file.
func (s *OpenAPI) Name() string { return s.name }

// Definitions lists the tools, sorted by name.
func (s *OpenAPI) Definitions(context.Context) ([]Definition, error) {
	return slices.Clone(s.definitions), nil
}

// About tells what the document says of itself.
func (s *OpenAPI) About() About { return s.about }

// Findings lists what of the document did not become a tool, in the order of places; what is left out by the host's own
// file is not among it.
func (s *OpenAPI) Findings() []Finding { return slices.Clone(s.findings) }

// NeedsCredential reports whether calls carry the member's own token.
func (s *OpenAPI) NeedsCredential() bool { return s.authority == config.AuthorityForward }

// Close ends idle connections. It has no error.
func (s *OpenAPI) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// define makes a definition of each operation, in the host's words where its file names it.
func (s *OpenAPI) define(o OpenAPIOptions, operations []*operation) config.Faults {
	var faults config.Faults
	named := map[string]string{} // operation → tool name
	for _, name := range sortedKeys(o.Actions) {
		if source, id, _ := strings.Cut(o.Actions[name].Operation, "."); source == o.Name {
			named[id] = name
		}
	}
	taken := map[string]int{}
	for name := range o.Actions {
		taken[name] = 1
	}
	known := map[string]bool{} // every way to name an operation; false: it is the id of two
	for _, op := range operations {
		known[op.call()] = true
		if op.id != "" {
			known[op.id] = !op.twice
		}
	}
	for _, op := range operations {
		if slices.Contains(o.LeaveOut, op.call()) || op.id != "" && slices.Contains(o.LeaveOut, op.id) {
			continue
		}
		d := Definition{
			Source: o.Name, Summary: op.summary, Input: op.input, Effect: Write, Confirm: ConfirmAlways, Note: op.note,
			Operation: o.Name + "." + op.key(),
		}
		if op.method == http.MethodGet {
			d.Effect, d.Confirm = Read, ConfirmNever
		}
		name, ok := named[op.key()]
		if !ok {
			name, ok = named[op.call()]
		}
		if ok {
			path := config.Path("tools.actions", name)
			d.Router, d.Action, _ = strings.Cut(name, ".")
			faults = append(faults, describe(&d, o.Actions[name], path, o.Fault)...)
			if op.note != "" {
				faults = append(faults, o.Fault(path+".operation", "cannot be called: "+op.note+" (at "+op.at+" of the document)"))
			}
		} else {
			d.Router, d.Action = importedName(o.Name, op, taken)
		}
		if d.Effect == Read && d.Note == "" || d.Named {
			d.output = op.output
		}
		op.output, op.summary, op.input = d.output, "", nil // the definition has them
		if d.Summary == "" {
			d.Summary = op.call()
		}
		op.note, op.at = "", ""
		s.operations[d.Operation] = op
		s.definitions = append(s.definitions, d)
	}
	for _, id := range sortedKeys(named) {
		if unique, ok := known[id]; !ok {
			faults = append(faults, o.Fault(config.Path("tools.actions", named[id])+".operation", unknownOperation(id, known)))
		} else if !unique {
			faults = append(faults, o.Fault(config.Path("tools.actions", named[id])+".operation", twiceOperation(o.Name, id, operations)))
		}
	}
	for i, id := range o.LeaveOut {
		if _, ok := known[id]; !ok {
			faults = append(faults, o.Fault(fmt.Sprintf("%s.leave_out[%d]", config.Path("sources", o.Name), i), unknownOperation(id, known)))
		}
	}
	slices.SortFunc(s.definitions, func(a, b Definition) int { return strings.Compare(a.Name(), b.Name()) })
	return faults
}

// twiceOperation says how the operations that share an id are named.
func twiceOperation(source, id string, operations []*operation) string {
	var calls []string
	for _, op := range operations {
		if op.id == id {
			calls = append(calls, source+"."+op.call())
		}
	}
	return fmt.Sprintf("the document has operationId %q twice; name the one that is meant: %s", id, strings.Join(calls, " or "))
}

// shownOperations is how many operations are named where one is not found and none is like it.
const shownOperations = 8

func unknownOperation(id string, known map[string]bool) string {
	names := sortedKeys(known)
	for _, k := range names {
		if strings.EqualFold(k, id) {
			return fmt.Sprintf("the document has no operation %q; it has %q", id, k)
		}
	}
	if meant := config.Nearest(id, names); meant != "" {
		return fmt.Sprintf("the document has no operation %q; did you mean %s?", id, meant)
	}
	ids := slices.DeleteFunc(names, func(k string) bool { return strings.Contains(k, " ") })
	shown := ids[:min(len(ids), shownOperations)]
	switch more := len(ids) - len(shown); {
	case len(shown) == 0:
		return fmt.Sprintf("the document has no operation %q", id)
	case more > 0:
		return fmt.Sprintf("the document has no operation %q; it has %s and %d more", id, strings.Join(shown, ", "), more)
	default:
		return fmt.Sprintf("the document has no operation %q; it has %s", id, strings.Join(shown, ", "))
	}
}
