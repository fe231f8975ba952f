package model

import (
	"strconv"
	"strings"
)

// modelTraits is what a Claude model takes of a request's optional parts.
type modelTraits struct {
	// adaptive: `thinking: {type: "adaptive"}` is accepted.
	adaptive bool
	// effort: `output_config: {effort}` is accepted.
	effort bool
	// thinksUnasked: the model thinks although the request says nothing of thinking.
	thinksUnasked bool
}

// anthropicTraits reads a model's name. Adaptive thinking and effort came with Claude 4.6 and every later model has
// both; Opus 4.5 takes effort only; from Claude 5 on a model thinks unless told otherwise (Anthropic, "Thinking",
// "Effort"). Of a name that cannot be read nothing is assumed, and nothing optional is sent.
func anthropicTraits(model string) modelTraits {
	name := anthropicFamily(model)
	parts := strings.Split(strings.TrimPrefix(name, "claude-"), "-")
	if !strings.HasPrefix(name, "claude-") || len(parts) < 2 {
		return modelTraits{}
	}
	if name == "claude-mythos-preview" {
		return modelTraits{adaptive: true, effort: true, thinksUnasked: true}
	}
	switch parts[0] {
	case "opus", "sonnet", "haiku", "fable", "mythos":
	default:
		return modelTraits{} // claude-3-5-sonnet and older
	}
	major, err := strconv.Atoi(parts[1])
	if err != nil || major < 4 {
		return modelTraits{}
	}
	minor := 0
	if len(parts) > 2 {
		if minor, err = strconv.Atoi(parts[2]); err != nil {
			return modelTraits{}
		}
	}
	switch {
	case major >= 5:
		return modelTraits{adaptive: true, effort: true, thinksUnasked: true}
	case minor >= 6:
		return modelTraits{adaptive: true, effort: true}
	case minor == 5 && parts[0] == "opus":
		return modelTraits{effort: true}
	}
	return modelTraits{}
}

// anthropicFamily is the name that a model's snapshots and the gateways' spellings of it share:
// "anthropic/claude-sonnet-4-5-20250929" and "claude-sonnet-4.5" are both "claude-sonnet-4-5".
func anthropicFamily(model string) string {
	name := strings.ToLower(model)
	if i := strings.LastIndex(name, "claude-"); i > 0 {
		name = name[i:]
	}
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, ":")
	if strings.HasPrefix(name, "claude-") {
		name = strings.ReplaceAll(name, ".", "-")
	}
	for _, cut := range []string{"-v1", "-v2", "-latest"} {
		name = strings.TrimSuffix(name, cut)
	}
	if n := len(name) - len("-20250929"); n > 0 && name[n] == '-' && allDigits(name[n+1:]) {
		name = name[:n]
	}
	return name
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
