// Package hist counts durations in histograms whose relative error is bounded and that merge exactly.
//
// The buckets are those of HDR histograms (Tene, hdrhistogram.org): linear within each power of two, 256 of them, so
// that a bucket is at most 1/256 of its values wide. Whatever value of its bucket stands for an observation, it is off
// by less than 0.4 %. Adding is one array access; memory depends on how many powers of two occur, never on how many
// values.
package hist

import (
	"math"
	"math/bits"
)

const (
	// SubBits is the number of bits of a value that are kept: 2^SubBits buckets for each power of two.
	SubBits = 8

	// MaxError is the largest relative error of a quantile.
	MaxError = 1.0 / (1 << SubBits)

	perPage = 1 << SubBits
	pages   = 64 - SubBits + 1
)

// Histogram counts values from 0 to 2^64-1, nanoseconds by convention. Its zero value is empty and ready for use. It is
// not safe for concurrent use.
type Histogram struct {
	Count    uint64
	Sum      uint64
	Min, Max uint64 // exact; of no meaning while Count is 0
	pages    [pages]*[perPage]uint64
}

// Index is the bucket of a value.
func Index(value uint64) int {
	if value < perPage {
		return int(value)
	}
	shift := bits.Len64(value) - (SubBits + 1)
	return (shift+1)<<SubBits + int(value>>shift) - perPage
}

// Bounds are the smallest value of a bucket, and how many values it has.
func Bounds(index int) (low, width uint64) {
	if index < perPage {
		return uint64(index), 1
	}
	shift := index>>SubBits - 1
	return uint64(perPage+index&(perPage-1)) << shift, 1 << shift
}

// Add counts a value.
func (h *Histogram) Add(value uint64) { h.AddMany(value, 1) }

// AddMany counts a value n times.
func (h *Histogram) AddMany(value, n uint64) {
	if n == 0 {
		return
	}
	index := Index(value)
	page := h.pages[index>>SubBits]
	if page == nil {
		page = new([perPage]uint64)
		h.pages[index>>SubBits] = page
	}
	page[index&(perPage-1)] += n
	h.extend(n, value*n, value, value)
}

func (h *Histogram) extend(count, sum, low, high uint64) {
	if h.Count == 0 {
		h.Min, h.Max = low, high
	} else {
		h.Min, h.Max = min(h.Min, low), max(h.Max, high)
	}
	h.Count += count
	h.Sum += sum
}

// Merge adds all that another histogram counted: the result is that of one histogram that counted both.
func (h *Histogram) Merge(other *Histogram) {
	if other.Count == 0 {
		return
	}
	for i, page := range other.pages {
		if page == nil {
			continue
		}
		if h.pages[i] == nil {
			h.pages[i] = new([perPage]uint64)
		}
		for j, n := range page {
			h.pages[i][j] += n
		}
	}
	h.extend(other.Count, other.Sum, other.Min, other.Max)
}

// Reset empties the histogram and keeps its memory.
func (h *Histogram) Reset() {
	if h.Count == 0 {
		return
	}
	for _, page := range h.pages {
		if page != nil {
			clear(page[:])
		}
	}
	h.Count, h.Sum, h.Min, h.Max = 0, 0, 0, 0
}

// Each calls a function for each bucket that counted anything, in ascending order, until it returns false.
func (h *Histogram) Each(visit func(index int, count uint64) bool) {
	for i, page := range h.pages {
		if page == nil {
			continue
		}
		for j, n := range page {
			if n > 0 && !visit(i<<SubBits+j, n) {
				return
			}
		}
	}
}

// Mean is the exact mean, 0 of nothing.
func (h *Histogram) Mean() float64 {
	if h.Count == 0 {
		return 0
	}
	return float64(h.Sum) / float64(h.Count)
}

// Quantiles are the values below which the shares lie, each from 0 to 1 and in ascending order. Like k6, they take the
// observations for steps of equal size between the first and the last; within a bucket, observations are taken to lie
// evenly.
func (h *Histogram) Quantiles(shares []float64) []float64 {
	values := make([]float64, len(shares))
	if h.Count == 0 {
		return values
	}
	next := 0
	below := uint64(0) // observations in the buckets before
	h.Each(func(index int, count uint64) bool {
		for ; next < len(shares); next++ {
			rank := shares[next] * float64(h.Count-1)
			if rank >= float64(below+count) {
				break
			}
			values[next] = h.within(index, (rank-float64(below)+0.5)/float64(count))
		}
		below += count
		return next < len(shares)
	})
	for i, share := range shares {
		if share <= 0 {
			values[i] = float64(h.Min)
		} else if share >= 1 {
			values[i] = float64(h.Max)
		}
	}
	return values
}

// within is the value at a share of a bucket's observations.
func (h *Histogram) within(index int, share float64) float64 {
	low, width := Bounds(index)
	if width == 1 {
		return float64(low)
	}
	value := float64(low) + float64(width)*math.Min(share, 1)
	return math.Max(float64(h.Min), math.Min(float64(h.Max), value))
}

// Quantile is one of Quantiles.
func (h *Histogram) Quantile(share float64) float64 { return h.Quantiles([]float64{share})[0] }

// Buckets are the histogram as a list of pairs, flat: the index of a bucket minus that of the one before (of the first: its
// index), and how often it counted. FromBuckets is the other way round.
func (h *Histogram) Buckets() []uint64 {
	list := []uint64{}
	last := 0
	h.Each(func(index int, count uint64) bool {
		list = append(list, uint64(index-last), count)
		last = index
		return true
	})
	return list
}

// AddBuckets counts what Buckets listed, with the sum and the extremes that go with it.
//
// It reports false, and counts nothing, if the list is not one that Buckets makes.
func (h *Histogram) AddBuckets(list []uint64, sum, low, high uint64) bool {
	if len(list)%2 != 0 {
		return false
	}
	index, total := uint64(0), uint64(0)
	for i := 0; i < len(list); i += 2 {
		index += list[i]
		if index >= pages*perPage {
			return false
		}
		total += list[i+1]
	}
	if total == 0 {
		return true
	}
	index = 0
	for i := 0; i < len(list); i += 2 {
		index += list[i]
		page := &h.pages[index>>SubBits]
		if *page == nil {
			*page = new([perPage]uint64)
		}
		(*page)[index&(perPage-1)] += list[i+1]
	}
	h.extend(total, sum, low, high)
	return true
}
