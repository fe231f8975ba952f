// Command embed is a Go web program with Steward inside it: no second process, no OpenAPI document. One Go function is
// the read that the assistant can make.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"testing/fstest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

//go:embed steward.yaml
var hostFile []byte

const page = `<!doctype html><html lang="en"><title>Tool Library</title>
<h1>Tool Library</h1><p>Press Ctrl-K (on a Mac Cmd-K) and ask what there is.</p>
<script src="/steward.js" defer></script>
<steward-assistant token-url="/steward-token"></steward-assistant></html>`

func main() {
	addr := flag.String("addr", "127.0.0.1:3000", "where to listen")
	database := flag.String("database", "sqlite:steward.db", "where conversations are kept")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(ctx, *addr, *database, log); err != nil {
		log.ErrorContext(ctx, "stopped", slog.Any("error", err))
		os.Exit(1)
	}
}

func run(ctx context.Context, addr, database string, log *slog.Logger) error {
	handler, closeSteward, err := newProduct(ctx, os.LookupEnv, steward.WithDatabase(database), steward.WithLog(log))
	if err != nil {
		return err
	}
	server := &http.Server{Addr: addr, Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close() // what streams is stored below, and read again by its page
	}()
	log.InfoContext(ctx, "the tool library is open", slog.String("url", "http://"+addr))
	if err = server.ListenAndServe(); errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, closeSteward(context.WithoutCancel(ctx)))
}

// newProduct makes the product with the assistant in it; closing stores what still runs.
func newProduct(ctx context.Context, env func(string) (string, bool), options ...steward.Option) (http.Handler, func(context.Context) error, error) {
	cfg, faults := config.Load(fstest.MapFS{"steward.yaml": {Data: hostFile}}, "steward.yaml", env)
	if err := faults.Err(); err != nil {
		return nil, nil, err
	}
	tools, err := tool.NewFunctions("library", tool.Func("tools.list", "Tools of the library, with who has which.", listTools, tool.WithDefinition(describe)))
	if err != nil {
		return nil, nil, err
	}
	assistant, err := steward.New(ctx, cfg, append(options, steward.WithTools(tools))...)
	if err != nil {
		return nil, nil, fmt.Errorf("start steward: %w", err)
	}
	mux := http.NewServeMux()
	for _, pattern := range steward.Routes() {
		mux.Handle(pattern, assistant)
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page)) // a reader that has gone needs no answer
	})
	mux.HandleFunc("GET /steward-token", func(w http.ResponseWriter, _ *http.Request) {
		// Your own session says who this is; here everybody is Ada.
		token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
			"sub": "ada", "name": "Ada", "roles": []string{"member"}, "aud": "steward", "exp": time.Now().Add(5 * time.Minute).Unix(),
		}).SignedString([]byte(cfg.Identity.Secret.Reveal()))
		if err != nil {
			http.Error(w, "no token", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"token": token}) // as above
	})
	return mux, assistant.Close, nil
}

// describe says of the read what steward.yaml says of an operation under tools.actions: the phrases by which the guide
// understands a question, and how the result is drawn. It could say which roles may use it (Roles), and what is never
// shown (Omit).
func describe(d *tool.Definition) {
	d.Asks = map[string][]string{"en": {"show the tools of the library", "who has which tool"}}
	d.Table = &tool.TableMap{ // the function gives a list, so Items is left out
		Title:   tool.Text{"en": "Tools"},
		Columns: []tool.Column{{Header: tool.Text{"en": "Tool"}, Path: "/name"}, {Header: tool.Text{"en": "Held by"}, Path: "/held_by"}},
	}
}

// filter is what the read can be asked for; its JSON Schema is made of it.
type filter struct {
	Free bool `json:"free,omitempty" jsonschema:"True: only tools that nobody has."`
}

type item struct {
	Name   string `json:"name"`
	HeldBy string `json:"held_by,omitempty"` //nolint:tagliatelle // this product's own API is in snake case
}

// listTools is the read. Call says who asks (call.Principal), so that a function can keep from one member what another's is.
func listTools(_ context.Context, call tool.Call, in filter) ([]item, error) {
	all := []item{{Name: "Cordless drill"}, {Name: "Hedge trimmer", HeldBy: "Bo"}, {Name: "Ladder, 4 m", HeldBy: call.Principal.Member}}
	if !in.Free {
		return all, nil
	}
	var free []item
	for _, one := range all {
		if one.HeldBy == "" {
			free = append(free, one)
		}
	}
	return free, nil
}
