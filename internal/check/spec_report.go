package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf16"

	"github.com/steward-assistant/steward/tool"
)

// How much of each list a report shows unless all of it is asked for.
const (
	shownRouters = 8
	shownReasons = 4
	shownPlaces  = 3
	lineWidth    = 100
)

// largeTokens is the weight of a tool list from which on it is worth choosing: every conversation begins with it.
const largeTokens = 20_000

// WriteJSON prints the outline as one JSON object.
func (o *Outline) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(o); err != nil {
		return fmt.Errorf("print the outline: %w", err)
	}
	if _, err := io.WriteString(w, escapeHidden(b.String())); err != nil {
		return fmt.Errorf("print the outline: %w", err)
	}
	return nil
}

// escapeHidden writes what a terminal would act on, or not show, as JSON's escapes.
func escapeHidden(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x7f || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// WriteText prints the outline for a person. name is the document's, as it was given; all prints lists whole that are
// cut otherwise.
func (o *Outline) WriteText(w io.Writer, name string, all bool) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	title := strings.TrimSpace(o.About.Title + " " + o.About.Version)
	if title == "" {
		title = "(without a title)"
	}
	line("%s, %s", title, o.About.Form)
	if len(o.About.Servers) > 0 {
		line("It says that it is at %s; calls go to the base_url of your steward.yaml.", o.About.Servers[0])
	}
	line("")
	line("%s:", counted(o.Operations, "operation"))
	o.counts(&b)
	line("")
	if len(o.Routers) > 0 {
		line("Reads that the assistant could use, by router (named router.action, as %s.%s):", o.Routers[0].Router, o.Routers[0].Actions[0])
		o.routers(&b, all)
		line("")
		line("What a model would be sent of them with every question:")
		o.lists(&b)
		line("")
	}
	if len(o.Findings) > 0 {
		o.findings(&b, all)
		line("")
	}
	if len(o.Doubtful) > 0 {
		line("By their names these reads change something. Leave out those that do, in sources.%s.leave_out:", specSource)
		line("  %s", someOf(o.Doubtful, lineWidth, all))
		line("")
	}
	if len(o.Suggested) > 0 {
		line("To begin with, the reads that ask for the least:")
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, a := range o.Suggested {
			fmt.Fprintf(table, "  %s\t%s\n", a.Name, cutLine(a.Summary, lineWidth-30))
		}
		_ = table.Flush() // into memory
		line("")
	}
	if name == "-" {
		name = "FILE"
	}
	first := ""
	if plain, packed := strings.CutSuffix(name, ".gz"); packed { // Steward reads its document unpacked, at each start
		name, first = plain, "unpack it with gunzip; then "
	}
	line("Next: %ssteward init --spec %s writes a steward.yaml to go on from.", first, name)
	_, err := io.WriteString(w, b.String())
	if err != nil {
		return fmt.Errorf("print the outline: %w", err)
	}
	return nil
}

func (o *Outline) counts(b *strings.Builder) {
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(n int, one, what string) {
		if n > 1 {
			one += "s"
		}
		if n > 0 {
			fmt.Fprintf(table, "  %s\t  %s %s\n", thousands(n), one, what)
		}
	}
	row(o.Reads-o.UnusableReads, "read", "(GET) that the assistant could use at once")
	row(o.UnusableReads, "read", "that it could not; the reasons are below")
	row(o.Writes-o.UnusableWrites, "write", "for later: none is offered until steward.yaml describes it, and it asks first each time")
	row(o.UnusableWrites, "write", "that it could not make; the reasons are below")
	_ = table.Flush() // into memory
}

func (o *Outline) routers(b *strings.Builder, all bool) {
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for i, r := range o.Routers {
		if i == shownRouters && len(o.Routers) > shownRouters+1 && !all {
			fmt.Fprintf(table, "  and %d more; --all prints them\n", len(o.Routers)-i)
			break
		}
		fmt.Fprintf(table, "  %s\t%d\t%s\n", r.Router, len(r.Actions), someOf(r.Actions, lineWidth-40, all))
	}
	_ = table.Flush() // into memory
}

// someOf names as many as fit into a width.
func someOf(names []string, width int, all bool) string {
	whole := strings.Join(names, ", ")
	if all || len(whole) <= width {
		return whole
	}
	n, used := 0, 0
	for n < len(names) && used+len(names[n])+2 <= width {
		used += len(names[n]) + 2
		n++
	}
	n = max(n, 1)
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

func (o *Outline) lists(b *strings.Builder) {
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	form := map[string]string{"action": "one tool an action", "router": "one tool a router"}
	for _, l := range o.Lists {
		fmt.Fprintf(table, "  %s\t%s\t%s bytes\tabout %s tokens\n", form[l.GroupBy], counted(l.Tools, "tool"), thousands(l.Bytes), thousands(roundly(l.Tokens)))
	}
	_ = table.Flush() // into memory
	b.WriteString("What each provider would get of these:\n")
	for _, p := range o.Providers {
		limit := "no limit"
		if p.MaxTools > 0 {
			limit = fmt.Sprintf("at most %d", p.MaxTools)
		}
		says := form[p.GroupBy]
		switch {
		case p.Refused:
			says = "too many even with one tool a router, so a start would refuse: choose with leave_out or surfaces.*.tools"
		case p.Folded:
			says += ", whatever tools.group_by says: one an action is over the limit"
		case p.GroupBy == "router":
			says += ", because there are many; tools.group_by: action changes that"
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", p.Name, limit, says)
	}
	_ = table.Flush() // into memory
	used := o.Lists[0]
	if len(o.Providers) > 0 && o.Providers[0].GroupBy == "router" {
		used = o.Lists[1]
	}
	if used.Tokens > largeTokens {
		fmt.Fprintf(b, "  That is much to begin every conversation with.\n  %s\n", choose(o.Routers[0].Router, specSource))
	}
}

// findings prints them by reason, the commonest first.
func (o *Outline) findings(b *strings.Builder, all bool) {
	fmt.Fprintf(b, "Not imported, or not all of it (%s):\n", counted(len(o.Findings), "place"))
	byReason := map[string][]PlacedFinding{}
	var reasons []string
	for _, f := range o.Findings {
		if byReason[f.Reason] == nil {
			reasons = append(reasons, f.Reason)
		}
		byReason[f.Reason] = append(byReason[f.Reason], f)
	}
	slices.SortStableFunc(reasons, func(x, y string) int { return len(byReason[y]) - len(byReason[x]) })
	oneLine := o.Findings[len(o.Findings)-1].Line <= 1 // a document without line breaks: only pointers lead anywhere
	for i, reason := range reasons {
		if i == shownReasons && len(reasons) > shownReasons+1 && !all {
			fmt.Fprintf(b, "  and %d more reasons; --all prints them\n", len(reasons)-i)
			break
		}
		found := byReason[reason]
		what := reason
		if len(found) > 1 {
			what += fmt.Sprintf(": %d", len(found))
		}
		fmt.Fprintf(b, "  %s\n", what)
		for k, f := range found {
			if k == shownPlaces && len(found) > shownPlaces+1 && !all {
				fmt.Fprintf(b, "      and %d more; --all prints them\n", len(found)-k)
				break
			}
			fmt.Fprintf(b, "      %s\n", f.place(oneLine, all))
		}
	}
}

// place says where a finding is: its operation, its line, and its pointer where that is asked for or all there is.
func (f *PlacedFinding) place(oneLine, all bool) string {
	var parts []string
	if f.Operation != "" {
		parts = append(parts, f.Operation)
	}
	if f.Line > 0 && !oneLine {
		parts = append(parts, "line "+strconv.Itoa(f.Line))
	}
	if all || f.Line == 0 || oneLine {
		parts = append(parts, "at "+cutLine(tool.Clean(f.Pointer), 1000))
	}
	return strings.Join(parts, ", ")
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// roundly rounds an estimate to three figures.
func roundly(n int) int {
	unit := 1
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func cutLine(s string, width int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= width {
		return string(r)
	}
	return strings.TrimSpace(string(r[:width-1])) + "…"
}
