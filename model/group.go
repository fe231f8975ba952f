package model

import "iter"

// blockGroup is what stands between two changes of role: the wires that do not merge messages themselves get one.
type blockGroup struct {
	role   Role
	blocks []*Block
}

// groups gives the messages of a conversation with consecutive ones of a role merged.
func groups(messages []Message) iter.Seq[blockGroup] {
	return func(yield func(blockGroup) bool) {
		var g blockGroup
		for i := range messages {
			m := &messages[i]
			if m.Role != g.role {
				if len(g.blocks) > 0 && !yield(g) {
					return
				}
				g = blockGroup{role: m.Role}
			}
			for j := range m.Blocks {
				g.blocks = append(g.blocks, &m.Blocks[j])
			}
		}
		if len(g.blocks) > 0 {
			yield(g)
		}
	}
}
