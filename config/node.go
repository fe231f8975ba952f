package config

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// scalarText gives a scalar as its author wrote it: "1", "true" and "2026-03-17" are texts where a text is asked for.
func scalarText(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		if v.Value == nil {
			return "", true
		}
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.MappingKeyNode:
		return scalarText(v.Value)
	}
	return "", false
}

func kindName(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a map"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.BoolNode:
		return "true or false"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	default:
		return "a text"
	}
}

// join adds a key to a path; a key that is no plain word stands in brackets.
func join(path, key string) string {
	if strings.ContainsAny(key, ".[] ") || key == "" {
		return path + "[" + key + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// unknownKey says what a key could have been.
func unknownKey(key string, known []string) string {
	for _, suffix := range []string{"_env", "_file"} {
		if slices.Contains(known, key+suffix) {
			return "is not set in the file itself: name a variable of the environment with " + key + "_env" +
				optional(slices.Contains(known, key+"_file"), ", or a file with "+key+"_file")
		}
	}
	if best := Nearest(key, known); best != "" {
		return "is not a key here; did you mean " + best + "?"
	}
	sorted := slices.Sorted(slices.Values(known))
	return "is not a key here; there are " + strings.Join(sorted, ", ")
}

// Nearest is the word of known that somebody most likely meant with word: the one that differs in the fewest letters, of a
// third of them at most, or two; in lower and upper case it may differ. Empty: there is none.
func Nearest(word string, known []string) string {
	best, distance := "", max(3, len(word)/3+1)
	for _, k := range known {
		if d := editDistance(strings.ToLower(word), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

func optional(yes bool, s string) string {
	if yes {
		return s
	}
	return ""
}

// editDistance is Levenshtein's, over bytes; keys are short.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
