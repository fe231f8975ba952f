package model

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// maxEventBytes bounds one server-sent event, all its lines together: a reply's biggest legitimate event is a server
// tool's result, which is far below.
const maxEventBytes = 8 << 20

// sseStartBytes is the size of a reader's first buffer. Hundreds of streams stand open at once, and a delta is about
// 120 bytes.
const sseStartBytes = 4 << 10

var errEventTooLong = fmt.Errorf("an event is longer than %d bytes", maxEventBytes)

var sseBuffers = sync.Pool{New: func() any { b := make([]byte, sseStartBytes); return &b }}

// sseReader cuts a byte stream into server-sent events (WHATWG HTML, section 9.2.6): lines end in LF, CR or CRLF, a
// byte order mark at the start is skipped, comments and unknown fields are ignored, data lines are joined by LF, and an
// event that the end of the stream cuts off is dropped. Not for concurrent use.
type sseReader struct {
	r   io.Reader
	buf []byte
	own *[]byte // the pooled buffer, nil once outgrown
	// buf[event:end] holds the bytes of the event that is being read; line is the start of the current line in it and
	// scan the place up to which no line end was found.
	event, line, scan, end int
	skipLF                 bool // the last line ended in CR at the edge of what was read
	started                bool
	err                    error
	join                   []byte
}

func newSSEReader(r io.Reader) *sseReader {
	b, ok := sseBuffers.Get().(*[]byte)
	if !ok {
		fresh := make([]byte, sseStartBytes)
		b = &fresh
	}
	return &sseReader{r: r, buf: *b, own: b}
}

// close gives the buffer back; slices that next returned are invalid afterwards.
func (s *sseReader) close() {
	if s.own != nil {
		sseBuffers.Put(s.own)
		s.own = nil
	}
	s.buf, s.event, s.line, s.scan, s.end = nil, 0, 0, 0, 0
	s.err = io.EOF
}

// next returns the next event that has data. name is empty where the event had none. Both slices are valid until the
// following call. At the end of the stream it returns io.EOF.
func (s *sseReader) next() (name, data []byte, err error) {
	s.event = s.line
	// Offsets are relative to s.event, because filling the buffer moves it.
	nameAt, nameTo, dataAt, dataTo := 0, 0, 0, 0
	lines := 0
	for {
		from, to, err := s.nextLine()
		if err != nil {
			return nil, nil, err
		}
		if from == to { // a blank line ends the event
			if lines == 0 {
				s.event, nameTo, nameAt = s.line, 0, 0
				continue
			}
			name = s.buf[s.event+nameAt : s.event+nameTo]
			if lines > 1 {
				return name, s.join, nil
			}
			return name, s.buf[s.event+dataAt : s.event+dataTo], nil
		}
		row := s.buf[from:to]
		field, value := row, row[len(row):]
		if before, after, ok := bytes.Cut(row, []byte{':'}); ok {
			field, value = before, after
			if len(value) > 0 && value[0] == ' ' {
				value = value[1:]
			}
		}
		at := to - len(value) - s.event
		switch string(field) {
		case "data":
			switch lines {
			case 0:
				dataAt, dataTo = at, to-s.event
			case 1:
				s.join = append(append(s.join[:0], s.buf[s.event+dataAt:s.event+dataTo]...), '\n')
				s.join = append(s.join, value...)
			default:
				s.join = append(append(s.join, '\n'), value...)
			}
			lines++
		case "event":
			nameAt, nameTo = at, to-s.event
		default:
			if lines == 0 && nameTo == 0 {
				s.event = s.line // nothing of this event is kept yet: keep-alive comments must not pile up
			}
		}
	}
}

// nextLine returns the bounds of the next line in s.buf, its end excluded, and moves behind it.
func (s *sseReader) nextLine() (from, to int, err error) {
	for {
		if s.skipLF && s.line < s.end {
			if s.buf[s.line] == '\n' {
				s.skip(1)
			}
			s.skipLF = false
		}
		if !s.started && s.strip() {
			s.started = true
		}
		if s.started && !s.skipLF {
			tail := s.buf[s.scan:s.end]
			i := bytes.IndexByte(tail, '\n')
			if j := bytes.IndexByte(tail[:max(i, 0)], '\r'); i >= 0 && j >= 0 {
				i = j
			} else if i < 0 {
				i = bytes.IndexByte(tail, '\r')
			}
			if i >= 0 {
				from, to = s.line, s.scan+i
				s.skipLF = s.buf[to] == '\r'
				s.line, s.scan = to+1, to+1
				return from, to, nil
			}
			s.scan = s.end
		}
		if err := s.fill(); err != nil {
			return 0, 0, err
		}
	}
}

// skip drops n bytes at the start of the current line. Where the line is the event's first, the event begins behind.
func (s *sseReader) skip(n int) {
	if s.event == s.line {
		s.event += n
	}
	s.line += n
	s.scan = max(s.scan, s.line)
}

// strip reports whether the start of the stream is known; it drops a byte order mark.
func (s *sseReader) strip() bool {
	const mark = "\xef\xbb\xbf"
	have := s.buf[s.line:s.end]
	if len(have) < len(mark) && s.err == nil && bytes.HasPrefix([]byte(mark), have) {
		return false
	}
	if bytes.HasPrefix(have, []byte(mark)) {
		s.skip(len(mark))
	}
	return true
}

// fill reads more, moving or growing the buffer as needed. A reader's error is kept back until its bytes are used.
func (s *sseReader) fill() error {
	if s.err != nil {
		if !s.started { // what there is cannot become a byte order mark any more
			s.started = true
			return nil
		}
		return s.err
	}
	if s.event > 0 && (s.event == s.end || s.end == len(s.buf)) {
		copy(s.buf, s.buf[s.event:s.end])
		s.line, s.scan, s.end, s.event = s.line-s.event, s.scan-s.event, s.end-s.event, 0
	}
	if s.end == len(s.buf) {
		if s.end >= maxEventBytes {
			s.err = errEventTooLong
			return s.err
		}
		grown := make([]byte, min(2*len(s.buf), maxEventBytes))
		copy(grown, s.buf[:s.end])
		if s.own != nil {
			sseBuffers.Put(s.own)
			s.own = nil
		}
		s.buf = grown
	}
	// A reader may return nothing without an error; as bufio does, give up only when it goes on doing so.
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return nil //nolint:nilerr // s.err keeps it for the next call
		}
	}
	s.err = io.ErrNoProgress
	return nil
}
