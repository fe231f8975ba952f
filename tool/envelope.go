package tool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// envelope writes a result as a model is given it: what could be read, the data with others' text fenced, and what is
// missing with its reason; at most limit characters, and always JSON that parses.
func envelope(d *Definition, input map[string]any, r Result, data *node, parts []string, fence Fence, limit int) string {
	m := &marker{fence: fence}
	out := objectNode()
	out.set("status", stringNode(string(r.Status)))
	if r.Code != "" {
		out.set("code", stringNode(r.Code))
	}
	if r.Reason != "" {
		out.set("reason", stringNode(cutText(r.Reason, 2000)))
	}
	if r.Said != "" {
		out.set("product_says", m.text(r.Said, false))
	}
	if len(parts) > 0 {
		unread := &node{kind: nodeArray}
		for _, p := range parts[:min(len(parts), maxCuts)] {
			unread.kids = append(unread.kids, stringNode(p))
		}
		out.set("unread_parts", unread)
	}
	if data == nil {
		return out.String()
	}
	trusted := d.Trusted
	if d.Status != nil { // what is left there are words that the host's file lists
		trusted = append(slices.Clone(trusted), d.Status.Path)
	}
	marked := m.mark(data, d.output, newPointerSet(trusted), "")
	if marked.measure() == 0 {
		return out.String()
	}
	room := limit - out.measure() - len(`,"data":`)
	if marked.size <= room {
		out.set("data", marked)
		return out.String()
	}
	c := &cutter{}
	const forNotes = 1600 // what the list of cuts and the advice need at most, below
	kept := c.fit(marked, max(200, room-forNotes), "")
	out.set("left_out", c.told())
	out.set("advice", stringNode(advice(d, input, c.cuts)))
	out.set("data", kept)
	return out.String()
}

// advice says how to ask for what was left out, in the arguments that the tool has.
func advice(d *Definition, input map[string]any, cuts []cutAt) string {
	properties := object(schemaOf(d)["properties"])
	kept := 0
	for _, c := range cuts {
		if c.things == "elements" {
			kept = c.kept
			break
		}
	}
	for _, name := range []string{"offset", "skip", "start"} {
		if properties[name] != nil && kept > 0 {
			from, _ := strconv.Atoi(fmt.Sprint(input[name]))
			return fmt.Sprintf("The result was too long and was cut. Call again with %s %d for what follows, or ask for less.", name, from+kept)
		}
	}
	for _, name := range []string{"limit", "page_size", "per_page", "pageSize"} {
		if properties[name] != nil {
			return fmt.Sprintf("The result was too long and was cut. Call again with a smaller %s, and page by page.", name)
		}
	}
	var narrower []string
	for _, name := range sortedKeys(properties) {
		if _, given := input[name]; !given && len(narrower) < 6 {
			narrower = append(narrower, name)
		}
	}
	if len(narrower) > 0 {
		return "The result was too long and was cut. Call again and narrow it with " + strings.Join(narrower, ", ") + "."
	}
	return "The result was too long and was cut; this tool cannot be asked for a smaller part. Say that the rest was not read."
}

// applyStatus maps the host's own status words. It gives the status of the whole, the word that decided it, and the
// pointers of parts that were not read and are replaced by what they say.
func applyStatus(n *node, s *StatusMap) (status Status, word string, parts []string) {
	if s == nil || s.Path == "" {
		return StatusRead, "", nil
	}
	tokens := PointerSteps(s.Path)
	if !slices.Contains(tokens, "*") {
		at := n.at(s.Path)
		if at == nil || at.kind == nodeObject || at.kind == nodeArray {
			return StatusUnreadable, "", nil
		}
		return s.status(at.raw), at.raw, nil
	}
	read := 0
	eachPart(n, tokens, "", func(part *node, key, path string) {
		at := part.get(key)
		if at == nil {
			read++
			return
		}
		switch status := s.status(at.raw); status {
		case StatusRead:
			read++
		default:
			part.keys, part.kids = nil, nil
			part.set("status", &node{kind: nodeString, raw: string(status), own: true})
			parts = append(parts, path)
		}
	})
	if read == 0 && len(parts) > 0 {
		return StatusUnreadable, "", parts
	}
	return StatusRead, "", parts
}

// eachPart finds the objects that a status pointer with "*" says have a status of their own: those that hold its last
// token.
func eachPart(n *node, tokens []string, path string, f func(part *node, key, path string)) {
	switch {
	case n == nil || len(tokens) == 0:
	case len(tokens) == 1:
		if n.kind == nodeObject {
			f(n, tokens[0], path)
		}
	case tokens[0] == "*":
		for i, kid := range n.kids {
			key := strconv.Itoa(i)
			if n.kind == nodeObject {
				key = escapeToken(n.keys[i])
			}
			eachPart(kid, tokens[1:], path+"/"+key, f)
		}
	default:
		eachPart(n.get(tokens[0]), tokens[1:], path+"/"+escapeToken(tokens[0]), f)
	}
}

// status is what a word of the host's says; a word that its file does not map is no reading.
func (s *StatusMap) status(word string) Status {
	switch {
	case slices.Contains(s.Read, word):
		return StatusRead
	case slices.Contains(s.NotConfigured, word):
		return StatusNotConfigured
	case slices.Contains(s.NotAvailable, word):
		return StatusNotAvailable
	default:
		return StatusUnreadable
	}
}
