// Bench measures Steward's speed and memory beside a direct client and a bare forwarding proxy of the same scripted
// model, and prints one table: median and spread of several runs, with the target beside.
//
//	bench                          every row, five runs each
//	bench -only first-text,page    some of them
//	bench -cold                    also how long a first build takes, with an empty build cache
//
// The model, the proxy and Steward are processes of their own on loopback; the load comes from this one. Steward is the
// binary that is shipped, with its database on the disk of the work tree and every commit synchronous. All of it is
// bounded in count and in time, and what it writes is removed at the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// row is one group of measurements that share their set-up.
type row struct {
	name    string
	about   string
	measure func(ctx context.Context, b *bench, t *table) error
}

func rows() []row {
	return []row{
		{"first-text", "added time to the first text, one turn at a time", firstText},
		{"load", "the same at 200 turns a second", load},
		{"wires", "added time to the first text over each wire, and of an AG-UI run", wires},
		{"transit", "added time of a word on its way, 200 streams", transit},
		{"streams", "memory of 2,000 open streams", streams},
		{"deaf", "1,000 readers that never read", deaf},
		{"page", "the last page of a conversation of 2,000 messages", page},
		{"start", "start and idle memory of the demo", startAndIdle},
		{"openapi", "start and memory with GitHub's API", largeAPI},
		{"binary", "size of the binary", binarySize},
	}
}

// bench is what all rows share.
type bench struct {
	runs    int
	folder  string // on the work tree's disk, removed at the end
	steward string // the shipped binary
	model   string // the scripted model's
	self    string
	// document is GitHub's description of its API, as JSON with gzip.
	document string
	profile  string // a folder for profiles of Steward; empty: none are taken
	log      io.Writer
	// patience is how long each run waits for a quiet machine; others counts what others do during the row.
	patience time.Duration
	others   others
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	if len(args) > 0 {
		if play, ok := roles()[args[0]]; ok {
			return play(ctx, args[1:], out)
		}
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(log)
	b := &bench{log: log}
	flags.IntVar(&b.runs, "runs", 5, "how often each row is measured")
	only := flags.String("only", "", "the rows to measure, by name, with commas between: "+strings.Join(names(), ", "))
	cold := flags.Bool("cold", false, "also build with an empty build cache, once; it takes minutes")
	flags.StringVar(&b.profile, "profile", "", "a folder for CPU and heap profiles of Steward, which then runs inside a process of this program's")
	flags.StringVar(&b.document, "document", "../shared/data/openapi/github-api.json.gz", "GitHub's description of its API, for the row openapi")
	flags.DurationVar(&b.patience, "patience", 0, "wait so long at most, before each run, until other processes leave the machine alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if b.runs < 1 {
		return errors.New("-runs: at least 1")
	}
	if *cold {
		chosen = append(chosen, row{"cold", "the first build", coldStart})
	}
	if err := b.setUp(ctx); err != nil {
		return errors.Join(err, b.cleanUp())
	}
	t := newTable(b.runs)
	for _, r := range chosen {
		fmt.Fprintf(log, "%s: %s … ", r.name, r.about)
		begun := time.Now()
		b.others = watchOthers()
		err := r.measure(ctx, b, t)
		t.others = append(t.others, share{r.name, b.others.percent()})
		fmt.Fprintf(log, "%.0f s\n", time.Since(begun).Seconds())
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), b.cleanUp())
		}
		if err != nil { // the other rows are worth having
			fmt.Fprintf(log, "%s: %v\n", r.name, err)
			t.fail(r.name, r.about, err)
		}
	}
	return errors.Join(t.write(out), b.cleanUp())
}

func names() []string {
	var list []string
	for _, r := range rows() {
		list = append(list, r.name)
	}
	return list
}

func choose(only string) ([]row, error) {
	if only == "" {
		return rows(), nil
	}
	var list []row
	for name := range strings.SplitSeq(only, ",") {
		i := slices.Index(names(), name)
		if i < 0 {
			return nil, fmt.Errorf("-only %q: the rows are %s", name, strings.Join(names(), ", "))
		}
		list = append(list, rows()[i])
	}
	return list, nil
}

// setUp builds what is measured. It runs in the module's root.
func (b *bench) setUp(ctx context.Context) error {
	if _, err := os.Stat("go.mod"); err != nil {
		return errors.New("run it in the module's root, as make bench does")
	}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	if err := os.MkdirAll("bin", 0o750); err != nil {
		return err
	}
	if b.folder, err = os.MkdirTemp("bin", "bench-"); err != nil {
		return err
	}
	if b.folder, err = filepath.Abs(b.folder); err != nil {
		return err
	}
	if err := onDisk(b.folder); err != nil {
		return err
	}
	b.steward, b.model = filepath.Join(b.folder, "steward"), filepath.Join(b.folder, "scripted-model")
	for binary, from := range map[string]string{b.steward: "./cmd/steward", b.model: "./cmd/scripted-model"} {
		if err := goBuild(ctx, binary, from); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) cleanUp() error {
	if b.folder == "" {
		return nil
	}
	return os.RemoveAll(b.folder)
}
