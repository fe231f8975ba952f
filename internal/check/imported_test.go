package check_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/steward-assistant/steward/internal/check"
)

// TestImported tells of a document with 60 writes and 150 reads, before a provider that takes 128 tools, and of a read
// that cannot be called.
func TestImported(t *testing.T) {
	t.Parallel()
	var document strings.Builder
	document.WriteString("openapi: 3.1.0\npaths:\n  /cookie:\n    get:\n      parameters:\n      - {name: s, in: cookie, required: true}\n")
	for i := range 150 {
		fmt.Fprintf(&document, "  /r%d: {get: {tags: [t%d], responses: {200: {description: ok}}}}\n", i, i/2)
		if i < 60 {
			fmt.Fprintf(&document, "  /w%d: {post: {tags: [w]}}\n", i)
		}
	}
	host := strings.ReplaceAll(head, "openapi.json", "openapi.yaml") + "models: {providers: {openai: {key_env: KEY}}, loop: {provider: openai, model: gpt-5.6-terra}}\n"
	for _, test := range []struct {
		tools string
		all   bool
		want  []string
	}{
		{"", false, []string{
			"(one an action would be over the 128 that the provider takes)",
			"  and 20 more; --all prints them",
			"  openapi.yaml:6: GET /cookie: it needs a cookie, and Steward sends none (/paths/~1cookie/get/parameters/0)\n",
		}},
		{"", true, []string{"  w.post_w59 (api.POST /w59)\n"}},
		{"tools: {group_by: action}\n", false, []string{"(one an action would be over the 128 that the provider takes)"}},
	} {
		r, err := check.Run(t.Context(), check.Options{
			Name: "steward.yaml", All: test.all,
			Files: fstest.MapFS{"steward.yaml": {Data: []byte(host + test.tools)}, "openapi.yaml": {Data: []byte(document.String())}},
			Env:   func(name string) (string, bool) { return strings.Repeat("s", 40), name == "SECRET" || name == "KEY" },
		})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if _, err := r.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("lacks %q:\n%s", want, b.String())
			}
		}
		if r.Failed() || test.all == strings.Contains(b.String(), "--all prints them") {
			t.Errorf("%+v: %s", test, b.String())
		}
	}
	// Two hundred routers are over the limit however they are folded.
	many := strings.ReplaceAll(document.String(), "tags: [t", "tags: [u, t")
	for i := range 150 {
		many += fmt.Sprintf("  /m%d: {get: {tags: [m%d]}}\n", i, i)
	}
	r, err := check.Run(t.Context(), check.Options{
		Name:  "steward.yaml",
		Files: fstest.MapFS{"steward.yaml": {Data: []byte(host)}, "openapi.yaml": {Data: []byte(many)}},
		Env:   func(name string) (string, bool) { return strings.Repeat("s", 40), name == "SECRET" || name == "KEY" },
	})
	if err != nil || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "would be offered 152 tools, folded by router, and the model's provider takes at most 128") {
		t.Errorf("%v %v", err, r.Faults)
	}
}
