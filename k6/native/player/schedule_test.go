package player

import (
	"cmp"
	"math"
	"testing"
	"time"

	"benchfolio.dev/native/vectors"
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

// What the reduction and the spec count as due is what begins: test/reports/schedules.test.js holds them to the same table.
func TestSchedulesOfAllPlayers(t *testing.T) {
	type load struct {
		Executor, TimeUnit, Duration string
		Rate                         int64
		StartRate                    float64
		Stages                       []struct {
			Duration string
			Target   float64
		}
	}
	type window struct {
		From       float64 `json:"from_s"`
		To         float64 `json:"to_s"`
		Iterations float64
	}
	parse := func(text string) time.Duration {
		duration, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return duration
	}
	for _, v := range vectors.Read[[]struct {
		K6      load
		Windows []window
	}](t, "schedules") {
		unit := parse(cmp.Or(v.K6.TimeUnit, "1s"))
		for _, w := range v.Windows {
			s := ConstantSchedule(1, max(v.K6.Rate, 1), unit, time.Hour, 0, []int64{1})
			if v.K6.Executor == "ramping-arrival-rate" {
				var stages []Stage
				for _, stage := range v.K6.Stages {
					stages = append(stages, Stage{parse(stage.Duration), stage.Target})
				}
				s = RampingSchedule(1, v.K6.StartRate, unit, stages, 0, []int64{1})
			}
			due := 0.0
			for range 10_000 { // more than any of the table has
				at, _ := s.take(0)
				if seconds := float64(at) / 1e9; seconds >= w.From && seconds < w.To {
					due++
				}
			}
			if math.Abs(due-w.Iterations) > 1 { // whole ones, at both ends of a window
				t.Errorf("%s from %g s to %g s: %g iterations are due, not %g", v.K6.Executor, w.From, w.To, due, w.Iterations)
			}
		}
	}
}
