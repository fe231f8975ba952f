package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Rules are a script as data. The first rule that matches the member's words answers; where none does, the reply is
// Words words long. Whatever the rules say, the words `call NAME {JSON}` call an offered tool by hand, and after tool
// results without a rule of their own the reply shows them.
type Rules struct {
	// Words is the length of a reply that no rule makes. Zero means 20.
	Words int `json:"words,omitempty"`
	// WaitMS passes before each reply, PaceMS between its pieces, in milliseconds.
	WaitMS int `json:"waitMs,omitempty"`
	PaceMS int `json:"paceMs,omitempty"`
	// Odd has every reply come as from a server that is not quite compatible, on the Chat wire.
	Odd   Odd    `json:"odd,omitzero"`
	Rules []Rule `json:"rules,omitempty"`
}

// Rule answers words that match.
type Rule struct {
	// Match is a regular expression (RE2); $1 and ${name} stand for its groups in the texts below.
	Match string `json:"match"`
	// Think, Say and Calls are the reply, in this order. Calls of tools that are not offered are left out.
	Think string     `json:"think,omitempty"`
	Say   string     `json:"say,omitempty"`
	Calls []RuleCall `json:"calls,omitempty"`
	// Then is the reply to the results; {results} stands for them.
	Then string `json:"then,omitempty"`
	// Stop, Fault and End are as in Reply.
	Stop  string  `json:"stop,omitempty"`
	Fault *Fault  `json:"fault,omitempty"`
	End   RuleEnd `json:"end,omitzero"`

	match *regexp.Regexp
}

// RuleCall is a call of a tool.
type RuleCall struct {
	Tool  string         `json:"tool"`
	Input map[string]any `json:"input,omitempty"`
}

// RuleEnd is an End.
type RuleEnd struct {
	Way   Way    `json:"way"`
	After int    `json:"after,omitempty"`
	Fault *Fault `json:"fault,omitempty"`
}

// maxShownBytes bounds what a reply shows of tool results.
const maxShownBytes = 600

var byHand = regexp.MustCompile(`(?s)^\s*call\s+([a-zA-Z0-9_-]{1,64})\s*(\{.*\})?\s*$`)

// ParseRules reads rules from JSON. Unknown keys and bad expressions are errors.
func ParseRules(text []byte) (Rules, error) {
	var rules Rules
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rules); err != nil {
		return Rules{}, fmt.Errorf("read the rules: %w", err)
	}
	for i := range rules.Rules {
		r := &rules.Rules[i]
		match, err := regexp.Compile(r.Match)
		if err != nil {
			return Rules{}, fmt.Errorf("rule %d: match: %w", i+1, err)
		}
		r.match = match
		switch r.End.Way {
		case Whole, Cut, Stall, Fail, Close:
		default:
			return Rules{}, fmt.Errorf("rule %d: end.way: must be cut, stall, fail or close", i+1)
		}
	}
	return rules, nil
}

// Script makes the rules a script.
func (r Rules) Script() Script {
	if r.Words == 0 {
		r.Words = 20
	}
	return func(req Request) Reply {
		reply := r.reply(req)
		reply.Odd = r.Odd
		reply.Wait = time.Duration(r.WaitMS) * time.Millisecond
		reply.Pace = time.Duration(r.PaceMS) * time.Millisecond
		return reply
	}
}

func (r Rules) reply(req Request) Reply {
	results := req.Results()
	for i := range r.Rules {
		rule := &r.Rules[i]
		at := rule.match.FindStringSubmatchIndex(req.Words)
		if at == nil {
			continue
		}
		if len(results) > 0 {
			if rule.Then == "" {
				break
			}
			return Reply{Blocks: []Block{Say(pieces(strings.ReplaceAll(rule.expand(rule.Then, req.Words, at), "{results}", shown(results)))...)}}
		}
		return rule.reply(req, at)
	}
	if len(results) > 0 {
		return Reply{Blocks: []Block{Say(pieces("Here is what I found: " + shown(results))...)}}
	}
	if m := byHand.FindStringSubmatch(req.Words); m != nil && req.Offers(m[1]) {
		return Reply{Blocks: []Block{Call(m[1], json.RawMessage(m[2]))}}
	}
	return Reply{Blocks: []Block{Words(r.Words)}}
}

func (rule *Rule) reply(req Request, at []int) Reply {
	reply := Reply{Stop: rule.Stop, Fault: rule.Fault, End: End(rule.End)}
	if rule.Think != "" {
		reply.Blocks = append(reply.Blocks, Think(pieces(rule.expand(rule.Think, req.Words, at))...))
	}
	if rule.Say != "" {
		reply.Blocks = append(reply.Blocks, Say(pieces(rule.expand(rule.Say, req.Words, at))...))
	}
	for _, c := range rule.Calls {
		if req.Offers(c.Tool) {
			reply.Blocks = append(reply.Blocks, Call(c.Tool, rule.expandValue(c.Input, req.Words, at)))
		}
	}
	return reply
}

func (rule *Rule) expand(text, words string, at []int) string {
	return string(rule.match.ExpandString(nil, text, words, at))
}

// expandValue expands the strings of a tool's input.
func (rule *Rule) expandValue(v any, words string, at []int) any {
	switch v := v.(type) {
	case string:
		return rule.expand(v, words, at)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = rule.expandValue(v[i], words, at)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = rule.expandValue(v[k], words, at)
		}
		return out
	}
	return v
}

// pieces cuts a text before each word.
func pieces(text string) []string {
	var list []string
	for text != "" {
		n := strings.IndexByte(text[1:], ' ') + 1
		if n == 0 {
			n = len(text)
		}
		list, text = append(list, text[:n]), text[n:]
	}
	return list
}

// shown is the start of the results' texts.
func shown(results []Part) string {
	var texts []string
	for _, p := range results {
		texts = append(texts, p.Text)
	}
	text := strings.Join(texts, "\n")
	if len(text) > maxShownBytes {
		text = strings.ToValidUTF8(text[:maxShownBytes], "") + "…"
	}
	return text
}
