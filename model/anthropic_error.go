package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxErrorBytes bounds what is read of an error's body; a vendor's is a few hundred bytes.
const maxErrorBytes = 64 << 10

// maxRetryAfter bounds what a vendor may ask for.
const maxRetryAfter = 24 * time.Hour

// anthropicFault is the vendor's error object, in a body or in a stream.
type anthropicFault struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// faultCode classifies a fault by the vendor's type (Anthropic, "Errors"), empty where the type says nothing.
func faultCode(f anthropicFault) Code {
	switch f.Type {
	case "overloaded_error":
		return CodeOverloaded
	case "rate_limit_error":
		return CodeRateLimited
	case "authentication_error", "permission_error":
		return CodeUnauthorized
	case "billing_error":
		return CodeOutOfCredit
	case "invalid_request_error":
		// Money is told with this type too, and only in the message.
		message := strings.ToLower(f.Message)
		if strings.Contains(message, "credit balance") || strings.Contains(message, "usage limits") {
			return CodeOutOfCredit
		}
		return CodeInvalidRequest
	case "not_found_error", "request_too_large":
		return CodeInvalidRequest
	case "api_error", "timeout_error":
		return CodeUnavailable
	}
	return ""
}

// streamFault makes the error of an `error` event.
func streamFault(f anthropicFault) *Error {
	code := faultCode(f)
	if code == "" {
		code = CodeUnavailable
	}
	return &Error{Code: code, Type: cleanName(f.Type, 80), Err: faultPath(f.Message)}
}

// responseError makes the error of an answer that is not a 200. The status decides, save where the type is plainer.
func (a *Anthropic) responseError(res *http.Response, body io.Reader) *Error {
	text, err := io.ReadAll(io.LimitReader(body, maxErrorBytes))
	if err != nil {
		text = nil // the status alone classifies
	}
	var doc struct {
		Error     anthropicFault `json:"error"`
		RequestID string         `json:"request_id"`
	}
	if json.Unmarshal(text, &doc) != nil {
		doc.Error = anthropicFault{} // a gateway's page: nothing of it is kept
	}
	e := &Error{
		Status:    res.StatusCode,
		Type:      cleanName(doc.Error.Type, 80),
		RequestID: requestID(res.Header),
		Err:       faultPath(doc.Error.Message),
	}
	if e.RequestID == "" {
		e.RequestID = cleanName(doc.RequestID, 128)
	}
	named := faultCode(doc.Error)
	switch status := res.StatusCode; {
	case named == CodeOverloaded, status == 529:
		e.Code = CodeOverloaded
	case named == CodeOutOfCredit, status == http.StatusPaymentRequired:
		e.Code = CodeOutOfCredit
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		e.Code = CodeUnauthorized
	case status == http.StatusTooManyRequests:
		e.Code = CodeRateLimited
	case status == http.StatusRequestTimeout, status >= 500, status < 400:
		e.Code = CodeUnavailable
	default:
		e.Code = CodeInvalidRequest
	}
	if e.Type == "" && status3xx(res.StatusCode) {
		e.Type = "redirect"
	}
	e.RetryAfter = retryAfter(res.Header.Get("Retry-After"), a.now)
	return e
}

func status3xx(status int) bool { return status >= 300 && status < 400 }

// retryAfter reads the header (RFC 9110, section 10.2.3): seconds, with a fraction as some gateways send, or a date.
func retryAfter(header string, now func() time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if header == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		if !(seconds > 0) { // also NaN
			return 0
		}
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(0, min(at.Sub(now()), maxRetryAfter))
}

// requestID takes the vendor's id of a call from its headers.
func requestID(h http.Header) string {
	for _, name := range []string{"Request-Id", "X-Request-Id", "Cf-Ray"} {
		if id := cleanName(h.Get(name), 128); id != "" {
			return id
		}
	}
	return ""
}

// cleanName returns s when it looks like a name or an id, and nothing otherwise: an error must not carry words.
func cleanName(s string, most int) string {
	if len(s) > most {
		return ""
	}
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' {
			continue
		}
		return ""
	}
	return s
}

// faultPath says where in the request the vendor found fault ("messages.3.content.0.tool_use_id"). Its messages begin
// with that path; what follows may quote the request and is dropped, and so is a path with a word that is not the
// API's own.
func faultPath(message string) error {
	path, _, found := strings.Cut(message, ":")
	if !found || len(path) > 200 {
		return nil
	}
	for word := range strings.SplitSeq(path, ".") {
		if !requestWords[word] && !allDigits(word) {
			return nil
		}
	}
	return errors.New("refused at " + path)
}

// requestWords are the API's names that a fault's path is made of.
var requestWords = map[string]bool{
	"cache_control": true, "content": true, "custom": true, "data": true, "description": true, "effort": true,
	"id": true, "input": true, "input_schema": true, "is_error": true, "max_tokens": true, "messages": true,
	"model": true, "name": true, "output_config": true, "redacted_thinking": true, "role": true, "signature": true,
	"stream": true, "strict": true, "system": true, "temperature": true, "text": true, "thinking": true,
	"tool_choice": true, "tool_result": true, "tool_use": true, "tool_use_id": true, "tools": true, "ttl": true,
	"type": true,
}

// Why a call was cut by its own clock.
var (
	errIdle  = errors.New("no byte came within the idle time-out")
	errTotal = errors.New("the reply took longer than the time-out")
)

// transportError makes the error of a call that broke below HTTP. call is the call's own context, parent the caller's.
func transportError(parent, call context.Context, connected bool, err error) *Error {
	if parent.Err() != nil {
		return &Error{Code: CodeUnavailable, Type: "cancelled", Err: parent.Err()}
	}
	switch cause := context.Cause(call); {
	case errors.Is(cause, errIdle):
		return &Error{Code: CodeUnavailable, Type: "idle_timeout", Err: errIdle}
	case errors.Is(cause, errTotal):
		return &Error{Code: CodeUnavailable, Type: "timeout", Err: errTotal}
	}
	// The URL is the operator's own, but a password in it is not for logs.
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if !connected {
		return &Error{Code: CodeUnreachable, Err: err}
	}
	return &Error{Code: CodeUnavailable, Type: "connection_broken", Err: err}
}
