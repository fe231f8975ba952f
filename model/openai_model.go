package model

import (
	"strings"
)

// openAIName is the provider's name unless the configuration gives another.
const openAIName = "openai"

// OpenAIURL is the vendor's own address.
const OpenAIURL = "https://api.openai.com/v1"

// knowledge is what a model's name tells of it.
type knowledge int

const (
	unknown knowledge = iota
	yes
	no
)

// openAIReasons reads from a model's name whether it reasons, and so takes an effort (OpenAI, "Reasoning models"). A
// name that is not OpenAI's tells nothing.
func openAIReasons(model string) knowledge {
	name := openAIFamily(model)
	switch {
	case strings.HasPrefix(name, "gpt-oss"), strings.HasPrefix(name, "codex-"):
		return yes
	case strings.HasPrefix(name, "chatgpt-"), strings.HasPrefix(name, "gpt-3"), strings.HasPrefix(name, "gpt-4"):
		return no
	case strings.HasPrefix(name, "gpt-"):
		rest := strings.TrimPrefix(name, "gpt-")
		switch {
		case rest == "" || rest[0] < '5' || rest[0] > '9':
			return unknown
		case strings.Contains(rest, "-chat"):
			return no
		}
		return yes
	case len(name) > 1 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9':
		return yes
	}
	return unknown
}

// openAIFamily is the name that a model's snapshots and the gateways' spellings of it share: "openai/gpt-5.6-terra",
// "gpt-5.6-terra-2026-07-02" and "gpt-5.6-terra:nitro" are all "gpt-5.6-terra".
func openAIFamily(model string) string {
	name := strings.TrimPrefix(strings.ToLower(model), "ft:")
	name, _, _ = strings.Cut(name, ":")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimSuffix(name, "-latest")
	for _, form := range []string{"-2026-07-02", "-20260702"} {
		n := len(name) - len(form)
		if n > 0 && name[n] == '-' && allDigits(strings.ReplaceAll(name[n+1:], "-", "")) &&
			strings.Count(name[n:], "-") == strings.Count(form, "-") {
			return name[:n]
		}
	}
	return name
}
