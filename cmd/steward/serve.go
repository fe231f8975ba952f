package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
)

type serveCommand struct {
	Config string `help:"The host's file." default:"steward.yaml" env:"STEWARD_CONFIG"`
	Addr   string `help:"Where to listen." default:"127.0.0.1:8080"`
}

// Run serves until the context ends.
func (c *serveCommand) Run(ctx context.Context, t *terminal) error {
	cfg, faults := loadConfig(c.Config, t)
	if err := faults.Err(); err != nil {
		return faults
	}
	t.warnElsewhere()
	switches, err := t.switches()
	if err != nil {
		return err
	}
	listener, err := listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	options := append(switches, steward.WithDatabase(t.database("sqlite:steward.db")),
		steward.WithLog(t.logger(slog.LevelInfo)))
	if isLoopback(listener.Addr()) {
		options = append(options, steward.OnLoopback())
	}
	server, err := steward.New(ctx, cfg, options...)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(t.out, "Steward for %s on http://%s. %s\n", cfg.Product.Name.In(cfg.FallbackLocale()), listener.Addr(),
		answering(cfg.Models, server))
	return serve(ctx, listener, server, server.Close)
}

func loadConfig(file string, t *terminal) (*config.Config, config.Faults) {
	cfg, faults := config.Load(config.Dir(filepath.Dir(file)), filepath.Base(file), t.env)
	at(faults, file)
	return cfg, faults
}

// at names the file of faults as it was given, so that a terminal can open it.
func at(faults config.Faults, file string) {
	for i := range faults {
		if faults[i].File == filepath.Base(file) {
			faults[i].File = file
		}
	}
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--addr: %w; say where else to listen, as --addr 127.0.0.1:8081", err)
	}
	return listener, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Times of a stop: requests get shutdownRequests before streams are ended, all of it together shutdownAll.
const (
	shutdownRequests = 300 * time.Millisecond
	shutdownAll      = 1500 * time.Millisecond
)

// serve serves until ctx ends, then stops within two seconds; what runs is stored by then.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, stop func(context.Context) error) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return errors.Join(err, stop(context.WithoutCancel(ctx)))
	case <-ctx.Done():
	}
	all, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownAll)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Shutdown(all) // what does not end in time is cut below
	}()
	// Requests get a moment. Streams do not end by themselves: stopping ends them, and those of front ends that do not
	// come back by themselves are told why.
	wait := time.NewTimer(shutdownRequests)
	defer wait.Stop()
	select {
	case <-ended:
	case <-wait.C:
	}
	err := stop(all)
	select {
	case <-ended:
	case <-all.Done():
	}
	return errors.Join(err, ignoreClosed(server.Close()))
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
