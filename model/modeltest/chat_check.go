package modeltest

import (
	"net/http"
	"strings"
)

// chatProtocol is OpenAI's Chat Completions.
type chatProtocol struct{}

func (chatProtocol) wire() Wire { return WireChat }

func (chatProtocol) requestID() string { return "X-Request-Id" }

func (chatProtocol) encoder(a *answer) encoder { return chatEncoder{a} }

func (chatProtocol) local(f Fault) Fault { return openaiLocal(f) }

func (chatProtocol) fault(f Fault, _ string) []byte { return openaiFault(f) }

func (chatProtocol) authorize(h http.Header, key string, keyless bool) error {
	return openaiAuthorize(h, key, keyless)
}

var chatReader = openaiReader(chatFields, func(path string) error {
	if !strings.ContainsAny(path, ".[") {
		return refuseParam("unknown_field", "", "", "Unrecognized request argument supplied: %s", path)
	}
	return refuseParam("unknown_field", path, "unknown_parameter", "Unknown parameter: '%s'.", path)
})

func (chatProtocol) check(s *Server, req *Request, body map[string]any) error {
	c := &chatChecker{openaiChecker{checker: s.checker(chatReader, req)}}
	if err := c.named(body, s.cfg.Models); err != nil {
		return err
	}
	for _, part := range []func(map[string]any) error{
		c.keys, c.limits, c.thinking, c.sampled, c.streamed, c.tools, c.small, c.messages,
	} {
		if err := part(body); err != nil {
			return err
		}
	}
	return nil
}

// chatChecker accepts a request or says what the vendor refuses in it.
type chatChecker struct{ openaiChecker }

// kinds are a kind of object as OpenAI has it, and as the model's own house does.
func (c *chatChecker) kinds(kind string) []string {
	switch c.traits.house {
	case ofOpenRouter:
		return []string{kind, kind + ".openrouter"}
	case ofOthers:
		return []string{kind, kind + ".other"}
	case ofOpenAI:
	}
	return []string{kind}
}

func (c *chatChecker) keys(body map[string]any) error {
	_, err := c.object("", body, c.kinds("request")...)
	return err
}

func (c *chatChecker) limits(body map[string]any) error {
	_, old := body["max_tokens"]
	_, completion := body["max_completion_tokens"]
	switch {
	case old && completion:
		return refuseParam("max_tokens", "max_tokens", "invalid_parameter_combination", "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	case old && c.traits.fixed:
		return refuseParam("max_tokens", "max_tokens", "unsupported_parameter", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
	}
	if err := c.limit(body, "max_tokens", 1); err != nil {
		return err
	}
	if err := c.limit(body, "max_completion_tokens", 1); err != nil {
		return err
	}
	n, found, err := c.integer("", body, "n")
	if err == nil && found && n != 1 {
		return refuseParam("choices", "n", "invalid_value", "Invalid 'n': this server gives one choice.")
	}
	return err
}

func (c *chatChecker) thinking(body map[string]any) error {
	word, err := c.text("", body, "reasoning_effort")
	if err != nil {
		return err
	}
	if word != "" && !c.traits.reasons {
		return refuseParam("effort", "", "", "Unrecognized request argument supplied: reasoning_effort")
	}
	// OpenRouter's own way to ask for thought.
	if m, ok := body["reasoning"].(map[string]any); ok && word == "" {
		if word, err = c.text("reasoning", m, "effort"); err != nil {
			return err
		}
	}
	return c.effort("reasoning_effort", word)
}

func (c *chatChecker) sampled(body map[string]any) error {
	return c.sampling(body, true, "temperature", "top_p", "presence_penalty", "frequency_penalty")
}

func (c *chatChecker) streamed(body map[string]any) error {
	options, err := c.streams(body)
	if err != nil {
		return err
	}
	c.req.includeUsage, err = c.flag("stream_options", options, "include_usage")
	return err
}

func (c *chatChecker) tools(body map[string]any) error {
	if v, ok := body["tools"].([]any); ok && len(v) == 0 {
		return refuseParam("tools", "tools", "empty_array", "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	err := c.toolList(body, func(path string, m map[string]any) (string, map[string]any, error) {
		if _, err := c.object(path, m, "function_tool"); err != nil {
			return "", nil, err
		}
		path += ".function"
		v, ok := m["function"]
		if !ok {
			return "", nil, missing(path)
		}
		f, err := c.object(path, v, "function")
		return path, f, err
	})
	if err != nil {
		return err
	}
	if c.traits.noChatTools && c.req.Thinks && len(c.req.Tools) > 0 {
		return refuseParam("effort", "reasoning_effort", "", "Function tools with reasoning_effort are not supported for %s in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.", c.req.Model)
	}
	return c.choice(body, func(m map[string]any) (string, error) {
		if _, err := c.object("tool_choice", m, "tool_choice"); err != nil {
			return "", err
		}
		f, err := c.object("tool_choice.function", m["function"], "tool_choice.function")
		if err != nil {
			return "", err
		}
		return c.text("tool_choice.function", f, "name")
	})
}
