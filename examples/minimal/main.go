// Command minimal is a small web product with the assistant in its pages: the library of tools of a neighbourhood. It is
// what docs/tutorial.md builds. All that was added for Steward stands in steward.go; the other files are the product as
// it was.
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:3000", "where to listen")
	steward := flag.String("steward", "http://127.0.0.1:8080", "where steward serve listens")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(ctx, *addr, *steward, log); err != nil {
		log.ErrorContext(ctx, "stopped", slog.Any("error", err))
		os.Exit(1)
	}
}

func run(ctx context.Context, addr, steward string, log *slog.Logger) error {
	secret := os.Getenv("TOOL_LIBRARY_TOKEN_SECRET")
	if len(secret) < 32 {
		return errors.New("TOOL_LIBRARY_TOKEN_SECRET must hold at least 32 characters: export TOOL_LIBRARY_TOKEN_SECRET=$(openssl rand -base64 32)")
	}
	handler, err := newApp([]byte(secret), steward, time.Now)
	if err != nil {
		return err
	}
	server := &http.Server{Addr: addr, Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close() // nothing of it outlives the process
	}()
	log.InfoContext(ctx, "the tool library is open", slog.String("url", "http://"+addr))
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
