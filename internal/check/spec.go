package check

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// Outline is what an OpenAPI document would give an assistant, before there is any host's file.
type Outline struct {
	// About is what the document says of itself.
	About tool.About `json:"about"`
	// Operations is how many there are; Reads and Writes, which are what they add up to, include those that cannot be
	// called, UnusableReads and UnusableWrites.
	Operations     int `json:"operations"`
	Reads          int `json:"reads"`
	Writes         int `json:"writes"`
	UnusableReads  int `json:"unusableReads"`
	UnusableWrites int `json:"unusableWrites"`
	// Routers are the reads that would be offered, under the word that groups them.
	Routers []RouterOutline `json:"routers"`
	// Lists are what a model would be sent of them: one tool an action, and one a router.
	Lists []ListOutline `json:"lists"`
	// Providers say which of the lists each gets.
	Providers []ProviderOutline `json:"providers"`
	// Doubtful are operations, as sources.*.leave_out takes them, that sound as if they changed something though the
	// document says GET.
	Doubtful []string `json:"doubtful"`
	// Suggested are reads to begin with.
	Suggested []ActionOutline `json:"suggested"`
	// Findings are what of the document did not become a tool, or not all of it.
	Findings []PlacedFinding `json:"findings"`
}

// RouterOutline is a router and the names of its actions, sorted.
type RouterOutline struct {
	Router  string   `json:"router"`
	Actions []string `json:"actions"`
}

// ListOutline is what a list of tools weighs.
type ListOutline struct {
	// GroupBy is "action" or "router", as tools.group_by.
	GroupBy string `json:"groupBy"`
	Tools   int    `json:"tools"`
	Bytes   int    `json:"bytes"`
	// Tokens are about: 3.5 bytes each.
	Tokens int `json:"tokens"`
}

// ProviderOutline is what a provider would get.
type ProviderOutline struct {
	Name string `json:"name"`
	// MaxTools is the most tools that it takes; zero: no limit is known.
	MaxTools int `json:"maxTools"`
	// GroupBy is how the list comes to it where the host's file says nothing.
	GroupBy string `json:"groupBy"`
	// Folded says that one tool an action is over its limit; Refused that one a router is too, so that a start would fail.
	Folded  bool `json:"folded"`
	Refused bool `json:"refused"`
}

// ActionOutline is one action.
type ActionOutline struct {
	Name      string `json:"name"`
	Operation string `json:"operation"`
	Summary   string `json:"summary"`
}

// PlacedFinding is a finding and its line.
type PlacedFinding struct {
	tool.Finding
	// Line counts from 1; zero: unknown.
	Line int `json:"line,omitempty"`
}

// specSource is the name that the document has until a host's file gives it one; steward init uses the same.
const specSource = "api"

// suggestions is how many actions are suggested.
const suggestions = 10

// Spec reads an OpenAPI document in JSON or YAML, gzipped or not, and says what it would give. An error says what is
// wrong with the document.
func Spec(ctx context.Context, document []byte) (*Outline, error) {
	document, err := unzipped(document)
	if err != nil {
		return nil, err
	}
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: specSource, Document: document, BaseURL: unsetAddress})
	if err != nil {
		return nil, plainly(err)
	}
	out := &Outline{About: source.About()}
	registries := map[string]*tool.Registry{}
	for _, group := range []string{"action", "router"} {
		r, err := tool.NewRegistry(ctx, tool.RegistryOptions{GroupBy: group}, source)
		if err != nil {
			return nil, plainly(err)
		}
		registries[group] = r
		o := r.Offer(tool.Asker{})
		out.Lists = append(out.Lists, ListOutline{GroupBy: group, Tools: len(o.Tools()), Bytes: o.Bytes, Tokens: tokensOf(o.Bytes)})
	}
	out.count(registries["action"])
	if out.Providers, err = providers(out.Lists); err != nil {
		return nil, err
	}
	found := source.Findings()
	pointers := make([]string, len(found))
	for i, f := range found {
		pointers[i] = f.Pointer
	}
	for i, line := range tool.Lines(document, pointers) {
		out.Findings = append(out.Findings, PlacedFinding{Finding: found[i], Line: line})
	}
	return out, nil
}

// unsetAddress stands where an address is asked for and none is called.
const unsetAddress = "http://unset.invalid"

// plainly takes the place in a host's file off a fault, for there is none.
func plainly(err error) error {
	var faults config.Faults
	if !errors.As(err, &faults) || len(faults) == 0 {
		return err
	}
	return errors.New(faults[0].Message)
}

// unzipped unpacks a document that is gzipped.
func unzipped(document []byte) (_ []byte, err error) {
	if !bytes.HasPrefix(document, []byte("\x1f\x8b")) {
		return document, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	defer func() { err = errors.Join(err, z.Close()) }()
	out, err := io.ReadAll(io.LimitReader(z, config.MaxDocumentBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("unpack: %w", err)
	case len(out) > config.MaxDocumentBytes:
		return nil, fmt.Errorf("the document is larger than %d MB", config.MaxDocumentBytes>>20)
	}
	return out, nil
}

// count counts operations and gathers names.
func (o *Outline) count(r *tool.Registry) {
	var reads []*tool.Definition
	for _, d := range r.All() {
		o.Operations++
		if d.Effect == tool.Write {
			o.Writes++
			if d.Note != "" {
				o.UnusableWrites++
			}
			continue
		}
		if o.Reads++; d.Note != "" {
			o.UnusableReads++
			continue
		}
		if doubtful(d.Action) {
			o.Doubtful = append(o.Doubtful, strings.TrimPrefix(d.Operation, specSource+"."))
		} else {
			reads = append(reads, d)
		}
		if n := len(o.Routers); n == 0 || o.Routers[n-1].Router != d.Router {
			o.Routers = append(o.Routers, RouterOutline{Router: d.Router})
		}
		last := &o.Routers[len(o.Routers)-1]
		last.Actions = append(last.Actions, d.Action)
	}
	// What asks for the least is the best to begin with.
	slices.SortStableFunc(reads, func(a, b *tool.Definition) int {
		return cmp.Or(cmp.Compare(len(a.RequiredArguments()), len(b.RequiredArguments())), cmp.Compare(len(a.Name()), len(b.Name())))
	})
	for _, d := range reads[:min(len(reads), suggestions)] {
		o.Suggested = append(o.Suggested, ActionOutline{Name: d.Name(), Operation: d.Operation, Summary: strings.TrimSpace(d.Summary)})
	}
}

// doing are words with which the names of operations that change something begin.
var doing = []string{
	"accept", "activate", "add", "approve", "cancel", "clear", "confirm", "create", "deactivate", "delete", "disable", "edit",
	"enable", "execute", "login", "logout", "mark", "move", "pay", "publish", "purge", "refresh", "register", "reject", "remove",
	"reset", "restart", "resume", "revoke", "run", "save", "send", "set", "signin", "signout", "start", "stop", "submit",
	"subscribe", "trigger", "unsubscribe", "update", "upload",
}

// doubtful reports whether a read's name says that it does something.
func doubtful(action string) bool {
	first, rest, _ := strings.Cut(action, "_")
	if first == "log" || first == "sign" {
		next, _, _ := strings.Cut(rest, "_")
		return next == "in" || next == "out" || next == "off" || next == "on"
	}
	return slices.Contains(doing, first)
}

// providers says what each provider that Steward knows by name would get of the lists.
func providers(lists []ListOutline) ([]ProviderOutline, error) {
	const unasked = "unasked" // nothing is sent
	anthropic, err := model.NewAnthropic(model.AnthropicConfig{Key: unasked})
	if err != nil {
		return nil, fmt.Errorf("look at Anthropic: %w", err)
	}
	openai, err := model.NewResponses(model.ResponsesConfig{Key: unasked})
	if err != nil {
		return nil, fmt.Errorf("look at OpenAI: %w", err)
	}
	chat, err := model.NewChat(model.ChatConfig{BaseURL: "https://openrouter.ai/api/v1", Key: unasked})
	if err != nil {
		return nil, fmt.Errorf("look at OpenRouter: %w", err)
	}
	singly, folded := lists[0].Tools, lists[1].Tools
	var out []ProviderOutline
	for _, one := range []struct {
		name string
		p    model.Provider
	}{{"Anthropic", anthropic}, {"OpenAI", openai}, {"OpenRouter and the like", chat}} {
		p := ProviderOutline{Name: one.name, MaxTools: one.p.Capabilities().MaxTools, GroupBy: "action"}
		p.Folded = p.MaxTools > 0 && singly > p.MaxTools
		p.Refused = p.MaxTools > 0 && min(singly, folded) > p.MaxTools
		if p.Folded || singly > tool.GroupAbove {
			p.GroupBy = "router"
		}
		out = append(out, p)
	}
	return out, nil
}
