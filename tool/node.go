package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// nodeKind tells what a node is.
type nodeKind byte

const (
	nodeScalar nodeKind = iota // raw is a number, true, false or null
	nodeString
	nodeArray
	nodeObject
)

// node is a JSON value as a tree that keeps the order of keys and the writing of numbers, so that what a person or a
// model sees is what the host sent.
type node struct {
	kind nodeKind
	raw  string // of a scalar, its text; of a string, its value
	keys []string
	kids []*node
	// size is the characters of its encoding, set by measure.
	size int
	// fence, where a string is others' text, stands around it; raw is then free of anything like a marker.
	fence *Fence
	// own says that a string is Steward's own word, put into a host's result.
	own bool
}

// maxDepth bounds how deeply a result may nest; real ones stay below twenty.
const maxDepth = 200

var errTooDeep = errors.New("it nests too deeply")

func parseNode(raw []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	n, err := readNode(d, 0)
	if err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	return n, nil
}

func readNode(d *json.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		n := &node{kind: nodeArray}
		if t == '{' {
			n.kind = nodeObject
		}
		var seen map[string]int
		for d.More() {
			if n.kind == nodeArray {
				kid, err := readNode(d, depth+1)
				if err != nil {
					return nil, err
				}
				n.kids = append(n.kids, kid)
				continue
			}
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			kid, err := readNode(d, depth+1)
			if err != nil {
				return nil, err
			}
			if seen == nil {
				seen = map[string]int{}
			}
			if i, twice := seen[name]; twice { // the last one counts, as most readers have it
				n.kids[i] = kid
				continue
			}
			seen[name] = len(n.keys)
			n.keys, n.kids = append(n.keys, name), append(n.kids, kid)
		}
		_, err := d.Token()
		return n, err
	case string:
		return &node{kind: nodeString, raw: t}, nil
	case json.Number:
		return &node{raw: t.String()}, nil
	case bool:
		if t {
			return &node{raw: "true"}, nil
		}
		return &node{raw: "false"}, nil
	default:
		return &node{raw: "null"}, nil
	}
}

// get is the value of a key; nil where there is none.
func (n *node) get(key string) *node {
	if n == nil || n.kind != nodeObject {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

// at follows a JSON Pointer without "*"; nil where it leads nowhere.
func (n *node) at(pointer string) *node {
	for _, t := range PointerSteps(pointer) {
		if n == nil {
			return nil
		}
		if n.kind != nodeArray {
			n = n.get(t)
			continue
		}
		i := 0
		if _, err := fmt.Sscanf(t, "%d", &i); err != nil || i < 0 || i >= len(n.kids) {
			return nil
		}
		n = n.kids[i]
	}
	return n
}

// set puts a value at a key, after the others where it is new.
func (n *node) set(key string, v *node) {
	for i, k := range n.keys {
		if k == key {
			n.kids[i] = v
			return
		}
	}
	n.keys, n.kids = append(n.keys, key), append(n.kids, v)
}

func stringNode(s string) *node { return &node{kind: nodeString, raw: s} }

func objectNode() *node { return &node{kind: nodeObject} }

// write encodes the tree without white space.
func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case nodeString:
		if n.fence != nil {
			writeString(b, n.fence.Open()+n.raw+n.fence.Close())
			return
		}
		writeString(b, n.raw)
	case nodeArray:
		b.WriteByte('[')
		for i, kid := range n.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			kid.write(b)
		}
		b.WriteByte(']')
	case nodeObject:
		b.WriteByte('{')
		for i, kid := range n.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, n.keys[i])
			b.WriteByte(':')
			kid.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(n.raw)
	}
}

func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

// measure sets size of the node and all below it.
func (n *node) measure() int {
	switch n.kind {
	case nodeString:
		n.size = stringSize(n.raw)
		if n.fence != nil {
			n.size += len(n.fence.Open()) + len(n.fence.Close())
		}
	case nodeArray, nodeObject:
		n.size = 2 + max(0, len(n.kids)-1)
		for i, kid := range n.kids {
			n.size += kid.measure()
			if n.kind == nodeObject {
				n.size += stringSize(n.keys[i]) + 1
			}
		}
	default:
		n.size = len(n.raw)
	}
	return n.size
}

// escaped says how a byte below 0x80 is written in a JSON string; empty: as it is.
func escaped(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if c < 0x20 {
		return fmt.Sprintf(`\u%04x`, c)
	}
	return ""
}

// writeString writes a JSON string, with nothing escaped but what JSON asks for, so that a model reads it with the
// fewest tokens.
func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	from := 0
	for i := range len(s) {
		if e := escapedFast(s[i]); e != "" {
			b.WriteString(s[from:i])
			b.WriteString(e)
			from = i + 1
		}
	}
	b.WriteString(s[from:])
	b.WriteByte('"')
}

func escapedFast(c byte) string {
	if c >= 0x20 && c != '"' && c != '\\' {
		return ""
	}
	return escaped(c)
}

func stringSize(s string) int {
	n := 2 + utf8.RuneCountInString(s)
	for i := range len(s) {
		if e := escapedFast(s[i]); e != "" {
			n += len(e) - 1
		}
	}
	return n
}
