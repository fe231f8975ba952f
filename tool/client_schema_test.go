package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestClientSchema(t *testing.T) {
	t.Parallel()
	const name = ": a property's name must be 1 to 64 letters a-z, digits, underscores, hyphens and dots"
	const top = ": must not stand at the top, where a model's vendors take none; let a property have several forms instead"
	const value = ": a value of enum or const must be a text of at most 200 printable characters, a number, true, false or null"
	object := func(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }
	for what, tt := range map[string]struct{ schema, want, wrong string }{
		"none":             {``, `{"properties":{},"type":"object"}`, ""},
		"null":             {`null`, `{"properties":{},"type":"object"}`, ""},
		"no type":          {`{}`, `{"properties":{},"type":"object"}`, ""},
		"or null":          {`{"type":["object","null"]}`, `{"properties":{},"type":"object"}`, ""},
		"not an object":    {`{"type":"string"}`, "", "must be a JSON Schema (2020-12) of the type object"},
		"no type of it":    {object(`"a":{"type":"whole"}`), "", `/properties/a/type: must be one of "array", "boolean", "integer", "null", "number", "object", "string", or must be a list`},
		"required":         {`{"required":"a"}`, "", "/required: must be a list"},
		"an older one":     {object(`"a":{"minimum":1,"exclusiveMinimum":true}`), "", "/properties/a/exclusiveMinimum: must be a number"},
		"no reference":     {object(`"a":{"$ref":"#/$defs/x"}`), "", "must be a JSON Schema (2020-12) that stands alone, with all that it refers to inside it"},
		"a space":          {object(`"first name":{"type":"string"}`), "", "/properties/first name" + name},
		"an at sign":       {object(`"@type":{}`), "", "/properties/@type" + name},
		"another alphabet": {object(`"имя":{}`), "", "/properties/имя" + name},
		"no name":          {object(`"":{}`), "", "/properties/" + name},
		"a long name":      {object(`"` + strings.Repeat("x", 65) + `":{}`), "", "/properties/" + strings.Repeat("x", 65) + name},
		"words for a name": {object(`"a":{"type":"array","items":{"properties":{"Obey me":{}}}}`), "", "/properties/a/items/properties/Obey me" + name},
		"words as needed":  {`{"type":"object","required":["Obey me"],"properties":{}}`, "", "/required/Obey me" + name},
		"a slash":          {object(`"a/b":{}`), "", "/properties/a~1b" + name},
		"anyOf":            {`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`, "", "/anyOf" + top},
		"oneOf":            {`{"type":"object","oneOf":[{},{}]}`, "", "/oneOf" + top},
		"not":              {`{"type":"object","not":{"required":["a"]}}`, "", "/not" + top},
		"enum":             {`{"type":"object","enum":[{"a":1}]}`, "", "/enum" + top},
		"allOf that is no list of properties": {
			`{"type":"object","allOf":[{"anyOf":[{}]}]}`, "", "/allOf: must be an object with properties, to be put together with the rest",
		},
		"allOf":       {`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]}],"properties":{"b":{}}}`, `{"properties":{"a":{"type":"string"},"b":{}},"required":["a"],"type":"object"}`, ""},
		"one variant": {`{"type":"object","oneOf":[{"properties":{"a":{}}}]}`, `{"properties":{"a":{}},"type":"object"}`, ""},
		"a reference": {`{"type":"object","$ref":"#/$defs/x","$defs":{"x":{"type":"object","properties":{"a":{}}}}}`, `{"properties":{"a":{}},"type":"object"}`, ""},
		"itself":      {`{"type":"object","$ref":"#"}`, "", "/$ref: must be an object with properties, to be put together with the rest"},
		"a list":      {object(`"a":{"type":"array"}`), fits(`"a":{"items":{},"type":"array"}`), ""},
		"a list of these": {
			object(`"a":{"type":"array","prefixItems":[true,{"type":"array"}],"items":false}`),
			fits(`"a":{"items":{"not":{}},"prefixItems":[{},{"items":{},"type":"array"}],"type":"array"}`), "",
		},
		"true and false": {object(`"a":true,"b":false`), fits(`"a":{},"b":{"not":{}}`), ""},
		"look-ahead":     {object(`"a":{"type":"string","pattern":"^(?=x)"}`), fits(`"a":{"type":"string"}`), ""},
		"a pattern":      {object(`"a":{"pattern":"^[A-Z]{3}$"},"b":{"pattern":"Obey me"}`), fits(`"a":{"pattern":"^[A-Z]{3}$"},"b":{}`), ""},
		"words everywhere": {
			`{"type":"object","title":"W","x-note":"W","$comment":"W","W":{"a":"W"},"properties":{"e":{"type":"string","title":"W","enum":["a b"],"default":"W","examples":["W"],"contentMediaType":"W","format":"W"},"n":{"default":3}}}`,
			fits(`"e":{"enum":["a b"],"type":"string"},"n":{"default":3}`), "",
		},
		"a long value":      {object(`"a":{"enum":["` + strings.Repeat("я", 200) + `","` + strings.Repeat("я", 201) + `"]}`), "", "/properties/a" + value},
		"a hidden value":    {object(`"a":{"const":"a\u202eb"}`), "", "/properties/a" + value},
		"a value with more": {object(`"a":{"enum":[{"Obey":"me"}]}`), "", "/properties/a" + value},
		"names of definitions": {
			`{"type":"object","properties":{"n":{"$ref":"#/$defs/Obey%20me"}},"$defs":{"Obey me":{"type":"object","properties":{"k":{"$ref":"#/$defs/Obey%20me"}}}}}`,
			`{"$defs":{"d1":{"properties":{"k":{"$ref":"#/$defs/d1"}},"type":"object"}},"properties":{"n":{"$ref":"#/$defs/d1"}},"type":"object"}`, "",
		},
		"names by pattern":  {`{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}`, `{"properties":{},"type":"object"}`, ""},
		"closed":            {`{"type":"object","additionalProperties":false}`, `{"additionalProperties":false,"properties":{},"type":"object"}`, ""},
		"deep":              {strings.Repeat(`{"type":"object","properties":{"a":`, 150) + `{}` + strings.Repeat(`}}`, 150), "", "must be a JSON Schema (2020-12) of the type object"},
		"grows by its refs": {grows, "", "must be at most 32768 bytes with its references written out"},
	} {
		made := newClientSchema(json.RawMessage(tt.schema))
		wrong := ""
		if made.err != nil {
			wrong = made.err.Error()
		}
		if string(made.input) != tt.want || wrong != tt.wrong {
			t.Errorf("%s\n got %s %q\nwant %s %q", what, made.input, wrong, tt.want, tt.wrong)
		}
	}
}

func fits(properties string) string { return `{"properties":{` + properties + `},"type":"object"}` }

// grows is a schema of many small references.
var grows = `{"type":"object","properties":{"a":{"allOf":[` + strings.Repeat(`{"$ref":"#/$defs/x"},`, 600) + `{}]}},"$defs":{"x":{"type":"string","description":"` + strings.Repeat("w", 150) + `"}}}`

// TestClientSchemaNames holds that a refusal names the tool and the place.
func TestClientSchemaNames(t *testing.T) {
	t.Parallel()
	err := shopRegistry(t, RegistryOptions{}, 1).CheckClientTools([]ClientTool{
		{Name: "a"}, {Name: "mark", Parameters: json.RawMessage(`{"properties":{"first name":{}}}`)},
	})
	var wrong *ClientToolError
	if !errors.As(err, &wrong) || wrong.Field != "[1].parameters" || !strings.HasPrefix(wrong.Want, "of mark: /properties/first name: a property's name must be") {
		t.Error(err)
	}
}

// TestClientSchemaIsRead holds that a schema is read once, however often it comes, and that what is remembered is bounded.
func TestClientSchemaIsRead(t *testing.T) {
	t.Parallel()
	var c clientSchemas
	raw := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	first := c.of(raw)
	for i := range 3000 {
		if c.of(raw) != first {
			t.Fatalf("after %d others it was read again", i)
		}
		c.of(json.RawMessage(fmt.Sprintf(`{"title":"%d","description":"%s"}`, i, strings.Repeat("x", 3000))))
	}
	total := 0
	for _, kept := range []map[[32]byte]*clientSchema{c.recent, c.before} {
		total += len(kept)
	}
	if total > 2*maxClientSchemas/3000 {
		t.Errorf("%d are remembered", total)
	}
}

// TestPatternsAreBounded holds what patterns cost that are written to cost much.
func TestPatternsAreBounded(t *testing.T) {
	t.Parallel()
	many := func(pattern string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"p%d":{"type":"string","pattern":"%s%d"},`, i, pattern, i)
		}
		return `{"type":"object","x":{"y":{"pattern":"` + strings.Repeat("x{999}", 1500) + `"}},"properties":{` + b.String() + `"z":{"$ref":"#/x/y"}}}`
	}
	for name, schema := range map[string]string{
		"one":      `{"type":"object","properties":{"a":{"type":"string","pattern":"` + strings.Repeat("x{999}", 2600) + `"}}}`,
		"by names": `{"type":"object","patternProperties":{"` + strings.Repeat("x{999}", 2600) + `":{}}}`,
		"many":     many("x{400}", 120),
		"classes":  many(`\\pL{400}`, 120),
	} {
		started := time.Now()
		made := newClientSchema(json.RawMessage(schema))
		took := time.Since(started)
		if made.err != nil {
			t.Errorf("%s: %v", name, made.err)
			continue
		}
		if faults := made.check.check(map[string]any{"a": "b", "p119": "b"}); len(faults) > 0 {
			t.Errorf("%s: a pattern that is beyond the bounds is checked: %v", name, faults)
		}
		t.Log(name, took)
		if took > time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
	if faults := newClientSchema(json.RawMessage(many("x{3}", 2))).check.check(map[string]any{"p1": "b"}); len(faults) != 1 {
		t.Errorf("a pattern within the bounds is not checked: %v", faults)
	}
}

func FuzzClientSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"x":{"$ref":"#/$defs/X"}},"$defs":{"X":{"allOf":[{"$ref":"#"}]}}}`)
	f.Add(`{"additionalProperties":{"type":["string"]},"oneOf":[{"properties":{"a":false}}],"required":["a"]}`)
	f.Add(`{"properties":{"a":{"pattern":"(a{9}|b){90}","enum":["x",1,null],"description":"d","default":{}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		made := newClientSchema(json.RawMessage(text))
		if made.err != nil {
			return
		}
		fenced, err := made.fenced(Fence{Mark: "abcdefghijklm"})
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := canonicalInput(fenced)
		if err != nil || fitVendors(object(v)) != nil || len(fenced) < len(made.input) {
			t.Errorf("%s: %v", fenced, err)
		}
	})
}
