package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
)

// weight warns of roles whose list of tools is much to begin every conversation with.
func (c *checker) weight() {
	var flags []string
	for _, d := range c.registry.All() {
		if d.OrgFlag != "" && !slices.Contains(flags, d.OrgFlag) {
			flags = append(flags, d.OrgFlag)
		}
	}
	var heavy []string
	most, router, source := 0, "", ""
	for _, role := range c.registry.Roles() {
		o := c.registry.Offer(asker(role, flags...))
		tokens := tokensOf(o.Bytes)
		if tokens <= largeTokens {
			continue
		}
		if heavy = append(heavy, role); tokens > most {
			most = tokens
			for _, d := range o.Definitions() {
				if d.Operation != "" { // Steward's own are of none
					router, source = d.Router, d.Source
				}
			}
		}
	}
	if len(heavy) == 0 {
		return
	}
	roles := "role " + heavy[0]
	if len(heavy) > 1 {
		roles = "roles " + strings.Join(heavy, ", ")
	}
	c.warn(config.Path("surfaces", config.DefaultSurface)+".tools", "%s: every conversation begins with about %s tokens of tools. %s", roles, thousands(roundly(most)), choose(router, source))
}

// choose says how to have fewer tools: router is one whose tools could be named, source whose they are.
func choose(router, source string) string {
	return fmt.Sprintf("Name what a surface needs in surfaces.%s.tools, as [%q], or leave operations out with sources.%s.leave_out.", config.DefaultSurface, router+".*", source)
}

// tokensOf turns bytes of a tool list into tokens, about.
func tokensOf(bytes int) int { return int(float64(bytes) / bytesPerToken) }
