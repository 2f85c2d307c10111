package native

import (
	"testing"
	"time"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/tally"
)

// What is asked at the end of the window has its last second, however late that turned.
func TestTheTimeOfASecond(t *testing.T) {
	began := time.Unix(1000, 0)
	recorder := tally.NewRecorder(tally.Names{})
	recorder.Begin(began)
	lasts, to := 5.0, 4.0
	for _, c := range []struct {
		name     string
		load     plan.Load
		phase    tally.Phase
		from, to float64
		at       float64
	}{
		{"its middle", plan.Load{Duration: &lasts}, tally.Steady, 2, 3, 2.5},
		{"the last, which turned late", plan.Load{Duration: &lasts}, tally.Steady, 4.5, 7, 4.999},
		{"of a window that ends before the load", plan.Load{Duration: &lasts, Window: plan.Window{To: &to}}, tally.Steady, 3.5, 5, 3.999},
		{"after the window", plan.Load{Duration: &lasts, Window: plan.Window{To: &to}}, tally.Cooldown, 3.5, 5, 4.25},
		{"of what ended after it", plan.Load{Duration: &lasts}, tally.Steady, 6, 7, 6.5},
		{"of a load of iterations", plan.Load{}, tally.Steady, 6, 8, 7},
	} {
		s := samples{recorder: recorder, lasts: untilWindowEnds(&c.load)}
		after := func(seconds float64) time.Time { return began.Add(time.Duration(seconds * 1e9)) }
		at := s.timeOf(tally.Key{Phase: c.phase}, &tally.Second{From: after(c.from), To: after(c.to)})
		if got := at.Sub(began).Seconds(); got != c.at {
			t.Errorf("%s: %v, not %v", c.name, got, c.at)
		}
	}
}
