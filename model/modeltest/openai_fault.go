package modeltest

import (
	"net/http"
	"strings"
)

// openaiFault is OpenAI's error document, the same in answers and in the middle of a stream.
func openaiFault(f Fault) []byte {
	return []byte(`{"error":{"message":` + quote(f.Message) + `,"type":` + quote(f.Type) + `,"param":` + orNull(f.Param != "", f.Param) + `,"code":` + orNull(f.Code != "", f.Code) + `}}`)
}

// openaiLocal is a fault in OpenAI's words: those that scripts have for all wires are Anthropic's.
func openaiLocal(f Fault) Fault {
	words := map[string]Fault{
		"overloaded_error":     {Status: http.StatusServiceUnavailable, Type: "service_unavailable_error", Code: "server_is_overloaded"},
		"rate_limit_error":     {Type: "tokens", Code: "rate_limit_exceeded"},
		"api_error":            {Type: "server_error", Code: "server_error"},
		"authentication_error": {Type: "invalid_request_error", Code: "invalid_api_key"},
		"permission_error":     {Type: "invalid_request_error", Code: "insufficient_permissions"},
		"not_found_error":      {Type: "invalid_request_error", Code: "not_found"},
		"billing_error":        {Status: http.StatusTooManyRequests, Type: "insufficient_quota", Code: "insufficient_quota"},
		"request_too_large":    {Type: "invalid_request_error", Code: "request_too_large"},
	}
	word, ok := words[f.Type]
	if !ok {
		return f
	}
	f.Type = word.Type
	if f.Code == "" {
		f.Code = word.Code
	}
	if word.Status != 0 {
		f.Status = word.Status
	}
	return f
}

// openaiAuthorize refuses a request without the key that it needs.
func openaiAuthorize(h http.Header, key string, keyless bool) error {
	given, bearer := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	switch {
	case !bearer && keyless && key == "":
		return nil
	case !bearer || given == "":
		return &refusalError{Fault{Status: http.StatusUnauthorized, Type: "invalid_request_error", Message: "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."}, "key"}
	case key != "" && given != key:
		return &refusalError{Fault{Status: http.StatusUnauthorized, Type: "invalid_request_error", Code: "invalid_api_key", Message: "Incorrect API key provided."}, "key"}
	}
	return nil
}
