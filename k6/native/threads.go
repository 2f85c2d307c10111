package native

import (
	"runtime"
	"time"
)

// A load's goroutines wait for nearly all of the time. Where Go runs them on several threads, which is one for each core
// if nobody says anything else, most of what they cost is to wake each other across threads: on one thread a generator
// makes half as many requests again in a second of CPU time, at a rate (test/bench/native.bench.js). So a load has more
// than one only while it needs them: when it begins, to open its connections, when it keeps them busy, and when it ends,
// since k6 ends all of its users at a time then.

const (
	lookEach = 50 * time.Millisecond
	// Threads are doubled when they were busy for so much of two looks, …
	busy = 0.9
	// … and halved when half of them would not have been this busy in a quarter of a second. On fewer threads the same
	// work takes less time, so that this does not go to and fro.
	idle      = 0.7
	idleLooks = 5
)

// threads is how many threads a load has, and for how many looks they had too much or too little to do.
type threads struct {
	now, most       int
	tooFew, tooMany int
	cpu             time.Duration // of the process, at the last look
	at              time.Time
}

// next is how many threads a load should have that used so much CPU time until now.
func (t *threads) next(cpu time.Duration, at time.Time) int {
	cores := float64(cpu-t.cpu) / float64(at.Sub(t.at))
	t.cpu, t.at = cpu, at
	switch {
	case cores > busy*float64(t.now):
		t.tooFew, t.tooMany = t.tooFew+1, 0
	case cores < idle*float64(t.now)/2:
		t.tooFew, t.tooMany = 0, t.tooMany+1
	default:
		t.tooFew, t.tooMany = 0, 0
	}
	switch {
	case t.tooFew >= 2:
		t.now, t.tooFew = min(2*t.now, t.most), 0
	case t.tooMany >= idleLooks:
		t.now, t.tooMany = max(t.now/2, 1), 0
	}
	return t.now
}

// atTheEnd is how long before its end a load gets all threads again.
const atTheEnd = 100 * time.Millisecond

// spareThreads keeps a load on as few threads as will do, until it has ended. It lasts so long, if that is known.
func spareThreads(ended <-chan struct{}, seconds *float64) {
	most := runtime.GOMAXPROCS(0)
	used, known := cpuTime()
	if most == 1 || !known {
		return
	}
	t := threads{now: most, most: most, cpu: used, at: time.Now()}
	defer runtime.GOMAXPROCS(most)
	var garbage collector
	garbage.begin()
	defer garbage.end()
	ticker := time.NewTicker(lookEach)
	defer ticker.Stop()
	var ending <-chan time.Time
	if seconds != nil {
		ending = time.After(time.Duration(*seconds*float64(time.Second)) - atTheEnd)
	}
	for {
		select {
		case <-ended:
			return
		case <-ending:
			runtime.GOMAXPROCS(most)
			<-ended
			return
		case at := <-ticker.C:
			garbage.look()
			before := t.now
			used, _ = cpuTime()
			if t.next(used, at) != before {
				runtime.GOMAXPROCS(t.now)
			}
		}
	}
}
