package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Function is a tool that runs in this process. Make one with [Func] or [RawFunc].
type Function struct {
	definition Definition
	run        func(ctx context.Context, call Call) (json.RawMessage, error)
	err        error
}

// Option sets a part of a function's definition that its types do not say.
type Option func(*Definition)

// WithDefinition lets f change anything of the definition but its input schema; it is called once, when the function is
// made.
func WithDefinition(f func(*Definition)) Option { return f }

// WithTrusted declares strings of the result to be the product's own words, by JSON Pointer.
func WithTrusted(pointers ...string) Option {
	return func(d *Definition) { d.Trusted = append(d.Trusted, pointers...) }
}

// WithWrite says that the function changes something.
func WithWrite() Option { return func(d *Definition) { d.Effect, d.Confirm = Write, ConfirmAlways } }

// Func makes a tool, "router.action", of a Go function. The schemas of its input and its result are inferred from In and
// Out, whose fields may carry a jsonschema tag with their description; In must be a struct or a map. An error that fn
// returns is told to the model as "the tool failed" unless it is a [*RefusedError], whose words are.
func Func[In, Out any](name, summary string, fn func(ctx context.Context, call Call, in In) (Out, error), options ...Option) Function {
	input, err := jsonschema.For[In](nil)
	if err != nil {
		return Function{err: fmt.Errorf("make tool %q: infer the input's schema: %w", name, err)}
	}
	raw, err := json.Marshal(input)
	if err != nil {
		return Function{err: fmt.Errorf("make tool %q: encode the input's schema: %w", name, err)}
	}
	f := RawFunc(name, summary, raw, func(ctx context.Context, call Call) (json.RawMessage, error) {
		var in In
		if err := json.Unmarshal(call.Input, &in); err != nil {
			return nil, &RefusedError{Code: CodeInvalidInput, Reason: "The arguments could not be read."}
		}
		out, err := fn(ctx, call, in)
		if err != nil {
			return nil, err
		}
		return canonical(out)
	}, options...)
	if output, err := jsonschema.For[Out](nil); err == nil {
		f.definition.output = functionShape(output)
	}
	return f
}

// functionShape reads an inferred schema as a document of its own.
func functionShape(s *jsonschema.Schema) *shape {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	v, _, err := canonicalInput(raw)
	if err != nil {
		return nil
	}
	return newShape(&document{root: object(v)}, v)
}

// RawFunc makes a tool of a function that takes its input as JSON, valid by the schema input (2020-12, type object), and
// gives its result as JSON.
func RawFunc(name, summary string, input json.RawMessage, fn func(ctx context.Context, call Call) (json.RawMessage, error), options ...Option) Function {
	router, action, ok := strings.Cut(name, ".")
	if !ok {
		return Function{err: fmt.Errorf("make tool %q: a name must be router.action", name)}
	}
	v, _, err := canonicalInput(input)
	if err != nil {
		return Function{err: fmt.Errorf("make tool %q: %w", name, err)}
	}
	root, ok := v.(map[string]any)
	if !ok || root["type"] != "object" {
		return Function{err: fmt.Errorf("make tool %q: the input's schema must be of type object", name)}
	}
	slim := newSlimmer(&document{root: root})
	schema := object(slim.schema(root))
	schema["additionalProperties"] = false
	if schema["properties"] == nil {
		schema["properties"] = map[string]any{}
	}
	slimmed, err := slim.finish(schema)
	if err != nil {
		return Function{err: fmt.Errorf("make tool %q: %w", name, err)}
	}
	f := Function{run: fn, definition: Definition{
		Router: router, Action: action, Summary: summary, Input: slimmed, Effect: Read, Confirm: ConfirmNever, Named: true,
	}}
	for _, o := range options {
		o(&f.definition)
	}
	f.definition.Router, f.definition.Action, f.definition.Input = router, action, slimmed
	return f
}

// RefusedError is an error of a function whose words a model is told.
type RefusedError struct {
	// Code is an outcome of a call, as [CodeNotFound] or [CodeInvalidInput]; empty: [CodeUnreadable].
	Code string
	// Reason is a sentence in English. It is our own words: text of others stands in Said.
	Reason string
	// Said is a sentence of others; empty: none.
	Said string
}

// Error is the reason.
func (r *RefusedError) Error() string { return r.Reason }

var _ error = (*RefusedError)(nil)

func (r *RefusedError) result() Result {
	out := unreadable(r.Reason)
	out.Said = r.Said
	if r.Code != "" {
		out.Code = r.Code
	}
	switch r.Code {
	case CodeNotConfigured:
		out.Status = StatusNotConfigured
	case CodeNotAvailable, CodeInvalidInput, CodeNotAllowedHere, CodeFeatureNotInPlan:
		out.Status = StatusNotAvailable
	}
	return out
}

// Functions is a source of Go functions. Safe for concurrent use as far as its functions are.
type Functions struct {
	name      string
	functions map[string]Function
}

var _ Source = (*Functions)(nil)

// NewFunctions makes a source of functions.
func NewFunctions(name string, functions ...Function) (*Functions, error) {
	s := &Functions{name: name, functions: map[string]Function{}}
	for _, f := range functions {
		if f.err != nil {
			return nil, f.err
		}
		f.definition.Source = name
		if _, twice := s.functions[f.definition.Name()]; twice {
			return nil, fmt.Errorf("make source %q: two functions are called %q", name, f.definition.Name())
		}
		s.functions[f.definition.Name()] = f
	}
	return s, nil
}

// Name is the source's name.
func (s *Functions) Name() string { return s.name }

// Definitions lists the functions, sorted by name.
func (s *Functions) Definitions(context.Context) ([]Definition, error) {
	out := make([]Definition, 0, len(s.functions))
	for _, name := range sortedKeys(s.functions) {
		out = append(out, s.functions[name].definition)
	}
	return slices.Clip(out), nil
}

// Run calls the function.
func (s *Functions) Run(ctx context.Context, call Call) (Result, error) {
	f, ok := s.functions[call.Tool.Name()]
	if !ok {
		return Result{}, fmt.Errorf("run %q: %w", call.Tool.Name(), ErrUnknownTool)
	}
	data, err := f.run(ctx, call)
	if err != nil {
		if refused, ok := errors.AsType[*RefusedError](err); ok {
			return refused.result(), nil
		}
		return Result{}, err
	}
	return Result{OK: true, Status: StatusRead, Data: data}, nil
}
