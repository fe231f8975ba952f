package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/steward-assistant/steward/internal/words"
)

// Runner runs one call at a time, from any number of goroutines: it checks again who may, validates, runs, and writes
// what a model and a person are told. Which calls run at once, and when a repeated failure ends a turn, is the
// engine's.
type Runner struct {
	registry *Registry
	now      func() time.Time
}

// NewRunner makes a runner over a registry. now is the clock; nil: the system's.
func NewRunner(r *Registry, now func() time.Time) *Runner {
	if now == nil {
		now = systemClock
	}
	return &Runner{registry: r, now: now}
}

// Run runs a call whose tool [Offer.Resolve] gave, and always gives a result that can be stored, whatever the host
// answered: a panic of a source and an error that it did not explain are unreadable results. Where ctx ended, the code is
// [CodeAborted]; where the call needs the member's token and there is none that holds, NeedsCredential is set, and the
// engine runs the call again with one.
func (r *Runner) Run(ctx context.Context, call Call, fence Fence) Result {
	started := r.now()
	result, data, parts, err := r.run(ctx, call)
	switch {
	case errors.Is(err, ErrNoCredential):
		result = unreadable("The member has to be signed in for this, and is not any more.")
		result.NeedsCredential = true
	case err != nil && ctx.Err() != nil:
		result = Result{Status: StatusUnreadable, Code: CodeAborted, Reason: "It was stopped before it was read."}
	case err != nil:
		result = unreadable("The tool failed.")
	}
	if data != nil {
		result.Data = json.RawMessage(data.String())
		if result.OK {
			result.Table = draw(call, data, r.now())
		}
	}
	input, _, err := canonicalInput(call.Input)
	if err != nil {
		input = nil
	}
	result.Envelope = envelope(call.Tool, object(input), result, data, parts, fence, call.Tool.ResultLimit)
	if !result.OK {
		result.Sentence = sentence(call, result)
	}
	result.Duration = r.now().Sub(started)
	return result
}

func (r *Runner) run(ctx context.Context, call Call) (Result, *node, []string, error) {
	d := call.Tool
	if refused := r.permits(call); refused != nil {
		return *refused, nil, nil, nil
	}
	valid, err := r.registry.Validate(d, call.Input)
	if err != nil {
		return invalid(err.Error()), nil, nil, nil
	}
	call.Input = valid
	source := r.registry.sources[d.Source]
	if source == nil {
		return Result{}, nil, nil, fmt.Errorf("run %q: there is no source %q", d.Name(), d.Source)
	}
	result, err := r.bounded(ctx, source, call)
	if err != nil {
		return Result{}, nil, nil, err
	}
	if !result.OK || len(result.Data) == 0 {
		result.Data = nil
		return result, nil, nil, nil
	}
	data, err := parseNode(result.Data)
	if err != nil {
		//nolint:nilerr // the fault is in the product's answer, so it is the call's result and no error of the run
		return unreadable("The product's answer is not JSON that can be read."), nil, nil, nil
	}
	result.Data = nil
	r.registry.omitter.apply(data, newPointerSet(d.Omit))
	status, word, parts := applyStatus(data, d.Status)
	if status != StatusRead {
		said := result.Said
		result = Result{Status: status, Code: string(status), Said: firstOf(said, word), Reason: "The product says itself that this could not be read."}
		switch status {
		case StatusNotConfigured:
			result.Reason = "The product says that this is not set up."
		case StatusNotAvailable:
			result.Reason = "The product says that this is not available."
		default:
		}
		return result, nil, parts, nil
	}
	if len(parts) > 0 {
		result.Reason = fmt.Sprintf("%d of its parts could not be read; each says so in its place. They are unknown, and no total counts them.", len(parts))
	}
	return result, data, parts, nil
}

// bounded runs the source within the tool's time-out.
func (r *Runner) bounded(ctx context.Context, source Source, call Call) (result Result, err error) {
	limit := call.Tool.Timeout
	timed, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			result, err = unreadable("The tool failed."), nil
		}
	}()
	result, err = source.Run(timed, call)
	switch {
	case err == nil:
		return result, nil
	case errors.Is(err, ErrNoCredential):
		return Result{}, err
	case ctx.Err() != nil:
		return Result{}, fmt.Errorf("run %q: %w", call.Tool.Name(), context.Cause(ctx))
	case errors.Is(err, errTimeout) || timed.Err() != nil:
		return unreadable(fmt.Sprintf("The product did not answer within %s.", limit)), nil
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return refused.result(), nil
	}
	return unreadable("The tool failed."), nil
}

var errTimeout = errors.New("the call took too long")

// permits checks what may have changed since the offer was made.
func (r *Runner) permits(call Call) *Result {
	d := call.Tool
	if d.Effect != Read || d.Note != "" || !r.registry.Permits(d, Asker{Principal: call.Principal, Surface: call.Surface}) || !call.Principal.HasFeature(d.OrgFlag) {
		return notAllowed(d)
	}
	if !call.Principal.HasFeature(d.Feature) {
		return &Result{
			Status: StatusNotAvailable, Code: CodeFeatureNotInPlan,
			Reason: fmt.Sprintf("The organisation's plan does not include %s, which this needs. Nothing ran. Say which feature it is, and that whoever manages the plan can add it.", d.Feature),
		}
	}
	return nil
}

// sentence tells a person why there is no result.
func sentence(call Call, r Result) string {
	w := words.For(call.Locale)
	if r.Code == CodeUnreadable {
		if s := call.Tool.Failure.In(call.Locale); s != "" {
			return s
		}
	}
	if said := strippedLabel(r.Said); said != "" && r.Code == CodeRefusedByHost {
		return w.Text("tool.refused_by_host_said", words.Args{"said": said})
	}
	if r.Code == CodeFeatureNotInPlan {
		return w.Text("tool.feature_not_in_plan", words.Args{"feature": call.Tool.Feature})
	}
	if key := "tool." + r.Code; w.Has(key) {
		return w.Text(key, nil)
	}
	return w.Text("tool.unreadable", nil)
}

func strippedLabel(s string) string { return cutText(oneLine(s), 300) }
