package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// eventStream reads server-sent events as cheaply as can be, because the reader shares the machine with what it
// measures: of an event it keeps the data line.
type eventStream struct {
	body io.ReadCloser
	in   *bufio.Reader
}

func newEventStream(body io.ReadCloser) *eventStream {
	return &eventStream{body: body, in: bufio.NewReaderSize(body, 4<<10)}
}

var (
	textContent = []byte(`{"type":"TEXT_MESSAGE_CONTENT"`)
	runFinished = []byte(`{"type":"RUN_FINISHED"`)
	runError    = []byte(`{"type":"RUN_ERROR"`)
	deltaKey    = []byte(`"delta":"`)
)

// next gives the data of the next event, good until the next call; io.EOF at the end of the stream.
func (s *eventStream) next() ([]byte, error) {
	for {
		text, err := s.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long := bytes.Clone(text)
			for errors.Is(err, bufio.ErrBufferFull) {
				text, err = s.in.ReadSlice('\n')
				long = append(long, text...)
			}
			text = long
		}
		if data, ok := bytes.CutPrefix(text, []byte("data: ")); ok && err == nil {
			return bytes.TrimRight(data, "\n"), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// delta is the text that an event brings; empty for any other event. Its words need no unescaping.
func delta(data []byte) []byte {
	if !bytes.HasPrefix(data, textContent) {
		return nil
	}
	_, rest, ok := bytes.Cut(data, deltaKey)
	if !ok {
		return nil
	}
	rest, _, _ = bytes.Cut(rest, []byte(`"`))
	return rest
}

// firstText reads a whole answer and gives when its first text came.
func (s *eventStream) firstText() (time.Time, error) {
	var first time.Time
	err := s.each(func([]byte) {
		if first.IsZero() {
			first = time.Now()
		}
	})
	if err == nil && first.IsZero() {
		err = errors.New("an answer without text")
	}
	return first, err
}

// each reads a whole answer and hands out its texts. It closes the stream.
func (s *eventStream) each(text func([]byte)) error {
	defer s.close()
	for finished := false; ; {
		data, err := s.next()
		switch {
		case errors.Is(err, io.EOF) && finished:
			return nil
		case err != nil:
			return fmt.Errorf("the answer broke off: %w", err)
		case bytes.HasPrefix(data, runError):
			return fmt.Errorf("the turn failed: %.300s", data)
		case bytes.HasPrefix(data, runFinished):
			finished = true
		default:
			if d := delta(data); d != nil {
				text(d)
			}
		}
	}
}

func (s *eventStream) close() { _ = s.body.Close() }
