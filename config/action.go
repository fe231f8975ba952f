package config

import "github.com/goccy/go-yaml/ast"

// Tools says which operations are tools, and how.
type Tools struct {
	// GroupBy is how tools stand in a model's list: "router" (one tool a router, with an action) or "action" (one tool an
	// action). Empty: router where a role has more than 20 actions.
	GroupBy string `yaml:"group_by"`
	// Timeout cuts a call. Defaults to 30s; at most 10m.
	Timeout Duration `yaml:"timeout"`
	// ResultLimit is the most characters of a result that a model is given. Defaults to 50000; at least 1000.
	ResultLimit int `yaml:"result_limit"`
	// ClientTimeout is how long the page is waited for when a tool that its front end brought is called; a person may be
	// asked there. Defaults to 10m, which is the most.
	ClientTimeout Duration `yaml:"client_timeout"`
	// Parallel is the most reads of one reply that run at once. Defaults to 4.
	Parallel int `yaml:"parallel"`
	// RetryBreaker ends a turn after the same call failed so often with the same code. Defaults to 3.
	RetryBreaker int `yaml:"retry_breaker"`
	// Omit are names of result fields, beside the built-in ones (passwords, tokens, keys, live links), that never reach
	// model, log or card.
	Omit []string `yaml:"omit"`
	// Actions are the tools by name, "router.action". A GET that is not named is a read in its document's words; any
	// other operation is offered only if it is named here.
	Actions map[string]Action `yaml:"actions"`
}

// Action is one tool.
type Action struct {
	// Operation is "source.operationId", or "source.tool" of an MCP server. Required.
	Operation string `yaml:"operation"`
	// Effect says what it does: "read" changes nothing, "write" does. Defaults to read for a GET and to write for anything
	// else, every tool of an MCP server included.
	Effect string `yaml:"effect"`
	// Roles may use it. Empty: every role that may read.
	Roles []string `yaml:"roles"`
	// Scopes must all stand in the token.
	Scopes []string `yaml:"scopes"`
	// Feature is the plan's feature that it needs, checked when it runs. Empty: none.
	Feature string `yaml:"feature"`
	// OrgFlag is the org's flag that must be on for it to be offered. Empty: none.
	OrgFlag string `yaml:"org_flag"`
	// Needs are abilities of the page without which it is not offered.
	Needs []string `yaml:"needs"`
	// Summary is what the model reads when it chooses. Defaults to the document's summary.
	Summary string `yaml:"summary"`
	// Progress is the line that is shown while it runs.
	Progress Text `yaml:"progress"`
	// Failure tells a person that it could not be read.
	Failure Text `yaml:"failure"`
	// Trusted are JSON Pointers ("*": any index) to strings of a result that are the product's own words; all other
	// strings are text that others wrote.
	Trusted []string `yaml:"trusted"`
	// Omit are JSON Pointers to what never reaches model, log or card.
	Omit []string `yaml:"omit"`
	// MustTell are JSON Pointers to what a reply must tell.
	MustTell []string `yaml:"must_tell"`
	// Status maps the product's own status words. Without it HTTP decides.
	Status *Status `yaml:"status"`
	// Table draws the result. Without it nothing is drawn.
	Table *Table `yaml:"table"`
	// Asks are phrases, by locale, that the guide understands: "who is booked {date} at {time}". {x} is a parameter that
	// by its schema is a date, a time, a month, a number, true or false, or one of an enum; {x:entity} is a name that is
	// looked up. Free text fills none.
	Asks map[string][]string `yaml:"asks"`
	// Confirm says when a write asks a person first: always, destructive, never. Only for writes. Defaults to always.
	Confirm string `yaml:"confirm"`
	// Preview is what a write's card shows, read by the server. Only for writes.
	Preview *Preview `yaml:"preview"`
	// Sentence is what a write's card asks. Only for writes.
	Sentence Text `yaml:"sentence"`
	// Inverse takes a write back. Only for writes.
	Inverse *Inverse `yaml:"inverse"`
	// Audit says what a write acts on. Only for writes.
	Audit *Audit `yaml:"audit"`
	// Timeout cuts a call of this tool, at most 10m. Defaults to the timeout of all tools.
	Timeout Duration `yaml:"timeout"`
	// ResultLimit is the most characters of a result. Defaults to the limit of all tools.
	ResultLimit int `yaml:"result_limit"`
}

// Status maps the product's own status words to what a read can say.
type Status struct {
	// Path points at the word. With "*" in it, each part of the result has a word of its own. Required.
	Path string `yaml:"path"`
	// Read, NotConfigured, Unreadable and NotAvailable are the words that say so. A word that is in none says
	// unreadable.
	Read          []string `yaml:"read"`
	NotConfigured []string `yaml:"not_configured"`
	Unreadable    []string `yaml:"unreadable"`
	NotAvailable  []string `yaml:"not_available"`
}

// Table draws a result.
type Table struct {
	// Title stands above it. Empty: none.
	Title Text `yaml:"title"`
	// Items points at the list. Empty: the result itself is the list.
	Items string `yaml:"items"`
	// Columns are header to pointer into an item, once for all or by locale.
	Columns Columns `yaml:"columns"`
}

// Columns are the columns of a table, in the order of the file.
type Columns []Column //nolint:recvcheck // reading from a file needs a pointer, nothing else does

// Column is one column.
type Column struct {
	Header Text
	// Path points into an item.
	Path string
}

func (c *Columns) decodeNode(d *decoder, n ast.Node, path string) {
	out := Columns{}
	add := func(locale, header, pointer string) {
		for i := range out {
			if out[i].Path == pointer {
				out[i].Header[locale] = header
				return
			}
		}
		out = append(out, Column{Header: Text{locale: header}, Path: pointer})
	}
	ok := d.entries(n, path, func(key string, _, value ast.Node) {
		p := join(path, key)
		if value = d.plain(value, p); value == nil {
			return
		}
		if pointer, scalar := scalarText(value); scalar {
			add("", key, pointer)
			return
		}
		d.stringMap(value, p, "header: pointer", func(header, pointer string) { add(key, header, pointer) })
	})
	if !ok {
		d.fault(n, path, "must be a map of header: pointer, or one such map for each locale, not %s", kindName(n))
		return
	}
	*c = out
}

func (Columns) jsonSchema(*schemaWriter) map[string]any {
	pointers := map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string", "pattern": "^/"}}
	byLocale := map[string]any{"type": "object", "additionalProperties": pointers}
	return map[string]any{"anyOf": []any{pointers, byLocale}}
}
