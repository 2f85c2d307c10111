package player

import (
	"testing"
	"time"
)

func TestConstantSchedule(t *testing.T) {
	s := ConstantSchedule(1, 200, time.Second, 20*time.Millisecond, 0, []int64{1})
	for i := range int64(6) {
		if got, ofLoad := s.take(1000); got != 1000+i*5*ms || ofLoad != (i < 4) {
			t.Errorf("the iteration %d is due at %d, of the load: %t", i, got, ofLoad)
		}
	}
	half := ConstantSchedule(1, 200, time.Second, time.Second, 1, []int64{2}) // the second half of the load
	for i := range int64(3) {
		if got, _ := half.take(0); got != (1+2*i)*5*ms {
			t.Errorf("the iteration %d of the half is due at %d", i, got)
		}
	}
}

func TestRampingSchedule(t *testing.T) {
	// 0 to 10 a second in 2 s: the area under it is 2.5·t², 10 in all; then 10 a second
	stages := []Stage{{2 * time.Second, 10}, {time.Second, 10}, {0, 5}, {time.Second, 5}}
	s := RampingSchedule(1, 0, time.Second, stages, 0, []int64{1})
	for i, want := range []int64{632, 894, 1095, 1264, 1414, 1549, 1673, 1788, 1897, 2000, 2100, 2200, 2300, 2400, 2500, 2600, 2700, 2800, 2900, 3000, 3200, 3400} {
		if got, ofLoad := s.take(0); got/ms < want-1 || got/ms > want+1 || !ofLoad {
			t.Errorf("the iteration %d is due at %d ms, by hand at %d", i+1, got/ms, want)
		}
	}
}
