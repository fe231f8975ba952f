package config

import (
	"fmt"
	"strings"
)

// mcp checks a source that is an MCP server.
func (l *loader) mcp(path string, s Source) {
	for _, set := range []struct {
		key, why string
		is       bool
	}{
		{"openapi", "stands beside mcp; a source is one of them", s.OpenAPI != ""},
		{"base_url", "is for openapi; an MCP server's address is mcp.url", s.BaseURL != ""},
		{"base_url_env", "is for openapi; an MCP server's address is mcp.url_env", s.BaseURLEnv != ""},
		{"authority", "is for openapi; an MCP server gets no authority of a member's, so leave this out", s.Authority != ""},
	} {
		if set.is {
			l.fault(path+"."+set.key, set.why)
		}
	}
	m := s.MCP
	path += ".mcp"
	l.envName(path+".url_env", m.URLEnv)
	l.envName(path+".key_env", m.KeyEnv)
	switch remote := m.URL != "" || m.URLEnv != ""; {
	case remote && len(m.Command) > 0:
		l.fault(path, "has a command and an address; a server is one of them")
	case remote:
		l.remoteMCP(path, m)
	case len(m.Command) > 0:
		l.localMCP(path, m)
	default:
		l.fault(path, "must say what to start, as command: [notes-server, --stdio], or where the server is, as url: https://mcp.example.com/mcp")
	}
}

func (l *loader) localMCP(path string, m *MCPServer) {
	if strings.TrimSpace(m.Command[0]) == "" {
		l.fault(path+".command[0]", "must be the program, as notes-server; its arguments follow, each an element of the list")
	}
	if m.KeyEnv != "" || m.KeyFile != "" {
		l.fault(path, "a key is for url; a program is given variables with env")
	}
	own := l.ownVariables()
	for i, name := range m.Env {
		at := fmt.Sprintf("%s.env[%d]", path, i)
		switch _, set := m.Environment[name]; {
		case !envPattern.MatchString(name):
			l.fault(at, "must be the name of a variable of the environment, as NOTES_TOKEN; the value itself does not stand in the file")
		case own[name] || isOwnVariable(name):
			l.fault(at, name+" is Steward's own; no program is given it")
		case !set:
			l.fault(at, name+" is not set in the environment")
		}
	}
}

func (l *loader) remoteMCP(path string, m *MCPServer) {
	if len(m.Env) > 0 {
		l.fault(path+".env", "is for command; a server at an address is given a key with key_env")
	}
	if m.URL == "" {
		return
	}
	at := path + ".url"
	if _, written := l.c.at[at]; !written {
		at = path + ".url_env"
	}
	u := l.address(at, m.URL)
	if u != nil && u.Scheme == "http" && !m.Key.IsZero() && !isLoopback(u.Hostname()) {
		l.fault(at, "must be https, because a key is sent there")
	}
}
