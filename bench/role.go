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
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
)

// The roles that this program plays in processes of their own.
const (
	roleProxy  = "proxy"  // forwards to a model, and nothing else
	roleStream = "stream" // opens a stream and says nothing on it
	rolePacer  = "pacer"  // a model whose words are timestamps
	roleHost   = "host"   // Steward, profiled
)

func roles() map[string]func(ctx context.Context, args []string, out io.Writer) error {
	return map[string]func(context.Context, []string, io.Writer) error{
		roleProxy: proxy, roleStream: bareStream, rolePacer: pacer, roleHost: profiledHost,
	}
}

// proxy is the least that can stand between a client and a model.
func proxy(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet(roleProxy, flag.ContinueOnError)
	to := flags.String("to", "", "the model")
	if err := flags.Parse(args); err != nil {
		return err
	}
	target, err := url.Parse(*to)
	if err != nil {
		return err
	}
	return serve(ctx, out, forward(target))
}

func forward(target *url.URL) http.Handler {
	forward := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 512, DisableCompression: true},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Else net/http closes the request's body at the reply's first byte. A model that answers at once is sometimes
		// faster than the look for the body's end, which then fails and breaks the reply off.
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		forward.ServeHTTP(w, r)
	})
}

// bareStream is the least that a stream costs in Go: one event, then silence until the reader leaves.
func bareStream(ctx context.Context, _ []string, out io.Writer) error {
	return serve(ctx, out, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: {}\n\n"))    // a reader that has left is seen by its context
		_ = http.NewResponseController(w).Flush() // as above
		<-r.Context().Done()
	}))
}

// profiledHost is `steward serve` with profiles, which it writes when it ends.
func profiledHost(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet(roleHost, flag.ContinueOnError)
	file := flags.String("config", "", "the host's file")
	folder := flags.String("profile", "", "where the profiles go")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cfg, faults := config.Load(config.Dir(filepath.Dir(*file)), filepath.Base(*file), os.LookupEnv)
	if err := faults.Err(); err != nil {
		return faults
	}
	server, err := steward.New(ctx, cfg, steward.WithDatabase(os.Getenv("STEWARD_DATABASE_URL")), steward.OnLoopback(),
		steward.WithLog(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))))
	if err != nil {
		return err
	}
	name := filepath.Join(*folder, time.Now().Format("150405.000"))
	cpu, err := os.Create(name + ".cpu") //nolint:gosec // the folder of -profile
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return err
	}
	heapTaken := make(chan error, 1)
	go func() { // while the streams are still open
		<-ctx.Done()
		heapTaken <- writeProfiles(name)
	}()
	err = serve(ctx, out, server)
	pprof.StopCPUProfile()
	return errors.Join(err, <-heapTaken, cpu.Close(), server.Close(context.WithoutCancel(ctx)))
}

func writeProfiles(name string) error {
	runtime.GC()
	var errs []error
	for _, kind := range []string{"heap", "goroutine"} {
		f, err := os.Create(name + "." + kind) //nolint:gosec // the folder of -profile
		if err != nil {
			return err
		}
		errs = append(errs, pprof.Lookup(kind).WriteTo(f, 0), f.Close())
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	text := fmt.Sprintf("heap in use %d KB, live objects %d KB, stacks %d KB, runtime's own %d KB, given back %d KB, goroutines %d\n",
		m.HeapInuse>>10, m.HeapAlloc>>10, m.StackInuse>>10, (m.MSpanSys+m.MCacheSys+m.GCSys+m.OtherSys)>>10, m.HeapReleased>>10, runtime.NumGoroutine())
	return errors.Join(append(errs, os.WriteFile(name+".txt", []byte(text), 0o600))...)
}

// serve serves on a free port until ctx ends, after it has said where.
func serve(ctx context.Context, out io.Writer, handler http.Handler) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	if _, err := fmt.Fprintf(out, "http://%s\n", listener.Addr()); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if err := server.Close(); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
