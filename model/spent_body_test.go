package model

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
)

func TestSpentBody(t *testing.T) {
	want := bytes.Repeat([]byte("tools "), 1000)
	if err := iotest.TestReader(&spentBody{bytes.NewReader(want)}, want); err != nil {
		t.Error(err)
	}
	b := &spentBody{bytes.NewReader(want)}
	var got bytes.Buffer
	if _, err := io.Copy(&got, b); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("copied %d bytes, %v", got.Len(), err)
	}
	if b.rest != nil {
		t.Error("the bytes are kept after they were sent")
	}
}
