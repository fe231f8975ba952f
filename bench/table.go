package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// table collects what was measured.
type table struct {
	runs  int
	begun time.Time
	load  string
	lines []line
	// others is what other processes took of the processors' time while a row was measured.
	others []share
}

type share struct {
	row     string
	percent float64
}

// line is one measured figure: a value of each run.
type line struct {
	what   string
	unit   string
	values []float64
	// atMost is the target; negative: there is none, the figure is for scale.
	atMost float64
	note   string
}

// none says that a figure has no target.
const none = -1

func newTable(runs int) *table {
	return &table{runs: runs, begun: time.Now(), load: loadAverage()}
}

func (t *table) add(what, unit string, values []float64, atMost float64, note string) {
	t.lines = append(t.lines, line{what: what, unit: unit, values: values, atMost: atMost, note: note})
}

func (t *table) fail(name, about string, err error) {
	t.lines = append(t.lines, line{what: about, atMost: none, note: name + " could not be measured: " + err.Error()})
}

// write prints the table as Markdown.
func (t *table) write(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s, %d cores, %s %s/%s, %s; load of the machine %s at the start, %s at the end. %s each.\n\n",
		cpuName(), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, t.begun.Format("2 January 2006"),
		t.load, loadAverage(), plural(t.runs, "run"))
	fmt.Fprintln(w, "| what | median | min–max | target | |")
	fmt.Fprintln(w, "|---|--:|--:|--:|---|")
	for _, l := range t.lines {
		fmt.Fprintln(w, l.markdown())
	}
	if len(t.others) > 0 {
		list := make([]string, 0, len(t.others))
		for _, o := range t.others {
			list = append(list, fmt.Sprintf("%s %.0f %%", o.row, o.percent))
		}
		fmt.Fprintf(w, "\nOf the processors' time, other processes took: %s. Above %d %% the times above are theirs too.\n",
			strings.Join(list, ", "), quietPercent)
	}
	return w.Flush()
}

func (l line) markdown() string {
	cell := strings.NewReplacer("|", "\\|", "\n", " ")
	if len(l.values) == 0 {
		return fmt.Sprintf("| %s | – | – | – | %s |", cell.Replace(l.what), cell.Replace(l.note))
	}
	m := median(l.values)
	target, verdict := "", ""
	if l.atMost >= 0 {
		target = "≤ " + number(l.atMost) + " " + l.unit
		verdict = "holds"
		if m > l.atMost {
			verdict = "**misses**"
		}
	}
	note := strings.TrimLeft(verdict+"; "+cell.Replace(l.note), "; ")
	return fmt.Sprintf("| %s | %s %s | %s–%s | %s | %s |", cell.Replace(l.what), number(m), l.unit,
		number(slices.Min(l.values)), number(slices.Max(l.values)), target, strings.TrimSuffix(note, "; "))
}

// number prints three digits or so.
func number(v float64) string {
	switch {
	case v == float64(int64(v)):
		return strconv.FormatInt(int64(v), 10)
	case v >= 100 || v <= -100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10 || v <= -10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// cpuName is the processor's, where the system tells it.
func cpuName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "a processor without a name"
	}
	for l := range strings.SplitSeq(string(text), "\n") {
		if name, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "a processor without a name"
}

// loadAverage is the machine's of the last minute: a run beside other work measures that work too.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
