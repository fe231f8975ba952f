package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpResult turns what a server answered into a result. Every string of it is text of others.
func mcpResult(r *mcp.CallToolResult) Result {
	if r.NeedsInput() {
		return Result{Status: StatusNotAvailable, Code: CodeNotAvailable, Reason: "The server of this tool asks for more in a way that is not offered here."}
	}
	var texts, left []string
	var parts []json.RawMessage
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
			parts = append(parts, textPart(t.Text))
			continue
		}
		named := leftOut(c)
		left = append(left, named)
		parts = append(parts, mustJSON(named))
	}
	switch {
	case r.IsError:
		return Result{
			Status: StatusUnreadable, Code: CodeRefusedByHost, Said: cutText(strings.TrimSpace(strings.Join(texts, "\n")), maxSaid),
			Reason: "The tool itself says that it failed.",
		}
	case r.StructuredContent != nil:
		return Result{OK: true, Status: StatusRead, Data: structured(r.StructuredContent, texts), Reason: strings.Join(left, " ")}
	case len(parts) == 0:
		return unreadable("The tool's answer was empty.")
	case len(parts) == 1:
		return Result{OK: true, Status: StatusRead, Data: parts[0]}
	default:
		return Result{OK: true, Status: StatusRead, Data: mustJSON(parts)}
	}
}

// textPart is a text as JSON: what it says where it is JSON itself, else a string.
func textPart(s string) json.RawMessage {
	if raw := []byte(strings.TrimSpace(s)); len(raw) > 0 && utf8.Valid(raw) && json.Valid(raw) {
		return raw
	}
	return mustJSON(s)
}

// structured is the structured answer. The SDK reads its numbers as float64; where the server sent the same as text, as
// the protocol advises, the numbers are taken from there as they were written.
func structured(v any, texts []string) json.RawMessage {
	out, err := canonical(v)
	if err != nil {
		return mustJSON("[an answer that is not JSON, left out]")
	}
	for _, t := range texts {
		var same any
		if json.Unmarshal([]byte(t), &same) != nil {
			continue
		}
		if again, err := canonical(same); err == nil && string(again) == string(out) {
			return []byte(strings.TrimSpace(t))
		}
	}
	return mustJSON(exactOnly(v, 0))
}

// exactOnly names the whole numbers that a float64 cannot hold instead of giving them wrongly.
func exactOnly(v any, depth int) any {
	const most = 1 << 53
	if depth > maxDepth {
		return v
	}
	switch v := v.(type) {
	case float64:
		if math.Abs(v) >= most {
			return "[a number that is too large to be read exactly, left out]"
		}
		return v
	case []any:
		for i := range v {
			v[i] = exactOnly(v[i], depth+1)
		}
		return v
	case map[string]any:
		for k := range v {
			v[k] = exactOnly(v[k], depth+1)
		}
		return v
	default:
		return v
	}
}

// leftOut names a part of an answer that is not passed on.
func leftOut(c mcp.Content) string {
	switch c := c.(type) {
	case *mcp.ImageContent:
		return fmt.Sprintf("[image, %s, left out]", size(len(c.Data)))
	case *mcp.AudioContent:
		return fmt.Sprintf("[audio, %s, left out]", size(len(c.Data)))
	case *mcp.EmbeddedResource:
		if c.Resource == nil {
			return "[resource, left out]"
		}
		return fmt.Sprintf("[resource, %s, left out]", size(len(c.Resource.Text)+len(c.Resource.Blob)))
	case *mcp.ResourceLink:
		return "[link to a resource, left out]"
	default:
		return "[another kind of content, left out]"
	}
}

func size(bytes int) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d kB", (bytes+500)/1000)
}

// mustJSON encodes what JSON can hold for certain.
func mustJSON(v any) json.RawMessage {
	b, err := canonical(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
