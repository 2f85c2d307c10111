package random

import (
	"regexp"
	"testing"
)

func TestAnIterationDrawsTheSameAgain(t *testing.T) {
	length := 12
	draws := []Draw{{Int: &[2]float64{-3, 9e15}}, {String: &length}, {UUID: true}}
	drawn := func(seed uint32, user, iteration uint64) []any {
		source := Begin([2]uint32{1, seed}, user, iteration)
		var values []any
		for _, value := range source.Append(nil, draws) {
			values = append(values, value)
		}
		return values
	}
	first := drawn(7, 1, 1)
	for i, value := range drawn(7, 1, 1) {
		if value != first[i] {
			t.Errorf("%v, and then %v", first[i], value)
		}
	}
	for _, other := range [][]any{drawn(8, 1, 1), drawn(7, 2, 1), drawn(7, 1, 2)} {
		for i, value := range other {
			if value == first[i] {
				t.Errorf("%v twice", value)
			}
		}
	}
	if uuid := first[2].(string); !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(uuid) {
		t.Errorf("%s is not a UUID of version 4", uuid)
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
