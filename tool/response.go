package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxSaid is the most characters of a host's sentence that are kept.
const maxSaid = 600

// read turns a response into a result. What it could not read it says so of: never an empty list or a zero instead.
func (s *OpenAPI) read(ctx context.Context, op *operation, response *http.Response) (Result, error) {
	status := response.StatusCode
	if status >= 300 && status < 400 {
		return unreadable(fmt.Sprintf("The product answered with a redirect (HTTP %d), which is not followed.", status)), nil
	}
	body, tooLarge, err := readBody(response.Body, s.maxResponse)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return Result{}, fmt.Errorf("read the answer of source %q: %w", s.name, cause)
		}
		return unreadable("The product's answer broke off before its end."), nil
	}
	if status >= 400 {
		return refusal(status, response.Header.Get("Content-Type"), body), nil
	}
	if tooLarge {
		return unreadable(fmt.Sprintf("The product's answer is larger than %d bytes. Ask for a smaller part of it.", s.maxResponse)), nil
	}
	if op.method == http.MethodGet && status != http.StatusOK && status != http.StatusNonAuthoritativeInfo {
		return unreadable(fmt.Sprintf("The product did not give the whole of it (HTTP %d).", status)), nil
	}
	if len(bytes.TrimSpace(body)) == 0 {
		if op.method != http.MethodGet {
			return Result{OK: true, Status: StatusRead, Data: json.RawMessage("null")}, nil
		}
		return unreadable("The product's answer was empty."), nil
	}
	contentType := response.Header.Get("Content-Type")
	switch {
	case contentType != "" && !isJSON(contentType):
		return unreadable("The product answered with " + kindOf(contentType) + " instead of data."), nil
	case !utf8.Valid(body):
		return unreadable("The product's answer is not valid UTF-8 text."), nil
	case !json.Valid(body):
		return unreadable("The product's answer is not valid JSON."), nil
	}
	if op.method == http.MethodGet && !op.output.fits(body) {
		return unreadable("The product's answer is not of the form that its document says."), nil
	}
	return Result{OK: true, Status: StatusRead, Data: body}, nil
}

func readBody(r io.Reader, limit int64) (body []byte, tooLarge bool, err error) {
	body, err = io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, false, err
	}
	return body, int64(len(body)) > limit, nil
}

func kindOf(contentType string) string {
	m, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch m = strings.TrimSpace(m); {
	case m == "text/html" || m == "application/xhtml+xml":
		return "a web page (HTML)"
	case strings.HasPrefix(m, "text/"):
		return "plain text"
	case strings.HasPrefix(m, "image/") || strings.HasPrefix(m, "audio/") || strings.HasPrefix(m, "video/"):
		return "a media file"
	default:
		return "another kind of file"
	}
}

// refusal tells the refusals of a host apart from its failures, by HTTP status (RFC 9110 section 15).
func refusal(status int, contentType string, body []byte) Result {
	r := Result{Status: StatusUnreadable, Code: CodeRefusedByHost, Said: said(contentType, body)}
	switch {
	case status == http.StatusUnauthorized:
		r.Reason = "The product did not accept who is asking (HTTP 401)."
	case status == http.StatusForbidden:
		r.Reason = "The product does not allow this to the member (HTTP 403)."
	case status == http.StatusNotFound || status == http.StatusGone:
		r.Code, r.Reason = CodeNotFound, fmt.Sprintf("The product has no such thing, or the member may not see it (HTTP %d).", status)
	case status == http.StatusPreconditionFailed:
		r.Code, r.Reason = CodeCallChanged, "What this acts on changed since it was looked up, so the product did not do it (HTTP 412)."
	case status == http.StatusTooManyRequests:
		r.Code, r.Reason = CodeUnreadable, "The product is asked too often just now (HTTP 429)."
	case status == http.StatusRequestTimeout:
		r.Code, r.Reason = CodeUnreadable, "The product did not answer in time (HTTP 408)."
	case status >= 500:
		r.Code, r.Reason = CodeUnreadable, fmt.Sprintf("The product failed to answer (HTTP %d).", status)
	default:
		r.Reason = fmt.Sprintf("The product refused (HTTP %d).", status)
	}
	return r
}

// said takes a host's own sentence out of an error body; empty where there is none that could be shown.
func said(contentType string, body []byte) string {
	if !isJSON(contentType) || !utf8.Valid(body) {
		return ""
	}
	var p problem
	if err := json.Unmarshal(body, &p); err != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			return ""
		}
	}
	sentence := firstOf(p.Detail, p.Message, p.Title)
	if sentence == "" && len(p.Error) > 0 {
		var inner problem
		if json.Unmarshal(p.Error, &sentence) != nil && json.Unmarshal(p.Error, &inner) == nil {
			sentence = firstOf(inner.Detail, inner.Message, inner.Title)
		}
	}
	return cutText(strings.TrimSpace(sentence), maxSaid)
}

func firstOf(options ...string) string {
	for _, o := range options {
		if strings.TrimSpace(o) != "" {
			return o
		}
	}
	return ""
}

// cutText cuts s to limit characters, with an ellipsis in the last place.
func cutText(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	r := []rune(s)
	return string(r[:limit-1]) + "…"
}
