package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

func TestOfferActions(t *testing.T) {
	t.Parallel()
	s := newShop(t, config.AuthorityForward, map[string]config.Action{
		"orders.list": {Operation: "api.listOrders", Roles: []string{"owner"}, Summary: "Orders of a day."},
	})
	o := offerFor(s.registry, "owner")
	got, err := json.Marshal(o.Tools())
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"api-get_health","description":"GET /health","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"}},` +
		`{"name":"orders-get","description":"One order","inputSchema":{"additionalProperties":false,"properties":{"id":{"type":"integer"}},"required":["id"],"type":"object"}},` +
		`{"name":"orders-list","description":"Orders of a day.","inputSchema":{"additionalProperties":false,"properties":{"X-Shop":{"type":"string"},"day":{"format":"date","type":"string"},"offset":{"minimum":0,"type":"integer"},"status":{"description":"Which ones.","enum":["open","sent"],"type":"string"}},"type":"object"}}]`
	if string(got) != want {
		t.Errorf("tools\n%s\nwant\n%s", got, want)
	}
	if again := offerFor(s.registry, "owner", "guest"); again != o {
		t.Error("the same tools are another offer")
	}
	if guest := offerFor(s.registry, "guest"); len(guest.Tools()) != 0 || guest.Hash == o.Hash {
		t.Errorf("a guest is offered %v", guest.Tools())
	}
	if basket := s.registry.Find("api.get_basket"); basket == nil || basket.Note == "" {
		t.Error("an operation that needs a cookie has no note")
	}
	if replace := s.registry.Find("orders.replace"); string(replace.Input) != `{"additionalProperties":false,"properties":{"body":{"properties":{"id":{"type":"string"}},"type":"object"},"id":{"type":"integer"}},"required":["id"],"type":"object"}` {
		t.Errorf("parameters and body that collide: %s", replace.Input)
	}
	if create := s.registry.Find("orders.create"); !strings.Contains(string(create.Input), `"$defs":{"Part":`) || strings.Contains(string(create.Input), `"id"`) {
		t.Errorf("a schema that holds itself, and a read-only property: %s", create.Input)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"action", "router"} {
		s := newShop(t, config.AuthorityForward, map[string]config.Action{"orders.list": {Operation: "api.listOrders"}},
			func(o *tool.RegistryOptions) { o.GroupBy = group })
		o := offerFor(s.registry, "owner")
		tests := []struct{ wire, input, name, out, code string }{
			{"orders-list", `{"status":"open"}`, "orders.list", `{"status":"open"}`, ""},
			{"orders-list", `{"status":"gone"}`, "orders.list", "", "invalid_input"},
			{"orders-create", `{"item":"x"}`, "orders.create", "", "not_allowed_here"},
			{"orders.create", `{"item":"x"}`, "orders.create", "", "not_allowed_here"},
			{"drop_table", `{}`, "", "", "not_allowed_here"},
			{"", ``, "", "", "not_allowed_here"},
		}
		if group == "router" {
			tests = []struct{ wire, input, name, out, code string }{
				{"orders", `{"action":"list","input":{"status":"open"}}`, "orders.list", `{"status":"open"}`, ""},
				{"orders", `{"action":"list","status":"open"}`, "orders.list", `{"status":"open"}`, ""},
				{"orders", `{"action":"list","input":"{\"status\":\"open\"}"}`, "orders.list", `{"status":"open"}`, ""},
				{"orders", `{"action":"list"}`, "orders.list", `{}`, ""},
				{"orders", `{"action":"list","input":{"id":1}}`, "orders.list", "", "invalid_input"},
				{"orders", `{"action":"list","input":[1]}`, "orders.list", "", "invalid_input"},
				{"orders", `{"action":"create","input":{"item":"x"}}`, "orders.create", "", "not_allowed_here"},
				{"orders", `{"action":"nothing"}`, "", "", "invalid_input"},
				{"orders", `[]`, "", "", "invalid_input"},
				{"orders", `{"action":`, "", "", "invalid_input"},
				{"orders-list", `{}`, "orders.list", "", "not_allowed_here"},
			}
		}
		for _, test := range tests {
			d, out, refused := o.Resolve(test.wire, json.RawMessage(test.input))
			name, code := "", ""
			if d != nil {
				name = d.Name()
			}
			if refused != nil {
				code, out = refused.Code, nil
				if !json.Valid([]byte(refused.Envelope)) || refused.OK {
					t.Errorf("%s %s: %+v", test.wire, test.input, refused)
				}
			}
			if name != test.name || code != test.code || string(out) != test.out {
				t.Errorf("%s: %s %s is %q %q %s, want %q %q %s", group, test.wire, test.input, name, code, out, test.name, test.code, test.out)
			}
		}
	}
}

func TestOfferLimits(t *testing.T) {
	t.Parallel()
	s := newShop(t, config.AuthorityForward, map[string]config.Action{
		"orders.list": {Operation: "api.listOrders", OrgFlag: "beta", Needs: []string{"navigate"}, Scopes: []string{"orders"}},
	}, func(o *tool.RegistryOptions) { o.Surfaces = map[string][]string{"desk": {"orders.*"}} })
	has := func(a tool.Asker) bool {
		for _, d := range s.registry.Offer(a).Definitions() {
			if d.Name() == "orders.list" {
				return true
			}
		}
		return false
	}
	full := tool.Asker{
		Principal:    principal.Principal{Roles: []string{"owner"}, Features: []string{"beta"}, Scopes: []string{"orders"}},
		Capabilities: []string{"navigate"},
	}
	lacks := map[string]func(*tool.Asker){
		"flag":       func(a *tool.Asker) { a.Principal.Features = nil },
		"scope":      func(a *tool.Asker) { a.Principal.Scopes = nil },
		"role":       func(a *tool.Asker) { a.Principal.Roles = nil },
		"capability": func(a *tool.Asker) { a.Capabilities = nil },
		"channel":    func(a *tool.Asker) { a.Channel = "mcp" },
	}
	if !has(full) {
		t.Error("not offered to one who has all")
	}
	for what, take := range lacks {
		a := full
		take(&a)
		if has(a) {
			t.Errorf("offered without the %s", what)
		}
	}
	full.Surface = "desk"
	if got := len(s.registry.Offer(full).Definitions()); got != 2 {
		t.Errorf("the surface has %d tools, want the 2 reads of its router", got)
	}
}

// TestOfferStrict holds that a list is strict only where all of it fits the provider's limits.
func TestOfferStrict(t *testing.T) {
	t.Parallel()
	simple := tool.RawFunc("a.b", "B", json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"},"y":{"type":["string","null"]}},"required":["x"]}`), nil)
	ranged := tool.RawFunc("a.c", "C", json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}`), nil)
	for _, test := range []struct {
		limits    tool.StrictLimits
		functions []tool.Function
		want      bool
	}{
		{tool.StrictLimits{}, []tool.Function{simple}, false},
		{tool.StrictLimits{Tools: 20, Optional: 24, Unions: 16}, []tool.Function{simple}, true},
		{tool.StrictLimits{Tools: 20, Optional: 0, Unions: 16}, []tool.Function{simple}, false},
		{tool.StrictLimits{Tools: 20, Optional: 24, Unions: 0}, []tool.Function{simple}, false},
		{tool.StrictLimits{Tools: 20, Optional: 24, Unions: 16}, []tool.Function{simple, ranged}, false},
		{tool.StrictLimits{Tools: 1, Optional: 24, Unions: 16}, []tool.Function{simple, ranged}, false},
	} {
		source, err := tool.NewFunctions("f", test.functions...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{Strict: test.limits}, source)
		if err != nil {
			t.Fatal(err)
		}
		o := r.Offer(tool.Asker{})
		if o.Strict != test.want || o.Tools()[0].Strict != test.want {
			t.Errorf("%+v: strict %v", test.limits, o.Strict)
		}
	}
}

var wireName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestWireNames(t *testing.T) {
	t.Parallel()
	var functions []tool.Function
	long := strings.Repeat("x", 40)
	for _, name := range []string{"a_b.c", "a.b_c", long + "." + long + "_one", long + "." + long + "_two"} {
		functions = append(functions, tool.RawFunc(name, "S", json.RawMessage(`{"type":"object"}`), nil))
	}
	source, err := tool.NewFunctions("f", functions...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{GroupBy: "action"}, source)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, w := range r.Offer(tool.Asker{}).Tools() {
		if !wireName.MatchString(w.Name) || seen[w.Name] {
			t.Errorf("wire name %q", w.Name)
		}
		seen[w.Name] = true
		if d, _, refused := r.Offer(tool.Asker{}).Resolve(w.Name, nil); d == nil || refused != nil {
			t.Errorf("%q does not lead back", w.Name)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d names", len(seen))
	}
}

func TestRegistryFaults(t *testing.T) {
	t.Parallel()
	f := func(name string) tool.Function {
		return tool.RawFunc(name, "S", json.RawMessage(`{"type":"object"}`), nil)
	}
	one, err := tool.NewFunctions("one", f("a.b"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := tool.NewFunctions("two", f("a.b"), f("A.x"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.NewRegistry(t.Context(), tool.RegistryOptions{Surfaces: map[string][]string{"app": {"z.*"}}}, one, two)
	for _, want := range []string{"two tools are called a.b, of the sources one and two", "router.action", `no tool is called "z.*"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	for _, bad := range []tool.Function{f("nodot"), tool.RawFunc("a.b", "S", json.RawMessage(`[]`), nil), tool.RawFunc("a.b", "S", json.RawMessage(`{`), nil)} {
		if _, err := tool.NewFunctions("x", bad); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

func TestMergedArguments(t *testing.T) {
	t.Parallel()
	source, err := tool.NewFunctions("f",
		tool.RawFunc("a.one", "One.", json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer","description":"Of one."},"q":{"type":"string"}},"required":["q"]}`), nil),
		tool.RawFunc("a.two", "Two.", json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer","description":"Of two."},"q":{"type":"integer"}}}`), nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(t.Context(), tool.RegistryOptions{GroupBy: "router"}, source)
	if err != nil {
		t.Fatal(err)
	}
	w := r.Offer(tool.Asker{}).Tools()[0]
	want := `{"additionalProperties":false,"properties":{"action":{"enum":["one","two"],"type":"string"},"input":{"additionalProperties":false,"properties":{` +
		`"id":{"description":"one: Of one. two: Of two.","type":"integer"},"q":{"anyOf":[{"description":"for one","type":"string"},{"description":"for two","type":"integer"}]}},"type":"object"}},"required":["action"],"type":"object"}`
	if string(w.Input) != want || w.Description != "One action a call; put its arguments into input (? = may be left out).\none(q, id?): One.\ntwo(id?, q?): Two." {
		t.Errorf("%s\n%s", w.Description, w.Input)
	}
}

func ExampleFunc() {
	type input struct {
		City string `json:"city" jsonschema:"The city's name."`
	}
	type output struct {
		City    string `json:"city"`
		Degrees int    `json:"degrees"`
	}
	source, err := tool.NewFunctions("mine", tool.Func("weather.now", "The weather in a city.",
		func(_ context.Context, _ tool.Call, in input) (output, error) {
			return output{City: in.City, Degrees: 21}, nil
		}, tool.WithTrusted("/city")))
	if err != nil {
		fmt.Println(err)
		return
	}
	registry, err := tool.NewRegistry(context.Background(), tool.RegistryOptions{}, source)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, args, _ := registry.Offer(tool.Asker{}).Resolve("weather-now", json.RawMessage(`{"city": "Haifa"}`))
	result := tool.NewRunner(registry, nil).Run(context.Background(), tool.Call{ID: "1", Tool: d, Input: args}, tool.NewFence())
	fmt.Println(result.Envelope)
	// Output: {"status":"read","data":{"city":"Haifa","degrees":21}}
}
