package tool

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// maxTwice is how many keys that stand twice are told of.
const maxTwice = 50

// findTwice finds the keys that an object of a document in JSON has more than once: the last one counts, and the others
// would be lost unseen. Such documents are rare, so it first counts whether any key was lost at all.
func (d *document) findTwice(raw []byte) {
	if countKeys(raw) <= countMembers(d.root) {
		return
	}
	w := &twiceWalk{d: json.NewDecoder(bytes.NewReader(raw)), doc: d}
	_ = w.value("", 0) // it was read before
}

// countKeys counts the keys of all objects: each has a colon after it, and nothing else has.
func countKeys(raw []byte) int {
	n, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted:
			end := bytes.IndexAny(raw[i:], "\"\\")
			if end < 0 {
				return n
			}
			if i += end; raw[i] == '\\' {
				i++
				continue
			}
			quoted = false
		case c == '"':
			quoted = true
		case c == ':':
			n++
		}
	}
	return n
}

func countMembers(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, one := range v {
			n += countMembers(one)
		}
	case []any:
		for _, one := range v {
			n += countMembers(one)
		}
	}
	return n
}

// twiceWalk walks a document in JSON for keys that stand twice.
type twiceWalk struct {
	d    *json.Decoder
	doc  *document
	told int
}

func (w *twiceWalk) value(pointer string, depth int) error {
	t, err := w.d.Token()
	if err != nil || t != json.Delim('{') && t != json.Delim('[') {
		return err
	}
	if depth > maxDepth { // no key of an operation stands there
		pointer = ""
	}
	seen := map[string]int{}
	for i := 0; w.d.More(); i++ {
		token := strconv.Itoa(i)
		if t == json.Delim('{') {
			key, err := w.d.Token()
			if err != nil {
				return err
			}
			token = text(key)
			seen[token]++
		}
		below := pointer + "/" + escapeToken(token)
		if seen[token] == 2 && depth <= maxDepth && w.told < maxTwice {
			w.told++
			w.doc.find(below, "", true, "this key stands more than once in its object, and only the last one counts; put what they hold under one key")
		}
		if err := w.value(below, depth+1); err != nil {
			return err
		}
	}
	_, err = w.d.Token()
	return err
}
