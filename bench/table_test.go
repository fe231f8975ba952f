package main

import (
	"errors"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var out strings.Builder
	tab := newTable(3)
	tab.add("fast", "ms", []float64{0.5, 0.25, 1.125}, 1, "")
	tab.add("slow", "ms", []float64{12.34, 11, 13}, 1.2, "why")
	tab.add("scale", "KB", []float64{40}, none, "a bare stream")
	tab.fail("page", "the last page", errors.New("a|b\nc"))
	if err := tab.write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| fast | 0.50 ms | 0.25–1.12 | ≤ 1 ms | holds |",
		"| slow | 12.3 ms | 11–13 | ≤ 1.20 ms | **misses**; why |",
		"| scale | 40 KB | 40–40 |  | a bare stream |",
		`| the last page | – | – | – | page could not be measured: a\|b c |`,
		"3 runs each.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
