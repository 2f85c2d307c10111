package native

import (
	"testing"
	"time"
)

// After so many looks at a load that keeps so many cores busy, as long as it has enough threads.
func threadsAfter(t *threads, looks int, cores float64) int {
	for range looks {
		used := min(cores, float64(t.now)) * float64(lookEach)
		t.next(t.cpu+time.Duration(used), t.at.Add(lookEach))
	}
	return t.now
}

func TestThreadsFollowTheLoad(t *testing.T) {
	one := &threads{now: 1, most: 8}
	for _, step := range []struct {
		looks int
		cores float64
		want  int
	}{
		{100, 0.5, 1}, // one will do
		{1, 1, 1},     // for a moment it does not
		{1, 0.5, 1},
		{2, 3, 2}, // it does not
		{2, 3, 4},
		{100, 3, 4},   // three quarters of them are busy
		{2, 9, 8},     // all there are
		{100, 9, 8},   // and no more
		{4, 1, 8},     // not for long yet
		{1, 3, 8},     // it goes on
		{5, 1, 4},     // half will do, and
		{5, 1, 2},     // half of these
		{100, 1, 2},   // which one could not
		{100, 0.3, 1}, // now it can
	} {
		if got := threadsAfter(one, step.looks, step.cores); got != step.want {
			t.Fatalf("after %d looks at %g cores: %d threads, want %d", step.looks, step.cores, got, step.want)
		}
	}
}
