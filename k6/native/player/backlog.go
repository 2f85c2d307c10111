package player

import (
	"container/heap"
	"sync"
)

// backlog works out how long iterations of an arrival rate waited from when they were due: also those that k6 dropped
// because no user was free, and those behind them.
//
// k6 drops what is due when all users wait for answers, so the latencies that it measures miss the worst: coordinated
// omission. Here nothing is dropped: all that is due stands in one queue, first in first out, and each of as many users
// as k6 has takes the next as soon as it is free. An iteration takes as long as it did; one that was dropped, as long as
// the next that was not. Without dropped iterations the queue is empty, and the wait is what was measured.
type backlog struct {
	mutex    sync.Mutex
	free     times // when each user is free
	waiting  []begun
	first    uint64  // the ticket of the first that waits
	dropped  []int64 // when those were due that were dropped since the last that began
	last     begun   // the last that ended
	observed func(wait int64, by begun, due int64)
}

// begun is an iteration that began, and what is known of it when it has ended.
type begun struct {
	before  []int64 // when those were due that were dropped just before it
	due     int64
	late    int64 // by how much it began after that
	took    int64 // all of it
	request int64 // its first request
	index   int16 // of that by name
	ended   bool
	counts  bool // it was not cut off
}

// newBacklog is that of so many users; observed gets how long each iteration waited.
func newBacklog(users int, observed func(wait int64, by begun, due int64)) *backlog {
	return &backlog{free: make(times, users), observed: observed}
}

// begin puts an iteration into the queue.
func (b *backlog) begin(due, late int64) (ticket uint64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.waiting = append(b.waiting, begun{before: b.dropped, due: due, late: late})
	b.dropped = nil
	return b.first + uint64(len(b.waiting)) - 1
}

// drop puts one into the queue that k6 dropped.
func (b *backlog) drop(due int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.dropped = append(b.dropped, due)
}

// end says how an iteration ended.
func (b *backlog) end(ticket uint64, took, request int64, index int16, counts bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	at := &b.waiting[ticket-b.first]
	at.took, at.request, at.index, at.ended, at.counts = took, request, index, true, counts
	for len(b.waiting) > 0 && b.waiting[0].ended {
		next := b.waiting[0]
		b.waiting = b.waiting[1:]
		b.first++
		b.serve(next)
	}
}

func (b *backlog) serve(next begun) {
	if next.counts {
		b.last = next
	}
	for _, due := range next.before {
		b.observed(b.take(due, b.last.took), b.last, due)
	}
	wait := max(b.take(next.due, next.took), next.late)
	if next.counts {
		b.observed(wait, next, next.due)
	}
}

// take gives an iteration to the user who is free first, and returns how long it waited.
func (b *backlog) take(due, took int64) int64 {
	if len(b.free) == 0 {
		return 0
	}
	start := max(due, b.free[0])
	b.free[0] = start + took
	heap.Fix(&b.free, 0)
	return start - due
}

// close counts what was dropped after the last that began.
func (b *backlog) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if !b.last.counts {
		return // nothing ever ended: how long anything takes is unknown
	}
	for _, due := range b.dropped {
		b.observed(b.take(due, b.last.took), b.last, due)
	}
	b.dropped = nil
}

// times is a heap of moments, the first of them first.
type times []int64

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }

// Push and Pop are of heap.Interface; the number of users does not change.
func (t *times) Push(any) {}

// Pop is never called.
func (t *times) Pop() any { return nil }
