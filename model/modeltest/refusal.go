package modeltest

import (
	"fmt"
	"net/http"
)

// Fault is an error of the vendor's.
type Fault struct {
	// Status is the HTTP status where the fault is the answer; in mid-stream it is not sent. Zero means 500.
	Status  int    `json:"status,omitempty"`
	Type    string `json:"type"`
	Message string `json:"message,omitempty"`
	// RetryAfterSeconds is sent as Retry-After when positive.
	RetryAfterSeconds int `json:"retryAfterSeconds,omitempty"`
}

// The faults that vendors have most.
var (
	Overloaded  = Fault{Status: 529, Type: "overloaded_error", Message: "Overloaded"}
	RateLimited = Fault{Status: http.StatusTooManyRequests, Type: "rate_limit_error", Message: "This request would exceed your rate limit", RetryAfterSeconds: 3}
	Broken      = Fault{Status: http.StatusInternalServerError, Type: "api_error", Message: "Internal server error"}
)

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
