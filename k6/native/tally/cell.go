// Package tally counts what a load did: exactly what is counted, in histograms what is timed, by phase, request, group,
// side and second. Its memory depends on how many different requests there are, never on how many were sent.
package tally

import "benchfolio.dev/native/hist"

// Counter is something that is counted.
type Counter int

// What is counted.
const (
	Requests Counter = iota
	Failed           // requests that k6 would call failed
	NetworkErrors
	StatusErrors
	FailedExpectations
	Exceptions
	Abandoned
	Iterations
	Moved      // iterations that a fault met on their way
	BegunAfter // iterations that began after the window
	Dropped
	SentBytes
	ReceivedBytes
	Connections  // opened
	UserRequests // these three by user
	UserBytes
	UserNanoseconds
	counters
)

// Trend is something whose time is taken, in nanoseconds.
type Trend int

// What is timed.
const (
	Duration Trend = iota // from sending a request to the last byte of its response
	Intended              // from when its iteration was due
	Lateness              // from when an iteration was due to when it began; of a load without due times, by a clock
	Blocked               // until there was a connection
	Connecting
	TLSHandshaking
	Sending
	Waiting
	Receiving
	IterationDuration
	GroupDuration
	trends
)

// Phase is a part of a scenario's time.
type Phase uint8

// The phases, and their names.
const (
	Warmup Phase = iota
	Steady
	Cooldown
	Fault
)

var phaseNames = []string{"warmup", "steady", "cooldown", "fault"}

// None stands for no request, no group or no user in a Key.
const None = -1

// Key says what is counted apart: of what a request or an iteration is.
type Key struct {
	Phase      Phase
	Fault      int16 // from 1; 0: none
	Side       int8  // of a duet: 0 base, 1 head; None
	Request    int16 // by the names of requests
	Group      int16
	User       int32
	Unexpected bool // of a request: its answer is not one that k6 takes for good
}

// bank has the numbers of one key.
type bank struct {
	counts [counters]uint64
	trends [trends]*hist.Histogram
	used   bool
}

func (b *bank) trend(t Trend) *hist.Histogram {
	if b.trends[t] == nil {
		b.trends[t] = new(hist.Histogram)
	}
	return b.trends[t]
}

func (b *bank) merge(other *bank) {
	b.used = true
	for i, n := range other.counts {
		b.counts[i] += n
	}
	for i, h := range other.trends {
		if h != nil && h.Count > 0 {
			b.trend(Trend(i)).Merge(h)
		}
	}
}

func (b *bank) reset() {
	b.counts, b.used = [counters]uint64{}, false
	for _, h := range b.trends {
		if h != nil {
			h.Reset()
		}
	}
}

// Cell takes the numbers of one key. It belongs to a shard, which must be locked meanwhile.
type Cell struct {
	key   Key
	shard *Shard
	banks [2]bank
}

// Count adds to a counter.
func (c *Cell) Count(what Counter, n uint64) {
	b := &c.banks[c.shard.active]
	b.counts[what] += n
	b.used = true
}

// Time adds to a trend; what is negative by the resolution of clocks is 0.
func (c *Cell) Time(what Trend, nanoseconds int64) {
	b := &c.banks[c.shard.active]
	b.trend(what).Add(uint64(max(nanoseconds, 0)))
	b.used = true
}
