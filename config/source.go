package config

import "strings"

// Authorities: whose authority a source's calls carry.
const (
	AuthorityForward = "forward" // the member's own token of the request now served
	AuthorityService = "service" // Steward's signed statement about the member
	AuthorityBrowser = "browser" // the member's browser
)

// Source is one API of the product, or one MCP server beside it.
type Source struct {
	// OpenAPI is its OpenAPI 3.0 or 3.1 document: a file beside this one, or an https URL with SHA256. Either this or MCP.
	OpenAPI string `yaml:"openapi"`
	// MCP is a server of the Model Context Protocol whose tools are offered. Either this or OpenAPI.
	MCP *MCPServer `yaml:"mcp"`
	// SHA256 pins the document, or the MCP server's list of tools, to its content, in hexadecimal; "steward check" prints
	// it. Required for a URL and for an MCP server.
	SHA256 string `yaml:"sha256"`
	// BaseURL is where the API is: scheme, host, port and perhaps a path, and the only place its calls go to. BaseURLEnv
	// names a variable that wins over it. One of them must say where; an MCP server has neither.
	BaseURL    string `yaml:"base_url"`
	BaseURLEnv string `yaml:"base_url_env"`
	// Authority says whose authority calls carry: "forward" (the member's token) or "service" (a signed statement).
	// Defaults to forward. An MCP server gets neither.
	Authority string `yaml:"authority"`
	// LeaveOut lists operationIds, or tools of an MCP server, that are not imported at all.
	LeaveOut []string `yaml:"leave_out"`
}

// MCPServer is a server of the Model Context Protocol: a program that Steward starts and speaks with over its standard
// input and output, or an address. It acts by the operator's authority, never by a member's.
type MCPServer struct {
	// Command is the program and its arguments. Either this or URL.
	Command []string `yaml:"command"`
	// Env names the variables of the environment that the program gets, beside PATH and HOME. Defaults to none.
	Env []string `yaml:"env"`
	// URL is the server's address for streamable HTTP: the only scheme, host and port that is asked. URLEnv names a
	// variable that wins over it. Either these or Command.
	URL    string `yaml:"url"`
	URLEnv string `yaml:"url_env"`
	// KeyEnv and KeyFile name the variable or file of the operator's key, which is sent to URL as a bearer token. Without
	// them none is sent.
	KeyEnv  string `yaml:"key_env"`
	KeyFile string `yaml:"key_file"`

	// Key is the resolved key; zero where there is none.
	Key Secret `yaml:"-"`
	// Environment is the program's whole environment.
	Environment map[string]Secret `yaml:"-"`
}

// Entity says how a name that a person types becomes an id.
type Entity struct {
	// Search is the read that finds it, as "read.find_members". Required.
	Search string `yaml:"search"`
	// Query points at the search's argument that takes the name. Required.
	Query string `yaml:"query"`
	// Items points at the list in the search's result. Empty: the result itself is the list.
	Items string `yaml:"items"`
	// ID and Label point into an item, at the id and at what people call it. Required.
	ID    string `yaml:"id"`
	Label string `yaml:"label"`
}

// resolveSource reads what a source's _env and _file keys name.
func (l *loader) resolveSource(name string) {
	s := l.c.Sources[name]
	path := join("sources", name)
	if s.MCP != nil {
		l.resolveMCP(path+".mcp", s.MCP)
		return
	}
	written := s.BaseURL
	s.BaseURL = l.setting(s.BaseURLEnv, s.BaseURL)
	switch {
	case s.BaseURL != "":
	case s.BaseURLEnv != "":
		l.fault(path+".base_url_env", s.BaseURLEnv+" is not set in the environment; it says where the API is, as https://api.example.com")
	case written == "":
		l.fault(path, "says nowhere where the API is; set base_url, or base_url_env to the name of a variable")
	}
	l.c.Sources[name] = s
}

func (l *loader) resolveMCP(path string, m *MCPServer) {
	if len(m.Command) > 0 {
		m.Environment = map[string]Secret{}
		for _, name := range append([]string{"PATH", "HOME"}, m.Env...) {
			if v, ok := l.env(name); ok {
				m.Environment[name] = NewSecret(v)
			}
		}
		return
	}
	m.URL = l.setting(m.URLEnv, m.URL)
	if m.URL == "" && m.URLEnv != "" {
		l.fault(path+".url_env", m.URLEnv+" is not set in the environment; it says where the server is, as https://mcp.example.com/mcp")
	}
	m.Key = l.secret(path, "key", m.KeyEnv, m.KeyFile, true)
}

// ownVariables are the variables that this file reads secrets of Steward's own from, which no program that it starts is
// given.
func (l *loader) ownVariables() map[string]bool {
	c := l.c
	own := map[string]bool{c.Identity.SecretEnv: true, c.Statement.KeyEnv: true}
	for _, p := range c.Models.Providers {
		own[p.KeyEnv] = true
	}
	return own
}

func isOwnVariable(name string) bool { return strings.HasPrefix(name, "STEWARD_") }
