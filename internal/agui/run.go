package agui

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Run is what of an [Input] counts.
type Run struct {
	ThreadID, RunID string
	// Early says that the front end speaks AG-UI from before 1.0, when no version was told.
	Early bool
	// Said are the member's messages, in order.
	Said []Said
	// Seen are the ids of the assistant's messages.
	Seen    []string
	Results []Result
	Tools   []Tool
	Context []Context
}

// Said is a message of the member.
type Said struct {
	ID, Text string
	// Field is where it stands, as "messages[3].content".
	Field string
	// Unfit is the part that cannot be taken, as "messages[3].content[1]"; empty: all of it can.
	Unfit string
}

// Result answers a call.
type Result struct {
	CallID, Content, Error string
}

// InputError is what is wrong with an input. It holds no value.
type InputError struct {
	// Field is where, as "messages[2].content"; Want is what would be right.
	Field, Want string
}

func (f *InputError) Error() string { return f.Field + ": " + f.Want }

// maxID is the longest id of a thread or run, in bytes.
const maxID = 128

// Read takes of an input what counts. An error is a *[InputError].
func (in *Input) Read() (Run, error) {
	out := Run{
		ThreadID: in.ThreadID, RunID: in.RunID, Early: in.ProtocolVersion == "", Tools: in.Tools, Context: in.Context,
	}
	switch {
	case len(in.ThreadID) > maxID:
		return out, &InputError{"threadId", fmt.Sprintf("text of 1 to %d bytes", maxID)}
	case len(in.RunID) > maxID:
		return out, &InputError{"runId", fmt.Sprintf("text of 1 to %d bytes", maxID)}
	case in.ProtocolVersion != "" && in.ProtocolVersion != "1" && !strings.HasPrefix(in.ProtocolVersion, "1."):
		return out, &InputError{"protocolVersion", "1.0, or left out"}
	case !none(in.Resume):
		return out, &InputError{"resume", "none: nothing waits for a decision here"}
	}
	for i, m := range in.Messages {
		field := fmt.Sprintf("messages[%d].content", i)
		switch m.Role {
		case "user":
			text, unfit, err := textOf(m.Content, field)
			if err != nil {
				return out, err
			}
			out.Said = append(out.Said, Said{ID: m.ID, Text: text, Field: field, Unfit: unfit})
		case "assistant":
			out.Seen = append(out.Seen, m.ID)
		case "tool":
			if m.ToolCallID == "" {
				return out, &InputError{fmt.Sprintf("messages[%d].toolCallId", i), "the id of the call that this message answers"}
			}
			text, _, err := textOf(m.Content, field)
			if err != nil {
				return out, err
			}
			out.Results = append(out.Results, Result{CallID: m.ToolCallID, Content: text, Error: m.Error})
		}
	}
	return out, nil
}

// none reports whether a list is left out, null or empty.
func none(raw json.RawMessage) bool {
	var items []json.RawMessage
	return len(raw) == 0 || json.Unmarshal(raw, &items) == nil && len(items) == 0
}

// part is a part of a content. Its members' names are exact: encoding/json alone would take them in any case.
type part map[string]json.RawMessage

func (p part) word(name string) (string, bool) {
	var s *string
	if json.Unmarshal(p[name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// textOf gives the text of a content, which is a text or a list of parts. unfit is the first part that is of another kind.
func textOf(raw json.RawMessage, field string) (text, unfit string, err error) {
	if json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"' {
		return text, "", nil
	}
	var parts []part
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &parts) != nil {
		return "", "", &InputError{field, "text, or a list of parts"}
	}
	var texts []string
	for i, p := range parts {
		at := fmt.Sprintf("%s[%d]", field, i)
		kind, _ := p.word("type")
		text, hasText := p.word("text")
		switch {
		case kind == "text" && hasText:
			texts = append(texts, text)
		case kind == "image" || kind == "audio" || kind == "video" || kind == "document":
			if unfit == "" {
				unfit = at
			}
		default:
			return "", "", &InputError{at, "a part of type text with a text, or of type image, audio, video or document"}
		}
	}
	return strings.Join(texts, "\n"), unfit, nil
}
