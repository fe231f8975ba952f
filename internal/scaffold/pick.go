package scaffold

import (
	"cmp"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/tool"
)

const (
	// maxListed is how many reads a first file describes: as many as a person reads through.
	maxListed = 30
	// maxWrites is how many writes it lists in a comment.
	maxWrites = 30
	// maxStarters is how many first questions it offers.
	maxStarters = 3
)

// picked is what a first file says of the document's operations.
type picked struct {
	// listed are the reads that are described, more how many others are offered without.
	listed []action
	more   int
	// leaveOut are operations that tell nothing of the product, as a health check.
	leaveOut []string
	// writes are lines for a comment, as "loans.create: POST /loans, Lend a tool."; moreWrites how many are not in it.
	writes     []string
	moreWrites int
	starters   []string
}

// action is one read as the file describes it.
type action struct {
	name, operation, summary string
	// line is "GET /loans/{id}".
	line string
	// needs are the arguments that it cannot be called without.
	needs []string
	// asks are phrases for the guide; none where it needs arguments.
	asks []string
	// starter is a first question that it answers; empty: none.
	starter string
	// unsaid says that the document says nothing of it, so that the summary is made of its name.
	unsaid bool
}

// plumbing are the last segments of paths that serve machines.
var plumbing = strings.Fields("health healthz healthcheck health-check ready readyz readiness live livez liveness ping metrics heartbeat openapi.json openapi.yaml swagger.json login logout csrf jwks jwks.json")

// isPlumbing reports whether "GET /health" and the like tells nothing of the product.
func isPlumbing(line string) bool {
	return !strings.Contains(line, "{") && slices.Contains(plumbing, strings.ToLower(line[strings.LastIndexByte(line, '/')+1:]))
}

// pick chooses what to describe: reads first that need no argument, then those that stand near the root.
func pick(doc *outline, all []read) picked {
	var p picked
	var reads []read
	for _, d := range all {
		id := operationID(d.Definition)
		line := doc.lines[id]
		switch {
		case d.Effect != tool.Read:
			if len(p.writes) < maxWrites {
				p.writes = append(p.writes, writeLine(d.Definition, line))
			} else {
				p.moreWrites++
			}
		case d.Note != "":
			continue
		case isPlumbing(line):
			p.leaveOut = append(p.leaveOut, id)
		case d.showsNothing, doc.deprecated[line]:
			p.more++
		default:
			reads = append(reads, d)
		}
	}
	slices.Sort(p.leaveOut)
	rank := func(d read) (needs, depth int) {
		return len(d.RequiredArguments()), strings.Count(doc.lines[operationID(d.Definition)], "/")
	}
	slices.SortStableFunc(reads, func(a, b read) int {
		aNeeds, aDepth := rank(a)
		bNeeds, bDepth := rank(b)
		return cmp.Or(cmp.Compare(min(aNeeds, 2), min(bNeeds, 2)), cmp.Compare(aDepth, bDepth))
	})
	if len(reads) > maxListed {
		p.more += len(reads) - maxListed
		reads = reads[:maxListed]
	}
	for _, d := range reads {
		id := operationID(d.Definition)
		p.listed = append(p.listed, newAction(d.Definition, doc.lines[id]))
	}
	p.starters = startersOf(p.listed)
	slices.SortFunc(p.listed, func(a, b action) int { return strings.Compare(a.name, b.name) })
	return p
}

// operationID is the document's id of what a definition was made from, or "GET /loans" where it has none of its own.
func operationID(d *tool.Definition) string {
	return strings.TrimPrefix(d.Operation, sourceName+".")
}

func writeLine(d *tool.Definition, line string) string {
	if line == "" {
		line = operationID(d)
	}
	if d.Summary == "" || d.Summary == line {
		return d.Name() + ": " + line
	}
	return d.Name() + ": " + line + ", " + cutAt(oneLine(d.Summary), 80)
}

func newAction(d *tool.Definition, line string) action {
	a := action{
		name: d.Name(), line: line, operation: d.Operation, summary: cutAt(oneLine(d.Summary), 200), needs: d.RequiredArguments(),
	}
	own := strings.Join(humanWords(operationID(d)), " ")
	if method, _, ok := strings.Cut(d.Summary, " /"); ok && method == "GET" || a.summary == "" {
		a.unsaid, a.summary = true, capital(own)+"."
	}
	if len(a.needs) > 0 {
		return a
	}
	subject := subjectOf(a.summary)
	if subject == "" {
		subject = subjectOf(own)
	}
	switch {
	case subject == "":
	case isQuestion(subject):
		a.asks, a.starter = []string{phrase(subject)}, capital(subject)+"?"
	default:
		a.asks, a.starter = []string{"show " + phrase(subject)}, "Show "+subject+"."
	}
	return a
}

// leading are words with which a summary begins that say only that it is read.
var leading = strings.Fields("list lists get gets fetch fetches return returns retrieve retrieves show shows find finds search searches read reads view views display displays browse obtain obtains see query")

var articles = strings.Fields("all the a an list of")

// subjectOf gives what a read is about, from its summary: "List all the tools that are in." is "tools that are in". Empty
// where too little or too much remains.
func subjectOf(summary string) string {
	if i := strings.IndexAny(summary, ".,;:(–—!?"); i >= 0 {
		summary = summary[:i]
	}
	words := strings.Fields(summary)
	verb := false
	for len(words) > 0 {
		w := strings.ToLower(words[0])
		if !verb && slices.Contains(leading, w) {
			verb = true
		} else if !slices.Contains(articles, w) {
			break
		}
		words = words[1:]
	}
	s := strings.Join(words, " ")
	if len(words) == 0 || len(words) > 9 || strings.ContainsAny(s, `{}<>"`) {
		return ""
	}
	// The first word keeps its capitals only where it is not one that merely began the sentence.
	if first := words[0]; first[1:] == strings.ToLower(first[1:]) {
		s = strings.ToLower(first[:1]) + s[1:]
	}
	return s
}

func isQuestion(s string) bool {
	first, _, _ := strings.Cut(strings.ToLower(s), " ")
	return slices.Contains([]string{"who", "what", "which", "when", "where", "how"}, first)
}

// phrase makes a text fit for the guide: plain words.
func phrase(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" {}:\"'`*_", r) }), " ")
}

// startersOf are first questions, of different routers where there are several.
func startersOf(listed []action) []string {
	var out, later []string
	routers := map[string]bool{}
	for _, a := range listed {
		router, _, _ := strings.Cut(a.name, ".")
		switch {
		case a.starter == "" || a.unsaid:
		case routers[router]:
			later = append(later, a.starter)
		default:
			routers[router] = true
			out = append(out, a.starter)
		}
	}
	out = append(out, later...)
	return out[:min(len(out), maxStarters)]
}
