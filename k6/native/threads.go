package native

import (
	"runtime"
	"time"
)

// A load's goroutines wait for nearly all of the time. Where Go runs them on several threads, which is one for each core
// if nobody says anything else, most of what they cost is to wake each other across threads: on one thread a generator
// makes half as many requests again in a second of CPU time, at a rate (test/bench/native.bench.js). So a load has more
// than one only while it needs them: when it begins, to open its connections, when it keeps them busy and there is a core
// for another, and when it ends, since k6 ends all of its users at a time then.

const (
	lookEach = 50 * time.Millisecond
	// Threads are doubled when they were busy for so much of two looks while so much of a core was free, …
	busy = 0.9
	room = 0.3
	// … and halved when half of them would not have been this busy in a quarter of a second. On fewer threads the same
	// work takes less time, so that this does not go to and fro.
	idle      = 0.7
	idleLooks = 5
	// They are also halved where less of a core than this was free for so long and half of them have nearly enough time:
	// the rest is what it costs to wake each other, and the service wants that core. Once a load: half may not do.
	full      = 0.5
	nearly    = 1.3
	fullLooks = 5
	// The system counts free time in hundredths of a second, so that one look alone is off by a fifth of a core.
	newest = 0.25
)

// threads is how many threads a load has, and for how many looks they had too much or too little to do, or no core.
type threads struct {
	now, most               int
	tooFew, tooMany, noRoom int
	yielded                 bool
	then                    look
	free                    float64 // cores, of late
}

// look is what was used and free until a time.
type look struct {
	at   time.Time
	used time.Duration // CPU time of the process
	free time.Duration // of all cores together, or unknown
}

// next is how many threads a load should have.
func (t *threads) next(now look) int {
	passed := float64(now.at.Sub(t.then.at))
	used := float64(now.used-t.then.used) / passed
	if now.free == unknown {
		t.free = float64(t.most)
	} else {
		t.free += newest * (float64(now.free-t.then.free)/passed - t.free)
	}
	t.then = now
	half := float64(t.now) / 2
	t.tooFew = inARow(t.tooFew, used > busy*float64(t.now) && t.free > room)
	t.tooMany = inARow(t.tooMany, used < idle*half)
	t.noRoom = inARow(t.noRoom, used < nearly*half && t.free < full)
	switch {
	case t.tooFew >= 2:
		t.now, t.tooFew = min(2*t.now, t.most), 0
	case t.tooMany >= idleLooks:
		t.now, t.tooMany = max(t.now/2, 1), 0
	case t.noRoom >= fullLooks && !t.yielded:
		t.now, t.yielded = max(t.now/2, 1), true
	}
	return t.now
}

func inARow(before int, again bool) int {
	if again {
		return before + 1
	}
	return 0
}

// atTheEnd is how long before its end a load gets all threads again.
const atTheEnd = 100 * time.Millisecond

// spareThreads keeps a load on as few threads as will do, until it has ended. It lasts so long, if that is known.
func spareThreads(ended <-chan struct{}, seconds *float64) {
	most := runtime.GOMAXPROCS(0)
	first, known := lookNow()
	if most == 1 || !known {
		return
	}
	t := threads{now: most, most: most, then: first, free: float64(most)}
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
		case <-ticker.C:
			garbage.look()
			before := t.now
			now, _ := lookNow()
			if t.next(now) != before {
				runtime.GOMAXPROCS(t.now)
			}
		}
	}
}

// unknown is how long cores were free where the system does not say: then there is room.
const unknown time.Duration = -1

// lookNow is what was used and free until now. Where CPU time is not known, nothing is.
func lookNow() (now look, known bool) {
	used, known := cpuTime()
	return look{at: time.Now(), used: used, free: freeTime()}, known
}
