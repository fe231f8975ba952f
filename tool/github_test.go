package tool_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// TestResolveGitHub calls every read of GitHub's document as a model would, one tool an action and folded by router, with
// the arguments that must be there and with all that there are, and holds that the call leads back to it.
func TestResolveGitHub(t *testing.T) {
	t.Parallel()
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "github", Document: github(t), BaseURL: "https://api.github.com"})
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"action", "router"} {
		r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{GroupBy: group}, source)
		if err != nil {
			t.Fatal(err)
		}
		o := r.Offer(tool.Asker{})
		largest := 0
		called := map[string]bool{}
		for _, w := range o.Tools() {
			var schema struct {
				Properties struct {
					Action struct{ Enum []string }
				}
			}
			if err := json.Unmarshal(w.Input, &schema); err != nil {
				t.Fatal(err)
			}
			actions := schema.Properties.Action.Enum
			if group == "action" {
				actions = []string{""}
			}
			largest = max(largest, len(actions))
			for _, action := range actions {
				d := resolveBoth(t, o, w.Name, action)
				if called[d.Name()] {
					t.Errorf("%s %s leads to %s, as another does", w.Name, action, d.Name())
				}
				called[d.Name()] = true
			}
		}
		if len(called) != len(o.Definitions()) || len(called) != 615 {
			t.Errorf("%s: %d of %d reads lead back", group, len(called), len(o.Definitions()))
		}
		t.Logf("by %s: %d tools, %d bytes, at most %d actions in one", group, len(o.Tools()), o.Bytes, largest)
	}
}

// resolveBoth calls one action with the least and with all of its arguments; without an action the tool is one.
func resolveBoth(t *testing.T, o *tool.Offer, wire, action string) *tool.Definition {
	t.Helper()
	fold := func(args any) any {
		if action == "" {
			return args
		}
		return map[string]any{"action": action, "input": args}
	}
	empty, err := json.Marshal(fold(map[string]any{}))
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := o.Resolve(wire, empty)
	if want == nil || action != "" && want.Name() != wire+"."+action {
		t.Fatalf("%s %s leads to %+v", wire, action, want)
	}
	if whole := want.Router + "-" + want.Action; action == "" && len(whole) <= 64 && whole != wire {
		t.Errorf("%s leads to %s", wire, want.Name())
	}
	var schema map[string]any
	if err := json.Unmarshal(want.Input, &schema); err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{false, true} {
		args := sample(schema, schema, all)
		input, err := json.Marshal(fold(args))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		d, got, refused := o.Resolve(wire, input)
		if refused != nil {
			t.Errorf("%s %s: %s", wire, input, refused.Reason)
		} else if d != want || string(got) != string(plain) {
			t.Errorf("%s %s means %s %s", wire, input, d.Name(), got)
		}
	}
	return want
}

// sample is a value that a schema takes: the least, or with every member.
func sample(root, schema map[string]any, all bool) any {
	if ref, ok := schema["$ref"].(string); ok {
		defs, _ := root["$defs"].(map[string]any)
		schema, _ = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if variants, ok := schema["anyOf"].([]any); ok {
		first, _ := variants[0].(map[string]any)
		return sample(root, first, all)
	}
	if words, ok := schema["enum"].([]any); ok {
		return words[0]
	}
	kind, _ := schema["type"].(string)
	switch kind {
	case "object":
		out := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for name, p := range properties {
			if all || contains(required, name) {
				p, _ := p.(map[string]any)
				out[name] = sample(root, p, all)
			}
		}
		return out
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{sample(root, items, all)}
	case "integer", "number":
		if least, ok := schema["minimum"].(float64); ok {
			return least
		}
		return 1
	case "boolean":
		return true
	}
	switch schema["format"] {
	case "date-time":
		return "2026-03-17T18:00:00Z"
	case "date":
		return "2026-03-17"
	case "uuid":
		return "0198c0de-0000-7000-8000-000000000000"
	}
	if pattern, ok := schema["pattern"].(string); ok {
		for _, one := range []string{"CVE-2026-12345", "1.2.3", "sha256:" + strings.Repeat("a", 64), "#a1b2c3"} {
			if regexp.MustCompile(pattern).MatchString(one) {
				return one
			}
		}
	}
	return strings.Repeat("x", 8)
}

func contains(list []any, name string) bool {
	for _, one := range list {
		if one == name {
			return true
		}
	}
	return false
}

// TestFold holds that a list over the provider's limit is folded by router, and that one that is over it even so is a
// fault that says what to do.
func TestFold(t *testing.T) {
	t.Parallel()
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "github", Document: github(t), BaseURL: "https://api.github.com"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		most           int
		group          string
		surfaces       map[string][]string
		grouped        bool
		tools          int
		fault, without string
	}{
		{0, "action", nil, false, 615, "", "surfaces"},
		{128, "action", nil, true, 45, "", "surfaces"},
		{128, "", nil, true, 45, "", "surfaces"},
		{44, "", nil, true, 45, "surfaces.app.tools: would be offered 45 tools, folded by router, and the model's provider takes at most 44: list here", "admin"},
		{44, "", map[string][]string{"admin": nil, "app": {"repos.*", "issues.*"}}, true, 2, "surfaces.admin.tools", "surfaces.app"},
		{44, "", map[string][]string{"app": {"zen.*", "issues.list_for_repo"}}, false, 1, "", "takes at most"},
	} {
		r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{MaxTools: test.most, GroupBy: test.group, Surfaces: test.surfaces}, source)
		if said := fmt.Sprint(err); !strings.Contains(said, test.fault) || strings.Contains(said, test.without) {
			t.Errorf("%+v: %v", test, err)
		}
		if o := r.Offer(tool.Asker{}); o.Grouped != test.grouped || len(o.Tools()) != test.tools {
			t.Errorf("%+v: grouped %v, %d tools", test, o.Grouped, len(o.Tools()))
		}
	}
}

// TestLargeDocumentKeepsLittle holds what stays in memory of GitHub's document once its tools are made.
func TestLargeDocumentKeepsLittle(t *testing.T) {
	document := github(t)
	held := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := held()
	source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "github", Document: document, BaseURL: "https://api.github.com"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{}, source)
	if err != nil {
		t.Fatal(err)
	}
	o := r.Offer(tool.Asker{})
	if after := held(); after-before > 12<<20 {
		t.Errorf("%d KB stay", (after-before)>>10)
	} else {
		t.Logf("%d KB stay", (after-before)>>10)
	}
	runtime.KeepAlive(o)
	runtime.KeepAlive(document)
}

// BenchmarkGitHub reads GitHub's document, makes its tools and the list of one role.
func BenchmarkGitHub(b *testing.B) {
	document := github(b)
	b.ReportAllocs()
	for b.Loop() {
		source, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "github", Document: document, BaseURL: "https://api.github.com", Authority: config.AuthorityForward})
		if err != nil {
			b.Fatal(err)
		}
		r, err := tool.NewRegistry(b.Context(), tool.RegistryOptions{}, source)
		if err != nil {
			b.Fatal(err)
		}
		if o := r.Offer(tool.Asker{}); o.Bytes == 0 {
			b.Fatal("nothing is offered")
		}
	}
}
