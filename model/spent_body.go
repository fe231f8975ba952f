package model

import (
	"bytes"
	"io"
)

// spentBody is a request's body that lets go of its bytes once they are sent: the transport keeps the request while the
// reply streams, and a body with all tools of a host is the largest part of a stream's memory.
type spentBody struct{ rest *bytes.Reader }

// Read reads like a [bytes.Reader].
func (b *spentBody) Read(p []byte) (int, error) {
	if b.rest == nil {
		return 0, io.EOF
	}
	n, err := b.rest.Read(p)
	if b.rest.Len() == 0 {
		b.rest = nil
	}
	return n, err
}

// WriteTo writes what is left in one piece.
func (b *spentBody) WriteTo(w io.Writer) (int64, error) {
	if b.rest == nil {
		return 0, nil
	}
	n, err := b.rest.WriteTo(w)
	b.rest = nil
	return n, err
}

// Close does nothing: there is nothing to give back.
func (b *spentBody) Close() error { return nil }
