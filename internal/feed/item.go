package feed

import (
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/internal/event"
)

const (
	// maxText is where a stretch of text goes on in a new item. Items are forgotten whole.
	maxText = 16 << 10
	// itemBytes and markBytes stand for what an item and a mark cost beside their contents.
	itemBytes = 200
	markBytes = 24
)

// item is a frame, or a stretch of one draft's text that grows while its deltas follow one another.
type item struct {
	frame Frame // of a stretch: its last delta as it came
	text  strings.Builder
	marks []mark // one for each delta; nil: a single frame
}

// mark is where a delta ends in the text of its stretch.
type mark struct {
	id  event.ID
	end int
}

func newItem(f Frame) *item {
	it := &item{frame: f}
	if f.Text != "" {
		it.grow(f)
	}
	return it
}

// takes reports whether f goes on with the stretch.
func (it *item) takes(f Frame) bool {
	return it.marks != nil && f.Text != "" && f.Kind == it.frame.Kind && f.MessageID == it.frame.MessageID &&
		it.text.Len()+len(f.Text) <= maxText
}

func (it *item) grow(f Frame) {
	it.frame = f
	it.text.WriteString(f.Text)
	it.marks = append(it.marks, mark{id: f.ID, end: it.text.Len()})
}

// lastID is the id of the item's newest frame.
func (it *item) lastID() event.ID { return it.frame.ID }

// size is about what the item holds in memory, in bytes.
func (it *item) size() int {
	if it.marks == nil {
		return itemBytes + len(it.frame.Data) + len(it.frame.MessageID)
	}
	return itemBytes + len(it.frame.Data) + len(it.frame.MessageID) + it.text.Len() + markBytes*len(it.marks)
}

// parts is the number of frames in the item.
func (it *item) parts() int { return max(1, len(it.marks)) }

// rest is the item without its first parts, as one frame. Its Data is nil if it has to be encoded.
func (it *item) rest(parts int) Frame {
	f := it.frame
	if it.marks == nil || parts == len(it.marks)-1 {
		return f
	}
	from := 0
	if parts > 0 {
		from = it.marks[parts-1].end
	}
	f.Data = nil
	f.Text = it.text.String()[from:] // shared: a builder only ever appends
	return f
}

// firstNotBefore is the first part whose frame follows from seq or a later entry.
func (it *item) firstNotBefore(seq int64, parts int) int {
	if it.marks == nil {
		if parts == 0 && it.frame.ID.Seq < seq {
			return 1
		}
		return parts
	}
	for parts < len(it.marks) && it.marks[parts].id.Seq < seq {
		parts++
	}
	return parts
}

// encode gives a delta that has no Data its own.
func encode(f Frame) (Frame, error) {
	if f.Data != nil {
		return f, nil
	}
	var p event.Payload = event.TextContent{MessageID: f.MessageID, Delta: f.Text}
	if f.Kind == event.KindReasoningContent {
		p = event.ReasoningContent{MessageID: f.MessageID, Delta: f.Text}
	}
	data, err := event.Encode(p)
	if err != nil {
		return f, fmt.Errorf("merge deltas of message %q: %w", f.MessageID, err)
	}
	f.Data = data
	return f, nil
}
