package page

import (
	"context"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// SourceName is the name of the source of Steward's own reads.
const SourceName = "steward"

type findInput struct {
	Query string `json:"query" jsonschema:"What the member looks for, in their own words."`
}

type found struct {
	Pages []foundPage `json:"pages"`
}

type foundPage struct {
	Path  string   `json:"path"`
	Label string   `json:"label"`
	Focus []string `json:"focus,omitempty"`
}

type profile struct {
	Name     string   `json:"name,omitempty"`
	Member   string   `json:"member"`
	Org      string   `json:"org"`
	Roles    []string `json:"roles"`
	Plan     string   `json:"plan,omitempty"`
	Features []string `json:"features"`
	Locale   string   `json:"locale"`
	TimeZone string   `json:"timeZone"`
	May      []string `json:"may"`
}

// NewSource makes Steward's own reads: app.whoami (who asks, and what they may do) and app.find_in_app (pages of the
// nav index; a host without one has none).
func NewSource(cfg *config.Config, index *Index) (*tool.Functions, error) {
	functions := []tool.Function{tool.Func("app.whoami",
		"Who is asking: member, organisation, roles, plan, features, language and time zone, and what they may do with the assistant.",
		func(_ context.Context, call tool.Call, _ struct{}) (profile, error) { return who(cfg, call), nil },
		tool.WithTrusted("/roles/*", "/plan", "/features/*", "/locale", "/timeZone", "/may/*"))}
	if len(cfg.Nav) > 0 {
		functions = append(functions, tool.Func("app.find_in_app",
			"Pages of the product for what the member looks for. Only paths that it gives may be suggested; {id} stands for an id of a result.",
			func(_ context.Context, call tool.Call, in findInput) (found, error) {
				out := found{Pages: []foundPage{}}
				for _, h := range index.Find(call.Principal, call.Locale, in.Query) {
					out.Pages = append(out.Pages, foundPage{Path: h.Path, Label: h.Label, Focus: h.Focus})
				}
				return out, nil
			}, tool.WithTrusted("/pages/*/path", "/pages/*/label", "/pages/*/focus/*")))
	}
	return tool.NewFunctions(SourceName, functions...)
}

func who(cfg *config.Config, call tool.Call) profile {
	p := call.Principal
	out := profile{
		Name: p.Name, Member: p.Member, Org: p.Org, Roles: append([]string{}, p.Roles...), Plan: p.Plan,
		Features: append([]string{}, p.Features...), Locale: call.Locale, TimeZone: p.TimeZone, May: []string{},
	}
	if out.TimeZone == "" {
		out.TimeZone = "UTC"
	}
	for _, right := range config.Rights {
		if p.HasRole(cfg.Identity.RolesWith(right)...) && len(cfg.Identity.RolesWith(right)) > 0 {
			out.May = append(out.May, right)
		}
	}
	return out
}
