package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// bytesPerToken turns bytes of a tool list into tokens, about.
const bytesPerToken = 3.5

// What of a long list is shown: lines, or the characters of one.
const (
	longList = 40
	longLine = 2000
)

// capped cuts a list that few would read to its end.
func capped(lines []string, all bool) []string {
	if all || len(lines) <= longList+1 {
		return lines
	}
	return append(slices.Clone(lines[:longList]), fmt.Sprintf("  and %d more; --all prints them", len(lines)-longList))
}

// describe says what a file makes; all: with long lists whole.
func describe(cfg *config.Config, registry *tool.Registry, can model.Capabilities, all bool) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	var reads, named int
	var unnamed, unusable, offered []string
	flags := map[string]bool{}
	for _, d := range registry.All() {
		switch {
		case d.Note != "":
			if cfg.Sources[d.Source].OpenAPI == "" { // an operation of a document is told of with its place
				unusable = append(unusable, fmt.Sprintf("  %s (%s): %s", d.Name(), printable(d.Operation), printable(d.Note)))
			}
		case d.Effect == tool.Read:
			reads++
			offered = append(offered, d.Name())
		case d.Named:
			named++
			unnamed = append(unnamed, fmt.Sprintf("  %s (%s): described, but changes are not in this version", d.Name(), printable(d.Operation)))
		default:
			unnamed = append(unnamed, fmt.Sprintf("  %s (%s)", d.Name(), printable(d.Operation)))
		}
		if d.OrgFlag != "" {
			flags[d.OrgFlag] = true
		}
	}
	add("%d tools: %d reads, %d writes of which the file describes %d.", len(registry.All()), reads, len(unnamed), named)
	add("Reads: %s.", someOf(offered, longLine, all))
	out = append(out, describeModels(cfg.Models, can)...)
	for _, name := range cfg.SourceNames() {
		out = append(out, sourceLines(name, cfg.Sources[name], registry)...)
	}
	for _, role := range registry.Roles() {
		out = append(out, offerLine("Role "+role, registry.Offer(asker(role)), can.MaxTools))
		for _, flag := range sorted(flags) {
			out = append(out, offerLine("Role "+role+" with "+flag, registry.Offer(asker(role, flag)), can.MaxTools))
		}
	}
	if len(unnamed) > 0 {
		add("Writes that are imported and not offered:")
		out = append(out, capped(unnamed, all)...)
	}
	if len(unusable) > 0 {
		add("Tools that cannot be called:")
		out = append(out, capped(unusable, all)...)
	}
	if found := imported(cfg, registry); len(found) > 0 {
		add("Of the documents not imported, or not all of it:")
		out = append(out, capped(found, all)...)
	}
	return out
}

// offerLine says what a list weighs, and why it is grouped where the provider's limit is the reason. most is that limit;
// zero: none.
func offerLine(who string, o *tool.Offer, most int) string {
	form := "one tool an action"
	if o.Grouped {
		form = "grouped by router"
	}
	if n := len(o.Definitions()); most > 0 && n > most {
		form += fmt.Sprintf(" (one an action would be over the %d that the provider takes)", most)
	}
	strict := "not strict"
	if o.Strict {
		strict = "strict"
	}
	return fmt.Sprintf("%s: %d actions in %d tools, %s, %s, %d bytes (about %d tokens), list %s.",
		who, len(o.Definitions()), len(o.Tools()), form, strict, o.Bytes, tokensOf(o.Bytes), o.Hash)
}

func sorted(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}
