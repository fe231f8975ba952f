// Command gym serves the gym alone, without an assistant: its pages and its API.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/steward-assistant/steward/examples/gym"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "gym:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and prints one line with the address.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("gym", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8090", "address to listen on")
	data := flags.String("data", "", "folder of the database; empty: a temporary one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir := *data
	if dir == "" {
		if dir, err = os.MkdirTemp("", "gym-*"); err != nil {
			return fmt.Errorf("make a temporary folder: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	g, err := gym.New(ctx, gym.Config{
		Dir: dir, Secret: gym.NewSecret(), Audience: "steward", Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", g)
	mux.HandleFunc("GET /steward.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = io.WriteString(w, "// The gym is served alone: no assistant stands beside it.\n") // the reader is gone: nothing is left to tell
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if _, err := fmt.Fprintf(out, "Gym on http://%s, data in %s\n", listener.Addr(), dir); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := server.Shutdown(closing); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}
