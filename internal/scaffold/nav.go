package scaffold

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	// maxNav is how many pages a first file lists.
	maxNav = 80
	// maxSkipped is how many addresses that cannot be a page are named.
	maxSkipped = 20
	// manyLeaves is the number of pages under one path above which they are taken for entries of a list, one page in the
	// index: articles, products.
	manyLeaves = 20
)

// page is one entry of the nav index.
type page struct {
	path, label string
}

var (
	staticSegment = regexp.MustCompile(`^[A-Za-z0-9._~@-]+$`)
	// template is a segment of a route table: {id}, :id, [id], <id>, <int:id>.
	template = regexp.MustCompile(`^(?:\{([^{}]+)\}|:([^:]+)|\[([^\[\]]+)\]|<(?:[a-z]+:)?([^<>:]+)>)$`)
	slotName = regexp.MustCompile(`^[a-z][a-zA-Z0-9_]*$`)

	// What stands for one of many: a number, a UUID, a number with a mark before it (ORD-1042), a prefixed or long random
	// id (cus_9s6XKzkNRiz8i3, 01ARZ3NDEKTSV4RRFFQ69G5FAV).
	idShapes = []*regexp.Regexp{
		regexp.MustCompile(`^\d+$`),
		regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`),
		regexp.MustCompile(`^[A-Z]{1,6}[-_]?\d+$`),
		regexp.MustCompile(`^[a-z]{2,6}_[A-Za-z0-9]{8,}$`),
	}
	hexID    = regexp.MustCompile(`^[0-9a-f]{8,}$`)
	randomID = regexp.MustCompile(`^[A-Za-z0-9_-]{16,}$`)
	file3    = regexp.MustCompile(`\.(?i:xml|gz|txt|json|pdf|png|jpe?g|gif|svg|webp|ico|css|js|mjs|map|zip|csv|woff2?|mp4|rss|atom)$`)
)

func isID(segment string) bool {
	if slices.ContainsFunc(idShapes, func(re *regexp.Regexp) bool { return re.MatchString(segment) }) {
		return true
	}
	digits := strings.ContainsAny(segment, "0123456789")
	return digits && (hexID.MatchString(segment) || randomID.MatchString(segment) && !strings.Contains(segment, "-") && strings.ContainsAny(segment, "abcdefABCDEF"))
}

// navOf makes the nav index of a site map: ids become {id}, what is the same page stands once, and what is no page is
// skipped and told. site is the host of the product's pages, as [siteOf] finds it.
func navOf(visits []Visit, site string) (pages []page, skipped []string) {
	skip := func(address string) {
		if len(skipped) < maxSkipped {
			skipped = append(skipped, cutAt(oneLine(address), 120))
		}
	}
	var shapes [][]string
	titles := map[string]string{}
	for _, v := range visits {
		p, host, ok := pathOf(v.Address)
		if ok && host != "" && host != site {
			skip(v.Address + " (" + elsewhere(site) + ")")
			continue
		}
		if !ok || file3.MatchString(p) {
			skip(v.Address)
			continue
		}
		segments, ok := templated(p)
		if !ok {
			skip(v.Address)
			continue
		}
		shapes = append(shapes, segments)
		// The title of one of many, "Cordless drill", is not that of the page that stands for all of them.
		if key := join(segments); titles[key] == "" && !slices.ContainsFunc(strings.Split(p, "/"), isID) {
			titles[key] = v.Title
		}
	}
	shapes = foldLeaves(shapes)
	seen := map[string]bool{}
	for _, s := range shapes {
		// An index must not hold two pages of one shape, whatever their slots are called.
		if key := slotPattern.ReplaceAllString(join(s), "{}"); seen[key] {
			continue
		} else if seen[key] = true; len(pages) < maxNav {
			pages = append(pages, page{path: join(s), label: titles[join(s)]})
		} else {
			skip(join(s))
		}
	}
	label(pages)
	return pages, skipped
}

// siteOf says on which host the product's pages are: that of their list or of the API, where a page is on it, else the one
// that most are on. Empty: the list holds paths, and what is a whole address in it is somebody else's.
func siteOf(visits []Visit, from, base string) string {
	times := map[string]int{}
	most, paths := "", false
	for _, v := range visits {
		_, host, ok := pathOf(v.Address)
		if paths = paths || ok && host == ""; !ok || host == "" {
			continue
		}
		times[host]++
	}
	for _, address := range []string{from, base} {
		if _, host, ok := pathOf(address); ok && times[host] > 0 {
			return host
		}
	}
	if paths {
		return ""
	}
	for _, v := range visits { // in their order, so that of two the first is taken
		if _, host, _ := pathOf(v.Address); times[host] > times[most] {
			most = host
		}
	}
	return most
}

// elsewhere says why an address is no page.
func elsewhere(site string) string {
	if site == "" {
		return "another site: a page of yours is a path, as /orders"
	}
	return "another site than " + site
}

var slotPattern = regexp.MustCompile(`\{[^{}]*\}`)

func join(segments []string) string { return "/" + strings.Join(segments, "/") }

// pathOf gives the path of an address and, of a whole one, its host, without the "www." that many have and leave out.
func pathOf(address string) (p, host string, ok bool) {
	if !isAddress(address) {
		if !strings.HasPrefix(address, "/") {
			return "", "", false
		}
		p, _, _ = strings.Cut(address, "?")
		p, _, _ = strings.Cut(p, "#")
		return clean(p), "", true
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", "", false
	}
	return clean(u.EscapedPath()), strings.TrimPrefix(strings.ToLower(u.Host), "www."), true
}

func clean(p string) string {
	p = path.Clean("/" + p)
	for _, index := range []string{"/index.html", "/index.htm", "/index.php"} {
		if p == index || strings.HasSuffix(p, index) {
			p = path.Clean("/" + strings.TrimSuffix(p, index))
		}
	}
	return p
}

// templated writes ids as slots: {id} for the last, {order_id} for one before it. It reports false where the path is none
// that the index can hold.
func templated(p string) ([]string, bool) {
	if p == "/" {
		return nil, true
	}
	segments := strings.Split(strings.TrimPrefix(p, "/"), "/")
	out := make([]string, len(segments))
	used := map[string]bool{}
	for i := len(segments) - 1; i >= 0; i-- {
		name, slot := "", isID(segments[i])
		if m := template.FindStringSubmatch(segments[i]); m != nil {
			slot = true
			if given := strings.Join(m[1:], ""); slotName.MatchString(given) && !used[given] {
				name = given
			}
		}
		if !slot {
			if !staticSegment.MatchString(segments[i]) {
				return nil, false
			}
			out[i] = segments[i]
			continue
		}
		if name == "" {
			name = "id"
			if used[name] && i > 0 {
				name = strings.Join(append(humanWords(singular(segments[i-1])), "id"), "_")
			}
		}
		for used[name] || !slotName.MatchString(name) {
			name = "n" + name
		}
		used[name] = true
		out[i] = "{" + name + "}"
	}
	return out, true
}

// foldLeaves makes one page of many that stand under one path and have nothing below them.
func foldLeaves(shapes [][]string) [][]string {
	parents := map[string]bool{}
	leaves := map[string]map[string]bool{}
	for _, s := range shapes {
		for i := range s {
			parents[join(s[:i])] = true
		}
	}
	isLeaf := func(s []string) bool {
		return len(s) > 1 && !strings.HasPrefix(s[len(s)-1], "{") && !parents[join(s)]
	}
	for _, s := range shapes {
		if isLeaf(s) {
			parent := join(s[:len(s)-1])
			if leaves[parent] == nil {
				leaves[parent] = map[string]bool{}
			}
			leaves[parent][s[len(s)-1]] = true
		}
	}
	out := make([][]string, len(shapes))
	for i, s := range shapes {
		out[i] = s
		if isLeaf(s) && len(leaves[join(s[:len(s)-1])]) > manyLeaves && !slices.Contains(s, "{slug}") {
			out[i] = append(slices.Clone(s[:len(s)-1]), "{slug}")
		}
	}
	return out
}

// label gives a label to each page that has no title; pages that would be called the same are told apart by what they
// stand under.
func label(pages []page) {
	times := map[string]int{}
	for i := range pages {
		if pages[i].label == "" {
			pages[i].label = labelOf(pages[i].path)
		}
		times[pages[i].label]++
	}
	for i := range pages {
		segments := strings.Split(pages[i].path, "/")
		if times[pages[i].label] < 2 || len(segments) < 3 {
			continue
		}
		for j := len(segments) - 2; j > 0; j-- {
			if !strings.HasPrefix(segments[j], "{") && len(humanWords(segments[j])) > 0 {
				pages[i].label = capital(strings.Join(humanWords(segments[j]), " ")) + ": " + strings.ToLower(pages[i].label[:1]) + pages[i].label[1:]
				break
			}
		}
	}
}

// labelOf guesses what a page is called: /loans is Loans, /loans/{id} Loan, /loans/new New loan, /loans/{id}/edit Edit loan,
// /tools/{id}/loans Tool: loans.
func labelOf(p string) string {
	segments := strings.Split(strings.TrimPrefix(p, "/"), "/")
	last := segments[len(segments)-1]
	before := func(n int) string { // the nearest name before segment n, in the singular
		for i := n - 1; i >= 0; i-- {
			if words := humanWords(segments[i]); !strings.HasPrefix(segments[i], "{") && len(words) > 0 {
				words[len(words)-1] = singular(words[len(words)-1])
				return strings.Join(words, " ")
			}
		}
		return ""
	}
	n := len(segments) - 1
	switch owner := before(n); {
	case p == "/":
		return "Home"
	case strings.HasPrefix(last, "{") && owner == "":
		return "Page"
	case strings.HasPrefix(last, "{"):
		return capital(owner)
	case owner != "" && slices.Contains([]string{"new", "create", "add"}, strings.ToLower(last)):
		return "New " + owner
	case owner != "" && strings.EqualFold(last, "edit"):
		return "Edit " + owner
	case n > 0 && strings.HasPrefix(segments[n-1], "{") && owner != "":
		return capital(owner) + ": " + strings.Join(humanWords(last), " ")
	}
	words := humanWords(strings.TrimSuffix(last, path.Ext(last)))
	if len(words) == 0 {
		return "Page"
	}
	return capital(strings.Join(words, " "))
}
