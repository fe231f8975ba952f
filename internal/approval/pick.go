package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/steward-assistant/steward/tool"
)

// Candidate is one of the things that may be meant.
type Candidate struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Sublabel string `json:"sublabel,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

// Pick asks a person which of several things is meant.
type Pick struct {
	// Kind is what kind of thing it is, as "member".
	Kind string `json:"kind"`
	// Prompt is the question, as "Which Dana?".
	Prompt     string      `json:"prompt"`
	Candidates []Candidate `json:"candidates"`
}

// The bounds of a pick: fewer need no question, more no person reads through.
const (
	minCandidates = 2
	maxCandidates = 8
)

// ReadPick reads what a model asks with, and cleans what a person will see. An error says, for the model and in English,
// what would be right.
func ReadPick(input json.RawMessage) (*Pick, error) {
	var p Pick
	if json.Unmarshal(input, &p) != nil {
		return nil, errors.New("a pick has kind, prompt and candidates, each with id and label")
	}
	p.Kind, p.Prompt = name(p.Kind), name(p.Prompt)
	if p.Prompt == "" {
		return nil, errors.New("prompt must be the question, as \"Which Dana?\"")
	}
	if n := len(p.Candidates); n < minCandidates || n > maxCandidates {
		return nil, fmt.Errorf("candidates must be %d to %d, and there are %d", minCandidates, maxCandidates, n)
	}
	seen := map[string]bool{}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Label, c.Sublabel, c.Detail = name(c.Label), name(c.Sublabel), name(c.Detail)
		switch {
		case c.ID == "" || c.Label == "":
			return nil, fmt.Errorf("candidates[%d] must have an id and a label", i)
		case seen[c.ID]:
			return nil, fmt.Errorf("candidates[%d].id stands twice", i)
		}
		seen[c.ID] = true
	}
	return &p, nil
}

// Check holds that each candidate is a thing that a read of this conversation brought: its id, and beside that id every
// word of its label. So nobody picks a name and gets another's id. Times are read in zone; nil is UTC.
func (p *Pick) Check(results []json.RawMessage, zone *time.Location) error {
	if zone == nil {
		zone = time.UTC
	}
	known := map[string][]map[string]bool{}
	for _, r := range results {
		things(tool.Decode(r), zone, known)
	}
	for i, c := range p.Candidates {
		if len(known[c.ID]) == 0 {
			return fmt.Errorf("candidates[%d].id is in no result of this conversation: look it up first", i)
		}
		if !sayable(c.Label, known[c.ID]) {
			return fmt.Errorf("candidates[%d].label is not what a result calls this id", i)
		}
	}
	return nil
}

// sayable reports whether one of the things has every word of a label.
func sayable(label string, of []map[string]bool) bool {
	said := tokens(label)
	for _, thing := range of {
		all := len(said) > 0
		for _, w := range said {
			all = all && thing[w]
		}
		if all {
			return true
		}
	}
	return false
}

// things collects, for each id, the words of the objects that carry it as their own.
func things(v any, zone *time.Location, known map[string][]map[string]bool) {
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			things(item, zone, known)
		}
	case map[string]any:
		if id := tool.Scalar(x["id"]); id != "" {
			said := map[string]bool{}
			wordsOf(x, zone, said)
			known[id] = append(known[id], said)
		}
		for _, item := range x {
			things(item, zone, known)
		}
	}
}

// wordsOf adds every word that stands in a value, and how times and days of it are said.
func wordsOf(v any, zone *time.Location, said map[string]bool) {
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			wordsOf(item, zone, said)
		}
	case map[string]any:
		for _, item := range x {
			wordsOf(item, zone, said)
		}
	default:
		text := tool.Scalar(v)
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			text += at.In(zone).Format(" 15:04 2006-01-02 2 January Jan Monday Mon")
		} else if day, err := time.Parse(time.DateOnly, text); err == nil {
			text += day.Format(" 2 January Jan Monday Mon")
		}
		for _, w := range tokens(text) {
			said[w] = true
		}
	}
}

// tokens are a text's words in lower case; a time stays whole.
func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != ':'
	})
}

// Picked is what the model is told of a pick; false where the id is none of the candidates'.
func (p *Pick) Picked(id string) (json.RawMessage, bool) {
	for _, c := range p.Candidates {
		if c.ID != id {
			continue
		}
		b, err := json.Marshal(struct {
			ID    string `json:"pickedId"`
			Label string `json:"pickedLabel"`
			Kind  string `json:"kind"`
		}{c.ID, c.Label, p.Kind})
		return b, err == nil
	}
	return nil, false
}
