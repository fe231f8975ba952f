package modeltest

import (
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Usage are the counts of one reply. On OpenAI's wires the three inputs are told as one sum, of which CacheRead are the
// cached tokens.
type Usage struct {
	Input      int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Output     int `json:"output_tokens"`
}

// Anthropic looks for a cached prefix up to so many blocks before a mark (Anthropic, "Prompt caching").
const cacheLookBack = 20

// automaticLife is how long a prefix lives that needed no mark: OpenAI keeps one for five to ten minutes of quiet
// ("Prompt caching").
const automaticLife = 5 * time.Minute

// maxPrefixes bounds the memory of a server that runs for days.
const maxPrefixes = 20_000

// prefix is a body in the order in which it is cached: the parts of one separator after the other.
type prefix struct {
	model    any
	sections []section
	// automatic caches at the end of every part; otherwise marks say where.
	automatic bool
	// last is the life of a mark behind the last part; zero for none.
	last time.Duration
}

// section are parts under a word that tells them from others.
type section struct {
	word  string
	parts []any
}

// prefixCache remembers prefixes as the vendors' caches do: tools, then system, then messages, block for block, under
// one model. Anthropic's end at cache marks, OpenAI's at the end of any block. A prefix below the minimum is not kept; a
// read makes it live on.
//
// A token is taken for four bytes of a block's text, which is about right and always the same.
type prefixCache struct {
	mu      sync.Mutex
	seed    maphash.Seed
	minimum int
	now     func() time.Time
	until   map[uint64]prefixLife
}

type prefixLife struct {
	until time.Time
	life  time.Duration
}

func newPrefixCache(minimum int, now func() time.Time) *prefixCache {
	return &prefixCache{seed: maphash.MakeSeed(), minimum: minimum, now: now, until: make(map[uint64]prefixLife)}
}

// boundary is the end of a block: the hash of all before it, and how many tokens that is.
type boundary struct {
	hash   uint64
	tokens int
	life   time.Duration // of the mark that stands here; zero for none
}

// count gives the input side of a request's usage, and remembers its prefixes.
func (c *prefixCache) count(p prefix) Usage {
	ends := c.boundaries(p)
	total := 0
	if len(ends) > 0 {
		total = ends[len(ends)-1].tokens
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	read, marked := 0, 0
	for i, end := range ends {
		if end.life == 0 || end.tokens < c.minimum {
			continue
		}
		marked = end.tokens
		for j := i; j >= 0 && j >= i-cacheLookBack; j-- {
			if known, ok := c.until[ends[j].hash]; ok && now.Before(known.until) {
				read = max(read, ends[j].tokens)
				known.until = now.Add(known.life)
				c.until[ends[j].hash] = known
				break
			}
		}
	}
	if len(c.until) > maxPrefixes {
		maps.DeleteFunc(c.until, func(_ uint64, l prefixLife) bool { return !now.Before(l.until) })
	}
	if len(c.until) > maxPrefixes {
		clear(c.until)
	}
	for _, end := range ends {
		if end.life > 0 && end.tokens >= c.minimum {
			c.until[end.hash] = prefixLife{now.Add(end.life), end.life}
		}
	}
	if p.automatic {
		return Usage{Input: total - read, CacheRead: read}
	}
	written := max(0, marked-read)
	return Usage{Input: total - read - written, CacheRead: read, CacheWrite: written}
}

func (c *prefixCache) boundaries(p prefix) []boundary {
	var h maphash.Hash
	h.SetSeed(c.seed)
	w := &weigher{hash: &h}
	w.value(p.model)
	w.bytes = 0
	var ends []boundary
	for _, s := range p.sections {
		if s.word != "" {
			w.separate(s.word)
		}
		for _, part := range s.parts {
			w.value(part)
			life := markLife(part)
			if p.automatic {
				life = automaticLife
			}
			ends = append(ends, boundary{h.Sum64(), tokens(w.bytes), life})
		}
	}
	if p.last > 0 && len(ends) > 0 {
		ends[len(ends)-1].life = p.last
	}
	return ends
}

// asParts are the elements of a list, or a text as the only one.
func asParts(v any) []any {
	switch v := v.(type) {
	case string:
		return []any{map[string]any{"type": "text", "text": v}}
	case []any:
		return v
	}
	return nil
}

func (messagesProtocol) prefix(body map[string]any) prefix {
	p := prefix{model: body["model"], sections: []section{{"", asParts(body["tools"])}, {"system", asParts(body["system"])}}}
	role := ""
	for _, v := range asParts(body["messages"]) {
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		s := section{parts: asParts(m["content"])}
		if now, ok := m["role"].(string); ok && now != role { // merged messages are one
			role = now
			s.word = role
		}
		p.sections = append(p.sections, s)
	}
	if m, ok := body["cache_control"].(map[string]any); ok {
		p.last = life(m)
	}
	return p
}

func (chatProtocol) prefix(body map[string]any) prefix {
	return prefix{model: body["model"], automatic: true, sections: []section{{"tools", asParts(body["tools"])}, {"messages", asParts(body["messages"])}}}
}

func (responsesProtocol) prefix(body map[string]any) prefix {
	return prefix{model: body["model"], automatic: true, sections: []section{
		{"tools", asParts(body["tools"])}, {"instructions", asParts(body["instructions"])}, {"input", asParts(body["input"])},
	}}
}

func markLife(block any) time.Duration {
	b, ok := block.(map[string]any)
	if !ok {
		return 0
	}
	m, ok := b["cache_control"].(map[string]any)
	if !ok {
		return 0
	}
	return life(m)
}

func life(mark map[string]any) time.Duration {
	if mark["ttl"] == "1h" {
		return time.Hour
	}
	return 5 * time.Minute
}

// weigher hashes values, cache marks left out, and counts their bytes.
type weigher struct {
	hash  *maphash.Hash
	bytes int
}

func (w *weigher) separate(word string) {
	_, _ = w.hash.WriteString("\x00" + word + "\x00") // a hash takes every byte
}

func (w *weigher) value(v any) {
	switch v := v.(type) {
	case map[string]any:
		w.separate("{")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "cache_control" {
				continue
			}
			w.separate(key)
			w.value(v[key])
		}
	case []any:
		w.separate("[" + strconv.Itoa(len(v)))
		for _, e := range v {
			w.value(e)
		}
	case string:
		w.bytes += len(v)
		_, _ = w.hash.WriteString(v) // a hash takes every byte
	case bool:
		w.separate(strconv.FormatBool(v))
	case interface{ String() string }: // a number as it stood
		w.bytes += len(v.String())
		w.separate(v.String())
	default:
		w.separate("null")
	}
}
