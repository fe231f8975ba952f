// Model is the scripted model with a handle on it: a test says what it answers next and reads what it was asked.
//
//	POST /script    {"replies": […]}: what the next requests get, in their order; what was seen is forgotten
//	POST /release   lets replies go on that stop at "hold"
//	GET  /seen      {"requests": […], "refused": {…}, "active": N}: bodies as they came, faults of requests by rule
//	GET  /until?requests=N   as /seen, once N requests have come
//
// Every other path is the model's. Its only output is one line with its address. It ends when its input does, so that it
// does not outlive the test that started it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/steward-assistant/steward/model/modeltest"
)

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

// run serves until in ends; it prints the address to out once it listens.
func run(ctx context.Context, in io.Reader, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: newHandle(), ReadHeaderTimeout: 10 * time.Second}
	if _, err := fmt.Fprintf(out, "http://%s\n", listener.Addr()); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, in) // however it ends, it has ended
	}()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ended:
	}
	if err := server.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// reply is a [modeltest.Reply] as data.
type reply struct {
	Think  string            `json:"think"`
	Say    string            `json:"say"`
	Calls  []call            `json:"calls"`
	PaceMS int               `json:"paceMs"`
	Hold   int               `json:"hold"` // the event before which it stops until /release; zero: none
	Fault  *modeltest.Fault  `json:"fault"`
	End    modeltest.RuleEnd `json:"end"`
}

type call struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
}

// handle is the model and what a test holds of it.
type handle struct {
	*http.ServeMux
	model *modeltest.Server

	mu     sync.Mutex
	before int           // requests that came before the script
	held   chan struct{} // closed by /release
}

func newHandle() *handle {
	h := &handle{ServeMux: http.NewServeMux(), model: modeltest.New(modeltest.Config{Keep: 10000}), held: make(chan struct{})}
	h.HandleFunc("POST /script", h.script)
	h.HandleFunc("POST /release", h.release)
	h.HandleFunc("GET /seen", h.seen)
	h.HandleFunc("GET /until", h.until)
	h.Handle("/", h.model)
	return h
}

func (h *handle) script(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Replies []reply `json:"replies"`
	}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = make(chan struct{})
	h.before = h.model.Accepted()
	replies := make([]modeltest.Reply, len(in.Replies))
	for i, r := range in.Replies {
		replies[i] = r.reply(h.held)
	}
	h.model.SetScript(modeltest.Turns(replies...))
}

func (r *reply) reply(held <-chan struct{}) modeltest.Reply {
	out := modeltest.Reply{Fault: r.Fault, End: modeltest.End(r.End), Pace: time.Duration(r.PaceMS) * time.Millisecond}
	if r.Think != "" {
		out.Blocks = append(out.Blocks, modeltest.Think(strings.SplitAfter(r.Think, " ")...))
	}
	if r.Say != "" {
		out.Blocks = append(out.Blocks, modeltest.Say(strings.SplitAfter(r.Say, " ")...))
	}
	for _, c := range r.Calls {
		out.Blocks = append(out.Blocks, modeltest.Call(c.Tool, c.Input))
	}
	if r.Hold > 0 {
		out.Hold = map[int]<-chan struct{}{r.Hold: held}
	}
	return out
}

func (h *handle) release(http.ResponseWriter, *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.held:
	default:
		close(h.held)
	}
}

func (h *handle) seen(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	before := h.before
	h.mu.Unlock()
	var out struct {
		Requests []json.RawMessage `json:"requests"`
		Refused  map[string]int    `json:"refused"`
		Active   int               `json:"active"`
	}
	out.Requests = []json.RawMessage{}
	for _, r := range h.model.Requests()[before:] {
		out.Requests = append(out.Requests, r.Body)
	}
	out.Refused, out.Active = h.model.Rejected(), h.model.Active()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // a test that is gone needs no answer
}

func (h *handle) until(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("requests"))
	if err != nil {
		http.Error(w, "requests: a whole number", http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	n += h.before
	h.mu.Unlock()
	if err := h.model.Until(r.Context(), func(s *modeltest.Server) bool { return s.Accepted() >= n }); err != nil {
		http.Error(w, "the requests did not come", http.StatusGatewayTimeout)
		return
	}
	h.seen(w, r)
}
