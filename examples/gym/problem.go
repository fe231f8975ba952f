package gym

import (
	"encoding/json"
	"errors"
	"net/http"
)

// problemError is an answer that says why something was not done: a status, a
// sentence for the reader, and the field that is to blame, if one is.
type problemError struct {
	status int
	detail string
	field  string
}

func (e *problemError) Error() string { return e.detail }

func refuse(status int, detail string) error { return &problemError{status: status, detail: detail} }

// badField is a 400 about one field; detail says what would be right.
func badField(field, detail string) error {
	return &problemError{status: http.StatusBadRequest, field: field, detail: field + " " + detail + "."}
}

// missing is the 404 of an id that is unknown here. Another organisation's id is
// just that: the answer does not tell the two apart.
func missing(what string) error {
	return &problemError{status: http.StatusNotFound, detail: "There is no such " + what + "."}
}

func missingField(field, what string) error {
	return &problemError{status: http.StatusNotFound, field: field, detail: "There is no such " + what + "."}
}

func conflict(detail string) error { return refuse(http.StatusConflict, detail) }

// asProblem turns any error into one to show. What it does not know is internal:
// known is false, and its text is for the log only.
func asProblem(err error) (p *problemError, known bool) {
	if errors.As(err, &p) {
		return p, true
	}
	return &problemError{status: http.StatusInternalServerError, detail: "Something went wrong here. Nothing was changed."}, false
}

// writeProblem answers with a problem document (RFC 9457).
func writeProblem(w http.ResponseWriter, p *problemError) {
	doc := object{"type": "about:blank", "title": http.StatusText(p.status), "status": p.status, "detail": p.detail}
	if p.field != "" {
		doc["field"] = p.field
	}
	body, err := json.Marshal(doc)
	if err != nil { // strings and a number always encode
		http.Error(w, p.detail, p.status)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.status)
	_, _ = w.Write(body) // the reader is gone: nothing is left to tell
}
