package gym

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// contract is the part of openapi.json that the server itself goes by: which
// operations there are, who may use them, and what they take. Handlers are bound
// to it by operationId, so a route that is not in the document does not exist.
type contract struct {
	operations map[string]*operation
}

type operation struct {
	id, method, path string
	roles            []string
	params           []param
	body             *schema // nil: takes none
	bodyRequired     bool
	status           int // of success
	handle           handler
}

type param struct {
	Name     string `json:"name"`
	In       string `json:"in"`
	Required bool   `json:"required"`
	Schema   schema `json:"schema"`
	Ref      string `json:"$ref"`
}

// schema is what the gym's inputs use of JSON Schema.
type schema struct {
	Type       string             `json:"type"`
	Format     string             `json:"format"`
	Enum       []string           `json:"enum"`
	Pattern    string             `json:"pattern"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
	MinLength  int                `json:"minLength"`
	MaxLength  int                `json:"maxLength"`
	Default    any                `json:"default"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	pattern    *regexp.Regexp
}

type rawOperation struct {
	OperationID string   `json:"operationId"`
	Roles       []string `json:"x-roles"` //nolint:tagliatelle // an extension of OpenAPI
	Parameters  []param  `json:"parameters"`
	RequestBody *struct {
		Required bool `json:"required"`
		Content  map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]json.RawMessage `json:"responses"`
}

// readContract reads an OpenAPI document and refuses one that it cannot serve.
func readContract(raw []byte) (*contract, error) {
	var doc struct {
		Paths      map[string]map[string]rawOperation `json:"paths"`
		Components struct {
			Parameters map[string]param `json:"parameters"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	c := &contract{operations: map[string]*operation{}}
	for path, methods := range doc.Paths {
		for method, rawOp := range methods {
			op := &operation{id: rawOp.OperationID, method: strings.ToUpper(method), path: path, roles: rawOp.Roles, status: http.StatusOK}
			if op.id == "" || c.operations[op.id] != nil {
				return nil, fmt.Errorf("%s %s: operationId %q is empty or used twice", op.method, path, op.id)
			}
			for code := range rawOp.Responses {
				if n, err := strconv.Atoi(code); err == nil {
					op.status = n
				}
			}
			for _, p := range rawOp.Parameters {
				if p.Ref != "" {
					p = doc.Components.Parameters[p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]]
				}
				if err := p.Schema.compile(); err != nil {
					return nil, fmt.Errorf("%s %s: parameter %q: %w", op.method, path, p.Name, err)
				}
				op.params = append(op.params, p)
			}
			if rawOp.RequestBody != nil {
				body := rawOp.RequestBody.Content["application/json"].Schema
				if err := body.compile(); err != nil {
					return nil, fmt.Errorf("%s %s: body: %w", op.method, path, err)
				}
				op.body, op.bodyRequired = &body, rawOp.RequestBody.Required
			}
			c.operations[op.id] = op
		}
	}
	return c, nil
}

func (s *schema) compile() (err error) {
	if s.Pattern != "" {
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return err
		}
	}
	for name, property := range s.Properties {
		if err := property.compile(); err != nil {
			return fmt.Errorf("property %q: %w", name, err)
		}
	}
	return nil
}

// bind gives every operation its handler. A handler without an operation, or the
// other way round, is an error.
func (c *contract) bind(handlers map[string]handler) error {
	for id, handle := range handlers {
		op := c.operations[id]
		if op == nil {
			return fmt.Errorf("openapi.json has no operation %q, which the gym serves", id)
		}
		op.handle = handle
	}
	for id, op := range c.operations {
		if op.handle == nil {
			return fmt.Errorf("the gym does not serve operation %q of openapi.json", id)
		}
	}
	return nil
}

func (op *operation) allows(roles []string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(op.roles, role) })
}
