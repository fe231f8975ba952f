// Command steward serves an assistant for a web product, or shows one in a demo.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // a bare machine has no time zones, and a wrong "today" is a wrong answer

	"github.com/alecthomas/kong"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
)

// commands is the command line.
type commands struct {
	Init    initCommand    `cmd:"" help:"Write a first steward.yaml from an OpenAPI document and a site map."`
	Demo    demoCommand    `cmd:"" help:"Run a small host product with the assistant in its pages."`
	Serve   serveCommand   `cmd:"" help:"Serve the assistant of a steward.yaml."`
	Check   checkCommand   `cmd:"" help:"Validate everything that a start would, and print each fault with its file and line."`
	Schema  schemaCommand  `cmd:"" help:"Print the JSON Schema of steward.yaml, for editors."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// terminal is what a command talks to.
type terminal struct {
	out, err io.Writer
	env      func(string) (string, bool)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], &terminal{out: os.Stdout, err: os.Stderr, env: os.LookupEnv}))
}

// errFaults says that faults were printed already.
var errFaults = errors.New("the configuration has faults")

// run runs one command line and gives the exit status: 0, 1 for a failure, 2 for a wrong command line.
func run(ctx context.Context, args []string, t *terminal) int {
	parser, err := kong.New(&commands{}, kong.Name("steward"),
		kong.Description("An assistant inside the web product you already have."),
		kong.Writers(t.out, t.err), kong.UsageOnError(), kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(t))
	if err != nil {
		fmt.Fprintln(t.err, "steward:", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(t.err, "steward:", err)
		return 2
	}
	err = parsed.Run()
	var faults config.Faults
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFaults):
	case errors.As(err, &faults):
		fmt.Fprintln(t.err, faults.Error())
	default:
		fmt.Fprintln(t.err, "steward:", err)
	}
	return 1
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(t *terminal) error {
	_, err := fmt.Fprintln(t.out, steward.Version)
	return err
}

type schemaCommand struct{}

// Run prints the schema of the host's file.
func (schemaCommand) Run(t *terminal) error {
	b, err := config.Schema()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(t.out, string(b))
	return err
}
