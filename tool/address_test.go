package tool

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
)

func testOperation() *operation {
	return &operation{method: "GET", path: "/members/{id}/notes/{note}.json", params: []parameter{
		{name: "id", key: "id", in: "path", style: "simple", required: true},
		{name: "note", key: "note", in: "path", style: "simple", required: true},
		{name: "q", key: "q", in: "query", style: "form", explode: true},
		{name: "ids", key: "ids", in: "query", style: "form", explode: false},
		{name: "filter[a]", key: "filter_a", in: "query", style: "form", explode: true},
		{name: "deep", key: "deep", in: "query", style: "deepObject", explode: true},
		{name: "pipes", key: "pipes", in: "query", style: "pipeDelimited"},
		{name: "as", key: "as", in: "query", style: "form", asJSON: true},
	}}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, want, fault string }{
		{`{"id":7,"note":"a b"}`, "http://gym.test:81/api/members/7/notes/a%20b.json", ""},
		{`{"id":"שלום","note":"100%"}`, "http://gym.test:81/api/members/%D7%A9%D7%9C%D7%95%D7%9D/notes/100%25.json", ""},
		{`{"id":"a?b#c;d","note":"x"}`, "http://gym.test:81/api/members/a%3Fb%23c%3Bd/notes/x.json", ""},
		{`{"id":"a","note":"x","q":"a&b=c +"}`, "http://gym.test:81/api/members/a/notes/x.json?q=a%26b%3Dc+%2B", ""},
		{`{"id":"a","note":"x","q":["1","2"],"ids":[3,4]}`, "http://gym.test:81/api/members/a/notes/x.json?q=1&q=2&ids=3,4", ""},
		{`{"id":"a","note":"x","filter_a":true,"deep":{"b":1,"a":"x"},"pipes":["a","b"],"as":{"k":[1]}}`, "http://gym.test:81/api/members/a/notes/x.json?filter%5Ba%5D=true&deep%5Ba%5D=x&deep%5Bb%5D=1&pipes=a%7Cb&as=%7B%22k%22%3A%5B1%5D%7D", ""},
		{`{"id":"","note":"x"}`, "", "/id: must not be empty"},
		{`{"note":"x"}`, "", "/id: is required"},
		{`{"id":"..","note":"x"}`, "", "/id: must be an id, not a step in a path"},
		{`{"id":".","note":"x"}`, "", "/id: must be an id, not a step in a path"},
		{`{"id":"a/b","note":"x"}`, "", "/id: must not hold a slash"},
		{`{"id":"a\\b","note":"x"}`, "", "/id: must not hold a slash"},
		{`{"id":"%2e%2e","note":"x"}`, "", "/id: must be an id, not a step in a path"},
		{`{"id":"%252e%252E","note":"x"}`, "", "/id: must be an id, not a step in a path"},
		{`{"id":"a%2fb","note":"x"}`, "", "/id: must not hold a slash"},
		{`{"id":"a%5Cb","note":"x"}`, "", "/id: must not hold a slash"},
		{`{"id":"%2e%2e%2f%zz","note":"x"}`, "", "/id: must not hold a slash"},
		{`{"id":"50%-off%2","note":"x"}`, "http://gym.test:81/api/members/50%25-off%252/notes/x.json", ""},
		{`{"id":"a%00","note":"x"}`, "", "/id: must not hold control characters"},
		{`{"id":"a\nb","note":"x"}`, "", "/id: must not hold control characters"},
		{`{"id":{"a":1},"note":"x"}`, "", "/id: must be a single value"},
	} {
		args, _, err := canonicalInput([]byte(test.args))
		if err != nil {
			t.Fatal(err)
		}
		base, err := url.Parse("http://gym.test:81/api")
		if err != nil {
			t.Fatal(err)
		}
		got, err := testOperation().address(base, object(args))
		switch {
		case test.fault == "" && (err != nil || got.String() != test.want):
			t.Errorf("%s: %v, %v, want %s", test.args, got, err, test.want)
		case test.fault != "" && (err == nil || err.Error() != test.fault):
			t.Errorf("%s: %v, %v, want the fault %s", test.args, got, err, test.fault)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"7", "..", "%2e%2e", "a/b", "\\", "@evil.example", "?x", "#", ":80", "%", "%zz", "%2e%2e%2f%", "\u2024\u2024", "%25252f"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, id, q string) {
		base, err := url.Parse("http://gym.test:81/api")
		if err != nil {
			t.Fatal(err)
		}
		u, err := testOperation().address(base, map[string]any{"id": id, "note": json.Number("1"), "q": q})
		var bad *argumentError
		if err != nil {
			if !errors.As(err, &bad) && !strings.HasPrefix(err.Error(), "the address") {
				t.Errorf("%q: %v", id, err)
			}
			return
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Scheme != "http" || again.Host != "gym.test:81" || again.User != nil || again.Fragment != "" {
			t.Fatalf("%q leads to %v (%v)", id, u, err)
		}
		parts := strings.Split(again.EscapedPath(), "/")
		if len(parts) != 6 || parts[1] != "api" || parts[2] != "members" || parts[4] != "notes" || parts[5] != "1.json" {
			t.Fatalf("%q leads to %v", id, u)
		}
		if got, err := url.PathUnescape(parts[3]); err != nil || got != id {
			t.Fatalf("%q arrives as %q", id, got)
		}
		if got := again.Query()["q"]; len(got) != 1 || got[0] != q {
			t.Fatalf("%q arrives as %q", q, got)
		}
	})
}
