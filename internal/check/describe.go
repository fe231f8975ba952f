package check

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// bytesPerToken turns bytes of a tool list into tokens, about.
const bytesPerToken = 3.5

// describe says what a file makes.
func describe(cfg *config.Config, registry *tool.Registry) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	var reads, named int
	var unnamed, unusable, offered []string
	flags := map[string]bool{}
	for _, d := range registry.All() {
		switch {
		case d.Note != "":
			unusable = append(unusable, fmt.Sprintf("  %s (%s): %s", d.Name(), d.Operation, d.Note))
		case d.Effect == tool.Read:
			reads++
			offered = append(offered, d.Name())
		case d.Named:
			named++
			unnamed = append(unnamed, fmt.Sprintf("  %s (%s): described, but changes are not in this version", d.Name(), d.Operation))
		default:
			unnamed = append(unnamed, fmt.Sprintf("  %s (%s)", d.Name(), d.Operation))
		}
		if d.OrgFlag != "" {
			flags[d.OrgFlag] = true
		}
	}
	add("%d tools: %d reads, %d writes of which the file describes %d.", len(registry.All()), reads, len(unnamed), named)
	add("Reads: %s.", strings.Join(offered, ", "))
	loop := cfg.Models.Loop
	if cfg.Models.Providers[loop.Provider].Key.IsZero() {
		add("Model %s of %s: no key is set, so no model answers.", loop.Model, loop.Provider)
	} else {
		add("Model %s of %s: a key is set.", loop.Model, loop.Provider)
	}
	for _, name := range cfg.SourceNames() {
		s := cfg.Sources[name]
		if s.Authority == config.AuthorityService {
			add("Source %s calls %s by Steward's own signed statement: after a crash its reads go on by themselves.", name, origin(s.BaseURL))
		} else {
			add("Source %s calls %s with the member's own token, which is never stored: after a crash its reads wait for the member's next request.", name, origin(s.BaseURL))
		}
	}
	for _, role := range registry.Roles() {
		out = append(out, offerLine("Role "+role, registry.Offer(asker(role))))
		for _, flag := range sorted(flags) {
			out = append(out, offerLine("Role "+role+" with "+flag, registry.Offer(asker(role, flag))))
		}
	}
	if len(unnamed) > 0 {
		add("Writes that are imported and not offered:")
		out = append(out, unnamed...)
	}
	if len(unusable) > 0 {
		add("Operations that cannot be called:")
		out = append(out, unusable...)
	}
	return out
}

// origin is an address without what may be secret in it.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "(no address)"
	}
	return u.Scheme + "://" + u.Host
}

func offerLine(who string, o *tool.Offer) string {
	form := "one tool an action"
	if o.Grouped {
		form = "grouped by router"
	}
	strict := "not strict"
	if o.Strict {
		strict = "strict"
	}
	return fmt.Sprintf("%s: %d actions in %d tools, %s, %s, %d bytes (about %d tokens), list %s.",
		who, len(o.Definitions()), len(o.Tools()), form, strict, o.Bytes, int(float64(o.Bytes)/bytesPerToken), o.Hash)
}

func sorted(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}
