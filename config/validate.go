package config

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
)

var (
	idPattern     = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)
	namePattern   = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	actionPattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}\.[a-z][a-z0-9_]{0,59}$`)
	envPattern    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	shaPattern    = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func (l *loader) validate() {
	c := l.c
	l.product()
	l.locales()
	for i, m := range c.Modes {
		path := fmt.Sprintf("modes[%d]", i)
		switch m {
		case "kept":
		case "device", "own_key", "passing":
			l.fault(path, m+" is not in this version; only kept is")
		default:
			l.fault(path, "must be kept")
		}
	}
	if len(c.Modes) == 0 {
		l.fault("modes", "must name at least one mode: [kept]")
	}
	if c.OptIn == "required" {
		l.fault("opt_in", "required is not in this version; only none is")
	} else {
		l.oneOf("opt_in", c.OptIn, "none")
	}
	if c.Visitors {
		l.fault("visitors", "true is not in this version; only false is")
	}
	l.oneOf("without_model", c.WithoutModel, "guide", "say_so")
	for i, on := range c.GuideOn {
		l.oneOf(fmt.Sprintf("guide_on[%d]", i), on, "no_key", "unavailable", "budget", "agent_off")
	}
	l.identity()
	l.models()
	for _, name := range sortedKeys(c.Sources) {
		l.source(name, c.Sources[name])
	}
	for _, name := range sortedKeys(c.Entities) {
		l.entity(name, c.Entities[name])
	}
	l.envName("statement.key_env", c.Statement.KeyEnv)
	l.tools()
	l.consequences()
	l.nav()
	l.surfaces()
	for i, origin := range l.c.CORS.Origins {
		l.origin(fmt.Sprintf("cors.origins[%d]", i), origin, "https://app.example.com")
	}
	l.turn()
}

func (l *loader) product() {
	p := l.c.Product
	if !idPattern.MatchString(p.ID) {
		l.fault("product.id", "must be lower-case letters, digits and hyphens, beginning with a letter, at most 40, as harbour-row")
	}
	l.text("product.name", p.Name, true)
	if strings.TrimSpace(p.About) == "" {
		l.fault("product.about", "must say in a sentence what the product is and who uses it")
	}
}

func (l *loader) locales() {
	if len(l.c.Locales) == 0 {
		l.fault("locales", "must name at least one language, as [en]")
		l.c.Locales = []string{"en"}
	}
	for i, tag := range l.c.Locales {
		path := fmt.Sprintf("locales[%d]", i)
		if _, err := language.Parse(tag); err != nil || tag == "" {
			l.fault(path, "must be a BCP 47 language tag such as en, he or pt-BR")
		}
		if slices.Contains(l.c.Locales[:i], tag) {
			l.fault(path, tag+" stands twice")
		}
	}
	for _, locale := range sortedKeys(l.c.Words) {
		l.locale(join("words", locale), locale)
	}
}

// locale checks that a key is one of the host's languages.
func (l *loader) locale(path, locale string) {
	if !slices.Contains(l.c.Locales, locale) {
		l.fault(path, "must be one of locales: "+strings.Join(l.c.Locales, ", "))
	}
}

// text checks the languages of a text, which must have the fallback's.
func (l *loader) text(path string, t Text, required bool) {
	if t == nil {
		if required {
			l.fault(path, "must be set: a text, or one for each locale")
		}
		return
	}
	if len(t) == 0 {
		l.fault(path, "must be a text, or one for each locale")
		return
	}
	for _, locale := range sortedKeys(t) {
		at := path
		if locale != "" {
			at = join(path, locale)
			l.locale(at, locale)
		}
		if strings.TrimSpace(t[locale]) == "" {
			l.fault(at, "must not be empty")
		}
	}
	if _, one := t[""]; !one {
		if _, ok := t[l.c.fallback()]; !ok {
			l.fault(path, "must stand in "+l.c.fallback()+", the first of locales, which is what others fall back to")
		}
	}
}

func (l *loader) oneOf(path, v string, allowed ...string) {
	if !slices.Contains(allowed, v) {
		l.fault(path, "must be "+orList(allowed))
	}
}

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func (l *loader) between(path string, v, lowest, highest int) {
	if v < lowest || v > highest {
		l.fault(path, fmt.Sprintf("must be between %d and %d", lowest, highest))
	}
}

// pointer checks a JSON Pointer (RFC 6901), in which "*" may stand for any index; like stands in what is said of it.
func (l *loader) pointer(path, p, like string) {
	switch {
	case p == "":
		l.fault(path, "is missing: it must be a JSON Pointer such as "+like)
	case !strings.HasPrefix(p, "/"):
		l.fault(path, "must be a JSON Pointer such as "+like)
	}
}

// listPointer checks a pointer to a list, which may be the whole result: an empty one.
func (l *loader) listPointer(path, p string) {
	if p != "" {
		l.pointer(path, p, "/items, or left out where the result itself is the list")
	}
}

func (l *loader) roles(path string, roles []string) {
	for i, r := range roles {
		if _, ok := l.c.Identity.Roles[r]; !ok {
			l.fault(fmt.Sprintf("%s[%d]", path, i), "must be one of identity.roles: "+strings.Join(sortedKeys(l.c.Identity.Roles), ", "))
		}
	}
}

func (l *loader) envName(path, name string) {
	if name != "" && !envPattern.MatchString(name) {
		l.fault(path, "must be the name of a variable of the environment, as API_KEY; the value itself does not stand in the file")
	}
}

// address checks an http(s) URL; plain http is for this machine and private networks, which the operator names.
func (l *loader) address(path, raw string) *url.URL {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Hostname() == "":
		l.fault(path, "must be an address such as https://api.example.com")
		return nil
	case u.User != nil:
		l.fault(path, "must not hold a user name or a password")
	case u.RawQuery != "" || u.Fragment != "":
		l.fault(path, "must end with its path: no query and no fragment")
	}
	return u
}

func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func (l *loader) turn() {
	t := l.c.Turn
	l.between("turn.max_rounds", t.MaxRounds, 1, 8)
	l.between("turn.max_text", t.MaxText, 1, 100_000)
	if t.Lease < Duration(300*time.Millisecond) {
		l.fault("turn.lease", "must be at least 300ms: a process renews its leases three times in it")
	}
	if t.IdleTimeout > t.Timeout {
		l.fault("turn.idle_timeout", "must not be longer than turn.timeout")
	}
}
