package turn

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/store"
)

// draftWindow is how long drafts are gathered, so that those of many streams share a commit.
const draftWindow = 50 * time.Millisecond

// draftsAtOnce bounds how many drafts are written in one go: a message that comes meanwhile waits for them.
const draftsAtOnce = 16

// savedDraft is what of a reply has streamed so far.
type savedDraft struct {
	ref, messageID, text string
	fence                int64
	at                   time.Time
}

// drafts stores what streams beside the streams: no word waits for the disk. Safe for concurrent use.
type drafts struct {
	e *Engine

	mu      sync.Mutex
	dirty   map[string]savedDraft
	timer   *time.Timer
	writing map[string]struct{} // what is on its way to the disk
	written chan struct{}       // closed when it is there
}

// put keeps a draft, in place of an older one of its conversation, to be stored soon.
func (d *drafts) put(s savedDraft) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dirty == nil {
		d.dirty = map[string]savedDraft{}
	}
	d.dirty[s.ref] = s
	if d.timer == nil {
		d.timer = time.AfterFunc(draftWindow, d.flush)
	}
}

// settle forgets the draft of a conversation and waits for one that is on its way, so that none arrives after the reply
// that it was a part of.
func (d *drafts) settle(ref string) {
	d.mu.Lock()
	delete(d.dirty, ref)
	_, busy := d.writing[ref]
	written := d.written
	d.mu.Unlock()
	if busy {
		<-written
	}
}

// flush stores what was gathered, and waits until it is on disk.
func (d *drafts) flush() {
	d.mu.Lock()
	for d.writing != nil { // another flush is under way
		written := d.written
		d.mu.Unlock()
		<-written
		d.mu.Lock()
	}
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	all := make([]savedDraft, 0, len(d.dirty))
	d.writing, d.written = make(map[string]struct{}, len(d.dirty)), make(chan struct{})
	for ref, s := range d.dirty {
		all = append(all, s)
		d.writing[ref] = struct{}{}
	}
	d.dirty = nil
	d.mu.Unlock()

	for len(all) > 0 {
		n := min(len(all), draftsAtOnce)
		d.store(all[:n])
		all = all[n:]
	}

	d.mu.Lock()
	close(d.written)
	d.writing = nil
	d.mu.Unlock()
}

func (d *drafts) store(some []savedDraft) {
	// Drafts are stored to the last, also while the engine closes.
	ctx := context.WithoutCancel(d.e.ctx)
	err := d.e.cfg.Store.Do(ctx, func(tx *store.Tx) error {
		for _, s := range some {
			text := strings.ReplaceAll(s.text, "\x00", "") // Postgres takes none
			if err := conversation.SaveDraft(ctx, tx, s.ref, d.e.worker, s.fence, s.messageID, text, s.at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		d.e.cfg.Log.WarnContext(ctx, "drafts not stored", "count", len(some), "error", err)
	}
}
