package model

import (
	"encoding/json"
	"strings"
)

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
	return &Error{Code: code, Type: faultType(f.Type), Err: faultPath(f.Message)}
}

func (a *Anthropic) fault(document []byte) Error {
	var doc struct {
		Error     anthropicFault `json:"error"`
		RequestID string         `json:"request_id"`
	}
	if json.Unmarshal(document, &doc) != nil {
		return Error{} // a gateway's page: nothing of it is kept
	}
	return Error{
		Code: faultCode(doc.Error), Type: faultType(doc.Error.Type), RequestID: cleanName(doc.RequestID, 128),
		Err: faultPath(doc.Error.Message),
	}
}
