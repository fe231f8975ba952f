package modeltest

import (
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Usage are the counts of one reply.
type Usage struct {
	Input      int `json:"input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	Output     int `json:"output_tokens"`
}

// The vendor looks for a cached prefix up to so many blocks before a mark (Anthropic, "Prompt caching").
const cacheLookBack = 20

// maxPrefixes bounds the memory of a server that runs for days.
const maxPrefixes = 20_000

// prefixCache remembers the prefixes up to each cache mark, as the vendor's cache does: tools, then system, then
// messages, block for block, under one model. A prefix below the minimum is not kept; a read makes it live on.
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

// count gives the input side of a request's usage, and remembers its marks.
func (c *prefixCache) count(body map[string]any) Usage {
	ends := c.boundaries(body)
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
	written := max(0, marked-read)
	return Usage{Input: total - read - written, CacheRead: read, CacheWrite: written}
}

func (c *prefixCache) boundaries(body map[string]any) []boundary {
	var h maphash.Hash
	h.SetSeed(c.seed)
	w := &weigher{hash: &h}
	w.value(body["model"])
	w.bytes = 0
	var ends []boundary
	add := func(blocks []any) {
		for _, b := range blocks {
			w.value(b)
			ends = append(ends, boundary{h.Sum64(), (w.bytes + 3) / 4, markLife(b)})
		}
	}
	asBlocks := func(v any) []any {
		switch v := v.(type) {
		case string:
			return []any{map[string]any{"type": "text", "text": v}}
		case []any:
			return v
		}
		return nil
	}
	add(asBlocks(body["tools"]))
	w.separate("system")
	add(asBlocks(body["system"]))
	role := ""
	for _, v := range asBlocks(body["messages"]) {
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if now, ok := m["role"].(string); ok && now != role { // merged messages are one
			role = now
			w.separate(role)
		}
		add(asBlocks(m["content"]))
	}
	if m, ok := body["cache_control"].(map[string]any); ok && len(ends) > 0 {
		ends[len(ends)-1].life = life(m)
	}
	return ends
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
