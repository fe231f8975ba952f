package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/examples/gym"
)

type demoCommand struct {
	Host        string `arg:"" optional:"" default:"gym" enum:"gym" help:"Which product: gym."`
	Addr        string `help:"Where to listen." default:"127.0.0.1:8080"`
	Data        string `help:"Where to keep the databases. Defaults to a temporary folder." placeholder:"DIR"`
	AllowRemote bool   `help:"Listen beyond this machine. Anyone who reaches it can act as anyone of the demo."`
}

// Run serves the demo until the context ends.
func (c *demoCommand) Run(ctx context.Context, t *terminal) error {
	t.warnElsewhere()
	switches, err := t.switches()
	if err != nil {
		return err
	}
	folder, err := c.folder()
	if err != nil {
		return err
	}
	listener, err := listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	if !isLoopback(listener.Addr()) && !c.AllowRemote {
		return errors.Join(fmt.Errorf("--addr %s is reachable from other machines, where anyone could act as anyone of the demo; say --allow-remote if you mean it", c.Addr), listener.Close())
	}
	origin := "http://" + listener.Addr().String()
	secret, audience := random(32), "steward-demo-"+random(9)

	env := func(name string) (string, bool) {
		switch name {
		case "GYM_TOKEN_SECRET":
			return secret, true
		case "GYM_URL":
			return origin, true
		}
		return t.env(name)
	}
	cfg, faults := config.Load(gym.Files, "steward.yaml", env)
	if err := faults.Err(); err != nil {
		return errors.Join(faults, listener.Close())
	}
	cfg.Identity.Audience = audience

	log := t.logger(slog.LevelWarn)
	product, err := gym.New(ctx, gym.Config{Dir: folder, Secret: []byte(secret), Audience: audience, Logger: log})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	options := append(switches, steward.WithLog(log),
		steward.WithDatabase(t.database("sqlite:"+filepath.Join(folder, "steward.db"))))
	server, err := steward.New(ctx, cfg, options...)
	if err != nil {
		return errors.Join(err, product.Close(), listener.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/", product)
	for _, pattern := range steward.Routes() {
		mux.Handle(pattern, server)
	}
	var handler http.Handler = mux
	if !c.AllowRemote {
		handler = onlyHere(mux, listener.Addr().String())
	}
	fmt.Fprintf(t.out, "%s on %s (data in %s). %s\n", cfg.Product.Name.In("en"), origin, folder, answering(cfg.Models, server))
	return serve(ctx, listener, handler, func(ctx context.Context) error {
		return errors.Join(server.Close(ctx), product.Close())
	})
}

func (c *demoCommand) folder() (string, error) {
	if c.Data == "" {
		folder, err := os.MkdirTemp("", "steward-demo-")
		if err != nil {
			return "", fmt.Errorf("make a folder for the demo: %w", err)
		}
		return folder, nil
	}
	if err := os.MkdirAll(c.Data, 0o750); err != nil {
		return "", fmt.Errorf("--data: %w", err)
	}
	return c.Data, nil
}

func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// onlyHere refuses what comes from a page of another site: a foreign Host (DNS rebinding) or a foreign Origin.
func onlyHere(next http.Handler, addr string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		from, _ := strings.CutPrefix(origin, "http://") // any other scheme stays, and is no address of ours
		if !ours(r.Host, addr) || origin != "" && !ours(from, addr) {
			http.Error(w, "This demo answers its own address only: open http://"+addr, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ours reports whether host names this listener, by address or as localhost.
func ours(host, addr string) bool {
	port := addr[strings.LastIndexByte(addr, ':'):]
	return host == addr || host == "localhost"+port || host == "127.0.0.1"+port || host == "[::1]"+port
}
