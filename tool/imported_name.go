package tool

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// importedName names an operation that the host's file does not: its first tag and its operationId, in snake case, the
// tag not once more ("repos/get" of the tag "repos" is repos.get, "listLoans" of "loans" is loans.list, and so is the
// "get_loans" of GET /loans). Where that is taken the operationId stands whole, and then with a number. taken holds
// the names that are, each with the last number that was tried for it.
func importedName(source string, op *operation, taken map[string]int) (router, action string) {
	router = snake(op.tag, 40)
	if router == "" {
		router = snake(source, 40)
	}
	if router == "app" { // Steward's own
		router = "api_app"
	}
	action = snake(op.id, 60)
	if action == "" {
		action = snake(op.method+" "+op.path, 60)
	}
	if action == "" {
		action = strings.ToLower(op.method)
	}
	short := action
	if op.tag != "" && op.id != "" {
		short = withoutRouter(action, router)
		if op.method == http.MethodGet && short == "get" && action != short && !strings.HasSuffix(op.path, "}") && strings.HasSuffix(router, "s") {
			short = "list"
		}
	}
	name := short
	if taken[router+"."+name] > 0 {
		name = action
	}
	for taken[router+"."+name] > 0 {
		taken[router+"."+action]++
		suffix := fmt.Sprintf("_%d", taken[router+"."+action])
		name = action[:min(len(action), 60-len(suffix))] + suffix
	}
	taken[router+"."+name] = 1
	return router, name
}

// withoutRouter leaves out of an action's name the words that its router says already; the whole name where nothing
// remains that can be one.
func withoutRouter(action, router string) string {
	said := strings.Split(router, "_")
	words := slices.DeleteFunc(strings.Split(action, "_"), func(w string) bool {
		return slices.ContainsFunc(said, func(r string) bool { return sameNoun(r, w) })
	})
	if short := strings.Join(words, "_"); wordPattern.MatchString(short) {
		return short
	}
	return action
}

// sameNoun reports whether two words are one, but for the usual endings of an English plural.
func sameNoun(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	stem, y := strings.CutSuffix(a, "y")
	return a == b || b == a+"s" || b == a+"es" || y && b == stem+"ies"
}

// snake writes a name in lower case with underscores, beginning with a letter and at most limit long: "listBookings" and
// "list-bookings" are list_bookings, "getHTTPStatus" is get_http_status. Empty where nothing of it remains.
func snake(name string, limit int) string {
	var b strings.Builder
	r := []rune(name)
	for i, c := range r {
		switch {
		case c < 0x80 && (unicode.IsLower(c) || unicode.IsDigit(c)):
			b.WriteRune(c)
		case c < 0x80 && unicode.IsUpper(c):
			if i > 0 && (unicode.IsLower(r[i-1]) || unicode.IsDigit(r[i-1]) || unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1])) {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(c))
		default:
			b.WriteByte('_')
		}
	}
	parts := strings.FieldsFunc(b.String(), func(c rune) bool { return c == '_' })
	out := strings.Join(parts, "_")
	if out != "" && (out[0] < 'a' || out[0] > 'z') {
		out = "op_" + out
	}
	return strings.TrimSuffix(out[:min(len(out), limit)], "_")
}
