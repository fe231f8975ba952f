package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

var slot = regexp.MustCompile(`\{([^{}:]+)(?::([^{}]*))?\}`)

// asks holds each phrase's slots against the tool's arguments.
func (c *checker) asks(d *tool.Definition, a config.Action, path string) {
	for locale, phrases := range a.Asks {
		for i, phrase := range phrases {
			at := fmt.Sprintf("%s[%d]", config.Path(path+".asks", locale), i)
			var filled []string
			for _, m := range slot.FindAllStringSubmatch(phrase, -1) {
				if filled = append(filled, m[1]); !d.HasArgument(m[1]) {
					c.fault(at, "{%s} is no parameter of %s", m[1], d.Operation)
				}
			}
			for _, inside := range c.unfilled(d, phrase) {
				c.warn(at, "{%s} is free text, which the guide fills from no question, so this phrase never runs: a slot is a date, a time, a month, a number, true or false, one of an enum, or a name that entities looks up, as {%s:%s}",
					inside, inside, c.anEntity())
			}
			for _, required := range d.RequiredArguments() {
				if !slices.Contains(filled, required) {
					c.fault(at, "lacks {%s}, which %s cannot be called without", required, d.Operation)
				}
			}
		}
	}
}

// unfilled gives the slots of a phrase that the guide fills from no question, although they are parameters.
func (c *checker) unfilled(d *tool.Definition, phrase string) []string {
	if len(c.guide.Unusable(asking(d, phrase))) == 0 {
		return nil
	}
	var out []string
	for _, m := range slot.FindAllStringSubmatch(phrase, -1) {
		alone := slot.ReplaceAllStringFunc(phrase, func(other string) string {
			if other == m[0] {
				return other
			}
			return " "
		})
		if m[2] == "" && d.HasArgument(m[1]) && !slices.Contains(out, m[1]) && len(c.guide.Unusable(asking(d, alone))) > 0 {
			out = append(out, m[1])
		}
	}
	return out
}

// asking is a definition with one phrase and with no argument required: what a phrase lacks is told by itself.
func asking(d *tool.Definition, phrase string) *tool.Definition {
	out := *d
	out.Asks = map[string][]string{"": {phrase}}
	var schema map[string]json.RawMessage
	if json.Unmarshal(d.Input, &schema) == nil {
		delete(schema, "required")
		if input, err := json.Marshal(schema); err == nil {
			out.Input = input
		}
	}
	return &out
}

// anEntity is the name of an entity of the file, or one that there could be.
func (c *checker) anEntity() string {
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Entities)) {
		return name
	}
	return "member"
}
