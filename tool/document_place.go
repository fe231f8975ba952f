package tool

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// Lines finds the lines, counted from 1, at which JSON Pointers lead into a document in JSON or YAML; zero where one leads
// nowhere. It reads the document anew, so it is for telling people, not for every start.
func Lines(document []byte, pointers []string) []int {
	out := make([]int, len(pointers))
	if len(pointers) == 0 {
		return out
	}
	raw, isJSON, err := trimDocument(document)
	if err != nil {
		return out
	}
	found := map[string]int{}
	if isJSON {
		w := &lineWalk{raw: raw, d: json.NewDecoder(bytes.NewReader(raw)), found: found, line: 1}
		_ = w.value("", newPointerSet(pointers)) // what could not be read has no line
	} else if body, err := parseYAML(raw); err == nil {
		yamlLines(body, "", newPointerSet(pointers), found, 0)
	}
	for i, p := range pointers {
		out[i] = found[p]
	}
	return out
}

// lineAt is the line of an offset.
func lineAt(raw []byte, offset int64) int {
	return 1 + bytes.Count(raw[:min(int(offset), len(raw))], []byte("\n"))
}

// lineWalk walks JSON only as far as pointers lead.
type lineWalk struct {
	raw   []byte
	d     *json.Decoder
	found map[string]int
	// line is that of the offset at.
	line, at int
}

// here is the line of the value that comes next.
func (w *lineWalk) here() int {
	to := int(w.d.InputOffset())
	for to < len(w.raw) && bytes.IndexByte([]byte(" \t\r\n:,"), w.raw[to]) >= 0 {
		to++
	}
	w.line += bytes.Count(w.raw[w.at:to], []byte("\n"))
	w.at = to
	return w.line
}

// value walks one value; wanted are the pointers below it.
func (w *lineWalk) value(pointer string, wanted *pointerSet) error {
	if wanted == nil {
		var skipped json.RawMessage
		return w.d.Decode(&skipped)
	}
	if wanted.here() {
		w.found[pointer] = w.here()
	}
	if len(wanted.kids) == 0 {
		return w.value(pointer, nil)
	}
	t, err := w.d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') && t != json.Delim('[') {
		return nil
	}
	for i := 0; w.d.More(); i++ {
		token := strconv.Itoa(i)
		if t == json.Delim('{') {
			key, err := w.d.Token()
			if err != nil {
				return err
			}
			token = text(key)
		}
		if err := w.value(pointer+"/"+escapeToken(token), wanted.kids[token]); err != nil {
			return err
		}
	}
	_, err = w.d.Token()
	return err
}

func yamlLines(n ast.Node, pointer string, wanted *pointerSet, found map[string]int, depth int) {
	if wanted == nil || depth > maxDepth {
		return
	}
	if wanted.here() && found[pointer] == 0 {
		found[pointer] = lineOf(n)
	}
	values := func(pairs []*ast.MappingValueNode) {
		for _, one := range pairs {
			key := keyText(one.Key)
			at, below := pointer+"/"+escapeToken(key), wanted.kids[key]
			if below.here() {
				found[at] = lineOf(one.Key)
			}
			yamlLines(one.Value, at, below, found, depth+1)
		}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		values(n.Values)
	case *ast.MappingValueNode:
		values([]*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		for i, one := range n.Values {
			token := strconv.Itoa(i)
			yamlLines(one, pointer+"/"+token, wanted.kids[token], found, depth+1)
		}
	case *ast.AnchorNode:
		yamlLines(n.Value, pointer, wanted, found, depth+1)
	case *ast.TagNode:
		yamlLines(n.Value, pointer, wanted, found, depth+1)
	}
}
