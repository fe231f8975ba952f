// Package modeltest is a model that does what a script says and speaks Anthropic's Messages API, OpenAI's Chat
// Completions and OpenAI's Responses over HTTP: a test instrument, never a part of a product's way.
//
// It is stricter than most stand-ins: what the vendor refuses, it refuses with the vendor's error shape, so that a
// request that passes here would pass there. The keys that each wire allows stand in fields.go; the rules of a wire are in
// the files of its name, those of all wires in check.go. Whose rules a request is held to goes by its model's name: an
// OpenAI model's are the strictest, a name with a slash is OpenRouter's, any other a compatible server's.
//
// Nothing of a reply is stored, so nothing can be asked for by its id later.
package modeltest

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Config says how a Server answers. The zero Config works: every request that is right gets a short reply.
type Config struct {
	// Script answers; nil means a reply of 20 words.
	Script Script
	// Key is the only key that is accepted; empty accepts any but none at all.
	Key string
	// Keyless also accepts no key, as servers on one's own machine do; Key must be empty.
	Keyless bool
	// Models are the only models; nil means any of the wire's vendor.
	Models []string
	// Secret signs thinking. Servers with one secret, the default's included, take each other's.
	Secret string
	// MaxBodyBytes is the longest body; zero means the vendor's 32 MB.
	MaxBodyBytes int64
	// CacheMinimumTokens is the shortest prefix that is cached; zero means 1,024, negative caches everything.
	CacheMinimumTokens int
	// AnyToolOrder takes tools that are not sorted by name. The vendor does; but the order is part of the cached prefix.
	AnyToolOrder bool
	// Keep is how many requests are remembered; zero means 1,000, negative none.
	Keep int
	// Now is the clock of the prompt cache and of created; nil means the system's.
	Now func() time.Time
}

// Server is the scripted model: an http.Handler for POST /v1/messages, /v1/chat/completions and /v1/responses. Safe for
// concurrent use.
type Server struct {
	cfg   Config
	sign  signer
	cache *prefixCache
	boot  string // sets the ids of this server apart from those of one before it

	mu       sync.Mutex
	script   Script
	requests []Request
	accepted int
	active   int
	next     uint64
	paused   []string // the newest texts of replies that ended with pause_turn
	rejected map[string]int
	changed  chan struct{} // closed, and made anew, at each change of the counters
}

var _ http.Handler = (*Server)(nil)

// New makes a server.
func New(cfg Config) *Server {
	if cfg.Script == nil {
		cfg.Script = Always(Reply{Blocks: []Block{Words(20)}})
	}
	if cfg.Secret == "" {
		cfg.Secret = "the scripted model"
	}
	if cfg.MaxBodyBytes == 0 {
		cfg.MaxBodyBytes = 32 << 20
	}
	if cfg.CacheMinimumTokens == 0 {
		cfg.CacheMinimumTokens = 1024
	}
	if cfg.Keep == 0 {
		cfg.Keep = 1000
	}
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the default of the seam itself
	}
	return &Server{
		cfg:      cfg,
		sign:     signer{[]byte(cfg.Secret)},
		boot:     rand.Text()[:10],
		cache:    newPrefixCache(cfg.CacheMinimumTokens, cfg.Now),
		script:   cfg.Script,
		rejected: make(map[string]int),
		changed:  make(chan struct{}),
	}
}

// SetScript replaces the script from the next request on.
func (s *Server) SetScript(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

// Requests are the newest accepted requests, in the order of their coming.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Accepted is how many requests were accepted.
func (s *Server) Accepted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// Rejected is how many requests were refused, by rule.
func (s *Server) Rejected() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.rejected)
}

// Active is how many replies are under way.
func (s *Server) Active() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// Until waits until done holds; it is asked again whenever a request was accepted or refused or a reply has ended. It
// returns ctx's error when that comes first.
func (s *Server) Until(ctx context.Context, done func(*Server) bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if done(s) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// change applies f to the counters and tells those who wait.
func (s *Server) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// ServeHTTP answers requests on all wires.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.next++
	nonce := s.boot + strconv.FormatUint(s.next, 10)
	s.mu.Unlock()
	p, known := protocols[r.URL.Path]
	if !known {
		p = messagesProtocol{}
	}
	w.Header().Set(p.requestID(), "req_"+nonce)

	req, body, err := s.accept(w, r, p, known)
	if err != nil {
		var no *refusalError
		if !errors.As(err, &no) { // whoever asked left while asking: there is no request, and nobody to refuse
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.change(func() { s.rejected[no.rule]++ })
		writeFault(w, no.Fault, p.fault(no.Fault, "req_"+nonce))
		return
	}
	var script Script
	s.change(func() {
		script = s.script
		s.accepted++
		s.active++
		if s.cfg.Keep > 0 {
			if len(s.requests) == s.cfg.Keep {
				s.requests = append(s.requests[:0], s.requests[1:]...)
			}
			s.requests = append(s.requests, req)
		}
	})
	defer s.change(func() { s.active-- })
	reply := script(req)
	if reply.Stop == "pause_turn" {
		s.remember(reply)
	}
	usage := s.cache.count(p.prefix(body))
	if reply.Usage != nil {
		usage = *reply.Usage
	}
	a := newAnswer(answer{sign: s.sign, req: &req, reply: &reply, usage: usage, nonce: nonce, created: s.cfg.Now().Unix()})
	out := &writer{w: w, flush: http.NewResponseController(w), ctx: r.Context(), protocol: p, answer: a}
	out.write()
}

// checker makes the part of a check that all wires share.
func (s *Server) checker(words reader, req *Request) checker {
	return checker{reader: words, sign: s.sign, anyOrder: s.cfg.AnyToolOrder, req: req}
}

// maxPaused bounds the memory of paused replies.
const maxPaused = 100

func (s *Server) remember(reply Reply) {
	var said strings.Builder
	for _, b := range reply.Blocks {
		if b.kind == "text" {
			said.WriteString(strings.Join(b.pieces, ""))
		}
	}
	if said.String() == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = append(s.paused[max(0, len(s.paused)-maxPaused+1):], said.String())
}

// isPaused also knows a reply that goes on from an earlier paused one: the two are one message by then.
func (s *Server) isPaused(said string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.paused, func(p string) bool { return strings.HasSuffix(said, p) })
}

// accept reads and checks a request.
func (s *Server) accept(w http.ResponseWriter, r *http.Request, p protocol, known bool) (Request, map[string]any, error) {
	if !known {
		return Request{}, nil, &refusalError{Fault{Status: http.StatusNotFound, Type: "not_found_error", Message: "Not Found"}, "path"}
	}
	if r.Method != http.MethodPost {
		return Request{}, nil, &refusalError{Fault{Status: http.StatusMethodNotAllowed, Type: "invalid_request_error", Message: "Method Not Allowed"}, "method"}
	}
	if err := p.authorize(r.Header, s.cfg.Key, s.cfg.Keyless); err != nil {
		return Request{}, nil, err
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return Request{}, nil, refuse("content_type", "content-type: must be application/json")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.cfg.MaxBodyBytes))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return Request{}, nil, &refusalError{Fault{Status: http.StatusRequestEntityTooLarge, Type: "request_too_large", Message: "Request exceeds the maximum size"}, "body_too_long"}
	}
	if err != nil {
		return Request{}, nil, err
	}
	body, err := decode(text)
	if err != nil {
		return Request{}, nil, err
	}
	header := r.Header.Clone()
	header.Del("X-Api-Key")
	header.Del("Authorization")
	req := Request{Wire: p.wire(), Header: header, Body: text}
	return req, body, p.check(s, &req, body)
}
