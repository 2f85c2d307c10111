package random

import (
	"reflect"
	"testing"

	"benchfolio.dev/native/vectors"
)

func TestDrawsWhatTheJavaScriptPlayerDraws(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		Seed            [2]uint32
		User, Iteration uint64
		Draws           []Draw
		Values          []any
	}](t, "random") {
		source := Begin(v.Seed, v.User, v.Iteration)
		for i, value := range source.Append(nil, v.Draws) {
			if !reflect.DeepEqual(value, v.Values[i]) {
				t.Errorf("user %d, iteration %d: value %d is %v, not %v", v.User, v.Iteration, i, value, v.Values[i])
			}
		}
	}
}

func TestNumbersAreEvenlySpread(t *testing.T) {
	draws := []Draw{{Int: &[2]float64{1, 6}}}
	var counts [8]int
	for iteration := range uint64(60_000) {
		source := Begin([2]uint32{1, 2}, 3, iteration)
		counts[int(source.Append(nil, draws)[0].(float64))]++
	}
	for number := 1; number <= 6; number++ {
		if counts[number] < 9_500 || counts[number] > 10_500 { // five standard deviations
			t.Errorf("%d came %d times of 60,000", number, counts[number])
		}
	}
}
