package config

import "slices"

// Wires: the protocols that providers speak.
const (
	WireAnthropic  = "anthropic"   // Anthropic's Messages API
	WireOpenAI     = "openai"      // OpenAI's Responses API
	WireOpenAIChat = "openai_chat" // Chat Completions, as OpenAI and those compatible with it speak it
)

// Without: what a provider may be said not to do.
const (
	WithoutTools   = "tools"   // tools cannot be called
	WithoutStreams = "streams" // a reply comes in one piece
	WithoutEffort  = "effort"  // how hard to think cannot be asked for
	WithoutStrict  = "strict"  // a tool's arguments are not held to its schema
)

// Models says which models answer.
type Models struct {
	// Providers are the vendors by name. Three are there without being written: anthropic (key in ANTHROPIC_API_KEY,
	// address in ANTHROPIC_BASE_URL), openai (OPENAI_API_KEY, OPENAI_BASE_URL) and openrouter (OPENROUTER_API_KEY); an
	// entry of such a name changes it, any other adds one.
	Providers map[string]Provider `yaml:"providers"`
	// Loop answers members.
	Loop Model `yaml:"loop"`
	// Small does the small things. What it does not say is as for Loop's provider.
	Small Model `yaml:"small"`
	// CacheTTL is how long a vendor is asked to keep a prompt: "5m" or "1h". Defaults to 5m.
	CacheTTL Duration `yaml:"cache_ttl"`

	// named says that the loop's provider was named, by the file or by STEWARD_PROVIDER, and not found by its key.
	named bool
}

// Provider is one vendor of models, or a server of one's own.
type Provider struct {
	// Wire is the protocol: "anthropic" (Messages), "openai" (Responses) or "openai_chat" (Chat Completions, as
	// OpenRouter, Ollama, vLLM and others speak it). Required, but of the three that are there anyway: theirs are
	// anthropic, openai and openai_chat.
	Wire string `yaml:"wire"`
	// KeyEnv and KeyFile name the variable or file of the operator's key. Where the variable is not set there is no
	// key: nothing is asked of this provider, and that is told. Defaults to the vendor's own variable for the three that
	// are there anyway and for an entry that names no address; required of any other that is not keyless.
	KeyEnv  string `yaml:"key_env"`
	KeyFile string `yaml:"key_file"`
	// Keyless says that the server wants no key, as Ollama and vLLM do not. It needs an address of its own, and a wire
	// other than Anthropic's. Defaults to false.
	Keyless bool `yaml:"keyless"`
	// BaseURL is the address: on Anthropic's wire without the /v1, on OpenAI's with it. BaseURLEnv names a variable that
	// wins over it. Defaults to the vendor's own.
	BaseURL    string `yaml:"base_url"`
	BaseURLEnv string `yaml:"base_url_env"`
	// AuthHeader is the header that carries the key on Anthropic's wire: "x-api-key", or "authorization" (as a bearer).
	// Defaults to x-api-key. The other wires have one way and take no such setting.
	AuthHeader string `yaml:"auth_header"`
	// Without lists what its models cannot do: tools, streams, effort, strict. Defaults to none of them.
	Without []string `yaml:"without"`

	// Key is the resolved key; zero where there is none.
	Key Secret `yaml:"-"`
}

// Configured reports whether the provider can be asked: it has its key, or wants none.
func (p Provider) Configured() bool { return p.Keyless || !p.Key.IsZero() }

// Cannot reports whether the file says that its models cannot do something, as [WithoutTools].
func (p Provider) Cannot(what string) bool { return slices.Contains(p.Without, what) }

// Model is one model and how it is asked.
type Model struct {
	// Provider is one of the providers, and then no other is asked. Defaults, for the loop, to the only entry of
	// providers where a model is named, else to the first that has its key: anthropic, openai, openrouter, then the
	// file's own by name; for the small model to the loop's. STEWARD_PROVIDER wins over both.
	Provider string `yaml:"provider"`
	// Model is the vendor's name of it. anthropic, openai and openrouter have a default on their own wires; elsewhere the
	// small model's is the loop's, and the loop's must be named. STEWARD_MODEL wins over the loop's. A model that is named
	// for another provider than the one that STEWARD_PROVIDER names gives way to that one's default.
	Model string `yaml:"model"`
	// Effort is how hard it is asked to think: low, medium, high. Defaults to medium for the loop's default models of
	// anthropic and openai, else to the model's own.
	Effort string `yaml:"effort"`
	// OutputCap is the most tokens of one reply. Defaults to 16384 for the loop and 1024 for the small model.
	OutputCap int `yaml:"output_cap"`
	// Ceiling is what OutputCap must not exceed, so that a slip in a setting cannot become a bill. Defaults to 16384 for
	// the loop and 4096 for the small model.
	Ceiling int `yaml:"ceiling"`
}

// KeyVariables names the variables of which any one, once set, would have a model answer: the chosen provider's where
// it was named, else every provider's in the order in which they are tried. Empty where the key is not read from a
// variable.
func (m Models) KeyVariables() []string {
	names := m.order()
	if m.named {
		names = []string{m.Loop.Provider}
	}
	var out []string
	for _, name := range names {
		if env := m.Providers[name].KeyEnv; env != "" && !slices.Contains(out, env) {
			out = append(out, env)
		}
	}
	return out
}

// order lists the providers in the order in which they are tried where none is named.
func (m Models) order() []string {
	var out []string
	for _, b := range builtins {
		if _, ok := m.Providers[b.name]; ok {
			out = append(out, b.name)
		}
	}
	for _, name := range sortedKeys(m.Providers) {
		if !isBuiltin(name) {
			out = append(out, name)
		}
	}
	return out
}
