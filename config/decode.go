package config

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxNodes bounds what one file may expand to, so that aliases of aliases cannot grow without end.
const maxNodes = 200_000

// A nodeDecoder reads itself from a node and reports to d what is wrong.
type nodeDecoder interface {
	decodeNode(d *decoder, n ast.Node, path string)
}

var nodeDecoderType = reflect.TypeFor[nodeDecoder]()

// decoder fills Go values from a YAML tree. Unlike a library's decoder it goes on after a fault, so that a person
// sees them all at once, and remembers where each value stands.
type decoder struct {
	file    string
	faults  Faults
	at      map[string]Position
	anchors map[string]ast.Node
	nodes   int
}

// parse gives the root of a file with one document; nil when it is empty or does not parse, which is a fault.
func (d *decoder) parse(src []byte) (root ast.Node) {
	defer func() {
		// The parser is fed whatever a person saved; should a file make it fail in a way that it does not report, that
		// is a fault of the file and no reason to end the process.
		if r := recover(); r != nil {
			d.faults = append(d.faults, Fault{Position: Position{File: d.file}, Message: "is not YAML that can be read"})
			root = nil
		}
	}()
	file, err := parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) && syntax.GetToken() != nil {
			p := syntax.GetToken().Position
			d.faults = append(d.faults, Fault{Position: Position{d.file, p.Line, p.Column}, Message: syntax.GetMessage()})
			return nil
		}
		d.faults = append(d.faults, Fault{Position: Position{File: d.file}, Message: "is not YAML"})
		return nil
	}
	var docs []ast.Node
	for _, doc := range file.Docs {
		if doc != nil && doc.Body != nil {
			docs = append(docs, doc.Body)
		}
	}
	switch len(docs) {
	case 0:
		d.faults = append(d.faults, Fault{Position: Position{File: d.file}, Message: "is empty"})
		return nil
	case 1:
		return docs[0]
	default:
		d.fault(docs[1], "", "a second YAML document; a file holds one")
		return docs[0]
	}
}

func (d *decoder) position(n ast.Node) Position {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return Position{File: d.file}
	}
	p := n.GetToken().Position
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		p = m.Values[0].Key.GetToken().Position
	}
	return Position{File: d.file, Line: p.Line, Column: p.Column}
}

func (d *decoder) fault(n ast.Node, path, format string, args ...any) {
	d.faults = append(d.faults, Fault{Position: d.position(n), Path: path, Message: fmt.Sprintf(format, args...)})
}

// plain unwraps anchors, aliases and tags.
func (d *decoder) plain(n ast.Node, path string) ast.Node {
	for range 16 {
		switch v := n.(type) {
		case *ast.AnchorNode:
			d.anchors[v.Name.String()] = v.Value
			n = v.Value
		case *ast.AliasNode:
			to, ok := d.anchors[v.Value.String()]
			if !ok {
				d.fault(n, path, "no anchor &%s stands before it", v.Value.String())
				return nil
			}
			n = to
		case *ast.TagNode:
			d.fault(n, path, "tags such as %s are not used here", v.Start.Value)
			n = v.Value
		default:
			return n
		}
	}
	d.fault(n, path, "aliases that lead to each other")
	return nil
}

// value reads n into v, which must be settable. A null leaves v as it is.
func (d *decoder) value(n ast.Node, v reflect.Value, path string) {
	if d.nodes++; d.nodes > maxNodes {
		if d.nodes == maxNodes+1 {
			d.fault(n, path, "the file grows beyond %d values", maxNodes)
		}
		return
	}
	if n = d.plain(n, path); n == nil {
		return
	}
	if _, null := n.(*ast.NullNode); null {
		return
	}
	if v.CanAddr() && v.Addr().Type().Implements(nodeDecoderType) {
		if nd, ok := reflect.TypeAssert[nodeDecoder](v.Addr()); ok {
			nd.decodeNode(d, n, path)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(n, p.Elem(), path)
		v.Set(p)
	case reflect.Struct:
		d.structure(n, v, path)
	case reflect.Map:
		d.mapping(n, v, path)
	case reflect.Slice:
		d.sequence(n, v, path)
	case reflect.String:
		s, ok := scalarText(n)
		if !ok {
			d.fault(n, path, "must be a text, not %s", kindName(n))
			return
		}
		v.SetString(s)
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			d.fault(n, path, "must be true or false, not %s", kindName(n))
			return
		}
		v.SetBool(b.Value)
	case reflect.Int:
		i, ok := n.(*ast.IntegerNode)
		if !ok {
			d.fault(n, path, "must be a whole number, not %s", kindName(n))
			return
		}
		num, err := strconv.ParseInt(strings.ReplaceAll(i.GetToken().Value, "_", ""), 10, 32)
		if err != nil {
			d.fault(n, path, "must be a whole number in decimal digits, at most %d", 1<<31-1)
			return
		}
		v.SetInt(num)
	default:
		d.fault(n, path, "cannot be set here")
	}
}

// entries calls each for every key of a mapping, in order; a repeated key is a fault and is passed over.
func (d *decoder) entries(n ast.Node, path string, each func(key string, keyNode, value ast.Node)) bool {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		return false
	}
	seen := map[string]Position{}
	for _, kv := range values {
		if _, merge := kv.Key.(*ast.MergeKeyNode); merge {
			d.fault(kv.Key, path, "merge keys (<<) are not used here; write the keys out")
			continue
		}
		kn, ok := kv.Key.(ast.Node)
		if !ok {
			continue
		}
		key, ok := scalarText(kn)
		if !ok {
			d.fault(kn, path, "a key must be a plain word")
			continue
		}
		if first, twice := seen[key]; twice {
			d.fault(kn, join(path, key), "stands twice; first on line %d", first.Line)
			continue
		}
		seen[key] = d.position(kn)
		d.at[join(path, key)] = d.position(kn)
		each(key, kn, kv.Value)
	}
	return true
}

func (d *decoder) structure(n ast.Node, v reflect.Value, path string) {
	fields := map[string]int{}
	var names []string
	for i := range v.NumField() {
		if name := v.Type().Field(i).Tag.Get("yaml"); name != "" && name != "-" {
			fields[name] = i
			names = append(names, name)
		}
	}
	ok := d.entries(n, path, func(key string, kn, value ast.Node) {
		i, known := fields[key]
		if !known {
			d.fault(kn, join(path, key), "%s", unknownKey(key, names))
			return
		}
		d.value(value, v.Field(i), join(path, key))
	})
	if !ok {
		d.fault(n, path, "must be a map with the keys %s, not %s", strings.Join(names, ", "), kindName(n))
	}
}

func (d *decoder) mapping(n ast.Node, v reflect.Value, path string) {
	out := reflect.MakeMap(v.Type())
	ok := d.entries(n, path, func(key string, _, value ast.Node) {
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(value, item, join(path, key))
		out.SetMapIndex(reflect.ValueOf(key), item)
	})
	if !ok {
		d.fault(n, path, "must be a map, not %s", kindName(n))
		return
	}
	v.Set(out)
}

func (d *decoder) sequence(n ast.Node, v reflect.Value, path string) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fault(n, path, "must be a list, not %s", kindName(n))
		return
	}
	out := reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values))
	for i, item := range s.Values {
		p := path + "[" + strconv.Itoa(i) + "]"
		d.at[p] = d.position(item)
		if _, null := item.(*ast.NullNode); null || item == nil {
			d.fault(n, p, "is empty")
			continue
		}
		d.value(item, out.Index(i), p)
	}
	v.Set(out)
}

// stringMap reads a map of scalars in order, for values that decode themselves.
func (d *decoder) stringMap(n ast.Node, path, want string, each func(k, v string)) bool {
	ok := d.entries(n, path, func(k string, _, vn ast.Node) {
		if vn = d.plain(vn, join(path, k)); vn == nil {
			return
		}
		s, isText := scalarText(vn)
		if !isText {
			d.fault(vn, join(path, k), "must be a text, not %s", kindName(vn))
			return
		}
		each(k, s)
	})
	if !ok {
		d.fault(n, path, "must be %s, not %s", want, kindName(n))
	}
	return ok
}
