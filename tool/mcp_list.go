package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/steward-assistant/steward/config"
)

// Bounds of a list of tools, far beyond what a server has that a model could still choose from.
const (
	maxMCPTools  = 1000
	maxMCPSchema = 64 << 10 // bytes
)

// pinned is what the pin of a tool is made from: all that is used of it.
type pinned struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	InputSchema any    `json:"inputSchema"`
}

// pinTools gives the digest of a list of tools, whatever order it comes in, and of each of them.
func pinTools(tools []*mcp.Tool) (whole string, each map[string]string) {
	each = map[string]string{}
	lines := make([]string, 0, len(tools))
	for _, t := range tools {
		b, err := canonical(pinned{t.Name, t.Description, t.InputSchema})
		if err != nil { // it was decoded from JSON
			b = []byte(t.Name)
		}
		each[t.Name] = digest(b)
		lines = append(lines, string(b))
	}
	slices.Sort(lines)
	return digest([]byte("[" + strings.Join(lines, ",") + "]")), each
}

// define makes a definition of each tool, in the host's words where its file names it.
func (m *MCP) define(tools []*mcp.Tool) config.Faults {
	var faults config.Faults
	o := m.options
	path := config.Path("sources", o.Name)
	named := map[string]string{} // tool of the server → tool name
	taken := map[string]bool{}
	for _, name := range sortedKeys(o.Actions) {
		taken[name] = true
		if source, id, _ := strings.Cut(o.Actions[name].Operation, "."); source == o.Name {
			named[id] = name
		}
	}
	router := snake(o.Name, 40)
	if router == "app" { // Steward's own
		router = "mcp_app"
	}
	tools = slices.SortedFunc(slices.Values(tools), func(a, b *mcp.Tool) int { return strings.Compare(a.Name, b.Name) })
	seen := map[string]bool{}
	for _, t := range tools {
		if seen[t.Name] {
			faults = append(faults, o.Fault(path+".mcp", fmt.Sprintf("the server lists %q twice; each tool must have a name of its own", cutText(Clean(t.Name), LabelLimit))))
			continue
		}
		seen[t.Name] = true
		if slices.Contains(o.LeaveOut, t.Name) {
			continue
		}
		d := Definition{
			Source: o.Name, Operation: o.Name + "." + t.Name, Effect: Write, Confirm: ConfirmAlways,
			Summary: description(Clean(t.Description)),
		}
		d.Input, d.Note = mcpInput(t.InputSchema)
		if name, ok := named[t.Name]; ok {
			at := config.Path("tools.actions", name)
			d.Router, d.Action, _ = strings.Cut(name, ".")
			faults = append(faults, describe(&d, o.Actions[name], at, o.Fault)...)
			if d.Note != "" {
				faults = append(faults, o.Fault(at+".operation", "cannot be called: "+d.Note))
			}
		} else {
			d.Router, d.Action = router, uniqueAction(router, t.Name, taken)
		}
		if d.Summary == "" {
			d.Summary = description(Clean(t.Name))
		}
		m.definitions = append(m.definitions, d)
	}
	for _, id := range sortedKeys(named) {
		if !seen[id] {
			faults = append(faults, o.Fault(config.Path("tools.actions", named[id])+".operation", unknownTool(id, seen)))
		}
	}
	for i, id := range o.LeaveOut {
		if !seen[id] {
			faults = append(faults, o.Fault(fmt.Sprintf("%s.leave_out[%d]", path, i), unknownTool(id, seen)))
		}
	}
	slices.SortFunc(m.definitions, func(a, b Definition) int { return strings.Compare(a.Name(), b.Name()) })
	return faults
}

func unknownTool(id string, known map[string]bool) string {
	names := sortedKeys(known)
	for i := range names {
		names[i] = cutText(Clean(names[i]), LabelLimit)
	}
	if len(names) > 20 {
		names = append(names[:20], fmt.Sprintf("and %d more", len(names)-20))
	}
	return fmt.Sprintf("the server has no tool %q; it has %s", id, strings.Join(names, ", "))
}

// uniqueAction names a tool that the host's file does not, with a number where its name is taken.
func uniqueAction(router, name string, taken map[string]bool) string {
	const limit = 60
	action := snake(name, limit)
	if action == "" {
		action = "tool"
	}
	for i, stem := 2, action; taken[router+"."+action]; i++ {
		suffix := fmt.Sprintf("_%d", i)
		action = stem[:min(len(stem), limit-len(suffix))] + suffix
	}
	taken[router+"."+action] = true
	return action
}

// mcpInput makes of a server's schema the schema of a tool's input, or says why it cannot.
func mcpInput(schema any) (input json.RawMessage, note string) {
	const none = `{"additionalProperties":false,"properties":{},"type":"object"}`
	raw, err := canonical(schema)
	if err != nil {
		return json.RawMessage(none), "its input schema is not JSON"
	}
	root, err := foreignInput(raw, maxMCPSchema, true)
	if err != nil {
		return json.RawMessage(none), "its input schema: " + err.Error()
	}
	if input, err = canonical(root); err != nil {
		return json.RawMessage(none), "its input schema is not JSON"
	}
	return input, ""
}
