package check

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// sourceLines say where a source's calls go, by whose authority, and what a crash does to its reads.
func sourceLines(name string, s config.Source, registry *tool.Registry) []string {
	switch {
	case s.MCP != nil:
		return serverLines(name, s, registry)
	case s.Authority == config.AuthorityService:
		return []string{fmt.Sprintf("Source %s calls %s by Steward's own signed statement: after a crash its reads go on by themselves.", name, origin(s.BaseURL))}
	default:
		return []string{fmt.Sprintf("Source %s calls %s with the member's own token, which is never stored: after a crash its reads wait for the member's next request.", name, origin(s.BaseURL))}
	}
}

// serverLines tell of an MCP server, and where its list of tools is not the pinned one, what each tool says of itself, to
// be looked through.
func serverLines(name string, s config.Source, registry *tool.Registry) []string {
	how := "asks the MCP server at " + origin(s.MCP.URL)
	if len(s.MCP.Command) > 0 {
		how = "starts the MCP server " + filepath.Base(s.MCP.Command[0])
	}
	server, ok := registry.Source(name).(*tool.MCP)
	if !ok {
		return []string{fmt.Sprintf("Source %s %s, and has no tools; the fault of sources.%s says why.", name, how, name)}
	}
	out := []string{fmt.Sprintf("Source %s %s by the operator's authority; a member's token never goes there: after a crash its reads go on by themselves. Its list of tools has the sha256 %s.", name, how, server.SHA256())}
	if s.SHA256 == server.SHA256() {
		return out
	}
	out = append(out, "What its tools say of themselves, for a model to read:")
	for _, d := range registry.All() {
		if d.Source == name {
			out = append(out, fmt.Sprintf("  %s: %s", printable(d.Operation), printable(d.Summary)))
		}
	}
	return out
}

// printable is what a server or a document calls something, on one line of a terminal.
func printable(name string) string { return strings.Join(strings.Fields(tool.Clean(name)), " ") }

// origin is an address without what may be secret in it.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "(no address)"
	}
	return u.Scheme + "://" + u.Host
}
