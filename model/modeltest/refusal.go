package modeltest

import (
	"fmt"
	"net/http"
	"strconv"
)

// Fault is an error of the vendor's.
type Fault struct {
	// Status is the HTTP status where the fault is the answer; in mid-stream it is not sent. Zero means 500.
	Status  int    `json:"status,omitempty"`
	Type    string `json:"type"`
	Message string `json:"message,omitempty"`
	// Code and Param are more of OpenAI's errors; empty is null there, and Anthropic has neither.
	Code  string `json:"code,omitempty"`
	Param string `json:"param,omitempty"`
	// RetryAfterSeconds is sent as Retry-After when positive.
	RetryAfterSeconds int `json:"retryAfterSeconds,omitempty"`
}

// The faults that vendors have most. They are Anthropic's; on OpenAI's wires each comes as OpenAI has it.
var (
	Overloaded  = Fault{Status: 529, Type: "overloaded_error", Message: "Overloaded"}
	RateLimited = Fault{Status: http.StatusTooManyRequests, Type: "rate_limit_error", Message: "This request would exceed your rate limit", RetryAfterSeconds: 3}
	Broken      = Fault{Status: http.StatusInternalServerError, Type: "api_error", Message: "Internal server error"}
)

func (f Fault) status() int {
	if f.Status == 0 {
		return http.StatusInternalServerError
	}
	return f.Status
}

// refusalError is a request that is not accepted, with the name of the rule for the counters.
type refusalError struct {
	Fault
	rule string
}

func (r *refusalError) Error() string { return r.Message }

// refuse makes an invalid_request_error.
func refuse(rule, format string, args ...any) error {
	return &refusalError{Fault{Status: http.StatusBadRequest, Type: "invalid_request_error", Message: fmt.Sprintf(format, args...)}, rule}
}

// refuseParam makes one of OpenAI's, with the parameter and the code that it bears.
func refuseParam(rule, param, code, format string, args ...any) error {
	return &refusalError{Fault{
		Status: http.StatusBadRequest, Type: "invalid_request_error", Param: param, Code: code, Message: fmt.Sprintf(format, args...),
	}, rule}
}

// writeFault answers with the vendor's error document.
func writeFault(w http.ResponseWriter, f Fault, document []byte) {
	if f.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfterSeconds))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status())
	_, _ = w.Write(document) // the client may have left
}
