package modeltest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// fields are the keys that each object of a request may have. Anything else is refused, as the vendor does
// ("Extra inputs are not permitted").
var fields = map[string]map[string]bool{
	"request": set("model max_tokens messages system tools tool_choice stream thinking output_config stop_sequences " +
		"metadata service_tier inference_geo cache_control"),
	"message":           set("role content"),
	"text":              set("type text cache_control citations"),
	"thinking":          set("type thinking signature"),
	"redacted_thinking": set("type data"),
	"tool_use":          set("type id name input cache_control caller"),
	"server_tool_use":   set("type id name input cache_control caller"),
	"tool_result":       set("type tool_use_id content is_error cache_control"),
	"image":             set("type source cache_control"),
	"document":          set("type source title context citations cache_control"),
	"cache_control":     set("type ttl"),
	"tool": set("type name description input_schema strict cache_control input_examples defer_loading " +
		"allowed_callers eager_input_streaming"),
	"tool_choice.auto":  set("type disable_parallel_tool_use"),
	"tool_choice.any":   set("type disable_parallel_tool_use"),
	"tool_choice.tool":  set("type name disable_parallel_tool_use"),
	"tool_choice.none":  set("type"),
	"thinking.adaptive": set("type display"),
	"thinking.enabled":  set("type budget_tokens display"),
	"thinking.disabled": set("type"),
	"output_config":     set("effort format"),
	"metadata":          set("user_id"),
}

// roleParts are the types of block that a message of each role may hold.
var roleParts = map[string]map[string]bool{
	"user":      set("text tool_result image document"),
	"assistant": set("text thinking redacted_thinking tool_use server_tool_use"),
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	namePattern     = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	idPattern       = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	propertyPattern = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)
	modelPattern    = regexp.MustCompile(`^(claude|scripted)-[a-z0-9.-]+$`)
	versionPattern  = regexp.MustCompile(`^claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$`)
	snapshotPattern = regexp.MustCompile(`-\d{8}$`)
)

// object checks that v is an object of the named kind with allowed keys only.
func object(path, kind string, v any) (map[string]any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, refuse("type", "%s: Input should be a valid dictionary", path)
	}
	for key := range m {
		if !fields[kind][key] {
			return nil, refuse("unknown_field", "%s: Extra inputs are not permitted", join(path, key))
		}
	}
	return m, nil
}

// text takes a string; absent is empty.
func text(path string, m map[string]any, key string) (string, error) {
	v, ok := m[key]
	if !ok {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", refuse("type", "%s: Input should be a valid string", join(path, key))
	}
	return s, nil
}

// flag takes a boolean; absent is false.
func flag(path string, m map[string]any, key string) (bool, error) {
	v, ok := m[key]
	if !ok {
		return false, nil
	}
	b, ok := v.(bool)
	if !ok {
		return false, refuse("type", "%s: Input should be a valid boolean", join(path, key))
	}
	return b, nil
}

// list takes an array; absent is empty.
func list(path string, m map[string]any, key string) ([]any, error) {
	v, ok := m[key]
	if !ok {
		return nil, nil
	}
	l, ok := v.([]any)
	if !ok {
		return nil, refuse("type", "%s: Input should be a valid list", join(path, key))
	}
	return l, nil
}

// whole takes an integer; found is false where there is none.
func whole(path string, m map[string]any, key string) (n int, found bool, err error) {
	v, ok := m[key]
	if !ok {
		return 0, false, nil
	}
	number, ok := v.(json.Number)
	if !ok {
		return 0, false, refuse("type", "%s: Input should be a valid integer", join(path, key))
	}
	i, err := number.Int64()
	if err != nil {
		return 0, false, refuse("type", "%s: Input should be a valid integer", join(path, key))
	}
	return int(i), true, nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
