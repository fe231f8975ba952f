package main

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/steward-assistant/steward/model"
)

func TestPacer(t *testing.T) {
	server := httptest.NewServer(pacerHandler())
	defer server.Close()
	s := &stand{}
	if err := s.layOut(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	d, err := s.direct(server.URL, model.Request{
		Model: "claude-sonnet-5", MaxOutputTokens: 10,
		Messages: []model.Message{{Role: model.RoleUser, Blocks: []model.Block{{Kind: model.BlockText, Text: usualWords}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	a := arrivals{skip: 10}
	if err := d.saying(pacedWords(50, time.Millisecond, 60)).each(t.Context(), a.take); err != nil {
		t.Fatal(err)
	}
	if a.next != 50 || a.broken != 0 || len(a.took) != 40 {
		t.Errorf("%d words, %d broken, %d measured", a.next, a.broken, len(a.took))
	}
}

func TestArrivalsFindDisorder(t *testing.T) {
	for _, c := range []struct {
		name   string
		deltas []string
		broken int
	}{
		{"in order, two at once", []string{" 0:1", " 1:2 2:3xx"}, 0},
		{"missing", []string{" 0:1", " 2:3"}, 1},
		{"twice", []string{" 0:1", " 0:1", " 1:2"}, 1},
		{"turned around", []string{" 1:1", " 0:1"}, 2},
		{"torn", []string{" 0:1", " 1"}, 1},
	} {
		var a arrivals
		for _, d := range c.deltas {
			a.take(d)
		}
		if a.broken != c.broken {
			t.Errorf("%s: %s broken, want %d", c.name, fmt.Sprint(a.broken), c.broken)
		}
	}
}
