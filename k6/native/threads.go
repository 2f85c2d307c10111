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
	// Where less of a core than this was free for so long, half of them are tried for as long, once a load: what they cost to
	// wake each other is missing to the service. It pays with short responses, if users send so much more then; with long
	// ones, which are read at once on several threads, it does not. At a rate they cannot send more, and might be late.
	full      = 0.5
	fullLooks = 10
	pays      = 1.05
	// The system counts free time in hundredths of a second, so that one look alone is off by a fifth of a core.
	newest = 0.25
)

// threads is how many threads a load has, and for how many looks they had too much or too little to do, or no core.
type threads struct {
	now, most               int
	tooFew, tooMany, noRoom int
	then                    look
	free                    float64 // cores, of late

	mayTry bool    // half of them
	trying int     // half of them, for so many looks; 0: it does not
	since  look    // when no core was free any more, or the try began
	with   float64 // iterations a nanosecond before the try
}

// look is what was done, used and free until a time.
type look struct {
	at   time.Time
	done uint64        // iterations
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
	before := t.then
	t.then = now
	if t.trying > 0 {
		return t.try(now)
	}
	half := float64(t.now) / 2
	t.tooFew = inARow(t.tooFew, used > busy*float64(t.now) && t.free > room)
	t.tooMany = inARow(t.tooMany, used < idle*half)
	t.noRoom = inARow(t.noRoom, t.now > 1 && t.free < full)
	if t.noRoom == 1 {
		t.since = before
	}
	switch {
	case t.tooFew >= 2:
		t.now, t.tooFew = min(2*t.now, t.most), 0
	case t.tooMany >= idleLooks:
		t.now, t.tooMany = max(t.now/2, 1), 0
	case t.noRoom >= fullLooks && t.mayTry:
		t.with, t.since = now.rate(t.since), now
		t.now, t.mayTry, t.trying = t.now/2, false, 1
	}
	return t.now
}

// try goes on with half of the threads, and decides at last.
func (t *threads) try(now look) int {
	t.trying++
	if t.trying > fullLooks {
		t.trying = 0
		if now.rate(t.since) < pays*t.with {
			t.now = min(2*t.now, t.most)
		}
	}
	return t.now
}

// rate is how many iterations a nanosecond were done since an earlier look.
func (l look) rate(since look) float64 {
	return float64(l.done-since.done) / float64(l.at.Sub(since.at))
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
func spareThreads(ended <-chan struct{}, seconds *float64, done func() uint64, atRate bool) {
	most := runtime.GOMAXPROCS(0)
	first, known := lookNow(done)
	if most == 1 || !known {
		return
	}
	t := threads{now: most, most: most, then: first, free: float64(most), mayTry: !atRate}
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
			now, _ := lookNow(done)
			if t.next(now) != before {
				runtime.GOMAXPROCS(t.now)
			}
		}
	}
}

// unknown is how long cores were free where the system does not say: then there is room.
const unknown time.Duration = -1

// lookNow is what was done, used and free until now. Where CPU time is not known, nothing is.
func lookNow(done func() uint64) (now look, known bool) {
	used, known := cpuTime()
	return look{at: time.Now(), done: done(), used: used, free: freeTime()}, known
}
