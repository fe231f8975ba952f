// Package tool turns a host's reads and writes into tools: what a tool is, who may use which, how a call runs and what
// its result looks like.
//
// A [Source] brings definitions and runs calls; a [Registry] holds the definitions of all sources; an [Offer] is what
// one principal on one surface may use, as a model is sent it; a [Runner] validates and runs one call.
package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/principal"
)

// Effect says whether a tool changes something.
type Effect string

// The effects.
const (
	Read  Effect = "read"
	Write Effect = "write"
)

// Confirm says when a write asks a person first.
type Confirm string

// The confirmations.
const (
	ConfirmAlways      Confirm = "always"
	ConfirmDestructive Confirm = "destructive"
	ConfirmNever       Confirm = "never"
)

// Text is one text in one or several languages.
type Text = config.Text

// Definition is one tool: one action of one router.
type Definition struct {
	Router, Action string
	// Source is the name of the source that runs it.
	Source string
	// Summary is what the model reads when it chooses; one or two sentences.
	Summary string
	// Input is the JSON Schema (2020-12, type object) of the arguments, slimmed and canonical: the same bytes on every boot.
	Input json.RawMessage
	// Roles may use it (any one of them); empty: every role that may read.
	Roles []string
	// Scopes must all stand in the token.
	Scopes []string
	// Feature is the plan's feature that it needs; empty: none. Checked at execution, not in the offer.
	Feature string
	// OrgFlag is the org flag that must be on for it to be offered; empty: none.
	OrgFlag string
	// Needs are client capabilities without which it is not offered, as "navigate".
	Needs   []string
	Effect  Effect
	Confirm Confirm
	// Progress is the line shown while it runs; Failure is the honest sentence when it could not be read.
	Progress, Failure Text
	// Trusted, Omit and MustTell are JSON Pointers into the result, "*" for any index: strings that are the host's own
	// words; parts that never reach model, log or card; parts that a reply must tell.
	Trusted, Omit, MustTell []string
	// Status maps the host's own status words; nil: HTTP decides.
	Status *StatusMap
	// Table draws the result; nil: it is not drawn.
	Table *TableMap
	// Asks are phrases by language with which the guide runs it: "who is booked {date} at {time}".
	Asks map[string][]string
	// Timeout cuts a call; zero takes the registry's default.
	Timeout time.Duration
	// ResultLimit is the most characters of a result that a model is given; zero takes the registry's default.
	ResultLimit int
	// Named says that the host's file names it. A write that is not named is imported and listed, never offered.
	Named bool
	// Operation is what it was made from, as "api.listBookings"; empty for a function.
	Operation string
	// Browser says that the member's browser runs it: no source of the server does.
	Browser bool
	// Note says why a tool is imported but can never be called, as "its body is not JSON"; empty: it can.
	Note string

	// output describes the result, so that the strings of others can be told from words, dates and numbers; nil: unknown.
	output *shape
}

// Name is "router.action"; of a front end's tool, which has no router, its own name.
func (d *Definition) Name() string {
	if d.Router == "" {
		return d.Action
	}
	return d.Router + "." + d.Action
}

// StatusMap maps a result's own status word (at the JSON Pointer Path) to an outcome of the envelope.
type StatusMap struct {
	Path          string
	Read          []string
	NotConfigured []string
	Unreadable    []string
	NotAvailable  []string
}

// TableMap draws a result as a table: Items points at the array, Columns give a header by language and a pointer into
// an item each.
type TableMap struct {
	// Title stands above it; empty: none.
	Title   Text
	Items   string
	Columns []Column
}

// Column is one column of a table.
type Column struct {
	Header Text
	Path   string
}

// Source brings tools and runs them. Safe for concurrent use. One that is an [io.Closer] too is closed with its registry.
type Source interface {
	// Name is the source's name in the host's file.
	Name() string
	// Definitions lists its tools; called once at boot.
	Definitions(ctx context.Context) ([]Definition, error)
	// Run runs one call with validated input. A result is returned also where the host refused or failed; an error is
	// a fault of ours or the end of ctx.
	Run(ctx context.Context, call Call) (Result, error)
}

// Call is one use of a tool.
type Call struct {
	// ID is ours (UUIDv7); it is the host's Idempotency-Key.
	ID string
	// Tool is what to run.
	Tool *Definition
	// Input is the validated arguments, canonical JSON.
	Input     json.RawMessage
	Principal principal.Principal
	// Credential is the member's own token of the request now served, in memory only; empty when there is none. It
	// goes only to a source whose authority is "forward", and only to that source's exact origin.
	Credential Credential
	// Precondition has the product refuse a write whose target changed since it was looked up; zero: none is sent.
	Precondition Precondition
	// Surface is where it was asked; empty: the one called "app".
	Surface string
	// Locale and TimeZone are those of the turn.
	Locale, TimeZone string
}

// Precondition is how a product learns what was seen of a thing that a write changes (RFC 9110 section 13).
type Precondition struct {
	// Header carries it, as "If-Match".
	Header string
	// Value is the version that was seen. In If-Match it travels as an entity tag, in quotes.
	Value string
}

// Credential is a member's token. It prints as "[credential]" so that it cannot reach a log by accident.
type Credential struct {
	Token string
	// Expires is when it ends; zero: unknown.
	Expires time.Time
}

// leeway is how far the clocks of Steward and the host may be apart: a token that Steward's own routes still take is
// sent, and the host decides.
const leeway = 60 * time.Second

// Ended reports whether the token is past its end for certain.
func (c Credential) Ended(now time.Time) bool {
	return !c.Expires.IsZero() && !now.Before(c.Expires.Add(leeway))
}

// String hides the token.
func (Credential) String() string { return "[credential]" }

// GoString hides the token.
func (Credential) GoString() string { return "[credential]" }

// MarshalJSON hides the token.
func (Credential) MarshalJSON() ([]byte, error) { return []byte(`"[credential]"`), nil }

// Status is what a read could say: unknown is not zero.
type Status string

// The statuses.
const (
	StatusRead          Status = "read"
	StatusNotConfigured Status = "not_configured"
	StatusUnreadable    Status = "unreadable"
	StatusNotAvailable  Status = "not_available"
)

// Result is how a call ended.
type Result struct {
	// OK says that the call did what it is for. A read that says "unreadable" is not OK.
	OK bool
	// Status is the envelope's; for a write that succeeded it is StatusRead.
	Status Status
	// Code is the outcome where OK is false, as "refused_by_host", "unreadable", "invalid_input", "not_allowed_here".
	Code string
	// Data is the result as the host gave it, less what is omitted: valid JSON, or nil.
	Data json.RawMessage
	// Said is the sentence in which the host itself refused or failed; empty: none. It is text of others.
	Said string
	// Reason says, for the model and in English, why Data is missing or partial. It is our own words; the host's stand
	// in Said.
	Reason string
	// Cause is why for the operator's log alone, as a connection that was refused; empty: Reason says all. It is told to
	// nobody else and not stored.
	Cause string
	// Envelope is the result as the model is given it: JSON with "status", "data", "reason", cut to the limit, every
	// string of others between the fences that [Fence] makes.
	Envelope string
	// Sentence tells a person, in the member's language, why it could not be read; empty when OK.
	Sentence string
	// Table is the result drawn, or nil.
	Table *Table
	// NeedsCredential says that nothing ran because the member's token is needed and there is none that holds.
	NeedsCredential bool
	// Duration is how long it ran.
	Duration time.Duration
}

// Table is a result as a small table; Rows have as many cells as Columns.
type Table struct {
	Title   string
	Note    string
	Columns []string
	Rows    [][]string
	// Total is how many rows there are in all.
	Total int
}
