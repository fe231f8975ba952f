package model

import (
	"strconv"
	"strings"
)

// bodyWriter writes the body of a request by hand, so that what a vendor sent goes back byte for byte.
type bodyWriter struct{ body []byte }

// newBody makes a writer with room for the whole body.
func newBody(req *Request) bodyWriter { return bodyWriter{make([]byte, 0, sizeHint(req))} }

func (w *bodyWriter) raw(s string) { w.body = append(w.body, s...) }
func (w *bodyWriter) str(s string) { w.body = appendString(w.body, s) }
func (w *bodyWriter) int(n int)    { w.body = strconv.AppendInt(w.body, int64(n), 10) }
func (w *bodyWriter) bool(b bool)  { w.body = strconv.AppendBool(w.body, b) }

// sizeHint is about how long the body will be, so that it is allocated once.
func sizeHint(req *Request) int {
	n := 512
	for _, b := range req.System {
		n += len(b.Text) + len(b.Text)/16 + 64
	}
	for i := range req.Tools {
		n += len(req.Tools[i].Description) + len(req.Tools[i].Input) + 160
	}
	for _, m := range req.Messages {
		for i := range m.Blocks {
			b := &m.Blocks[i]
			n += max(len(b.Text)+len(b.Text)/8, len(b.Raw), len(b.Input)) + 160
		}
	}
	return n
}

// blank reports whether a text is one that the vendor refuses: empty, or white space alone.
func blank(text string) bool { return strings.TrimSpace(text) == "" }
