package player

import (
	"math"
	"testing"
	"time"
)

const ms = int64(time.Millisecond)

// play has a server of so many users answer in 1 ms, but freeze from 1 s to 3 s, under 100 iterations a second for 6 s;
// what is due while no user is free is dropped. It returns what the backlog says of each, by when it was due.
func play(users int) map[int64]int64 {
	latencies := map[int64]int64{}
	b := newBacklog(users, func(wait int64, by begun, due int64) { latencies[due] = wait + by.request })
	type running struct {
		ticket   uint64
		due, end int64
	}
	var busy []running
	release := func(now int64) {
		for len(busy) > 0 && busy[0].end <= now {
			r := busy[0]
			busy = busy[1:]
			b.end(r.ticket, r.end-r.due, r.end-r.due, 0, true)
		}
	}
	for due := int64(0); due < 6000*ms; due += 10 * ms {
		release(due)
		if len(busy) == users {
			b.drop(due)
			continue
		}
		end := due + ms
		if due >= 1000*ms && due < 3000*ms {
			end = 3000*ms + ms
		}
		busy = append(busy, running{b.begin(due, 0), due, end})
	}
	release(math.MaxInt64)
	b.close()
	return latencies
}

func TestAFreezeIsSeenByAllThatWereDue(t *testing.T) {
	for _, users := range []int{10, 100, 1000} {
		latencies := play(users)
		if len(latencies) != 600 {
			t.Fatalf("%d users: %d of 600 iterations were counted", users, len(latencies))
		}
		for due, latency := range latencies {
			want := ms
			if due >= 1000*ms && due < 3000*ms {
				want = 3001*ms - due // by hand: it waits for the end of the freeze
			}
			// those that wait are served by so many users, a millisecond each
			slack := (200/int64(users) + 2) * ms
			if latency < want || latency > want+slack {
				t.Errorf("%d users: due at %d ms: %v, not %v", users, due/ms, time.Duration(latency), time.Duration(want))
			}
		}
	}
}

func TestUnderSaturationTheWaitGrows(t *testing.T) {
	// one user who takes 20 ms, and 100 a second: twice what it can do
	var last time.Duration
	b := newBacklog(1, func(wait int64, _ begun, _ int64) { last = time.Duration(wait) })
	for due := int64(0); due < 10_000*ms; due += 20 * ms {
		ticket := b.begin(due, 0)
		b.drop(due + 10*ms)
		b.end(ticket, 20*ms, 20*ms, 0, true)
	}
	b.close()
	if last < 9900*time.Millisecond || last > 10100*time.Millisecond {
		t.Errorf("after 10 s the queue is %v long, by hand 10 s", last)
	}
}

func TestQueueIsEmptyWithoutDrops(t *testing.T) {
	var waits []int64
	b := newBacklog(3, func(wait int64, _ begun, _ int64) { waits = append(waits, wait) })
	one, two := b.begin(0, 5), b.begin(10*ms, 7)
	b.end(two, 30*ms, 30*ms, 0, true) // the order in which they end does not matter
	b.end(one, 50*ms, 50*ms, 0, true)
	cut := b.begin(20*ms, 0)
	b.end(cut, 10*ms, 0, 0, false)
	if len(waits) != 2 || waits[0] != 5 || waits[1] != 7 {
		t.Errorf("waits of %v, not 5 and 7: how late they began", waits)
	}
}
