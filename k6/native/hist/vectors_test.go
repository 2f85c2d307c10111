package hist

import (
	"math"
	"slices"
	"testing"

	"benchfolio.dev/native/vectors"
)

// The buckets of a line, and the quantiles that are made of them, are the same for Go, jq and JavaScript:
// test/reports/histogram-vectors.test.js holds the others to the same table.
func TestVectors(t *testing.T) {
	type vector struct {
		Name   string
		Values struct{ From, Step, Count uint64 } // nanoseconds
		Trend  struct {
			Count, Sum, Min, Max uint64
			Buckets              []uint64
		}
		Percents, Milliseconds []float64
	}
	for _, v := range vectors.Read[[]vector](t, "histograms") {
		var counted, read Histogram
		for i := range v.Values.Count {
			counted.Add(v.Values.From + i*v.Values.Step)
		}
		if list := counted.Buckets(); !slices.Equal(list, v.Trend.Buckets) {
			t.Errorf("%s: buckets %d", v.Name, list)
		}
		if counted.Count != v.Trend.Count || counted.Sum != v.Trend.Sum || counted.Min != v.Trend.Min || counted.Max != v.Trend.Max {
			t.Errorf("%s: %d, %d, %d, %d", v.Name, counted.Count, counted.Sum, counted.Min, counted.Max)
		}
		if !read.AddBuckets(v.Trend.Buckets, v.Trend.Sum, v.Trend.Min, v.Trend.Max) {
			t.Errorf("%s: the list is not taken", v.Name)
		}
		for i, percent := range v.Percents {
			if found := read.Quantile(percent/100) / 1e6; math.Abs(found-v.Milliseconds[i]) > 1e-9*v.Milliseconds[i] {
				t.Errorf("%s: p%g is %v, not %v", v.Name, percent, found, v.Milliseconds[i])
			}
		}
	}
}
