package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The names of what a provider can be without, as a host writes them and as errors tell them.
const (
	CapabilityTools   = "tools"   // it can be given tools
	CapabilityStreams = "streams" // it says a reply as it makes it
	CapabilityEffort  = "effort"  // it can be asked to think more or less hard
	CapabilityStrict  = "strict"  // it can be held to a tool's schema
)

// CapabilityNames are the names that a configuration's Without may hold.
func CapabilityNames() []string {
	return []string{CapabilityTools, CapabilityStreams, CapabilityEffort, CapabilityStrict}
}

// Capabilities is what a provider can do. It has a field for each thing that a [Request] can ask for, and no other:
// what cannot be asked (images, a forced tool, stop sequences) need not be refused.
type Capabilities struct {
	// Tools is false for a provider that takes none; such a one is asked for its reply in one piece, too.
	Tools bool
	// Streams is false for a provider that is asked for its reply in one piece; its [Provider.Stream] yields the same
	// events, all at the end.
	Streams bool
	// Effort says that some of its models take an [Effort]; [TakesEffort] says whether one does.
	Effort bool
	// Thinking says that replies may hold [BlockThinking].
	Thinking bool
	// MaxStrictTools, MaxStrictOptional and MaxStrictUnions bound a list of strict tools: how many tools, optional
	// parameters and unions in all. MaxStrictTools zero: strict is not supported.
	MaxStrictTools, MaxStrictOptional, MaxStrictUnions int
	// MaxTools is the most tools a request may carry; zero: no known limit.
	MaxTools int
	// CacheMarks is the most cache marks of a request; zero: the provider caches without marks or not at all.
	CacheMarks int
}

// TakesEffort reports whether a provider can ask a model to think more or less hard. Of a model that nothing is known
// of, a provider whose models differ says true: the vendor refuses what it does not take, and the fault tells it.
func TakesEffort(p Provider, model string) bool {
	if by, ok := p.(interface{ takesEffort(model string) bool }); ok {
		return by.takesEffort(model)
	}
	return p.Capabilities().Effort
}

// without takes away what a host says that a provider's models cannot do.
func (c *Capabilities) without(names []string) error {
	for _, name := range names {
		switch name {
		case CapabilityTools:
			// A model that can look nothing up says its reply in one piece, so that it can be held against what is known
			// before any of it is shown.
			c.Tools, c.Streams = false, false
		case CapabilityStreams:
			c.Streams = false
		case CapabilityEffort:
			c.Effort = false
		case CapabilityStrict:
			c.MaxStrictTools, c.MaxStrictOptional, c.MaxStrictUnions = 0, 0, 0
		default:
			return fmt.Errorf("Without must hold only %s", strings.Join(CapabilityNames(), ", ")) //nolint:staticcheck // a field's name
		}
	}
	return nil
}

// checkRequest refuses what cannot be asked of a provider, before a byte is sent.
func (c *caller) checkRequest(req *Request, takesEffort bool) error {
	switch {
	case req.Model == "":
		return errors.New("the request names no model")
	case req.MaxOutputTokens <= 0:
		return errors.New("MaxOutputTokens must be positive")
	case len(req.Messages) == 0:
		return errors.New("the request has no messages")
	case len(req.Tools) > 0 && !c.can.Tools:
		return c.cannot(CapabilityTools, fmt.Sprintf("the request carries %d", len(req.Tools)))
	case c.can.MaxTools > 0 && len(req.Tools) > c.can.MaxTools:
		return c.cannot(CapabilityTools, fmt.Sprintf("the request carries %d, and it takes %d at most", len(req.Tools), c.can.MaxTools))
	case req.Effort != "" && !c.can.Effort:
		return c.cannot(CapabilityEffort, "the request asks for it")
	case req.Effort != "" && !takesEffort:
		return c.cannot(CapabilityEffort, "the request asks for it of a model that takes none: "+modelName(req.Model))
	case c.can.MaxStrictTools == 0 && slices.ContainsFunc(req.Tools, func(t Tool) bool { return t.Strict }):
		return c.cannot(CapabilityStrict, "the request carries strict tools")
	}
	return c.checkMessages(req)
}

// cannot is the error of a request that asks for what a provider cannot do.
func (c *caller) cannot(capability, why string) error {
	return fmt.Errorf("provider %q, capability %q: %s: %w", c.name, capability, why, errors.ErrUnsupported)
}

func (c *caller) checkMessages(req *Request) error {
	marks := 0
	for _, b := range req.System {
		marks += mark(b.Cache && !blank(b.Text))
	}
	for _, m := range req.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant {
			return errors.New(`a message's role is neither "user" nor "assistant"`)
		}
		for i := range m.Blocks {
			marks += mark(m.Blocks[i].Cache)
		}
	}
	if marks > c.can.CacheMarks {
		return fmt.Errorf("%d cache marks are asked for; the provider takes %d at most", marks, c.can.CacheMarks)
	}
	return nil
}

func mark(set bool) int {
	if set {
		return 1
	}
	return 0
}
