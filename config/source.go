package config

// Authorities: whose authority a source's calls carry.
const (
	AuthorityForward = "forward" // the member's own token of the request now served
	AuthorityService = "service" // Steward's signed statement about the member
	AuthorityBrowser = "browser" // the member's browser
)

// Source is one API of the product.
type Source struct {
	// OpenAPI is its OpenAPI 3.0 or 3.1 document: a file beside this one, or an https URL with SHA256.
	OpenAPI string `yaml:"openapi"`
	// SHA256 pins the document to its content, in hexadecimal. Required for a URL.
	SHA256 string `yaml:"sha256"`
	// BaseURL is where the API is: scheme, host, port and perhaps a path, and the only place its calls go to. BaseURLEnv
	// names a variable that wins over it. One of them must say where.
	BaseURL    string `yaml:"base_url"`
	BaseURLEnv string `yaml:"base_url_env"`
	// Authority says whose authority calls carry: "forward" (the member's token) or "service" (a signed statement).
	// Defaults to forward.
	Authority string `yaml:"authority"`
	// LeaveOut lists operationIds that are not imported at all.
	LeaveOut []string `yaml:"leave_out"`
}

// Entity says how a name that a person types becomes an id.
type Entity struct {
	// Search is the read that finds it, as "read.find_members". Required.
	Search string `yaml:"search"`
	// Query points at the search's argument that takes the name. Required.
	Query string `yaml:"query"`
	// Items points at the list in the search's result. Required.
	Items string `yaml:"items"`
	// ID and Label point into an item, at the id and at what people call it. Required.
	ID    string `yaml:"id"`
	Label string `yaml:"label"`
}
