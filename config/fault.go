package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a file. Line and Column count from 1; zero: the fault is of the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String is "file:line:column", or "file" where there is no line.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Fault is one thing that is wrong with a file.
type Fault struct {
	Position
	// Path leads to the value: "tools.actions[bookings.list].operation", "nav[2].path"; empty: the file.
	Path string
	// Message says what is wrong and what would be right. It never holds a secret.
	Message string
}

// String is one line: "file:line:column: path: message".
func (f Fault) String() string {
	if f.Path == "" {
		return f.Position.String() + ": " + f.Message
	}
	return f.Position.String() + ": " + f.Path + ": " + f.Message
}

// Faults is everything that is wrong, in the order of the file. A nil one is no error: turn it into one with [Faults.Err].
type Faults []Fault //nolint:errname // it is a list of findings first, and an error only on the way out

// Error is one fault a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// Err gives the faults as an error, or nil when there are none.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Sort puts the faults in the order of file, line and column and drops repeats.
func (f Faults) Sort() Faults {
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(f)
}
