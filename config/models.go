package config

// Models says which models answer.
type Models struct {
	// Providers are the vendors, by a name of the host's choosing.
	Providers map[string]Provider `yaml:"providers"`
	// Loop answers members.
	Loop Model `yaml:"loop"`
	// Small does the small things. Without it Loop does them.
	Small Model `yaml:"small"`
	// CacheTTL is how long a vendor is asked to keep a prompt: "5m" or "1h". Defaults to 5m.
	CacheTTL Duration `yaml:"cache_ttl"`
}

// Provider is one vendor of models.
type Provider struct {
	// Wire is the protocol: "anthropic". Defaults to the provider's name.
	Wire string `yaml:"wire"`
	// KeyEnv and KeyFile name the variable or file of the operator's key; on Anthropic's wire ANTHROPIC_API_KEY unless
	// another is named. Where the variable is not set there is no
	// key: nothing is asked of this provider, and that is told.
	KeyEnv  string `yaml:"key_env"`
	KeyFile string `yaml:"key_file"`
	// BaseURL is the vendor's address; BaseURLEnv names a variable that wins over it, ANTHROPIC_BASE_URL on Anthropic's
	// wire unless another is named. Defaults to the vendor's own.
	BaseURL    string `yaml:"base_url"`
	BaseURLEnv string `yaml:"base_url_env"`
	// AuthHeader is the header that carries the key: "x-api-key", or "authorization" (as a bearer). Defaults to
	// x-api-key.
	AuthHeader string `yaml:"auth_header"`

	// Key is the resolved key; zero where there is none.
	Key Secret `yaml:"-"`
}

// Model is one model and how it is asked.
type Model struct {
	// Provider is one of the providers. Defaults to the only one.
	Provider string `yaml:"provider"`
	// Model is the vendor's name of it.
	Model string `yaml:"model"`
	// Effort is how hard it is asked to think: low, medium, high. Empty: the model's own default.
	Effort string `yaml:"effort"`
	// OutputCap is the most tokens of one reply. Defaults to 16384 for the loop and 1024 for the small model.
	OutputCap int `yaml:"output_cap"`
	// Ceiling is what OutputCap must not exceed, so that a slip in a setting cannot become a bill. Defaults to 16384 for
	// the loop and 4096 for the small model.
	Ceiling int `yaml:"ceiling"`
}
