package tool

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxYAMLLine bounds a line of a document in YAML: the scanner gives the words of a whole line at once.
	maxYAMLLine = 1 << 20
	// maxYAMLTokens bounds the words and signs of a document in YAML, of which each takes a hundred bytes and more.
	maxYAMLTokens = 4 * maxYAMLValues
	// maxYAMLPaths bounds the bytes of the paths to all of a document's keys, which the parser holds at once.
	maxYAMLPaths = 512 << 20
)

// tokenize splits a document in YAML into what the parser reads. It counts on the way, because the parser takes time and
// memory with the square of the depth, and calls itself for every level.
func tokenize(raw []byte) (token.Tokens, error) {
	line := 0
	for one := range bytes.Lines(raw) {
		if line++; len(one) > maxYAMLLine {
			return nil, fmt.Errorf("the document has a line of more than %d MB; convert it to JSON: line %d", maxYAMLLine>>20, line)
		}
	}
	var s scanner.Scanner
	s.Init(string(raw))
	var out token.Tokens
	var nesting yamlNesting
	for {
		some, err := s.Scan()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		for _, t := range some {
			nesting.add(t)
			switch {
			case len(nesting.open) > maxDepth:
				return nil, fmt.Errorf("the document nests too deeply: line %d", t.Position.Line)
			case nesting.paths > maxYAMLPaths:
				return nil, fmt.Errorf("the document's keys are too long to nest that deeply: line %d", t.Position.Line)
			}
		}
		if out.Add(some...); len(out) > maxYAMLTokens {
			return nil, errors.New("the document is too large for YAML; convert it to JSON")
		}
	}
}

// yamlNesting follows how deeply a document in YAML nests, from its brackets, its indentation and the signs that begin
// one value within another on one line ("- - -"). A list that stands no deeper than its key counts as one with it.
type yamlNesting struct {
	open []yamlLevel
	last *token.Token
	// path is the bytes of the path to where it is, paths those of the paths to all keys so far.
	path, paths int
}

// yamlLevel is an object or a list that has not ended.
type yamlLevel struct {
	column int // zero: in brackets
	key    int // the bytes of the key that it is at
}

func (n *yamlNesting) add(t *token.Token) {
	brackets := len(n.open) > 0 && n.open[len(n.open)-1].column == 0
	switch kind := t.Type; {
	case kind == token.MappingStartType, kind == token.SequenceStartType:
		n.open = append(n.open, yamlLevel{})
	case kind == token.MappingEndType, kind == token.SequenceEndType:
		if brackets {
			n.pop()
		}
	case kind == token.SequenceEntryType, kind == token.MappingKeyType:
		if !brackets {
			n.block(t.Position.Column)
		}
	case kind == token.MappingValueType && n.last != nil:
		if !brackets {
			n.block(n.last.Position.Column)
		}
		top := &n.open[len(n.open)-1]
		n.path += len(n.last.Value) - top.key
		top.key = len(n.last.Value)
		n.paths += n.path + len(n.open)
	}
	n.last = t
}

// block goes to the level whose lines begin at a column.
func (n *yamlNesting) block(column int) {
	for len(n.open) > 0 && n.open[len(n.open)-1].column > column {
		n.pop()
	}
	if len(n.open) == 0 || n.open[len(n.open)-1].column < column {
		n.open = append(n.open, yamlLevel{column: column})
	}
}

func (n *yamlNesting) pop() {
	n.path -= n.open[len(n.open)-1].key
	n.open = n.open[:len(n.open)-1]
}
