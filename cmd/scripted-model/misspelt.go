package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/model/modeltest"
)

// byHand is a member's own call of a tool, as modeltest.Rules reads it.
var byHand = regexp.MustCompile(`^\s*call\s+([a-zA-Z0-9_-]{1,64})\s*(\{|$)`)

// misspelt tells, once each, which tools a script calls that a request does not offer. Safe for concurrent use.
type misspelt struct {
	rules []modeltest.Rule
	match []*regexp.Regexp
	out   io.Writer

	mu   sync.Mutex
	told map[string]bool
}

// newMisspelt looks at rules that were read without a fault.
func newMisspelt(rules []modeltest.Rule, out io.Writer) *misspelt {
	m := &misspelt{rules: rules, out: out, told: map[string]bool{}}
	for _, r := range rules {
		m.match = append(m.match, regexp.MustCompile(r.Match))
	}
	return m
}

// script is a script that is looked at.
func (m *misspelt) script(script modeltest.Script) modeltest.Script {
	return func(r modeltest.Request) modeltest.Reply {
		m.look(r)
		return script(r)
	}
}

func (m *misspelt) look(r modeltest.Request) {
	if len(r.Tools) == 0 || len(r.Results()) > 0 {
		return
	}
	for i, match := range m.match {
		if !match.MatchString(r.Words) {
			continue
		}
		for _, c := range m.rules[i].Calls {
			m.tell(fmt.Sprintf("rule %d", i+1), c.Tool, r)
		}
		return
	}
	if hand := byHand.FindStringSubmatch(r.Words); hand != nil {
		m.tell("the member", hand[1], r)
	}
}

func (m *misspelt) tell(who, tool string, r modeltest.Request) {
	if r.Offers(tool) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told[who+tool] {
		return
	}
	m.told[who+tool] = true
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	hint := "offered are " + strings.Join(names, ", ")
	if meant := config.Nearest(tool, names); meant != "" {
		hint = "did you mean " + meant + "?"
	}
	fmt.Fprintf(m.out, "scripted-model: %s calls %q, which is not offered; %s\n", who, tool, hint)
}
