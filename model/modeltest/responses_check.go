package modeltest

import (
	"net/http"
	"strings"
)

// responsesProtocol is OpenAI's Responses API.
type responsesProtocol struct{}

func (responsesProtocol) wire() Wire { return WireResponses }

func (responsesProtocol) requestID() string { return "X-Request-Id" }

func (responsesProtocol) encoder(a *answer) encoder { return &responsesEncoder{answer: a} }

func (responsesProtocol) local(f Fault) Fault { return openaiLocal(f) }

func (responsesProtocol) fault(f Fault, _ string) []byte { return openaiFault(f) }

func (responsesProtocol) authorize(h http.Header, key string, keyless bool) error {
	return openaiAuthorize(h, key, keyless)
}

// moved are the names that parameters have on the Chat wire.
var moved = map[string]string{
	"messages": "input", "max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens",
	"reasoning_effort": "reasoning.effort", "response_format": "text.format", "verbosity": "text.verbosity",
}

var responsesReader = openaiReader(responsesFields, func(path string) error {
	if to, ok := moved[path]; ok {
		return refuseParam("unknown_field", "", "unsupported_parameter", "Unsupported parameter: '%s'. In the Responses API, this parameter has moved to '%s'.", path, to)
	}
	return refuseParam("unknown_field", path, "unknown_parameter", "Unknown parameter: '%s'.", path)
})

func (responsesProtocol) check(s *Server, req *Request, body map[string]any) error {
	c := &responsesChecker{openaiChecker: openaiChecker{checker: s.checker(responsesReader, req)}}
	if err := c.named(body, s.cfg.Models); err != nil {
		return err
	}
	for _, part := range []func(map[string]any) error{
		c.keys, c.limits, c.thinking, c.sampled, c.streamed, c.tools, c.small, c.include, c.instructed, c.input,
	} {
		if err := part(body); err != nil {
			return err
		}
	}
	c.req.echo = body
	return nil
}

// responsesChecker accepts a request or says what OpenAI refuses in it.
type responsesChecker struct {
	openaiChecker
	items []item
}

func (c *responsesChecker) keys(body map[string]any) error {
	if _, err := c.object("", body, "request"); err != nil {
		return err
	}
	id, err := c.text("", body, "previous_response_id")
	if err != nil {
		return err
	}
	if id != "" {
		return refuseParam("previous_response", "previous_response_id", "previous_response_not_found", "Previous response with id '%s' not found.", id)
	}
	c.req.stored = true
	if _, ok := body["store"]; ok {
		c.req.stored, err = c.flag("", body, "store")
	}
	return err
}

func (c *responsesChecker) limits(body map[string]any) error {
	if _, _, err := c.integer("", body, "max_tool_calls"); err != nil {
		return err
	}
	return c.limit(body, "max_output_tokens", 16)
}

func (c *responsesChecker) thinking(body map[string]any) error {
	m := map[string]any{}
	if v, ok := body["reasoning"]; ok {
		var err error
		if m, err = c.object("reasoning", v, "reasoning"); err != nil {
			return err
		}
	}
	summary, err := c.text("reasoning", m, "summary")
	switch {
	case err != nil:
		return err
	case summary != "" && !set("auto concise detailed")[summary]:
		return invalidValue("effort", "reasoning.summary", summary, "'auto', 'concise', and 'detailed'")
	case summary != "" && !c.traits.reasons:
		return refuseParam("effort", "reasoning.summary", "unsupported_parameter", "Unsupported parameter: 'reasoning.summary' is not supported with this model.")
	}
	c.req.summary = summary != ""
	word, err := c.text("reasoning", m, "effort")
	if err != nil {
		return err
	}
	return c.effort("reasoning.effort", word)
}

func (c *responsesChecker) sampled(body map[string]any) error {
	return c.sampling(body, false, "temperature", "top_p")
}

func (c *responsesChecker) streamed(body map[string]any) error {
	_, err := c.streams(body)
	return err
}

func (c *responsesChecker) tools(body map[string]any) error {
	err := c.toolList(body, func(path string, m map[string]any) (string, map[string]any, error) {
		if _, ok := m["name"]; !ok {
			return "", nil, missing(path + ".name") // what a tool of the Chat wire runs into first
		}
		_, err := c.object(path, m, "function")
		return path, m, err
	})
	if err != nil {
		return err
	}
	return c.choice(body, func(m map[string]any) (string, error) {
		if _, err := c.object("tool_choice", m, "tool_choice"); err != nil {
			return "", err
		}
		return c.text("tool_choice", m, "name")
	})
}

func (c *responsesChecker) include(body map[string]any) error {
	values, err := c.list("", body, "include")
	if err != nil {
		return err
	}
	for i, v := range values {
		path := c.index("include", i)
		word, ok := v.(string)
		if !ok {
			return c.invalid(path, "string", v)
		}
		switch word {
		case "reasoning.encrypted_content":
			if !c.traits.reasons {
				return refuseParam("include", "include", "", "Encrypted content is not supported with this model.")
			}
			c.req.includeEncrypted = true
		case "message.output_text.logprobs", "message.input_image.image_url":
		default:
			return invalidValue("include", path, word, "'reasoning.encrypted_content', 'message.output_text.logprobs', and 'message.input_image.image_url'")
		}
	}
	if v, ok := body["text"]; ok {
		if _, err := c.object("text", v, "text_config"); err != nil {
			return err
		}
	}
	word, err := c.text("", body, "truncation")
	if err == nil && word != "" && word != "auto" && word != "disabled" {
		return invalidValue("truncation", "truncation", word, "'auto' and 'disabled'")
	}
	return err
}

func (c *responsesChecker) instructed(body map[string]any) error {
	text, err := c.text("", body, "instructions")
	if text != "" {
		c.req.System = append(c.req.System, text)
	}
	return err
}

// startsWith refuses an item's id of another kind.
func startsWith(path, id, prefix string) error {
	if id != "" && !strings.HasPrefix(id, prefix) {
		return refuseParam("item_id", path+".id", "invalid_value", "Invalid '%s.id': '%s'. Expected an ID that begins with '%s'.", path, id, strings.TrimSuffix(prefix, "_"))
	}
	if len(id) > 64 {
		return refuseParam("item_id", path+".id", "string_above_max_length", "Invalid '%s.id': string too long. Expected a string with maximum length 64, but got a string with length %d instead.", path, len(id))
	}
	return nil
}
