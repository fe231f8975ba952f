package config

import (
	"fmt"
	"regexp"
	"strings"
)

func (l *loader) source(name string, s Source) {
	path := join("sources", name)
	if !namePattern.MatchString(name) {
		l.fault(path, "must be named with lower-case letters, digits and underscores, as api")
	}
	if s.SHA256 != "" && !shaPattern.MatchString(s.SHA256) {
		l.fault(path+".sha256", "must be 64 hexadecimal digits in lower case")
	}
	if s.MCP != nil {
		l.mcp(path, s)
		return
	}
	l.envName(path+".base_url_env", s.BaseURLEnv)
	if s.BaseURL != "" {
		at := path + ".base_url"
		if _, written := l.c.at[at]; !written {
			at = path + ".base_url_env"
		}
		l.address(at, s.BaseURL)
	}
	switch {
	case s.OpenAPI == "":
		l.fault(path+".openapi", "must name an OpenAPI 3.0 or 3.1 document: a file beside this one, or an https URL with sha256; or be an MCP server, with mcp")
	case strings.Contains(s.OpenAPI, "://"):
		if u := l.address(path+".openapi", s.OpenAPI); u != nil && u.Scheme != "https" && !isLoopback(u.Hostname()) {
			l.fault(path+".openapi", "must be https, or a file")
		}
		if s.SHA256 == "" {
			l.fault(path+".sha256", "must pin a document that is fetched to its content, in 64 hexadecimal digits")
		}
	default:
		if _, err := readBoundedBy(l.c.Files, s.OpenAPI, MaxDocumentBytes); err != nil {
			l.fault(path+".openapi", "the file "+readFault(err))
		}
	}
	if s.Authority == AuthorityBrowser {
		l.fault(path+".authority", "browser is not in this version; forward and service are")
	} else {
		l.oneOf(path+".authority", s.Authority, AuthorityForward, AuthorityService)
	}
}

func (l *loader) entity(name string, e Entity) {
	path := join("entities", name)
	if !namePattern.MatchString(name) {
		l.fault(path, "must be named with lower-case letters, digits and underscores, as member")
	}
	l.toolName(path+".search", e.Search)
	l.pointer(path+".query", e.Query, "/q")
	l.listPointer(path+".items", e.Items)
	l.pointer(path+".id", e.ID, "/id")
	l.pointer(path+".label", e.Label, "/name")
}

func (l *loader) toolName(path, name string) {
	switch {
	case name == "":
		l.fault(path, "is missing: it must be the name of a tool, router.action, as bookings.list")
	case !actionPattern.MatchString(name):
		l.fault(path, "must be the name of a tool, router.action, as bookings.list")
	}
}

func (l *loader) tools() {
	t := l.c.Tools
	if t.GroupBy != "" {
		l.oneOf("tools.group_by", t.GroupBy, "router", "action")
	}
	l.timeout("tools.timeout", t.Timeout)
	l.timeout("tools.client_timeout", t.ClientTimeout)
	l.between("tools.result_limit", t.ResultLimit, 1_000, 1_000_000)
	l.between("tools.parallel", t.Parallel, 1, 16)
	l.between("tools.retry_breaker", t.RetryBreaker, 1, 10)
	operations := map[string]string{}
	for _, name := range sortedKeys(t.Actions) {
		a := t.Actions[name]
		path := join("tools.actions", name)
		if !actionPattern.MatchString(name) {
			l.fault(path, "must be named router.action, in lower-case letters, digits and underscores, as bookings.list")
		}
		if router, _, _ := strings.Cut(name, "."); router == "app" {
			l.fault(path, "the router app is Steward's own; take another name")
		}
		if first, twice := operations[a.Operation]; twice {
			l.fault(path+".operation", "is "+first+" already; an operation is one tool")
		} else if l.operation(path+".operation", a.Operation) {
			operations[a.Operation] = name
		}
		l.action(path, a)
	}
}

// operation checks that an action names an operation of one of the sources. What is wrong with it is told.
func (l *loader) operation(path, operation string) bool {
	source, id, named := strings.Cut(operation, ".")
	if _, known := l.c.Sources[source]; known && named && id != "" {
		return true
	}
	const goFunction = "; the asks and the table of a Go function are given in Go, with tool.WithDefinition"
	sources := sortedKeys(l.c.Sources)
	message := "must be source.operationId, or source.tool of an MCP server, with a source out of sources: " + strings.Join(sources, ", ")
	switch {
	case len(sources) == 0:
		message = "must be an operation of one of sources, and there are none" + goFunction
	case operation == "":
		message = "is missing: it " + message + goFunction
	}
	l.fault(path, message)
	return false
}

func (l *loader) timeout(path string, d Duration) {
	if d > MaxTimeout {
		l.fault(path, "must be at most 10m")
	}
}

var slotPattern = regexp.MustCompile(`\{([^{}]*)\}`)

// slotName is what may stand in the braces of an asks phrase: a parameter, and an entity after a colon.
var slotName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*(:[a-z][a-z0-9_]*)?$`)

func (l *loader) action(path string, a Action) {
	if a.Effect != "" {
		l.oneOf(path+".effect", a.Effect, "read", "write")
	}
	l.roles(path+".roles", a.Roles)
	l.text(path+".progress", a.Progress, false)
	l.text(path+".failure", a.Failure, false)
	l.text(path+".sentence", a.Sentence, false)
	for key, pointers := range map[string][]string{"trusted": a.Trusted, "omit": a.Omit, "must_tell": a.MustTell} {
		for i, p := range pointers {
			l.pointer(fmt.Sprintf("%s.%s[%d]", path, key, i), p, "/items/*/name")
		}
	}
	if a.Status != nil {
		l.pointer(path+".status.path", a.Status.Path, "/status")
	}
	if a.Table != nil {
		l.listPointer(path+".table.items", a.Table.Items)
		l.text(path+".table.title", a.Table.Title, false)
		if len(a.Table.Columns) == 0 {
			l.fault(path+".table.columns", "must have at least one column, as Name: /name")
		}
		for _, c := range a.Table.Columns {
			l.pointer(path+".table.columns", c.Path, "/name")
			l.text(path+".table.columns", c.Header, true)
		}
	}
	for _, locale := range sortedKeys(a.Asks) {
		l.locale(join(path+".asks", locale), locale)
		for i, phrase := range a.Asks[locale] {
			l.phrase(fmt.Sprintf("%s[%d]", join(path+".asks", locale), i), phrase)
		}
	}
	if a.Confirm != "" {
		l.oneOf(path+".confirm", a.Confirm, "always", "destructive", "never")
	}
	l.writes(path, a)
	l.timeout(path+".timeout", a.Timeout)
	if a.ResultLimit != 0 {
		l.between(path+".result_limit", a.ResultLimit, 1_000, 1_000_000)
	}
}

func (l *loader) phrase(path, phrase string) {
	if strings.TrimSpace(slotPattern.ReplaceAllString(phrase, "")) == "" {
		l.fault(path, "must hold words beside its slots")
	}
	for _, m := range slotPattern.FindAllStringSubmatch(phrase, -1) {
		if !slotName.MatchString(m[1]) {
			l.fault(path, "a slot must be {parameter} or {parameter:entity}")
			continue
		}
		if _, entity, typed := strings.Cut(m[1], ":"); typed {
			if _, ok := l.c.Entities[entity]; !ok {
				l.fault(path, "there is no entity "+entity+" in entities")
			}
		}
	}
	if strings.ContainsAny(slotPattern.ReplaceAllString(phrase, ""), "{}") {
		l.fault(path, "has a brace without its partner")
	}
}
