package tool

// refGraph is which definitions lead to which.
type refGraph struct {
	defs  map[string]any
	edges map[string][]string

	// What Tarjan's search keeps (SIAM Journal on Computing 1, 1972): the order in which definitions were met, counted from
	// 1, the lowest of those that each leads back to, and those whose group is not complete.
	met, low map[string]int
	stack    []string
	open     map[string]bool
	found    [][]string
}

// groups gives definitions that lead to each other as one group, and each group after those that it leads to. It takes
// time with the number of references.
func (g *refGraph) groups() [][]string {
	g.edges, g.met, g.low, g.open = map[string][]string{}, map[string]int{}, map[string]int{}, map[string]bool{}
	for _, name := range sortedKeys(g.defs) {
		if g.met[name] == 0 {
			g.search(name)
		}
	}
	return g.found
}

// search walks from one definition, with a list of where it is instead of calling itself: references may lead from one to
// the next for as long as a document is.
func (g *refGraph) search(root string) {
	type step struct {
		name string
		next int
	}
	walk := []step{{name: root}}
	g.meet(root)
	for len(walk) > 0 {
		at := &walk[len(walk)-1]
		if edges := g.edges[at.name]; at.next < len(edges) {
			to := edges[at.next]
			at.next++
			if g.met[to] == 0 {
				g.meet(to)
				walk = append(walk, step{name: to})
			} else if g.open[to] {
				g.low[at.name] = min(g.low[at.name], g.met[to])
			}
			continue
		}
		name := at.name
		walk = walk[:len(walk)-1]
		if len(walk) > 0 {
			before := walk[len(walk)-1].name
			g.low[before] = min(g.low[before], g.low[name])
		}
		if g.low[name] == g.met[name] {
			g.close(name)
		}
	}
}

func (g *refGraph) meet(name string) {
	g.met[name] = len(g.met) + 1
	g.low[name] = g.met[name]
	g.edges[name] = refsIn(g.defs[name], nil)
	g.stack = append(g.stack, name)
	g.open[name] = true
}

// close takes the group that begins with a definition off the stack.
func (g *refGraph) close(name string) {
	i := len(g.stack) - 1
	for g.stack[i] != name {
		i--
	}
	group := append([]string(nil), g.stack[i:]...)
	g.stack = g.stack[:i]
	for _, one := range group {
		delete(g.open, one)
	}
	g.found = append(g.found, group)
}
