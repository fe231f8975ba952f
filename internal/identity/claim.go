package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/text/language"

	"github.com/steward-assistant/steward/principal"
)

// DefaultOrg is the org of a member whose host has no tenants.
const DefaultOrg = "default"

// limits are our claims, each with the most bytes of one value. The figures are generous for what hosts send, and small
// enough that a principal may stand in keys and caches.
var limits = map[string]int{
	"sub": 256, "org": 256, "roles": 128, "scopes": 256, "plan": 128, "features": 128, "locale": 35, "time_zone": 64,
	"name": 256, "steward_scopes": 64,
}

// maxValues is how many values a list may hold.
const maxValues = 256

func (v *Verifier) principal(claims jwt.MapClaims) (principal.Principal, error) {
	r := reader{claims: claims, names: v.names}
	p := principal.Principal{
		Member:        r.id("sub"),
		Org:           r.id("org"),
		Roles:         r.list("roles", false),
		Scopes:        r.list("scopes", true),
		StewardScopes: r.list("steward_scopes", true),
		Plan:          r.text("plan"),
		Features:      r.list("features", false),
		TimeZone:      r.text("time_zone"),
		Name:          r.text("name"),
	}
	locale := r.text("locale")
	if r.err != nil {
		return principal.Principal{}, r.err
	}
	if p.Member == "" {
		return principal.Principal{}, &TokenError{r.name("sub"), "required: the host's id of its member"}
	}
	if p.Org == "" {
		// A host that says where its org stands has tenants: a token without it would put them all into one.
		if r.name("org") != "org" {
			return principal.Principal{}, &TokenError{r.name("org"), "required: the host's id of the member's org"}
		}
		p.Org = DefaultOrg
	}
	// A wrong zone would make every "today" wrong without a sign of it, so it is refused; a wrong locale has others to
	// fall back on.
	if p.TimeZone != "" {
		if _, err := time.LoadLocation(p.TimeZone); err != nil || p.TimeZone == "Local" {
			return principal.Principal{}, &TokenError{r.name("time_zone"), `a name of the IANA time zone database, as "Europe/Berlin"`}
		}
	}
	if tag, err := language.Parse(locale); err == nil && locale != "" {
		p.Locale = tag.String()
	}
	p.Roles = slices.DeleteFunc(p.Roles, func(role string) bool { _, ok := v.roles[role]; return !ok })
	return p, nil
}

// reader reads claims until the first fault.
type reader struct {
	claims jwt.MapClaims
	names  map[string]string
	err    error
}

func (r *reader) name(ours string) string {
	if host, ok := r.names[ours]; ok {
		return host
	}
	return ours
}

func (r *reader) value(ours string) any {
	name := r.name(ours)
	if v, ok := r.claims[name]; ok || !strings.HasPrefix(name, "/") {
		return v
	}
	var at any = map[string]any(r.claims)
	for part := range strings.SplitSeq(name[1:], "/") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return at
}

func (r *reader) fail(ours, want string) {
	if r.err == nil {
		r.err = &TokenError{r.name(ours), want}
	}
}

// id reads a text, or the whole number that many hosts use as an id.
func (r *reader) id(ours string) string {
	if n, ok := r.value(ours).(json.Number); ok {
		if i, err := n.Int64(); err == nil {
			return fmt.Sprint(i)
		}
	}
	return r.text(ours)
}

func (r *reader) text(ours string) string {
	switch v := r.value(ours).(type) {
	case nil:
		return ""
	case string:
		if r.sound(ours, v) {
			return v
		}
	default:
		r.fail(ours, "text")
	}
	return ""
}

// list reads a list of texts, or one text: several, separated by spaces, where spaced is set (RFC 6749 section 3.3).
func (r *reader) list(ours string, spaced bool) []string {
	var out []string
	switch v := r.value(ours).(type) {
	case nil:
		return nil
	case string:
		out = []string{v}
		if spaced {
			out = strings.Fields(v)
		}
	case []any:
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				r.fail(ours, "a list of texts")
				return nil
			}
			out = append(out, s)
		}
	default:
		r.fail(ours, "a list of texts")
		return nil
	}
	if len(out) > maxValues {
		r.fail(ours, fmt.Sprintf("at most %d values", maxValues))
		return nil
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" || !r.sound(ours, s) })
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *reader) sound(ours, s string) bool {
	if len(s) > limits[ours] || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		r.fail(ours, fmt.Sprintf("at most %d bytes, without control characters", limits[ours]))
		return false
	}
	return true
}

func isNumber(v any) bool { _, ok := v.(json.Number); return ok }
