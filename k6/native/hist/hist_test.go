package hist

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"
)

func TestIndexAndBoundsAgree(t *testing.T) {
	for _, value := range []uint64{0, 1, 255, 256, 257, 511, 512, 1000, 1e6, 1e9, 3e12, math.MaxUint64} {
		low, width := Bounds(Index(value))
		if value < low || value-low >= width {
			t.Errorf("%d is in a bucket from %d of %d values", value, low, width)
		}
		if float64(width) > math.Max(1, float64(low)*MaxError) {
			t.Errorf("the bucket of %d is %d wide", value, width)
		}
	}
}

func TestBucketsFollowEachOther(t *testing.T) {
	end := uint64(0)
	for index := range 40 * perPage {
		low, width := Bounds(index)
		if low != end {
			t.Fatalf("bucket %d begins at %d, and the one before ended at %d", index, low, end)
		}
		if Index(low) != index || Index(low+width-1) != index {
			t.Fatalf("bucket %d: its ends are in %d and %d", index, Index(low), Index(low+width-1))
		}
		end = low + width
	}
}

// exact is k6's quantile of all values (its metrics/sink.go).
func exact(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	low, high := sorted[int(math.Floor(at))], sorted[int(math.Ceil(at))]
	return low + (high-low)*(at-math.Floor(at))
}

func TestQuantilesAreWithinTheError(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	distributions := map[string]func() float64{
		"uniform":     func() float64 { return 1e5 + 1e6*random.Float64() },
		"exponential": func() float64 { return 5e4 + 2e6*random.ExpFloat64() },
		"two humps": func() float64 {
			if random.Float64() < 0.5 {
				return 1e6 + 1e4*random.Float64()
			}
			return 1e9 + 1e7*random.Float64()
		},
		"all alike": func() float64 { return 123456789 },
	}
	shares := []float64{0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1}
	for name, draw := range distributions {
		for _, count := range []int{1, 2, 7, 100, 50000} {
			var h Histogram
			values := make([]float64, count)
			for i := range values {
				value := uint64(draw())
				values[i] = float64(value)
				h.Add(value)
			}
			sort.Float64s(values)
			for i, got := range h.Quantiles(shares) {
				rank := shares[i] * float64(count-1)
				low, high := values[int(math.Floor(rank))], values[int(math.Ceil(rank))]
				if got < low*(1-MaxError) || got > high*(1+MaxError) {
					t.Errorf("%s, %d values: p%v is %v, of all values it is %v", name, count, 100*shares[i], got, exact(values, shares[i]))
				}
			}
		}
	}
}

func TestMergedIsAsCountedInOne(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var all, one, two Histogram
	for i := range 10000 {
		value := uint64(random.ExpFloat64() * 1e6)
		all.Add(value)
		if i%3 == 0 {
			one.Add(value)
		} else {
			two.Add(value)
		}
	}
	var merged, listed Histogram
	for _, part := range []*Histogram{&one, &two} {
		merged.Merge(part)
		if !listed.AddBuckets(part.Buckets(), part.Sum, part.Min, part.Max) {
			t.Fatal("a list of its own was refused")
		}
	}
	for name, got := range map[string]*Histogram{"Merge": &merged, "AddBuckets": &listed} {
		if got.Count != all.Count || got.Sum != all.Sum || got.Min != all.Min || got.Max != all.Max {
			t.Errorf("%s: %d values of sum %d, and %d of %d were counted", name, got.Count, got.Sum, all.Count, all.Sum)
		}
		for share := 0.0; share <= 1; share += 0.01 {
			if got.Quantile(share) != all.Quantile(share) {
				t.Errorf("%s: p%v is %v, not %v", name, 100*share, got.Quantile(share), all.Quantile(share))
			}
		}
	}
}

func TestListsOfAnotherFormAreRefused(t *testing.T) {
	for _, list := range [][]uint64{{1}, {1 << 40, 1}, {5, 1, 1 << 30, 1}} {
		var h Histogram
		if h.AddBuckets(list, 1, 1, 1) || h.Count != 0 {
			t.Errorf("%v was counted", list)
		}
	}
}

func TestResetKeepsNothing(t *testing.T) {
	var h Histogram
	h.AddMany(1000, 3)
	h.Reset()
	h.Add(10)
	if h.Count != 1 || h.Sum != 10 || h.Max != 10 || h.Quantile(0.5) != 10 || len(h.Buckets()) != 2 {
		t.Errorf("%+v", h.Buckets())
	}
}

func BenchmarkAdd(b *testing.B) {
	var h Histogram
	for i := range b.N {
		h.Add(uint64(100000 + i&0xffff))
	}
}
