package tally

import (
	"math"
	"runtime"
	"sync"
	"time"

	"benchfolio.dev/native/hist"
)

// Shard takes the numbers of some users. It has two banks, so that a second that is over can be read while the next is
// counted.
type Shard struct {
	sync.Mutex
	active int
	cells  map[Key]*Cell
	_      [64]byte // its lock shares no cache line with another's
}

// Cell is that of a key. The shard must be locked.
func (s *Shard) Cell(key Key) *Cell {
	cell := s.cells[key]
	if cell == nil {
		cell = &Cell{key: key, shard: s}
		s.cells[key] = cell
	}
	return cell
}

// Second is what was counted between two times.
type Second struct {
	From, To time.Time
	Users    int64
	banks    map[Key]*bank
}

// Empty reports whether nothing was counted.
func (s *Second) Empty() bool { return len(s.banks) == 0 }

// Numbers are those of one key in a second.
type Numbers struct{ *bank }

// Counter is how often something was counted.
func (n Numbers) Counter(what Counter) uint64 { return n.counts[what] }

// Trend is what was timed; nil: nothing.
func (n Numbers) Trend(what Trend) *hist.Histogram {
	if h := n.trends[what]; h != nil && h.Count > 0 {
		return h
	}
	return nil
}

// Each calls a function for each key that counted anything.
func (s *Second) Each(visit func(Key, Numbers)) {
	for key, b := range s.banks {
		visit(key, Numbers{b})
	}
}

// Moments are of values that may be negative: those of few errors.
type Moments struct {
	Count         uint64
	Sum, Min, Max float64
}

func (m *Moments) add(value float64) {
	if m.Count == 0 {
		m.Min, m.Max = value, value
	}
	m.Count++
	m.Sum += value
	m.Min, m.Max = math.Min(m.Min, value), math.Max(m.Max, value)
}

// Recorder has all numbers of a load.
type Recorder struct {
	names  Names
	shards []*Shard

	turning sync.Mutex // of what a second is added to
	totals  map[Key]*bank
	free    []*bank
	last    time.Time // the end of the second before

	marking     sync.Mutex       // of what users say between seconds
	faultErrors map[int]*Moments // by fault, from 1
	started     time.Time
	ended       time.Time
}

// Names are what the numbers in keys stand for.
type Names struct {
	Scenario string
	Requests []string
	Groups   []string
	Sides    []string // of a duet
}

// NewRecorder makes a recorder.
func NewRecorder(names Names) *Recorder {
	r := &Recorder{names: names, totals: map[Key]*bank{}, faultErrors: map[int]*Moments{}}
	for range 2 * runtime.GOMAXPROCS(0) {
		r.shards = append(r.shards, &Shard{cells: map[Key]*Cell{}})
	}
	return r
}

// Shard is that of a user.
func (r *Recorder) Shard(user uint64) *Shard { return r.shards[user%uint64(len(r.shards))] }

// Begin says when the load began.
func (r *Recorder) Begin(at time.Time) {
	r.marking.Lock()
	defer r.marking.Unlock()
	if r.started.IsZero() {
		r.started = at
	}
}

// End says when an iteration ended, where the load ends with its iterations.
func (r *Recorder) End(at time.Time) {
	r.marking.Lock()
	defer r.marking.Unlock()
	if at.After(r.ended) {
		r.ended = at
	}
}

// FaultError says when a request near a fault failed, in milliseconds from the end of the fault.
func (r *Recorder) FaultError(fault int, ms float64) {
	r.marking.Lock()
	defer r.marking.Unlock()
	if r.faultErrors[fault] == nil {
		r.faultErrors[fault] = &Moments{}
	}
	r.faultErrors[fault].add(ms)
}

// Names are what the numbers in keys stand for.
func (r *Recorder) Names() *Names { return &r.names }

// Started is when the load began; zero: it has not.
func (r *Recorder) Started() time.Time {
	r.marking.Lock()
	defer r.marking.Unlock()
	return r.started
}

// Turn ends a second of a load that has begun, adds it to the totals, and has it read before its memory is used
// again.
func (r *Recorder) Turn(now time.Time, users int64, look func(*Second) error) error {
	r.turning.Lock()
	defer r.turning.Unlock()
	if r.last.IsZero() {
		r.last = r.Started()
	}
	second := &Second{From: r.last, To: now, Users: users, banks: map[Key]*bank{}}
	r.last = now
	for _, shard := range r.shards {
		r.drain(shard, second)
	}
	for key, b := range second.banks {
		total := r.totals[key]
		if total == nil {
			total = &bank{}
			r.totals[key] = total
		}
		total.merge(b)
	}
	err := look(second)
	for _, b := range second.banks {
		b.reset()
		r.free = append(r.free, b)
	}
	return err
}

// Total is what was counted in all seconds that have turned, as one. It is that of the recorder: it is not to be changed,
// nor kept beyond the next turn.
func (r *Recorder) Total() *Second {
	r.turning.Lock()
	defer r.turning.Unlock()
	return &Second{From: r.Started(), To: r.last, banks: r.totals}
}

// drain reads the bank of a shard that is not counted into any more.
func (r *Recorder) drain(shard *Shard, into *Second) {
	shard.Lock()
	over := shard.active
	shard.active = 1 - over
	cells := make([]*Cell, 0, len(shard.cells))
	for _, cell := range shard.cells {
		cells = append(cells, cell)
	}
	shard.Unlock()
	for _, cell := range cells {
		b := &cell.banks[over]
		if !b.used {
			continue
		}
		sum := into.banks[cell.key]
		if sum == nil {
			sum = r.empty()
			into.banks[cell.key] = sum
		}
		sum.merge(b)
		b.reset()
	}
}

func (r *Recorder) empty() *bank {
	if last := len(r.free) - 1; last >= 0 {
		b := r.free[last]
		r.free = r.free[:last]
		return b
	}
	return &bank{}
}
