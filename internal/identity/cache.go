package identity

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/steward-assistant/steward/principal"
)

// maxVerified is how many verified tokens are remembered: about 1 KB each.
const maxVerified = 8192

// entry is a token that was verified, known by its hash alone.
type entry struct {
	sum       [sha256.Size]byte
	version   int64
	principal principal.Principal
	expires   time.Time
}

// cache remembers verified tokens until they end, so that a member's next request costs one hash. The least recently
// used go first. It never answers for a token after its end, the leeway not counted, nor for another set of keys.
type cache struct {
	mu    sync.Mutex
	max   int
	order *list.List // of *entry; the front was used last
	at    map[[sha256.Size]byte]*list.Element
}

func newCache(most int) *cache {
	return &cache{max: most, order: list.New(), at: make(map[[sha256.Size]byte]*list.Element)}
}

func (c *cache) get(sum [sha256.Size]byte, version int64, now time.Time) (entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.at[sum]
	if !ok {
		return entry{}, false
	}
	e, ok := el.Value.(*entry)
	if !ok || e.version != version || !now.Before(e.expires) {
		c.drop(el)
		return entry{}, false
	}
	c.order.MoveToFront(el)
	return *e, true
}

func (c *cache) put(e entry, now time.Time) {
	if !now.Before(e.expires) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.at[e.sum]; ok {
		c.drop(el)
	}
	c.at[e.sum] = c.order.PushFront(&e)
	for c.order.Len() > c.max {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(el *list.Element) {
	if e, ok := c.order.Remove(el).(*entry); ok {
		delete(c.at, e.sum)
	}
}
