package tool

import (
	"fmt"
	"strconv"
	"strings"
)

// Finding is something in a source's document that did not become a tool, or not all of it.
type Finding struct {
	// Pointer is the JSON Pointer to its place: "/paths/~1orders/get/parameters/1".
	Pointer string `json:"pointer"`
	// Operation is what it is of, as "GET /orders"; empty: the document.
	Operation string `json:"operation,omitempty"`
	// Reason says what is missing and, where there is something to do, what.
	Reason string `json:"reason"`
	// Lost says that the operation cannot be called; false: it can, with a part of it left open.
	Lost bool `json:"lost"`
}

// find notes something about an operation that is not a tool.
func (d *document) find(pointer, operation string, lost bool, format string, args ...any) {
	d.findings = append(d.findings, Finding{Pointer: pointer, Operation: operation, Reason: oneLine(fmt.Sprintf(format, args...)), Lost: lost})
}

// leads says where a reference leads that could not be followed.
func (d *document) leads(ref string) string {
	if said := d.broken[ref]; said != "" {
		return said
	}
	return leads(ref)
}

func quoteRef(ref string) string { return strconv.Quote(cutText(ref, 120)) }

// leads says where a reference leads that has no target.
func leads(ref string) string {
	shown := quoteRef(ref)
	if strings.HasPrefix(ref, "#") {
		return shown + ", which is not in the document"
	}
	return shown + ", which is another document; bundle them into one"
}

// findBroken names the places of the references that were followed and led nowhere: each reference once.
func (d *document) findBroken() {
	if len(d.broken) == 0 {
		return
	}
	w := &brokenWalk{broken: d.broken, first: map[string]string{}, count: map[string]int{}}
	w.walk(d.root)
	told := map[string]bool{}
	for _, f := range d.findings {
		told[f.Pointer] = true
	}
	for _, ref := range sortedKeys(w.first) {
		more := ""
		switch n := w.count[ref] - 1; {
		case n == 0 && told[w.first[ref]]:
			continue
		case n == 1:
			more = " (and in one more place)"
		case n > 1:
			more = fmt.Sprintf(" (and in %d more places)", n)
		}
		d.find(w.first[ref], "", false, "refers to %s; anything is taken to stand there%s", d.leads(ref), more)
	}
}

// brokenWalk looks for references through a whole document.
type brokenWalk struct {
	broken map[string]string
	path   []string
	first  map[string]string
	count  map[string]int
}

func (w *brokenWalk) walk(v any) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && w.broken[ref] != "" {
			if w.count[ref]++; w.count[ref] == 1 {
				w.first[ref] = "/" + strings.Join(w.path, "/")
			}
		}
		for _, key := range sortedKeys(v) {
			// What stands there is data, in which a "$ref" refers to nothing.
			if key == "example" || key == "examples" || key == "default" || key == "enum" || key == "const" || strings.HasPrefix(key, "x-") {
				continue
			}
			w.step(escapeToken(key), v[key])
		}
	case []any:
		for i, one := range v {
			w.step(strconv.Itoa(i), one)
		}
	}
}

func (w *brokenWalk) step(token string, v any) {
	w.path = append(w.path, token)
	w.walk(v)
	w.path = w.path[:len(w.path)-1]
}
