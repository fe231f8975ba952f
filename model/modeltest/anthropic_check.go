package modeltest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// messagesProtocol is Anthropic's Messages API.
type messagesProtocol struct{}

func (messagesProtocol) wire() Wire { return WireMessages }

func (messagesProtocol) requestID() string { return "Request-Id" }

func (messagesProtocol) encoder(a *answer) encoder { return messagesEncoder{a} }

func (messagesProtocol) local(f Fault) Fault { return f }

func (messagesProtocol) fault(f Fault, requestID string) []byte {
	return []byte(`{"type":"error","error":{"type":` + quote(f.Type) + `,"message":` + quote(f.Message) + `},"request_id":` + quote(requestID) + `}`)
}

func (messagesProtocol) authorize(h http.Header, key string, keyless bool) error {
	given := h.Get("X-Api-Key")
	if given == "" {
		given, _ = strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	}
	switch version := h.Get("Anthropic-Version"); {
	case given == "" && !keyless:
		return &refusalError{Fault{Status: http.StatusUnauthorized, Type: "authentication_error", Message: "x-api-key header is required"}, "key"}
	case key != "" && given != key:
		return &refusalError{Fault{Status: http.StatusUnauthorized, Type: "authentication_error", Message: "invalid x-api-key"}, "key"}
	case version == "":
		return refuse("version", "anthropic-version: header is required")
	case version != "2023-06-01" && version != "2026-10-21":
		return refuse("version", "anthropic-version: %q is not a valid version", version)
	}
	return nil
}

func (messagesProtocol) check(s *Server, req *Request, body map[string]any) error {
	c := &messagesChecker{checker: s.checker(messagesReader, req), paused: s.isPaused, models: s.cfg.Models}
	return c.check(body)
}

// messagesChecker accepts a request or says what Anthropic refuses in it.
type messagesChecker struct {
	checker
	models []string
	// paused reports whether a text is that of a reply which this server ended with pause_turn.
	paused func(text string) bool
	able   abilities
	marks  []string // the lives of the cache marks, in order
}

func (c *messagesChecker) check(body map[string]any) error {
	if _, err := c.object("", body, "request"); err != nil {
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

func (c *messagesChecker) model(body map[string]any) error {
	name, err := c.text("", body, "model")
	if err != nil {
		return err
	}
	if name == "" {
		return refuse("model", "model: Field required")
	}
	if !modelPattern.MatchString(name) || c.models != nil && !slices.Contains(c.models, name) {
		return &refusalError{Fault{Status: http.StatusNotFound, Type: "not_found_error", Message: "model: " + name}, "model"}
	}
	c.able = modelAbilities(name)
	c.req.Model = name
	n, found, err := c.integer("", body, "max_tokens")
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
func (c *messagesChecker) switches(body map[string]any) (err error) {
	if c.req.Stream, err = c.flag("", body, "stream"); err != nil {
		return err
	}
	if m, ok := body["metadata"]; ok {
		if _, err := c.object("metadata", m, "metadata"); err != nil {
			return err
		}
	}
	if v, ok := body["cache_control"]; ok {
		return c.mark("cache_control", v)
	}
	return nil
}

func (c *messagesChecker) thinking(body map[string]any) error {
	c.req.Thinks = c.able.unasked
	if v, ok := body["thinking"]; ok {
		m, ok := v.(map[string]any)
		if !ok {
			return refuse("thinking", "thinking: Input should be a valid dictionary")
		}
		kind, _ := m["type"].(string) // another type is no known kind
		if messagesFields["thinking."+kind] == nil {
			return refuse("thinking", "thinking: Input tag found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'")
		}
		if _, err := c.object("thinking", m, "thinking."+kind); err != nil {
			return err
		}
		able := map[string]bool{"adaptive": c.able.adaptive, "enabled": c.able.budget, "disabled": c.able.disable}
		if !able[kind] {
			return refuse("thinking", "\"thinking.type.%s\" is not supported for this model", kind)
		}
		if kind == "enabled" {
			n, found, err := c.integer("thinking", m, "budget_tokens")
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
	m, err := c.object("output_config", v, "output_config")
	if err != nil {
		return err
	}
	effort, err := c.text("output_config", m, "effort")
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

func (c *messagesChecker) system(body map[string]any) error {
	v, ok := body["system"]
	if !ok {
		return nil
	}
	if s, ok := v.(string); ok {
		c.req.System = []string{s}
		return nil
	}
	blocks, err := c.list("", body, "system")
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
func (c *messagesChecker) mark(path string, v any) error {
	if v == nil {
		return nil
	}
	m, err := c.object(path, v, "cache_control")
	if err != nil {
		return err
	}
	if m["type"] != "ephemeral" {
		return refuse("cache_control", "%s.type: Input should be 'ephemeral'", path)
	}
	life, err := c.text(path, m, "ttl")
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

func (c *messagesChecker) cacheMarks(map[string]any) error {
	if n := len(c.marks); n > 4 {
		return refuse("cache_marks", "A maximum of 4 blocks with cache_control may be provided. Found %d.", n)
	}
	if strings.Contains(strings.Join(c.marks, " "), "5m 1h") {
		return refuse("cache_marks", "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block")
	}
	return nil
}
