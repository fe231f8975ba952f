package model

import (
	"hash/fnv"
	"slices"
	"strconv"
)

// callIDs gives the ids under which calls go out: each once in a request, in the form that the vendor takes. Other
// servers repeat theirs from reply to reply ("call_0"). The zero value takes ids of any length.
type callIDs struct {
	// most is the longest id that is taken; zero: any.
	most int
	// exact is the one length that is taken, of letters and digits alone; zero: any.
	exact int
	used  map[string]bool
	// renamed holds what the ids of the latest reply became.
	renamed map[string]string
}

// nextReply forgets what the latest reply's ids became: its results have gone out.
func (c *callIDs) nextReply() { c.renamed = nil }

// keep notes an id that goes out as it is.
func (c *callIDs) keep(id string) {
	if c.used == nil {
		c.used = make(map[string]bool)
	}
	c.used[id] = true
}

// take gives the id under which a call goes out.
func (c *callIDs) take(id string) string {
	clean := c.clean(id)
	unique := clean
	for n := 2; c.used[unique]; n++ {
		unique = c.numbered(clean, n)
	}
	c.keep(unique)
	if unique != id {
		if c.renamed == nil {
			c.renamed = make(map[string]string)
		}
		c.renamed[id] = unique
	}
	return unique
}

// of gives the id under which the latest reply's call of that id went out.
func (c *callIDs) of(id string) string {
	if fresh, ok := c.renamed[id]; ok {
		return fresh
	}
	return id
}

// ownCallID gives a call of a reply an id that no other of it has: results name their call by it, and some servers tell
// none, or one for all.
func ownCallID(id string, taken []string) string {
	if id == "" {
		id = "call_" + strconv.Itoa(len(taken))
	}
	unique := id
	for n := 2; slices.Contains(taken, unique); n++ {
		unique = id + "-" + strconv.Itoa(n)
	}
	return unique
}

// clean gives an id the form that the vendor takes.
func (c *callIDs) clean(id string) string {
	if c.exact > 0 {
		if len(id) == c.exact && alphanumeric(id) {
			return id
		}
		return hashed(id, c.exact)
	}
	clean := []byte(id)
	for i, b := range clean {
		if !alphanumeric(string(b)) && b != '_' && b != '-' {
			clean[i] = '_'
		}
	}
	if len(clean) == 0 {
		return "call"
	}
	if c.most > 0 && len(clean) > c.most {
		return string(clean[:c.most-9]) + "-" + hashed(id, 8)
	}
	return string(clean)
}

// numbered makes an id another's by a number.
func (c *callIDs) numbered(clean string, n int) string {
	if c.exact > 0 {
		return hashed(clean+"-"+strconv.Itoa(n), c.exact)
	}
	tail := "-" + strconv.Itoa(n)
	if c.most > 0 && len(clean)+len(tail) > c.most {
		clean = clean[:c.most-len(tail)]
	}
	return clean + tail
}

// hashed is n letters and digits that stand for an id, the same ones each time.
func hashed(id string, n int) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // a hash takes everything
	text := strconv.FormatUint(h.Sum64(), 36) + "0000000000000"
	return text[:n]
}

func alphanumeric(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
