// Scripted-model serves a model that does what a script says, over the wires of Anthropic and OpenAI: for tests,
// benchmarks and trying a product without a key. It takes any key, and refuses what the vendors refuse. It answers
//
//	POST /v1/messages            Anthropic's Messages API
//	POST /v1/chat/completions    OpenAI's Chat Completions, and with "odd" rules what its imitators make of it
//	POST /v1/responses           OpenAI's Responses API
//
// all three by one script:
//
//	scripted-model --addr 127.0.0.1:0 --words 20            unpaced replies of 20 words
//	scripted-model --words 500 --pace 20ms                  50 words a second
//	scripted-model --script rules.json                      rules as modeltest.Rules describes them
//	scripted-model --keyless --models llama3.2,qwen3        as a server on one's own machine
//
// It prints one line with its address, and says on standard error where a script calls a tool that is not offered; --help
// has the format of a script. Point a provider's base URL at it; OpenAI's clients want /v1 behind it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/steward-assistant/steward/model/modeltest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "scripted-model:", err)
		stop()
		os.Exit(1)
	}
}

// run serves until ctx ends; it prints the address to out once it listens, and to told what is wrong with a script's calls.
func run(ctx context.Context, args []string, out, told io.Writer) error {
	flags := flag.NewFlagSet("scripted-model", flag.ContinueOnError)
	flags.SetOutput(told)
	flags.Usage = func() {
		fmt.Fprint(told, about)
		flags.PrintDefaults()
		fmt.Fprint(told, format)
	}
	addr := flags.String("addr", "127.0.0.1:0", "the address to listen on")
	script := flags.String("script", "", "a JSON `file` of rules, as below; without one a reply is --words long")
	words := flags.Int("words", 20, "the length of a reply that no rule makes")
	wait := flags.Duration("wait", 0, "passes before each reply")
	pace := flags.Duration("pace", 0, "passes between two words; 0 writes a reply at once")
	key := flags.String("key", "", "the only key to accept; empty accepts any")
	keyless := flags.Bool("keyless", false, "accept requests without a key")
	names := flags.String("models", "", "the only models, between commas; empty means any")
	anyOrder := flags.Bool("any-tool-order", false, "accept tools that are not sorted by name")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return fmt.Errorf("read the flags: %w", err)
	}
	rules := modeltest.Rules{}
	if *script != "" {
		text, err := os.ReadFile(*script)
		if err != nil {
			return fmt.Errorf("read the script: %w", err)
		}
		if rules, err = modeltest.ParseRules(text); err != nil {
			return fmt.Errorf("script %q: %w", *script, err)
		}
	}
	// A flag that was given wins over the file.
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "words":
			rules.Words = *words
		case "wait":
			rules.WaitMS = int(wait.Milliseconds())
		case "pace":
			rules.PaceMS = int(pace.Milliseconds())
		}
	})
	if *key != "" && *keyless {
		return errors.New("--key and --keyless: give one of them")
	}
	var models []string
	if *names != "" {
		models = strings.Split(*names, ",")
	}
	answers := newMisspelt(rules.Rules, told).script(rules.Script())
	model := modeltest.New(modeltest.Config{Script: answers, Key: *key, Keyless: *keyless, Models: models, AnyToolOrder: *anyOrder, Keep: -1})
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: model, ReadHeaderTimeout: 10 * time.Second}
	if _, err := fmt.Fprintf(out, "http://%s\n", listener.Addr()); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	// Streams that are under way are cut: a model that goes away is one of the things that are tested.
	if err := server.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
