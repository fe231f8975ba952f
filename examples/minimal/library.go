package main

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"
)

// tool is one thing that can be borrowed.
type tool struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Shelf string `json:"shelf"`
	// Free says that nobody has it.
	Free bool `json:"free"`
}

// loan is a tool that somebody has.
type loan struct {
	ID     int    `json:"id"`
	ToolID int    `json:"tool_id"` //nolint:tagliatelle // this product's own API is in snake case
	Tool   string `json:"tool"`
	Member string `json:"member"`
	Due    string `json:"due"` // a date
}

var (
	errNotFound = errors.New("not found")
	errLent     = errors.New("somebody has it")
	errNotYours = errors.New("another member has it")
)

// loanDays is how long a tool may be kept.
const loanDays = 14

// library is what there is and who has it. Safe for concurrent use.
type library struct {
	now func() time.Time

	mu    sync.Mutex
	tools []tool
	loans []loan
	last  int
}

func newLibrary(now func() time.Time) *library {
	l := &library{now: now, tools: []tool{
		{1, "Cordless drill", "power", "A1", true},
		{2, "Hedge trimmer", "garden", "C2", true},
		{3, "Jigsaw", "power", "A2", true},
		{4, "Ladder, 4 m", "access", "D1", true},
		{5, "Tile cutter", "hand", "B3", true},
		{6, "Wheelbarrow", "garden", "C1", true},
	}}
	for _, first := range []struct {
		tool, days int
		member     string
	}{{2, 3, "Bo"}, {4, -2, "Cleo"}, {6, 9, "Ada"}} {
		l.put(first.tool, first.member, l.now().AddDate(0, 0, first.days))
	}
	return l
}

func (l *library) put(id int, member string, due time.Time) loan {
	i := slices.IndexFunc(l.tools, func(t tool) bool { return t.ID == id })
	l.tools[i].Free = false
	l.last++
	made := loan{ID: l.last, ToolID: id, Tool: l.tools[i].Name, Member: member, Due: due.Format(time.DateOnly)}
	l.loans = append(l.loans, made)
	return made
}

// list gives the tools of a kind, all of them for an empty one; free leaves out those that are lent.
func (l *library) list(kind string, free bool) []tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []tool{}
	for _, t := range l.tools {
		if (kind == "" || t.Kind == kind) && (t.Free || !free) {
			out = append(out, t)
		}
	}
	return out
}

func (l *library) find(id int) (tool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tools {
		if t.ID == id {
			return t, nil
		}
	}
	return tool{}, errNotFound
}

// open gives the loans that are out, the one that is due first at the head.
func (l *library) open() []loan {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := append([]loan{}, l.loans...)
	slices.SortFunc(out, func(a, b loan) int { return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.ID, b.ID)) })
	return out
}

func (l *library) lend(id int, member string) (loan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tools {
		switch {
		case t.ID != id:
		case !t.Free:
			return loan{}, errLent
		default:
			return l.put(id, member, l.now().AddDate(0, 0, loanDays)), nil
		}
	}
	return loan{}, errNotFound
}

func (l *library) giveBack(id int, member string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, one := range l.loans {
		switch {
		case one.ID != id:
		case one.Member != member:
			return errNotYours
		default:
			l.loans = slices.Delete(l.loans, i, i+1)
			at := slices.IndexFunc(l.tools, func(t tool) bool { return t.ID == one.ToolID })
			l.tools[at].Free = true
			return nil
		}
	}
	return errNotFound
}
