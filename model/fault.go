package model

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
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

// responseError makes the error of an answer that is not a 200.
func (c *caller) responseError(w wire, res *http.Response, body io.Reader) *Error {
	text, err := io.ReadAll(io.LimitReader(body, maxErrorBytes))
	if err != nil {
		text = nil // the status alone classifies
	}
	e := w.fault(text)
	e.Code = statusCode(res.StatusCode, e.Code)
	e.Status = res.StatusCode
	if id := requestID(res.Header); id != "" {
		e.RequestID = id
	}
	if e.Type == "" && status3xx(res.StatusCode) {
		e.Type = "redirect"
	}
	e.RetryAfter = retryDelay(res.Header, c.now)
	return &e
}

// statusCode classifies an answer. The status decides, save where the document's own word, named, is plainer.
func statusCode(status int, named Code) Code {
	switch {
	case named == CodeOverloaded, status == 529:
		return CodeOverloaded
	case named == CodeOutOfCredit, status == http.StatusPaymentRequired:
		return CodeOutOfCredit
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return CodeUnauthorized
	case status == http.StatusTooManyRequests:
		return CodeRateLimited
	case status == http.StatusRequestTimeout, status >= 500, status < 400:
		return CodeUnavailable
	}
	return CodeInvalidRequest
}

func status3xx(status int) bool { return status >= 300 && status < 400 }

// retryDelay says how long to wait before the next call. OpenAI's servers say it in milliseconds too.
func retryDelay(h http.Header, now func() time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, float64(maxRetryAfter.Milliseconds())) * float64(time.Millisecond))
	}
	return retryAfter(h.Get("Retry-After"), now)
}

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

// modelName returns a model's name for errors and logs: a name as [cleanName] takes it, in the parts that gateways give
// it ("vendor/model:variant").
func modelName(model string) string {
	for part := range strings.FieldsFuncSeq(model, func(r rune) bool { return r == '/' || r == ':' || r == '@' }) {
		if cleanName(part, 80) == "" {
			return ""
		}
	}
	return model[:min(len(model), 200)]
}

// saidModel gives the model that a reply says made it, and the one that was asked where what it says is no name.
func saidModel(said, asked string) string {
	if said != "" && modelName(said) == said {
		return said
	}
	return asked
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
		return &Error{Code: CodeUnreachable, Err: plainCause(err)}
	}
	return &Error{Code: CodeUnavailable, Type: "connection_broken", Err: plainCause(err)}
}

var errNotHTTP = errors.New("what came is no answer of HTTP")

// plainCause gives the cause of a broken call as it may be told: what the net, TLS and the end of a stream say of
// themselves. The causes of HTTP's own quote what the server wrote.
func plainCause(err error) error {
	var op *net.OpError
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrNoProgress),
		errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &op), errors.As(err, &certificate), errors.As(err, &record),
		errors.As(err, &timeout) && timeout.Timeout():
		return err
	}
	return errNotHTTP
}
