package tool

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxClientValue is the most characters of a value that a front end's schema allows by name (enum, const): it reaches
// the model as it is, because the page needs it back as it is.
const maxClientValue = 200

// clientSchema is what a front end's schema became.
type clientSchema struct {
	// input is the schema, canonical, its words not fenced yet.
	input json.RawMessage
	check *validator
	// err says why it cannot be offered; nil: it can.
	err error
}

// fenced is the schema as a model is sent it.
func (c *clientSchema) fenced(fence Fence) (json.RawMessage, error) {
	v, _, err := canonicalInput(c.input)
	if err != nil {
		return nil, err
	}
	root := object(v)
	err = eachSchema(root, "", func(m map[string]any, _ string) error {
		if words, ok := m["description"].(string); ok {
			m["description"] = fence.Text(words)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return canonical(root)
}

// newClientSchema reads a front end's schema. What the page itself checks is left out where a model does not need it:
// of a schema stays what a [slimmer] keeps, and no words but descriptions, names and values that are to be chosen from.
func newClientSchema(raw json.RawMessage) *clientSchema {
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage(`{}`)
	}
	c := &clientSchema{}
	root, err := readClientSchema(raw)
	if err != nil {
		c.err = err
		return c
	}
	if c.input, c.err = canonical(root); c.err == nil {
		c.check, c.err = compile(c.input)
	}
	if c.err != nil {
		c.err = errNoObject
	}
	return c
}

func readClientSchema(raw json.RawMessage) (map[string]any, error) {
	v, _, err := canonicalInput(raw)
	root := object(v)
	if err != nil || root == nil || deeper(root, maxDepth) {
		return nil, errNoObject
	}
	delete(root, "$schema")
	delete(root, "$id")
	// A schema that is none is told of, where a document's would be read as far as it goes: whoever wrote it is there.
	whole, err := canonical(root)
	if err != nil {
		return nil, errNoObject
	}
	if _, err := compileSchema(whole); err != nil {
		return nil, notSchema(err)
	}
	if root, err = foreignInput(raw, maxClientSchema, false); err != nil {
		return nil, err
	}
	if err := eachSchema(root, "", clientWords); err != nil {
		return nil, err
	}
	names := map[string]string{}
	defs := object(root["$defs"])
	for i, name := range sortedKeys(defs) {
		names[name] = "d" + strconv.Itoa(i+1)
	}
	root = object(renameRefs(root, names))
	if len(defs) > 0 {
		renamed := map[string]any{}
		for name, d := range object(root["$defs"]) {
			renamed[names[name]] = d
		}
		root["$defs"] = renamed
	}
	return root, nil
}

// notSchema says where and how something is no JSON Schema, as far as the compiler knows.
func notSchema(err error) error {
	wrong, ok := errors.AsType[*jsonschema.SchemaValidationError](err)
	if !ok {
		return &schemaError{want: "must be a JSON Schema (2020-12) that stands alone, with all that it refers to inside it"}
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](wrong.Err)
	if !ok {
		return errNoObject
	}
	var faults []string
	collect(invalid, &faults)
	place, want, ok := strings.Cut(slices.Min(append(faults, "~")), ": ")
	if !ok {
		return errNoObject
	}
	return &schemaError{place: place, want: cutText(want, LabelLimit)}
}

// clientWords refuses the words of a schema that would reach a model as if they were ours, and drops those that it does
// not need.
func clientWords(m map[string]any, place string) error {
	for _, name := range sortedKeys(object(m["properties"])) {
		if err := vendorName(name, place+"/properties"); err != nil {
			return err
		}
	}
	for _, r := range list(m["required"]) {
		if err := vendorName(text(r), place+"/required"); err != nil {
			return err
		}
	}
	values := list(m["enum"])
	if v, there := m["const"]; there {
		values = append([]any{v}, values...)
	}
	for _, v := range values {
		if !plainValue(v) {
			return &schemaError{place: place, want: fmt.Sprintf("a value of enum or const must be a text of at most %d printable characters, a number, true, false or null", maxClientValue)}
		}
	}
	switch m["default"].(type) {
	case bool, json.Number, nil:
	default:
		delete(m, "default")
	}
	if strings.ContainsFunc(text(m["pattern"]), func(r rune) bool { return r == ' ' || r > 0x7e }) {
		delete(m, "pattern")
	}
	return nil
}

// plainValue reports whether a value of a schema may stand before a model as it is.
func plainValue(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) <= maxClientValue && Clean(v) == v
	case json.Number:
		return len(v) <= maxClientValue
	case bool, nil:
		return true
	}
	return false
}

// maxClientSchemas bounds the bytes of the schemas that are remembered, counted twice.
const maxClientSchemas = 1 << 20

// clientSchemas remembers what schemas of front ends became, because every message of a conversation and every page of
// a product brings the same ones. The zero value is ready. Safe for concurrent use.
type clientSchemas struct {
	mu sync.Mutex
	// recent are those that were asked for of late; before are those of the time before, of which one that is asked for
	// again becomes recent, and which are forgotten when recent is full.
	recent, before map[[sha256.Size]byte]*clientSchema
	bytes          int // of recent
}

// of gives what a schema becomes.
func (c *clientSchemas) of(raw json.RawMessage) *clientSchema {
	key := sha256.Sum256(raw)
	c.mu.Lock()
	made := c.recent[key]
	if made == nil {
		if made = c.before[key]; made != nil {
			c.keep(key, made, len(raw))
		}
	}
	c.mu.Unlock()
	if made != nil {
		return made
	}
	made = newClientSchema(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, made, len(raw))
	return made
}

// keep needs the lock.
func (c *clientSchemas) keep(key [sha256.Size]byte, made *clientSchema, size int) {
	size += len(made.input) + 100
	if c.recent == nil || c.bytes+size > maxClientSchemas {
		c.recent, c.before, c.bytes = map[[sha256.Size]byte]*clientSchema{}, c.recent, 0
	}
	c.recent[key] = made
	c.bytes += size
}
