package native

import (
	"testing"
	"time"
)

// demand is how many cores a load would keep busy, and how many are left for it by others.
type demand struct{ wanted, left float64 }

// threadsAfter is how many threads a load has after so many looks, as long as it would keep so many cores busy and does so
// many iterations a look on so many threads.
func threadsAfter(t *threads, looks int, c demand, done ...float64) int {
	for range looks {
		used := min(c.wanted, c.left, float64(t.now))
		now := t.then
		now.at = now.at.Add(lookEach)
		if done != nil {
			now.done += uint64(done[t.now])
		}
		now.used += time.Duration(used * float64(lookEach))
		now.free += time.Duration((c.left - used) * float64(lookEach))
		t.next(now)
	}
	return t.now
}

func TestThreadsFollowTheLoad(t *testing.T) {
	one := &threads{now: 1, most: 8}
	for _, step := range []struct {
		looks int
		cores demand
		want  int
	}{
		{100, demand{0.5, 8}, 1}, // one will do
		{1, demand{1, 8}, 1},     // for a moment it does not
		{1, demand{0.5, 8}, 1},
		{2, demand{3, 8}, 2}, // it does not
		{2, demand{3, 8}, 4},
		{100, demand{3, 8}, 4},   // three quarters of them are busy
		{2, demand{9, 9}, 8},     // all there are
		{100, demand{9, 9}, 8},   // and no more
		{4, demand{1, 8}, 8},     // not for long yet
		{1, demand{3, 8}, 8},     // it goes on
		{5, demand{1, 8}, 4},     // half will do, and
		{5, demand{1, 8}, 2},     // half of these
		{100, demand{1, 8}, 2},   // which one could not
		{100, demand{0.3, 8}, 1}, // now it can
	} {
		if got := threadsAfter(one, step.looks, step.cores); got != step.want {
			t.Fatalf("after %d looks at %+v: %d threads, want %d", step.looks, step.cores, got, step.want)
		}
	}
}

func TestThreadsLeaveCoresToOthers(t *testing.T) {
	for _, c := range []struct {
		title   string
		threads threads
		cores   []demand
		done    [9]float64 // iterations a look, by the number of threads
		want    int
	}{
		{"no core for another", threads{now: 1, most: 2}, []demand{{2, 1}}, [9]float64{}, 1},
		{"a core for another", threads{now: 1, most: 2}, []demand{{2, 1.5}}, [9]float64{}, 2},
		{"more is done by half", threads{now: 2, most: 2, mayTry: true}, []demand{{2, 1.1}}, [9]float64{1: 120, 2: 100}, 1},
		{"none is tried at a rate", threads{now: 2, most: 2}, []demand{{2, 1.1}}, [9]float64{1: 120, 2: 100}, 2},
		{"half of many", threads{now: 8, most: 8, mayTry: true}, []demand{{8, 4.1}}, [9]float64{4: 120, 8: 100}, 4},
		{"not more", threads{now: 2, most: 2, mayTry: true}, []demand{{2, 1.1}}, [9]float64{1: 100, 2: 100}, 2},
		{"less", threads{now: 2, most: 2, mayTry: true}, []demand{{2, 1.1}}, [9]float64{1: 80, 2: 100}, 2},
		{"a core is free again", threads{now: 2, most: 2, mayTry: true}, []demand{{2, 1.1}, {2, 2}, {2, 1.1}}, [9]float64{1: 120, 2: 100}, 2},
	} {
		for _, cores := range c.cores {
			threadsAfter(&c.threads, 40, cores, c.done[:]...)
		}
		if c.threads.now != c.want {
			t.Errorf("%s: %d threads, want %d", c.title, c.threads.now, c.want)
		}
	}
}

func TestThreadsWhereNobodyKnowsWhatIsFree(t *testing.T) {
	one := &threads{now: 1, most: 2, then: look{free: unknown}}
	for range 10 {
		now := one.then
		now.at, now.used = now.at.Add(lookEach), now.used+2*lookEach
		one.next(now)
	}
	if one.now != 2 {
		t.Errorf("%d threads, want 2", one.now)
	}
}
