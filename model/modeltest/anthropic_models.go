package modeltest

import "strconv"

// abilities are what a model takes.
type abilities struct {
	ceiling  int // of max_tokens
	adaptive bool
	budget   bool // thinking.type "enabled"
	disable  bool // thinking.type "disabled"
	effort   bool
	unasked  bool // thinks when the request says nothing
}

// modelAbilities knows Claude's families by their version numbers; "scripted-" models, and Claude names without a
// version, take everything.
func modelAbilities(model string) abilities {
	m := versionPattern.FindStringSubmatch(model)
	if m == nil {
		return abilities{ceiling: 128_000, adaptive: true, budget: true, disable: true, effort: true}
	}
	major, errMajor := strconv.Atoi(m[1])
	minor, errMinor := strconv.Atoi("0" + m[2])
	if errMajor != nil || errMinor != nil {
		return abilities{}
	}
	switch version := major*100 + minor; {
	case version >= 505:
		return abilities{ceiling: 128_000, adaptive: true, effort: true, unasked: true}
	case version >= 500:
		return abilities{ceiling: 128_000, adaptive: true, effort: true, unasked: true, disable: true}
	case version >= 407:
		return abilities{ceiling: 128_000, adaptive: true, effort: true, disable: true}
	case version >= 406:
		return abilities{ceiling: 128_000, adaptive: true, budget: true, effort: true, disable: true}
	default:
		return abilities{ceiling: 64_000, budget: true, disable: true}
	}
}
