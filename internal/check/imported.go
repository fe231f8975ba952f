package check

import (
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// imported lists what of the sources' documents did not become a tool, or not all of it, each with its place.
func imported(cfg *config.Config, registry *tool.Registry) []string {
	var out []string
	for _, name := range cfg.SourceNames() {
		source, ok := registry.Source(name).(interface{ Findings() []tool.Finding })
		if !ok {
			continue
		}
		found := source.Findings()
		pointers := make([]string, len(found))
		for i, f := range found {
			pointers[i] = f.Pointer
		}
		lines := make([]int, len(found))
		file := cfg.Sources[name].OpenAPI
		if !strings.Contains(file, "://") { // what was fetched is not fetched again for the sake of lines
			if document, err := cfg.ReadDocument(file); err == nil {
				lines = tool.Lines(document, pointers)
			}
		}
		for i, f := range found {
			place, what := file, "the document"
			if lines[i] > 0 {
				place += fmt.Sprintf(":%d", lines[i])
			}
			if f.Operation != "" {
				what = f.Operation
			}
			out = append(out, fmt.Sprintf("  %s: %s: %s (%s)", place, what, f.Reason, cutLine(tool.Clean(f.Pointer), 1000)))
		}
	}
	return out
}
