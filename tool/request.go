package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/steward-assistant/steward/config"
)

// ErrNoCredential says that a call needs the member's token and there is none, or it has ended: the step waits for the
// member's next request.
var ErrNoCredential = errors.New("the member's credential is needed")

// Run calls the operation. What the host refuses, fails at or answers unreadably is a result; an error is
// [ErrNoCredential], the end of ctx, or a fault of ours.
func (s *OpenAPI) Run(ctx context.Context, call Call) (Result, error) {
	op := s.operations[call.Tool.Operation]
	if op == nil {
		return Result{}, fmt.Errorf("run %q: the operation is not one of source %q", call.Tool.Name(), s.name)
	}
	if op.note != "" {
		return Result{Status: StatusNotAvailable, Code: CodeNotAllowedHere, Reason: "This cannot be called: " + op.note + "."}, nil
	}
	v, _, err := canonicalInput(call.Input)
	if err != nil {
		return Result{}, fmt.Errorf("run %q: %w", call.Tool.Name(), err)
	}
	args := object(v)
	request, body, err := s.request(ctx, op, args)
	if err != nil {
		return invalid(err.Error()), nil
	}
	if err := s.authorize(request, body, call); err != nil {
		return Result{}, err
	}
	if op.method != http.MethodGet {
		request.Header.Set("Idempotency-Key", call.ID)
		call.Precondition.set(request.Header)
	}
	if call.Locale != "" {
		request.Header.Set("Accept-Language", call.Locale)
		request.Header.Set("X-Locale", call.Locale)
	}
	if trace := traceparent(ctx); trace != "" {
		request.Header.Set("Traceparent", trace)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return s.unreached(ctx, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read to its end or is given up
	return s.read(ctx, op, response)
}

// set puts the precondition on a request. What cannot stand in a header was never a version that the product gave as one.
func (p Precondition) set(h http.Header) {
	if p.Header == "" || p.Value == "" || strings.ContainsFunc(p.Value, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
		return
	}
	value := p.Value
	if strings.EqualFold(p.Header, "If-Match") && !strings.HasSuffix(value, `"`) {
		value = `"` + strings.ReplaceAll(value, `"`, "") + `"`
	}
	h.Set(p.Header, value)
}

func (s *OpenAPI) request(ctx context.Context, op *operation, args map[string]any) (*http.Request, []byte, error) {
	u, err := op.address(s.base, args)
	if err != nil {
		return nil, nil, err
	}
	payload, err := op.payload(args)
	if err != nil {
		return nil, nil, err
	}
	var reader io.Reader = http.NoBody
	if payload != nil {
		reader = bytes.NewReader(payload)
	}
	request, err := http.NewRequestWithContext(ctx, op.method, u.String(), reader)
	if err != nil {
		return nil, nil, errors.New("the address is not one")
	}
	if err := op.headers(request.Header, args); err != nil {
		return nil, nil, err
	}
	request.Header.Set("Accept", "application/json, application/problem+json")
	request.Header.Set("User-Agent", "Steward")
	if payload != nil {
		request.Header.Set("Content-Type", op.body.mediaType)
	}
	return request, payload, nil
}

// authorize puts the authority on the request that the source's calls carry.
func (s *OpenAPI) authorize(request *http.Request, body []byte, call Call) error {
	if s.authority == config.AuthorityService {
		signed, err := s.signer.sign(request, body, call.ID, s.base.Scheme+"://"+s.base.Host, call.Principal, s.now())
		if err != nil {
			return err
		}
		request.Header.Set(StatementHeader, signed)
		return nil
	}
	c := call.Credential
	if c.Token == "" || c.Ended(s.now()) {
		return ErrNoCredential
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	return nil
}

// unreached tells of a request that got no answer. The transport's own words may hold addresses, so they are for the
// operator alone.
func (s *OpenAPI) unreached(ctx context.Context, err error) (Result, error) {
	if cause := context.Cause(ctx); cause != nil {
		return Result{}, fmt.Errorf("call source %q: %w", s.name, cause)
	}
	reason := "The product could not be reached."
	var netErr net.Error
	if errors.As(err, &netErr) && netErr.Timeout() {
		reason = "The product did not answer in time."
	}
	result := unreadable(reason)
	result.Cause = err.Error()
	if outer, ok := errors.AsType[*url.Error](err); ok { // its own text has the whole address, with what was asked for
		result.Cause = outer.Err.Error()
	}
	return result, nil
}

type traceKey struct{}

// WithTraceparent has the calls of ctx carry a W3C trace context, so that a host can follow a request into its own log.
func WithTraceparent(ctx context.Context, value string) context.Context {
	return context.WithValue(ctx, traceKey{}, value)
}

func traceparent(ctx context.Context) string {
	v, _ := ctx.Value(traceKey{}).(string)
	return v
}

func unreadable(reason string) Result {
	return Result{Status: StatusUnreadable, Code: CodeUnreadable, Reason: reason}
}

func invalid(reason string) Result {
	return Result{Status: StatusNotAvailable, Code: CodeInvalidInput, Reason: reason}
}

// Codes of a result; they are the outcomes of a call that are stored with it.
const (
	CodeUnreadable       = "unreadable"
	CodeNotConfigured    = "not_configured"
	CodeNotAvailable     = "not_available"
	CodeRefusedByHost    = "refused_by_host"
	CodeNotFound         = "not_found"
	CodeInvalidInput     = "invalid_input"
	CodeNotAllowedHere   = "not_allowed_here"
	CodeFeatureNotInPlan = "feature_not_in_plan"
	CodeAborted          = "aborted"
	CodeCallChanged      = "call_changed"
)

// problem is what is read of a problem document (RFC 9457) or of what hosts write instead.
type problem struct {
	Detail  string          `json:"detail"`
	Title   string          `json:"title"`
	Message string          `json:"message"`
	Error   json.RawMessage `json:"error"`
}
