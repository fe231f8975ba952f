package model

import "strings"

// chatVendor is whose Chat Completions it is: each takes a little more or less than OpenAI's own.
type chatVendor int

const (
	vendorOther chatVendor = iota // Ollama, vLLM, a gateway
	vendorOpenAI
	vendorOpenRouter
	vendorDeepSeek
	vendorGroq
	vendorMistral
)

// chatVendorAt tells the vendor from the address's host.
func chatVendorAt(host string) chatVendor {
	host = strings.ToLower(host)
	for _, v := range []struct {
		domain string
		vendor chatVendor
	}{
		{"openai.com", vendorOpenAI},
		{"openai.azure.com", vendorOpenAI},
		{"openrouter.ai", vendorOpenRouter},
		{"deepseek.com", vendorDeepSeek},
		{"groq.com", vendorGroq},
		{"mistral.ai", vendorMistral},
	} {
		if host == v.domain || strings.HasSuffix(host, "."+v.domain) {
			return v.vendor
		}
	}
	return vendorOther
}

// capabilities are what the vendor documents. Strict tools are OpenAI's own: elsewhere the word is ignored or refused.
func (v chatVendor) capabilities() Capabilities {
	can := Capabilities{Tools: true, Streams: true, Effort: true, Thinking: true}
	switch v {
	case vendorOpenAI:
		can.MaxTools = maxOpenAITools
		can.strictAsOpenAI()
	case vendorDeepSeek, vendorGroq:
		can.MaxTools = maxOpenAITools
	case vendorOther, vendorOpenRouter, vendorMistral:
	}
	return can
}

// callIDs are the ids of calls that the vendor takes: OpenAI at most 40 characters, Mistral nine letters and digits.
func (v chatVendor) callIDs() callIDs {
	if v == vendorMistral {
		return callIDs{exact: 9}
	}
	return callIDs{most: 40}
}

// completionTokens reports whether the cap is called max_completion_tokens: OpenAI's reasoning models refuse the older
// name, and many servers know no other than that.
func (v chatVendor) completionTokens(model string) bool {
	return v == vendorOpenAI || v == vendorOther && openAIReasons(model) == yes
}

// usageOption reports whether the usage of a stream has to be asked for. Mistral tells it unasked and refuses members
// that it does not know.
func (v chatVendor) usageOption() bool { return v != vendorMistral }

// takesThinking reports whether a member of a message that holds its thinking goes back to the vendor. OpenAI, Groq and
// Mistral refuse members that they do not know; "reasoning" alone says nothing that its model could not do without.
func (v chatVendor) takesThinking(member string) bool {
	switch v {
	case vendorOpenAI, vendorGroq, vendorMistral:
		return false
	case vendorOpenRouter:
		return true
	case vendorOther, vendorDeepSeek:
	}
	return member == "reasoning_content" || member == "reasoning_details"
}

// wantsThinking reports whether every message of the model's own must carry its reasoning, and be it an empty one:
// DeepSeek refuses a conversation that lacks it once tools are about (DeepSeek, "Thinking Mode").
func (v chatVendor) wantsThinking(family string) bool {
	return v.takesThinking("reasoning_content") && (v == vendorDeepSeek || strings.Contains(family, "deepseek"))
}
