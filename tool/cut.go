package tool

import (
	"fmt"
	"slices"
	"strconv"
)

// cutter fits a tree into a number of characters. It cuts between elements and members, and the text of a string that
// alone is too long; what is left parses, and every cut is told.
type cutter struct {
	cuts []cutAt
}

// cutAt is one cut: of the things at a pointer, kept of so many in all are left.
type cutAt struct {
	at, things string
	kept, of   int
}

// maxCuts is how many cuts are told of one by one.
const maxCuts = 10

func (c *cutter) fit(n *node, budget int, path string) *node {
	if n.size <= budget {
		return n
	}
	switch n.kind {
	case nodeString:
		return c.fitString(n, budget, path)
	case nodeArray:
		return c.fitArray(n, budget, path)
	case nodeObject:
		return c.fitObject(n, budget, path)
	default:
		return n
	}
}

func (c *cutter) fitString(n *node, budget int, path string) *node {
	r := []rune(n.raw)
	keep := max(0, min(len(r), budget-(n.size-stringSize(n.raw))-4))
	out := &node{kind: nodeString, fence: n.fence}
	for {
		out.raw = string(r[:keep]) + "…"
		if out.measure() <= budget || keep == 0 {
			break
		}
		keep -= max(1, min(keep, out.size-budget))
	}
	c.cuts = append(c.cuts, cutAt{path, "characters", keep, len(r)})
	return out
}

func (c *cutter) fitArray(n *node, budget int, path string) *node {
	out := &node{kind: nodeArray}
	left := budget - 2
	for i, kid := range n.kids {
		if kid.size+1 > left {
			// Where not even one whole element fits, a part of the first says more than nothing.
			if i == 0 && left > 100 {
				out.kids = append(out.kids, c.fit(kid, left, path+"/0"))
			}
			break
		}
		left -= kid.size + 1
		out.kids = append(out.kids, kid)
	}
	c.cuts = append(c.cuts, cutAt{path, "elements", len(out.kids), len(n.kids)})
	out.measure()
	return out
}

func (c *cutter) fitObject(n *node, budget int, path string) *node {
	out := &node{kind: nodeObject}
	kids, overhead := len(n.keys), 2
	for i, k := range n.keys {
		// Each member needs room for its key and at least a little of its value.
		need := stringSize(k) + 2 + min(n.kids[i].size, 20)
		if overhead+need > budget {
			kids = i
			break
		}
		overhead += stringSize(k) + 2
	}
	if kids < len(n.keys) {
		c.cuts = append(c.cuts, cutAt{path, "members", kids, len(n.keys)})
	}
	// Members are given what they need from the smallest up, and what is left is shared by those that want more.
	order := make([]int, kids)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return n.kids[a].size - n.kids[b].size })
	left, share := budget-overhead, make([]int, kids)
	for i, at := range order {
		share[at] = max(0, min(n.kids[at].size, left/(kids-i)))
		left -= share[at]
	}
	for i := range kids {
		out.keys = append(out.keys, n.keys[i])
		out.kids = append(out.kids, c.fit(n.kids[i], share[i], path+"/"+escapeToken(n.keys[i])))
	}
	out.measure()
	return out
}

// told is the list of cuts for a model.
func (c *cutter) told() *node {
	out := &node{kind: nodeArray}
	for i, cut := range c.cuts {
		if i == maxCuts {
			out.kids = append(out.kids, stringNode(fmt.Sprintf("and %d more places", len(c.cuts)-maxCuts)))
			break
		}
		at := cut.at
		if at == "" {
			at = "/"
		}
		one := objectNode()
		one.set("at", stringNode(at))
		one.set("kept", &node{raw: strconv.Itoa(cut.kept)})
		one.set("of", &node{raw: strconv.Itoa(cut.of)})
		one.set("what", stringNode(cut.things))
		out.kids = append(out.kids, one)
	}
	return out
}
