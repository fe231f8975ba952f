package check_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/steward-assistant/steward/internal/check"
)

// TestManyTools warns of a list that every conversation would begin with, once for all roles.
func TestManyTools(t *testing.T) {
	t.Parallel()
	var paths []string
	for i := range 400 {
		paths = append(paths, fmt.Sprintf(`"/things%d":{"get":{"operationId":"listThings%d","tags":["things"],"summary":"%s","responses":{"200":{"description":"ok"}}}}`, i, i, strings.Repeat("word ", 60)))
	}
	document := `{"openapi":"3.1.0","info":{"title":"Many","version":"1"},"paths":{` + strings.Join(paths, ",") + `}}`
	for surfaces, want := range map[string]string{
		"": `steward.yaml: surfaces.app.tools: roles member, staff: every conversation begins with about 38,600 tokens of tools. Name what a surface needs in surfaces.app.tools, as ["things.*"], or leave operations out with sources.api.leave_out.`,
		"surfaces: {app: {tools: [things.list_things1]}}\n": "",
	} {
		src := strings.Replace(libraryHead, "{member: [read, send]}", "{member: [read, send], staff: [read]}", 1) + surfaces
		r, err := check.Run(t.Context(), check.Options{
			Files: fstest.MapFS{"steward.yaml": {Data: []byte(src)}, "openapi.json": {Data: []byte(document)}}, Name: "steward.yaml",
			Env: func(name string) (string, bool) { return strings.Repeat("s", 40), name == "SECRET" },
		})
		if err != nil || r.Failed() {
			t.Fatal(err, r.Faults)
		}
		if got := r.Warnings.Error(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
