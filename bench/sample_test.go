package main

import (
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 0, 100)
	for i := range 100 {
		hundred = append(hundred, time.Duration(100-i)*time.Millisecond)
	}
	for _, c := range []struct {
		name   string
		sample []time.Duration
		p      int
		want   float64
	}{
		{"nothing", nil, 50, 0},
		{"one", []time.Duration{time.Millisecond}, 99, 1},
		{"the middle", hundred, 50, 50},
		{"nearly the end", hundred, 99, 99},
		{"the end", hundred, 100, 100},
		{"the beginning", hundred, 0, 1},
		{"the middle of three", []time.Duration{3 * time.Millisecond, time.Millisecond, 2 * time.Millisecond}, 50, 2},
	} {
		if got := percentile(c.sample, c.p); got != c.want {
			t.Errorf("%s: p%d is %v, want %v", c.name, c.p, got, c.want)
		}
	}
}

func TestMedianKeepsOrder(t *testing.T) {
	values := []float64{3, 1, 2}
	if got := median(values); got != 2 || values[0] != 3 {
		t.Errorf("median %v of %v", got, values)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("median %v, want 2.5", got)
	}
}
