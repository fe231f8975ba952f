package tool_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/steward-assistant/steward/tool"
)

// TestPrecondition sends what was seen of a thing to a product that refuses where it is not so any more.
func TestPrecondition(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("If-Match"))
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusPreconditionFailed)
		_, _ = w.Write([]byte(`{"detail":"Lior changed it at 10:09."}`))
	}))
	defer server.Close()
	document := `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/x":{"post":{"operationId":"move","responses":{"200":{"description":"ok"}}}}}}`
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: []byte(document), BaseURL: server.URL, Authority: "forward"})
	if err != nil {
		t.Fatal(err)
	}
	defs, err := source.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		give tool.Precondition
		want string
	}{
		{tool.Precondition{}, ""},
		{tool.Precondition{Header: "If-Match", Value: "3"}, `"3"`},
		{tool.Precondition{Header: "If-Match", Value: `W/"3"`}, `W/"3"`},
		{tool.Precondition{Header: "If-Match", Value: `a"b`}, `"ab"`},
		{tool.Precondition{Header: "If-Match", Value: "3\r\nX: y"}, ""},
	} {
		result, err := source.Run(t.Context(), tool.Call{ID: "1", Tool: &defs[0], Input: []byte(`{}`), Precondition: test.give, Credential: tool.Credential{Token: "t"}})
		if err != nil {
			t.Fatal(err)
		}
		if last := got[len(got)-1]; last != test.want {
			t.Errorf("%+v: sent %q, want %q", test.give, last, test.want)
		}
		if result.OK || result.Code != tool.CodeCallChanged || result.Said != "Lior changed it at 10:09." {
			t.Errorf("%+v", result)
		}
	}
}
