package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// Request is a request that was accepted, as the script and the record see it: one form for all wires.
type Request struct {
	// Wire is the one that it came on.
	Wire  Wire
	Model string
	// MaxTokens bounds the reply; zero: the request does not say.
	MaxTokens int
	Stream    bool
	// Thinks says that the model thinks on this request.
	Thinks bool
	Effort string
	// System are the system blocks, the messages of the system and developer roles, or the instructions.
	System []string
	Tools  []Tool
	// Messages are merged: no two in a row have one role, and results are the user's.
	Messages []Message
	// Words are the member's: the first text of the newest user message that has one, before merging.
	Words string
	// Header are the request's headers without the key.
	Header http.Header
	// Body is the request as it came.
	Body []byte

	includeUsage     bool // the Chat wire's stream_options
	includeEncrypted bool // the Responses wire's include
	summary          bool // and its reasoning.summary
	stored           bool
	echo             map[string]any // what a response says again
}

// Tool is an offered tool.
type Tool struct {
	Name, Description string
	Schema            map[string]any
	Strict            bool
}

// Message is one message of a request.
type Message struct {
	Role  string
	Parts []Part
}

// Part is one block of a message.
type Part struct {
	// Type is the block's type in Anthropic's words: text, thinking, redacted_thinking, tool_use, tool_result, image,
	// document.
	Type string
	// Text is the text, the thinking, a result's content, or the arguments of a tool use that are no JSON object.
	Text string
	// ID is a tool use's id, or the id that a result answers.
	ID      string
	Name    string
	Input   map[string]any
	IsError bool
	// Marked says that the block ends a cached prefix.
	Marked bool

	signature string
	data      string
	object    map[string]any
}

// Results are the tool results of the last message, in their order.
func (r Request) Results() []Part {
	var found []Part
	if len(r.Messages) == 0 {
		return nil
	}
	for _, p := range r.Messages[len(r.Messages)-1].Parts {
		if p.Type == "tool_result" {
			found = append(found, p)
		}
	}
	return found
}

// Round is the number of replies with calls since the member's newest words: zero for a new message.
func (r Request) Round() int {
	n := 0
	for i := len(r.Messages) - 1; i > 0; i -= 2 {
		m := r.Messages[i]
		if len(m.Parts) == 0 || m.Parts[0].Type != "tool_result" {
			break
		}
		n++
	}
	return n
}

// Offers reports whether the tool is among those of the request.
func (r Request) Offers(tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

// memberWords finds the words in messages that are not merged yet.
func memberWords(messages []Message) string {
	for _, message := range slices.Backward(messages) {
		if message.Role != "user" {
			continue
		}
		for _, p := range message.Parts {
			if p.Type == "text" {
				return p.Text
			}
		}
	}
	return ""
}

// merge joins messages in a row that have one role, as the vendor does before it looks at them.
func merge(messages []Message) []Message {
	var merged []Message
	for _, m := range messages {
		if n := len(merged); n > 0 && merged[n-1].Role == m.Role {
			merged[n-1].Parts = append(merged[n-1].Parts, m.Parts...)
			continue
		}
		m.Parts = append([]Part(nil), m.Parts...)
		merged = append(merged, m)
	}
	return merged
}

// resultText is the text of a tool result's content: a string, or blocks of which the texts count.
func resultText(content any) string {
	switch c := content.(type) {
	case string:
		return c
	case []any:
		var texts []string
		for _, v := range c {
			if m, ok := v.(map[string]any); ok {
				if s, ok := m["text"].(string); ok {
					texts = append(texts, s)
				}
			}
		}
		return strings.Join(texts, "\n")
	}
	return ""
}

// decode reads a body into maps, numbers as they stand.
func decode(body []byte) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil || dec.More() {
		return nil, refuse("json", "The request body is not valid JSON")
	}
	return m, nil
}
