package main

import (
	"slices"
	"time"
)

// percentile is the nearest-rank percentile of p (0 to 100) in milliseconds; zero of nothing. It sorts the sample.
func percentile(sample []time.Duration, p int) float64 {
	if len(sample) == 0 {
		return 0
	}
	slices.Sort(sample)
	at := (len(sample)*p + 99) / 100
	return milliseconds(sample[min(max(at, 1), len(sample))-1])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// median of an even count is the mean of the two in the middle. It leaves the values as they are.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
