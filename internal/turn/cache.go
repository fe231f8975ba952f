package turn

import (
	"sync"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/contract"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/tool"
)

// prompt is what stands before the messages of a request: the same for every conversation with the same offer.
type prompt struct {
	static string
	tools  []model.Tool
	hash   string
	// bytes is how long tools and static block are together.
	bytes int
}

// promptCache keeps prompts by surface and offer; there are as many as a host has roles and flags.
type promptCache struct {
	mu sync.Mutex
	by map[string]*prompt
}

func (e *Engine) prompt(name string, surface config.Surface, offer *tool.Offer) *prompt {
	key := name + "\x00" + offer.Hash
	e.prompts.mu.Lock()
	defer e.prompts.mu.Unlock()
	if p := e.prompts.by[key]; p != nil {
		return p
	}
	p := &prompt{static: contract.Static(e.cfg.Host, surface, e.cfg.Host.FallbackLocale())}
	p.bytes = len(p.static)
	tools := offer.Tools()
	if provider := e.cfg.Provider; provider != nil && !provider.Capabilities().Tools {
		tools = nil
		p.static += contract.WithoutTools
		p.bytes = len(p.static)
	}
	for _, w := range tools {
		p.tools = append(p.tools, model.Tool{Name: w.Name, Description: w.Description, Input: w.Input, Strict: w.Strict})
		p.bytes += len(w.Name) + len(w.Description) + len(w.Input)
	}
	p.hash = contract.Hash(p.static, offer.Hash)
	// A front end's tools make prompts of their own, so that there may be more than a host has roles.
	if e.prompts.by == nil || len(e.prompts.by) >= maxPrompts {
		e.prompts.by = map[string]*prompt{}
	}
	e.prompts.by[key] = p
	return p
}

const (
	// maxPrompts is how many prompts are kept; beyond it they are made anew.
	maxPrompts = 512
	// maxLogs is how many logs of conversations at rest are kept in memory.
	maxLogs = 256
	// maxLogEntries is the longest log that is kept.
	maxLogEntries = 400
)

// logCache keeps the logs of conversations whose turn ended here lately, so that their next message need not read them
// again. A log is good only for the head it was kept with: any other writer moves the head.
type logCache struct {
	mu    sync.Mutex
	by    map[string]cachedLog
	order []string
}

type cachedLog struct {
	head    int64
	entries []*conversation.Entry
}

func (c *logCache) get(ref string, head int64) []*conversation.Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.by[ref]; ok && l.head == head {
		return l.entries
	}
	return nil
}

func (c *logCache) put(ref string, head int64, history, turn []*conversation.Entry) {
	if len(history)+len(turn) > maxLogEntries {
		c.forget(ref)
		return
	}
	all := make([]*conversation.Entry, 0, len(history)+len(turn))
	all = append(append(all, history...), turn...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]cachedLog{}
	}
	if _, ok := c.by[ref]; !ok {
		c.order = append(c.order, ref)
	}
	c.by[ref] = cachedLog{head: head, entries: all}
	for len(c.order) > maxLogs {
		delete(c.by, c.order[0])
		c.order = c.order[1:]
	}
}

func (c *logCache) forget(ref string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.by, ref)
}
