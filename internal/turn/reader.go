package turn

import (
	"sync"

	"github.com/steward-assistant/steward/tool"
)

// readers holds, while a member follows a conversation here, the token of that request: a turn that this process takes
// up meanwhile goes on with it instead of waiting for another.
type readers struct {
	mu     sync.Mutex
	by     map[string]map[*tool.Credential]struct{}
	counts map[string]int // followers of this process, by the conversation's ref
}

// arrive and depart count who follows a conversation here.
func (r *readers) arrive(ref string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.counts[ref]++
}

func (r *readers) depart(ref string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts[ref]--; r.counts[ref] <= 0 {
		delete(r.counts, ref)
	}
}

func (r *readers) following(ref string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts[ref] > 0
}

// enter keeps a token until leave is called.
func (r *readers) enter(ref string, c tool.Credential) (leave func()) {
	if c.Token == "" {
		return nil
	}
	kept := &c
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[string]map[*tool.Credential]struct{}{}
	}
	if r.by[ref] == nil {
		r.by[ref] = map[*tool.Credential]struct{}{}
	}
	r.by[ref][kept] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.by[ref], kept)
		if len(r.by[ref]) == 0 {
			delete(r.by, ref)
		}
	}
}

// credential gives the token that holds longest; the zero one where nobody follows.
func (r *readers) credential(ref string) tool.Credential {
	r.mu.Lock()
	defer r.mu.Unlock()
	var best tool.Credential
	for c := range r.by[ref] {
		if best.Token == "" || c.Expires.IsZero() || !best.Expires.IsZero() && c.Expires.After(best.Expires) {
			best = *c
		}
	}
	return best
}
