package modeltest

import (
	"regexp"
	"strings"
)

// fieldTable has the keys that each object of a request may have. Anything else is refused, as the vendors do.
type fieldTable map[string]map[string]bool

var messagesFields = fieldTable{
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

// chatFields leave out what OpenAI takes and this server cannot play: audio, predictions, web search, the functions of
// before tools, and several choices.
var chatFields = fieldTable{
	"request": set("model messages max_tokens max_completion_tokens stream stream_options tools tool_choice " +
		"parallel_tool_calls reasoning_effort verbosity temperature top_p frequency_penalty presence_penalty logit_bias " +
		"seed stop n response_format store metadata user service_tier prompt_cache_key prompt_cache_retention " +
		"safety_identifier"),
	// What OpenRouter takes more; its models' names have a slash.
	"request.openrouter": set("reasoning include_reasoning provider models route transforms plugins usage top_k min_p " +
		"top_a repetition_penalty session_id trace debug"),
	// What other compatible servers take more (vLLM, Ollama, DeepSeek).
	"request.other":        set("top_k min_p repetition_penalty chat_template_kwargs thinking think keep_alive options"),
	"stream_options":       set("include_usage include_obfuscation"),
	"system":               set("role content name"),
	"developer":            set("role content name"),
	"user":                 set("role content name"),
	"tool":                 set("role content tool_call_id"),
	"assistant":            set("role content name refusal tool_calls"),
	"assistant.openrouter": set("reasoning reasoning_content reasoning_details"),
	"assistant.other":      set("reasoning reasoning_content reasoning_details"),
	"tool_call":            set("id type function"),
	"tool_call.function":   set("name arguments"),
	"text":                 set("type text"),
	"refusal":              set("type refusal"),
	"image_url":            set("type image_url"),
	"input_audio":          set("type input_audio"),
	"file":                 set("type file"),
	"function_tool":        set("type function"),
	"function":             set("name description parameters strict"),
	"tool_choice":          set("type function"),
	"tool_choice.function": set("name"),
	"cache_control":        set("cache_control"),
	"reasoning.text":       set("type text signature id format index"),
	"reasoning.summary":    set("type summary id format index"),
	"reasoning.encrypted":  set("type data id format index"),
}

// responsesFields leave out what OpenAI takes and this server cannot play: stored conversations and prompts, work in the
// background, and the vendor's own tools.
var responsesFields = fieldTable{
	"request": set("model input instructions max_output_tokens stream stream_options tools tool_choice parallel_tool_calls " +
		"reasoning text include store metadata user service_tier prompt_cache_key prompt_cache_retention safety_identifier " +
		"temperature top_p truncation previous_response_id max_tool_calls"),
	"stream_options":       set("include_obfuscation"),
	"reasoning":            set("effort summary generate_summary"),
	"text_config":          set("format verbosity"),
	"message":              set("type role content"),
	"message.assistant":    set("type role content id status phase"),
	"function_call":        set("type id call_id name arguments status"),
	"function_call_output": set("type id call_id output status"),
	"reasoning_item":       set("type id summary encrypted_content content status"),
	"summary_text":         set("type text"),
	"item_reference":       set("type id"),
	"input_text":           set("type text"),
	"input_image":          set("type image_url file_id detail"),
	"input_file":           set("type file_id file_data file_url filename"),
	"output_text":          set("type text annotations logprobs"),
	"refusal":              set("type refusal"),
	"function":             set("type name description parameters strict"),
	"tool_choice":          set("type name"),
}

// roleParts are the types of block that a message of each role may hold, by wire.
var (
	messagesRoleParts = fieldTable{
		"user":      set("text tool_result image document"),
		"assistant": set("text thinking redacted_thinking tool_use server_tool_use"),
	}
	chatRoleParts = fieldTable{
		"system":    set("text"),
		"developer": set("text"),
		"user":      set("text image_url input_audio file"),
		"assistant": set("text refusal"),
		"tool":      set("text"),
	}
	responsesRoleParts = fieldTable{
		"system":    set("input_text input_image input_file"),
		"developer": set("input_text input_image input_file"),
		"user":      set("input_text input_image input_file"),
		"assistant": set("output_text refusal"),
	}
)

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
	gptPattern      = regexp.MustCompile(`^gpt-(\d+)(?:\.(\d+))?(?:-|$)`)
	snapshotPattern = regexp.MustCompile(`-(\d{8}|\d{4}-\d{2}-\d{2})$`)
)
