package tool

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of the patterns in schemas. RE2 runs in time linear to the text, but what it compiles to is not bounded by the
// length of what is written: "x{999}" is a thousand steps of six characters.
const (
	maxPattern       = 256  // bytes
	maxPatternSteps  = 2000 // of one pattern, so that any single class may repeat a thousand times
	maxPatternsSteps = 5000 // of all in a schema
)

// patternFits reports whether a pattern is one that a validator checks: a regular expression of RE2 and within bounds.
// Another is taken to match everything.
func patternFits(p string) bool { return patternSteps(p) <= maxPatternSteps }

// patternSteps is about how many steps a pattern compiles to, without compiling it. One that is too long to be read, or
// is no regular expression of RE2, is beyond every bound.
func patternSteps(p string) int {
	if len(p) > maxPattern {
		return math.MaxInt
	}
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return math.MaxInt
	}
	return steps(re)
}

func steps(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n = max(n*max(re.Max, re.Min), 1) // without an upper bound Max is -1
	}
	return n // nested repeats are a thousand at most, as the parser bounds them
}

// boundedPatterns compiles the patterns of one schema, each once, as long as they are within bounds together, in their
// own order: every process checks the same ones. What is beyond matches everything, and so does what is no regular
// expression of RE2, as those with a look-ahead that browsers know.
func boundedPatterns(schema any) jsonschema.RegexpEngine {
	found := map[string]bool{}
	collectPatterns(schema, found)
	left, checked := maxPatternsSteps, map[string]bool{}
	for _, p := range sortedKeys(found) {
		if n := patternSteps(p); n <= min(left, maxPatternSteps) {
			left -= n
			checked[p] = true
		}
	}
	known := map[string]jsonschema.Regexp{}
	return func(p string) (jsonschema.Regexp, error) {
		if re := known[p]; re != nil {
			return re, nil
		}
		if !checked[p] {
			return anyText(p), nil
		}
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("read pattern: %w", err)
		}
		known[p] = re
		return re, nil
	}
}

// collectPatterns gathers what a schema may ask to be matched.
func collectPatterns(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, sub := range v {
			if p, ok := sub.(string); ok && key == "pattern" {
				into[p] = true
			}
			if key == "patternProperties" {
				for p := range object(sub) {
					into[p] = true
				}
			}
			collectPatterns(sub, into)
		}
	case []any:
		for _, sub := range v {
			collectPatterns(sub, into)
		}
	}
}

// anyText stands for a pattern that is not checked.
type anyText string

var _ jsonschema.Regexp = anyText("")

// MatchString is true.
func (anyText) MatchString(string) bool { return true }

// String is the pattern.
func (a anyText) String() string { return string(a) }
