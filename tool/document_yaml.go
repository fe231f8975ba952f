package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxYAMLBytes bounds a document in YAML, which takes many times the memory of JSON to read.
const maxYAMLBytes = 16 << 20

// maxYAMLValues bounds the values of a document in YAML after its aliases are written out: a few lines of aliases of
// aliases are billions.
const maxYAMLValues = 2 << 20

var errTooManyAliases = errors.New("the document's aliases make it too large; write it out as JSON")

// parseYAML parses a document in YAML; what is wrong names its line.
func parseYAML(raw []byte) (ast.Node, error) {
	if len(raw) > maxYAMLBytes {
		return nil, fmt.Errorf("the document is YAML of more than %d MB; convert it to JSON", maxYAMLBytes>>20)
	}
	tokens, err := tokenize(raw)
	if err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		if fault, ok := errors.AsType[yaml.Error](err); ok && fault.GetToken() != nil {
			line := fault.GetToken().Position.Line
			if strings.HasPrefix(fault.GetMessage(), "mapping key ") && strings.Contains(fault.GetMessage(), " already defined ") {
				return nil, fmt.Errorf("the document has a key twice in one object: line %d", line)
			}
			return nil, fmt.Errorf("the document is neither JSON nor YAML: line %d", line)
		}
		return nil, errors.New("the document is neither JSON nor YAML")
	}
	var body ast.Node
	for _, d := range file.Docs {
		switch {
		case d.Body == nil || d.Body.Type() == ast.CommentType || d.Body.Type() == ast.DirectiveType:
		case body != nil:
			return nil, errors.New("the document goes on after its end")
		default:
			body = d.Body
		}
	}
	if body == nil {
		return nil, errors.New("the document is empty")
	}
	return body, nil
}

// yamlReader makes of YAML what encoding/json makes of JSON.
type yamlReader struct {
	anchors map[string]ast.Node
	left    int
}

func readYAML(raw []byte) (map[string]any, error) {
	body, err := parseYAML(raw)
	if err != nil {
		return nil, err
	}
	r := &yamlReader{anchors: map[string]ast.Node{}, left: maxYAMLValues}
	v, err := r.value(body, 0)
	if err != nil {
		return nil, err
	}
	root, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the document is neither JSON nor YAML: it is no object")
	}
	return root, nil
}

func (r *yamlReader) value(n ast.Node, depth int) (any, error) {
	if r.left--; r.left < 0 {
		return nil, errTooManyAliases
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("the document nests too deeply: line %d", lineOf(n))
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.object(n.Values, depth)
	case *ast.MappingValueNode:
		return r.object([]*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		out := make([]any, len(n.Values))
		for i, one := range n.Values {
			v, err := r.value(one, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case *ast.AnchorNode:
		// The value is read first: an alias within it would be of the value that is not there yet.
		v, err := r.value(n.Value, depth+1)
		r.anchors[n.Name.String()] = n.Value
		return v, err
	case *ast.AliasNode:
		target := r.anchors[n.Value.String()]
		if target == nil {
			return nil, fmt.Errorf("the document names an anchor that it has not: line %d", lineOf(n))
		}
		return r.value(target, depth+1)
	case *ast.TagNode:
		return r.value(n.Value, depth+1)
	default:
		return yamlScalar(n), nil
	}
}

func (r *yamlReader) object(values []*ast.MappingValueNode, depth int) (map[string]any, error) {
	out := make(map[string]any, len(values))
	var merged []map[string]any
	for _, one := range values {
		v, err := r.value(one.Value, depth+1)
		if err != nil {
			return nil, err
		}
		if one.Key.IsMergeKey() {
			for _, m := range append(list(v), v) {
				merged = append(merged, object(m))
			}
			continue
		}
		out[keyText(one.Key)] = v
	}
	for _, m := range merged {
		for key, v := range m {
			if _, own := out[key]; !own {
				out[key] = v
			}
		}
	}
	return out, nil
}

// keyText is a key as its author wrote it: 200 is "200".
func keyText(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.MappingKeyNode:
		return keyText(n.Value)
	case *ast.TagNode:
		return keyText(n.Value)
	case *ast.AnchorNode:
		return keyText(n.Value)
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return ""
}

func yamlScalar(n ast.Node) any {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		if n.Value == nil {
			return ""
		}
		return n.Value.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.IntegerNode:
		return json.Number(fmt.Sprint(n.Value))
	case *ast.FloatNode:
		if t := n.Token.Value; json.Valid([]byte(t)) { // as it was written: 1.10 is a version
			return json.Number(t)
		}
		if math.IsInf(n.Value, 0) || math.IsNaN(n.Value) {
			return nil
		}
		return json.Number(strconv.FormatFloat(n.Value, 'g', -1, 64))
	default:
		return nil
	}
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil {
		return 0
	}
	return n.GetToken().Position.Line
}
