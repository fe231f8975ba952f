package model

// What a reply may hold. A token is a few bytes, and twelve for a character that is written in escapes.
const (
	maxTokenBytes = 64
	minReplyBytes = 1 << 20  // also where hardly a token was asked for: signatures and a vendor's own blocks count too
	topReplyBytes = 16 << 20 // however many tokens were asked for
	maxInputBytes = 1 << 20  // the arguments of one call
	maxReplyCalls = 64       // the vendors' own models make a handful
	blockBytes    = 256      // what a block costs beside its content
)

// replySize counts what is kept of one reply, so that a server that does not stop cannot fill the memory. The zero value
// bounds a reply of any number of tokens.
type replySize struct {
	most, kept, calls int
}

// replySizeFor is the bound of a reply of so many tokens at most.
func replySizeFor(maxOutputTokens int) replySize {
	return replySize{most: minReplyBytes + min(maxOutputTokens, topReplyBytes)*maxTokenBytes}
}

// add counts bytes that are going to be kept.
func (s *replySize) add(n int) error {
	most := topReplyBytes
	if s.most > 0 {
		most = min(s.most, topReplyBytes)
	}
	if s.kept += n; s.kept > most {
		return replyTooLong()
	}
	return nil
}

// block counts a block that begins.
func (s *replySize) block() error { return s.add(blockBytes) }

// call counts a call that begins.
func (s *replySize) call(id, name string) error {
	if len(name) > maxNameBytes {
		return malformed()
	}
	if s.calls++; s.calls > maxReplyCalls {
		return replyTooLong()
	}
	return s.add(blockBytes + len(id))
}

// input counts a piece of a call's arguments, of which have bytes are kept.
func (s *replySize) input(have, n int) error {
	if have+n > maxInputBytes {
		return replyTooLong()
	}
	return s.add(n)
}

func replyTooLong() error { return &Error{Code: CodeUnavailable, Type: "reply_too_long"} }
