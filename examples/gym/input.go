package gym

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxBodyBytes is the most that a request's body may have.
const maxBodyBytes = 64 << 10

// input holds what an operation was given, checked against its document: path
// and query parameters and the body's properties, as int64, float64, bool or
// string. What was not given and has no default is not there.
type input map[string]any

func (in input) has(name string) bool    { _, ok := in[name]; return ok }
func (in input) int(name string) int64   { n, _ := in[name].(int64); return n }
func (in input) str(name string) string  { s, _ := in[name].(string); return s }
func (in input) bool(name string) bool   { b, _ := in[name].(bool); return b }
func (in input) num(name string) float64 { f, _ := in[name].(float64); return f }

// or is the text of a field, or fallback where it was not given.
func (in input) or(name, fallback string) string {
	if s := in.str(name); s != "" {
		return s
	}
	return fallback
}

// null is the value of a field for a column that may be null.
func (in input) null(name string) any { return in[name] }

// readInput reads and checks the parameters and the body of a request.
func (op *operation) readInput(r *http.Request, body []byte) (input, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "The query string cannot be read.")
	}
	in := input{}
	for _, p := range op.params {
		switch p.In {
		case "path":
			if in[p.Name], err = p.Schema.parse(p.Name, r.PathValue(p.Name)); err != nil {
				return nil, missing("page of the API")
			}
		case "query":
			values, given := query[p.Name]
			delete(query, p.Name)
			switch {
			case len(values) > 1:
				return nil, badField(p.Name, "may be given once")
			case given:
				if in[p.Name], err = p.Schema.parse(p.Name, values[0]); err != nil {
					return nil, err
				}
			case p.Required:
				return nil, badField(p.Name, "is required")
			case p.Schema.Default != nil:
				if in[p.Name], err = p.Schema.parse(p.Name, fmt.Sprint(p.Schema.Default)); err != nil {
					return nil, err
				}
			}
		}
	}
	for name := range query {
		return nil, badField(strconv.Quote(shorten(name, 40)), "is not a parameter of this route")
	}
	if op.body == nil {
		if len(bytes.TrimSpace(body)) > 0 && string(bytes.TrimSpace(body)) != "{}" {
			return nil, refuse(http.StatusBadRequest, "This route takes no body.")
		}
		return in, nil
	}
	return in, op.readBody(in, body)
}

// readBody reads one flat JSON object. Keys that come twice are refused: which of
// the two counts would be a guess.
func (op *operation) readBody(in input, body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 && !op.bodyRequired {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	malformed := refuse(http.StatusBadRequest, "The body is not a JSON object.")
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return malformed
	}
	given := 0
	for decoder.More() {
		token, err := decoder.Token()
		name, isString := token.(string)
		if err != nil || !isString {
			return malformed
		}
		property := op.body.Properties[name]
		if property == nil {
			return badField(strconv.Quote(shorten(name, 40)), "is not a field of this route")
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return malformed
		}
		if in.has(name) {
			return badField(name, "may be given once")
		}
		if in[name], err = property.check(name, value); err != nil {
			return err
		}
		given++
	}
	if _, err := decoder.Token(); err != nil {
		return malformed
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return refuse(http.StatusBadRequest, "The body has more than one JSON value.")
	}
	for _, name := range op.body.Required {
		if !in.has(name) {
			return badField(name, "is required")
		}
	}
	if given == 0 && op.bodyRequired {
		return refuse(http.StatusBadRequest, "The body names nothing to change.")
	}
	return nil
}

// parse reads a value that came as text.
func (s *schema) parse(name, text string) (any, error) {
	switch s.Type {
	case "integer", "number":
		return s.check(name, json.Number(text))
	case "boolean":
		switch text {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, badField(name, "must be true or false")
	default:
		return s.check(name, text)
	}
}

// check holds one value to its schema and gives it its Go type.
func (s *schema) check(name string, value any) (any, error) {
	switch s.Type {
	case "integer":
		number, _ := value.(json.Number)
		n, err := strconv.ParseInt(string(number), 10, 64)
		if err != nil {
			return nil, badField(name, "must be a whole number")
		}
		return n, s.checkRange(name, float64(n))
	case "number":
		number, _ := value.(json.Number)
		f, err := number.Float64()
		if err != nil {
			return nil, badField(name, "must be a number")
		}
		return f, s.checkRange(name, f)
	case "boolean":
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return nil, badField(name, "must be true or false")
	default:
		text, ok := value.(string)
		if !ok || !utf8.ValidString(text) {
			return nil, badField(name, "must be text")
		}
		return text, s.checkText(name, text)
	}
}

func (s *schema) checkRange(name string, f float64) error {
	switch {
	case s.Minimum != nil && f < *s.Minimum:
		return badField(name, fmt.Sprintf("must be at least %g", *s.Minimum))
	case s.Maximum != nil && f > *s.Maximum:
		return badField(name, fmt.Sprintf("must be at most %g", *s.Maximum))
	}
	return nil
}

func (s *schema) checkText(name, text string) error {
	length := utf8.RuneCountInString(text)
	switch {
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, text):
		return badField(name, "must be one of "+strings.Join(s.Enum, ", "))
	case length < s.MinLength || s.MinLength > 0 && strings.TrimSpace(text) == "":
		return badField(name, "must not be empty")
	case s.MaxLength > 0 && length > s.MaxLength:
		return badField(name, fmt.Sprintf("may have %d characters at most", s.MaxLength))
	case s.Format == "date" && !isDay(text):
		return badField(name, "must be a day such as 2026-03-17")
	case s.pattern != nil && !s.pattern.MatchString(text):
		switch {
		case strings.Contains(s.Pattern, ":"):
			return badField(name, "must be a time of day such as 18:00")
		case strings.Contains(s.Pattern, "{4}-"):
			return badField(name, "must be a month such as 2026-03")
		}
		return badField(name, "is not in its form")
	}
	return nil
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func shorten(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return string([]rune(text)[:runes]) + "…"
}
