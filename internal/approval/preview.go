// Package approval holds how a call waits for a person: what a write's card shows, looked up by the server, and which things
// a pick may offer.
package approval

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// Preview is what a write acts on, in no language: a card is drawn of it for whoever looks. Everything in it comes from
// the call's validated arguments and from the product's own answers, but Outbound's text may be the model's.
type Preview struct {
	// Name are the parts that together name the thing; none: it has no name, and its kind stands for it.
	Name  []Value `json:"name,omitempty"`
	About []Value `json:"about,omitempty"`
	// Count is how many things are touched; nil where the host's file points at none.
	Count *int64 `json:"count,omitempty"`
	// Values are the card's rows, less those that the call says nothing of.
	Values   []Row     `json:"values,omitempty"`
	Outbound *Outbound `json:"outbound,omitempty"`
	// Version is the precondition's value; empty: none is sent.
	Version string `json:"version,omitempty"`
}

// Row is a value as it will be and as it is.
type Row struct {
	// Index is the row's place among the values in the host's file.
	Index int `json:"index"`
	// Old is what is so now, New what will be; nil: there is none.
	Old *Value `json:"old,omitempty"`
	New *Value `json:"new,omitempty"`
}

// Outbound is a message that leaves the product.
type Outbound struct {
	To Value `json:"to"`
	// Text is whole; what no person would see is taken out.
	Text string `json:"text"`
}

// Resolver looks up what writes act on. Safe for concurrent use.
type Resolver struct {
	Registry *tool.Registry
	Runner   *tool.Runner
}

// Preview looks up what a call acts on, with the reads that the host's file names and the call's own authority. The call's
// input is validated already. A result instead says why nobody is to be asked: the target is not there (tool.CodeNotFound),
// could not be read, or cannot be read without the member's token.
func (r *Resolver) Preview(ctx context.Context, call tool.Call, p *config.Preview) (*Preview, *tool.Result) {
	roots := map[string]any{"input": tool.Decode(call.Input)}
	if p.Read != "" {
		target, failed := r.read(ctx, call, config.Lookup{Read: p.Read, Input: p.Input}, roots)
		if failed != nil {
			return nil, failed
		}
		roots["target"] = target
	}
	for _, name := range slices.Sorted(maps.Keys(p.Also)) {
		if !given(p.Also[name], roots) {
			continue // the call says nothing of it
		}
		found, failed := r.read(ctx, call, p.Also[name], roots)
		if failed != nil {
			return nil, failed
		}
		roots[name] = found
	}
	out := &Preview{Name: values(roots["target"], p.Name), About: values(roots["target"], p.About)}
	if p.Count != "" {
		out.Count = count(tool.At(roots, p.Count))
	}
	for i, v := range p.Values {
		row := Row{Index: i, Old: shown(roots, v, v.Old), New: shown(roots, v, v.New)}
		if row.New != nil || v.New == "" && row.Old != nil {
			out.Values = append(out.Values, row)
		}
	}
	if p.Outbound != nil {
		to, body := tool.First(roots, p.Outbound.To), tool.First(roots, p.Outbound.Text)
		if text, ok := body.(string); ok {
			out.Outbound = &Outbound{Text: tool.Clean(text)}
			if v := valueOf(to, "name", ""); v != nil {
				out.Outbound.To = *v
			}
		}
	}
	if p.Precondition != nil {
		out.Version = tool.Scalar(tool.First(roots, p.Precondition.Value))
	}
	return out, nil
}

// given reports whether everything that a look-up asks with is there.
func given(l config.Lookup, roots map[string]any) bool {
	for _, pointer := range l.Input {
		if tool.First(roots, pointer) == nil {
			return false
		}
	}
	return true
}

// read runs one read of a preview.
func (r *Resolver) read(ctx context.Context, call tool.Call, l config.Lookup, roots map[string]any) (any, *tool.Result) {
	def := r.Registry.Find(l.Read)
	if def == nil || def.Effect != tool.Read {
		return nil, &tool.Result{
			Status: tool.StatusNotAvailable, Code: tool.CodeNotAllowedHere,
			Reason: "What this acts on cannot be looked up, so nobody was asked. Nothing ran.",
		}
	}
	input := map[string]any{}
	for argument, pointer := range l.Input {
		if v := tool.First(roots, pointer); v != nil {
			input[argument] = v
		}
	}
	body, err := json.Marshal(input)
	if err != nil {
		body = []byte("{}")
	}
	look := call
	look.Tool, look.Input = def, body
	result := r.Runner.Run(ctx, look, tool.Fence{})
	if !result.OK {
		result.Reason = strings.TrimSpace(fmt.Sprintf("What this acts on could not be looked up, so nobody was asked and nothing ran. %s", result.Reason))
		result.Envelope = ""
		return nil, &result
	}
	return tool.Decode(result.Data), nil
}
