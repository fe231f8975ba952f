package modeltest

import (
	"net/http"
	"strconv"
	"strings"
)

// checker accepts a request or says what the vendor refuses in it.
type checker struct {
	sign     signer
	anyOrder bool
	// paused reports whether a text is that of a reply which this server ended with pause_turn.
	paused func(text string) bool
	able   abilities
	req    *Request
	marks  []string // the lives of the cache marks, in order
}

func (c *checker) check(body map[string]any) error {
	if _, err := object("", "request", body); err != nil {
		return err
	}
	for _, part := range []func(map[string]any) error{
		c.model, c.switches, c.thinking, c.system, c.tools, c.choice, c.messages, c.cacheMarks,
	} {
		if err := part(body); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) model(body map[string]any) error {
	name, err := text("", body, "model")
	if err != nil {
		return err
	}
	if name == "" {
		return refuse("model", "model: Field required")
	}
	if !modelPattern.MatchString(name) {
		return &refusalError{Fault{Status: http.StatusNotFound, Type: "not_found_error", Message: "model: " + name}, "model"}
	}
	c.able = modelAbilities(name)
	c.req.Model = name
	n, found, err := whole("", body, "max_tokens")
	switch {
	case err != nil:
		return err
	case !found:
		return refuse("max_tokens", "max_tokens: Field required")
	case n < 1:
		return refuse("max_tokens", "max_tokens: must be greater than or equal to 1")
	case n > c.able.ceiling:
		return refuse("max_tokens", "max_tokens: %d > %d, which is the maximum allowed number of output tokens for %s", n, c.able.ceiling, name)
	}
	c.req.MaxTokens = n
	return nil
}

// switches takes the small optional parts.
func (c *checker) switches(body map[string]any) (err error) {
	if c.req.Stream, err = flag("", body, "stream"); err != nil {
		return err
	}
	if m, ok := body["metadata"]; ok {
		if _, err := object("metadata", "metadata", m); err != nil {
			return err
		}
	}
	if v, ok := body["cache_control"]; ok {
		return c.mark("cache_control", v)
	}
	return nil
}

func (c *checker) thinking(body map[string]any) error {
	c.req.Thinks = c.able.unasked
	if v, ok := body["thinking"]; ok {
		m, ok := v.(map[string]any)
		if !ok {
			return refuse("thinking", "thinking: Input should be a valid dictionary")
		}
		kind, _ := m["type"].(string) // another type is no known kind
		if fields["thinking."+kind] == nil {
			return refuse("thinking", "thinking: Input tag found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'")
		}
		if _, err := object("thinking", "thinking."+kind, m); err != nil {
			return err
		}
		able := map[string]bool{"adaptive": c.able.adaptive, "enabled": c.able.budget, "disabled": c.able.disable}
		if !able[kind] {
			return refuse("thinking", "\"thinking.type.%s\" is not supported for this model", kind)
		}
		if kind == "enabled" {
			n, found, err := whole("thinking", m, "budget_tokens")
			if err != nil {
				return err
			}
			if !found || n < 1024 || n >= c.req.MaxTokens {
				return refuse("thinking", "thinking.enabled.budget_tokens: must be at least 1024 and less than max_tokens")
			}
		}
		c.req.Thinks = kind != "disabled"
	}
	v, ok := body["output_config"]
	if !ok {
		return nil
	}
	m, err := object("output_config", "output_config", v)
	if err != nil {
		return err
	}
	effort, err := text("output_config", m, "effort")
	if err != nil || effort == "" {
		return err
	}
	if !c.able.effort {
		return refuse("effort", "This model does not support the effort parameter.")
	}
	if !set("low medium high xhigh max")[effort] {
		return refuse("effort", "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
	}
	c.req.Effort = effort
	return nil
}

func (c *checker) system(body map[string]any) error {
	v, ok := body["system"]
	if !ok {
		return nil
	}
	if s, ok := v.(string); ok {
		c.req.System = []string{s}
		return nil
	}
	blocks, err := list("", body, "system")
	if err != nil {
		return err
	}
	for i, b := range blocks {
		p, err := c.part("system."+strconv.Itoa(i), "system", b)
		if err != nil {
			return err
		}
		c.req.System = append(c.req.System, p.Text)
	}
	return nil
}

// mark takes a cache_control.
func (c *checker) mark(path string, v any) error {
	if v == nil {
		return nil
	}
	m, err := object(path, "cache_control", v)
	if err != nil {
		return err
	}
	if m["type"] != "ephemeral" {
		return refuse("cache_control", "%s.type: Input should be 'ephemeral'", path)
	}
	life, err := text(path, m, "ttl")
	if err != nil {
		return err
	}
	if life == "" {
		life = "5m"
	}
	if life != "5m" && life != "1h" {
		return refuse("cache_control", "%s.ephemeral.ttl: Input should be '5m' or '1h'", path)
	}
	c.marks = append(c.marks, life)
	return nil
}

func (c *checker) cacheMarks(map[string]any) error {
	if n := len(c.marks); n > 4 {
		return refuse("cache_marks", "A maximum of 4 blocks with cache_control may be provided. Found %d.", n)
	}
	if strings.Contains(strings.Join(c.marks, " "), "5m 1h") {
		return refuse("cache_marks", "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block")
	}
	return nil
}
