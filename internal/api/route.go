package api

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/identity"
	"github.com/steward-assistant/steward/internal/turn"
)

// route is one route, as it is served and as the OpenAPI document tells it.
type route struct {
	method, path string
	id           string // the operation's name
	summary      string
	// right is what a member needs; empty: the route is public and asks for no token.
	right identity.Right
	// params are the query parameters and headers that it takes. Any other query parameter is refused.
	params []param
	// body is the type of its JSON body, nil where it takes none; optional says that it may be left out.
	body     reflect.Type
	optional bool
	// most is the longest body in bytes; zero: MaxBodyBytes. open says that unknown members of it are left out.
	most int64
	open bool
	// status and answers tell a success: media type → a value of the type that is sent; nil: text.
	status  int
	answers map[string]any
	serve   func(x *exchange) error

	shape *shape
}

// mount registers every route and the document that tells them.
func (s *server) mount() error {
	routes := s.routes()
	document, err := s.document(routes)
	if err != nil {
		return err
	}
	for i := range routes {
		r := &routes[i]
		if r.body != nil {
			if r.shape, err = shapeOf(r.body, r.open); err != nil {
				return fmt.Errorf("api: %s %s: %w", r.method, r.path, err)
			}
			if f := r.shape.fields["text"]; f != nil {
				f.most = s.MaxText
			}
		}
		s.mux.HandleFunc(r.method+" "+r.path, s.handle(r))
	}
	for path, methods := range methodsOf(routes) {
		s.mux.HandleFunc(path, s.refuseMethod(methods))
	}
	s.mux.HandleFunc("GET /openapi.json", plain(func(x *exchange) error {
		return x.send(http.StatusOK, "application/json", document)
	}))
	keys := s.KeySet
	if keys == nil {
		keys = plain(func(x *exchange) error {
			return x.send(http.StatusOK, "application/jwk-set+json", []byte(`{"keys":[]}`))
		})
	}
	s.mux.Handle("GET /.well-known/steward/jwks.json", keys)
	if s.Assets != nil {
		s.mux.Handle("GET /steward.js", s.Assets)
		s.mux.Handle("GET /steward/", s.Assets)
		s.mux.HandleFunc("/steward", plain(func(*exchange) error { return notFound() })) // not the mux's redirect
	}
	s.mux.HandleFunc("/", plain(func(*exchange) error { return notFound() }))
	return nil
}

func methodsOf(routes []route) map[string][]string {
	out := map[string][]string{}
	for _, r := range routes {
		out[r.path] = append(out[r.path], r.method)
	}
	return out
}

// handle is the order in which a request is looked at: who asks and what they may do, then what they ask. A body is
// not read before all else is right.
func (s *server) handle(r *route) http.HandlerFunc {
	return plain(func(x *exchange) error {
		if x.r.Method != r.method { // the mux takes a HEAD for a GET
			return wrongMethod(x, []string{r.method})
		}
		if x.localeFault != nil {
			return x.localeFault
		}
		if r.right != "" {
			if err := x.identify(); err != nil {
				return err
			}
			if err := x.localise(); err != nil {
				return err
			}
			if !x.rights.Has(r.right) {
				return &turn.Refusal{
					Code: event.Forbidden, Field: "roles", Detail: "a role of identity.roles that may " + string(r.right),
				}
			}
		}
		if err := x.readQuery(r.params); err != nil {
			return err
		}
		if r.body == nil {
			if x.r.ContentLength != 0 {
				return &fault{field: "body", want: "none: this route takes no body"}
			}
			return r.serve(x)
		}
		most := r.most
		if most == 0 {
			most = MaxBodyBytes
		}
		b, err := x.readBody(r.optional, most)
		if err != nil {
			return err
		}
		in := reflect.New(r.body)
		if err := r.shape.read(b, in.Interface()); err != nil {
			return err
		}
		x.body = in.Interface()
		return r.serve(x)
	})
}

func (s *server) refuseMethod(methods []string) http.HandlerFunc {
	return plain(func(x *exchange) error { return wrongMethod(x, methods) })
}

func wrongMethod(x *exchange, methods []string) error {
	methods = slices.Sorted(slices.Values(methods))
	x.Header().Set("Allow", strings.Join(methods, ", "))
	return &fault{field: "method", want: "one of " + strings.Join(methods, ", ")}
}

// plain turns a handler of exchanges into the standard's; an error becomes a problem document.
func plain(serve func(*exchange) error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		x, ok := w.(*exchange)
		if !ok { // only ServeHTTP calls the mux
			http.Error(w, "", http.StatusInternalServerError)
			return
		}
		if err := serve(x); err != nil {
			x.fail(err)
		}
	}
}
