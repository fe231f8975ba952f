package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestRegistryHoldsSchemasToTheVendors holds that a source of any kind is held to what vendors take: its schemas are made
// fit where that changes nothing, and its tool is told of and not offered where it would.
func TestRegistryHoldsSchemasToTheVendors(t *testing.T) {
	t.Parallel()
	run := func(context.Context, Call) (json.RawMessage, error) { return nil, nil }
	source, err := NewFunctions("go",
		RawFunc("shop.list", "Lists.", json.RawMessage(`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"object","properties":{"c":{"type":["null","array"]}}}}}`), run),
		RawFunc("shop.either", "Either.", json.RawMessage(`{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`), run),
		RawFunc("shop.spaced", "Spaced.", json.RawMessage(`{"type":"object","properties":{"first name":{}}}`), run),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRegistry(t.Context(), RegistryOptions{}, source)
	if r == nil || err == nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"tools.actions[shop.either]: cannot be called: its input schema: /anyOf: must not stand at the top",
		"tools.actions[shop.spaced]: cannot be called: its input schema: /properties/first name: a property's name must be",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("lacks %q:\n%v", want, err)
		}
	}
	const fit = `{"additionalProperties":false,"properties":{"a":{"items":{},"type":"array"},"b":{"properties":{"c":{"items":{},"type":["array","null"]}},"type":"object"}},"type":"object"}`
	if got := r.Find("shop.list"); strings.Replace(string(got.Input), `["null","array"]`, `["array","null"]`, 1) != fit {
		t.Errorf("%s", got.Input)
	}
	if offered := r.Offer(Asker{}).Tools(); len(offered) != 1 || offered[0].Name != "shop-list" {
		t.Errorf("%v", offered)
	}
	if _, err := r.Validate(r.Find("shop.list"), json.RawMessage(`{"a":[1,"b"]}`)); err != nil {
		t.Error(err)
	}
}
