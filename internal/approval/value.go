package approval

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// Value is one thing on a card, to be written in the reader's language.
type Value struct {
	// Kind says how: name, text, time, date, money, count, yes_no.
	Kind string `json:"kind"`
	// Value is the thing: a text, RFC 3339, a day, a whole number of minor units, a number, true or false.
	Value string `json:"value"`
	// Currency is an ISO 4217 code; of money only.
	Currency string `json:"currency,omitempty"`
}

// maxName is how many characters of a name are shown.
const maxName = 120

// valueOf makes a value of what JSON holds; nil where there is nothing to show. Without as, what it looks like decides.
func valueOf(v any, as, currency string) *Value {
	text := tool.Scalar(v)
	if text == "" {
		return nil
	}
	if as == "" {
		as = looks(v)
	}
	out := &Value{Kind: as, Value: text}
	switch as {
	case "money":
		out.Currency = currency
	case "text":
		out.Value = tool.Clean(text)
	case "name":
		out.Value = name(text)
	}
	return out
}

// name keeps a text of others on one line, without what no person sees, and short.
func name(s string) string {
	s = strings.Join(strings.Fields(tool.Clean(s)), " ")
	if r := []rune(s); len(r) > maxName {
		return string(r[:maxName-1]) + "…"
	}
	return s
}

// looks tells how a value is to be written that the host's file says nothing of.
func looks(v any) string {
	switch x := v.(type) {
	case bool:
		return "yes_no"
	case json.Number:
		return "count"
	case string:
		if _, err := time.Parse(time.RFC3339, x); err == nil {
			return "time"
		}
		if _, err := time.Parse(time.DateOnly, x); err == nil {
			return "date"
		}
	}
	return "name"
}

// shown gives a row's value, in the words of the host's file where it has them: those are looked up by whoever draws it.
func shown(roots map[string]any, v config.CardValue, pointer string) *Value {
	if pointer == "" {
		return nil
	}
	currency := v.Currency
	if strings.HasPrefix(currency, "/") {
		currency = tool.Scalar(tool.First(roots, currency))
	}
	found := tool.At(roots, pointer)
	if n := count(found); v.As == "count" && n != nil {
		return &Value{Kind: "count", Value: strconv.FormatInt(*n, 10)}
	}
	if len(found) == 1 {
		if items, isList := found[0].([]any); isList {
			found = items
		}
	}
	var parts []string
	var one any
	for _, f := range found {
		if s := tool.Scalar(f); s != "" && !slices.Contains(parts, s) {
			parts, one = append(parts, s), f
		}
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return valueOf(one, v.As, currency)
	}
	return valueOf(strings.Join(parts, ", "), "text", "")
}

// values gives what pointers lead to, in their order, less what is not there.
func values(v any, pointers []string) []Value {
	var out []Value
	for _, p := range pointers {
		for _, found := range tool.At(v, p) {
			if made := valueOf(found, "", ""); made != nil {
				out = append(out, *made)
			}
		}
	}
	return out
}

// count gives a number as it is and a list's length; nil where nothing is there or the product does not know it.
func count(found []any) *int64 {
	if len(found) == 0 {
		return nil
	}
	n := int64(len(found))
	if len(found) == 1 {
		switch x := found[0].(type) {
		case nil:
			return nil
		case json.Number:
			i, err := x.Int64()
			if err != nil {
				return nil
			}
			n = i
		case []any:
			n = int64(len(x))
		}
	}
	return &n
}
