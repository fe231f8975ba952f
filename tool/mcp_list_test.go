package tool

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func schema(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMCPInput(t *testing.T) {
	t.Parallel()
	const none = `{"additionalProperties":false,"properties":{},"type":"object"}`
	for _, c := range []struct{ schema, input, note string }{
		{`{"type":"object"}`, none, ""},
		{
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"number","description":"A\u202e\udb40\udc41 number"}},"required":["a"],"additionalProperties":true}`,
			`{"properties":{"a":{"description":"A number","type":"number"}},"required":["a"],"type":"object"}`, "",
		},
		{
			`{"type":"object","properties":{"x":{"$ref":"#/definitions/X"}},"definitions":{"X":{"type":"string","enum":["a","b"]}}}`,
			`{"additionalProperties":false,"properties":{"x":{"enum":["a","b"],"type":"string"}},"type":"object"}`, "",
		},
		{`{"type":"object","properties":{"x":{"$ref":"https://elsewhere.example/x.json"}}}`, `{"additionalProperties":false,"properties":{"x":{}},"type":"object"}`, ""},
		{`null`, none, "its input schema: must be a JSON Schema (2020-12) of the type object"},
		{`{"type":"string"}`, none, "its input schema: must be a JSON Schema (2020-12) of the type object"},
		{`{"type":"object","properties":{"first name":{}}}`, none, "its input schema: /properties/first name: a property's name must be 1 to 64 letters a-z, digits, underscores, hyphens and dots"},
		{
			`{"type":"object","properties":{"a":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, none,
			"its input schema: /oneOf: must not stand at the top, where a model's vendors take none; let a property have several forms instead",
		},
		{
			`{"type":"object","$ref":"#/$defs/X","allOf":[{"properties":{"b":{"type":["array","null"]}},"required":["b"]}],"$defs":{"X":{"type":"object","properties":{"a":{"type":"array"},"c":false}}}}`,
			`{"additionalProperties":false,"properties":{"a":{"items":{},"type":"array"},"b":{"items":{},"type":["array","null"]},"c":{"not":{}}},"required":["b"],"type":"object"}`, "",
		},
		{`{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}`, `{"properties":{},"type":"object"}`, ""},
		{
			`{"type":"object","properties":{"a":{"type":"string","pattern":"` + strings.Repeat("x{999}", 2600) + `"},"b":{"pattern":"(xx){999}"},"c":{"pattern":"^[a-z]{1,64}$"},"d":{"pattern":"` + strings.Repeat("x", maxPattern+1) + `"}}}`,
			`{"additionalProperties":false,"properties":{"a":{"type":"string"},"b":{},"c":{"pattern":"^[a-z]{1,64}$"},"d":{}},"type":"object"}`, "",
		},
		{`{"type":"object","description":"` + strings.Repeat("x", maxMCPSchema) + `"}`, none, "its input schema: must be at most 65536 bytes"},
	} {
		input, note := mcpInput(schema(t, c.schema))
		if string(input) != c.input || note != c.note {
			t.Errorf("%s\n got %s, %q\nwant %s, %q", cutText(c.schema, 100), input, note, c.input, c.note)
		}
	}
}

// TestMCPInputStaysSmall holds that a schema whose definitions use each other twice does not grow with every step.
func TestMCPInputStaysSmall(t *testing.T) {
	t.Parallel()
	var defs []string
	for i := range 60 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
	}
	done := make(chan int, 1)
	go func() {
		input, _ := mcpInput(schema(t, `{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":{`+strings.Join(defs, ",")+`,"d60":{"type":"string"}}}`))
		done <- len(input)
	}()
	select {
	case n := <-done:
		if n > maxMCPSchema {
			t.Errorf("%d bytes", n)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it grows without end")
	}
}

func TestPinTools(t *testing.T) {
	t.Parallel()
	a := &mcp.Tool{Name: "a", Description: "A", InputSchema: schema(t, `{"type":"object","properties":{"x":{},"y":{}}}`)}
	b := &mcp.Tool{Name: "b", InputSchema: schema(t, `{"type":"object"}`)}
	whole, each := pinTools([]*mcp.Tool{a, b})
	for name, list := range map[string][]*mcp.Tool{
		"order": {b, a}, "keys": {{Name: "a", Description: "A", InputSchema: schema(t, `{"properties":{"y":{},"x":{}},"type":"object"}`)}, b},
		"what is not used": {{Name: "a", Description: "A", Title: "T", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, InputSchema: a.InputSchema}, b},
	} {
		if got, _ := pinTools(list); got != whole {
			t.Errorf("%s changes the pin", name)
		}
	}
	for name, list := range map[string][]*mcp.Tool{
		"one fewer": {a}, "a description": {{Name: "a", Description: "B", InputSchema: a.InputSchema}, b}, "a schema": {{Name: "a", Description: "A", InputSchema: b.InputSchema}, b},
	} {
		got, now := pinTools(list)
		if got == whole || now["b"] != each["b"] && name != "one fewer" {
			t.Errorf("%s: the pin is %s, that of b %s", name, got, now["b"])
		}
	}
	if whole != "4cc666ad2dbd820d18b7fd6e77ffdcec055d9752d9194de1c866e1e1d083df97" {
		t.Errorf("the pin of the same list has changed: %s", whole)
	}
}

func FuzzMCPInput(f *testing.F) {
	f.Add(`{"type":"object","properties":{"x":{"$ref":"#/$defs/X"}},"$defs":{"X":{"allOf":[{"$ref":"#"}]}}}`)
	f.Add(`{"type":"object","additionalProperties":{"type":["string",null]},"oneOf":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		input, note := mcpInput(v)
		if !json.Valid(input) || note == "" && !strings.Contains(string(input), `"type":"object"`) {
			t.Errorf("%s, %q", input, note)
		}
	})
}
