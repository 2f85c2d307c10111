package player

import (
	"math"
	"sync"
	"time"

	"benchfolio.dev/native/wire"
)

// Stage is one of a ramping rate's: at its end, so many iterations begin in a unit of time.
type Stage struct {
	Duration time.Duration
	Target   float64
}

// Schedule says when the iterations of an arrival rate are due: k6's own times, of which k6 does not tell. Each that
// begins, and each that is dropped, takes the next.
type Schedule struct {
	mutex  sync.Mutex
	index  int64 // of the next iteration in the whole load, from 0
	taken  int
	steps  []int64 // from one of this process' iterations to the next
	due    func(index int64) time.Duration
	length time.Duration // what is due then or later is not of the load
	origin time.Time     // where k6 begins later than it says, else zero
	users  int           // at the most
}

// ConstantSchedule is that of a constant rate: for length so many in a unit of time, by as many users at the most.
// start and steps are those of the execution segment.
func ConstantSchedule(users int, rate int64, unit, length time.Duration, start int64, steps []int64) *Schedule {
	period := time.Duration(float64(unit) / float64(rate)) // whole nanoseconds, like k6's
	return &Schedule{users: users, index: start, steps: steps, length: length, due: func(index int64) time.Duration {
		return period * time.Duration(index)
	}}
}

// RampingSchedule is that of a rate that changes linearly within each stage. The number of iterations until a time is
// the area under the rate; the n-th is due when that is n.
func RampingSchedule(users int, startRate float64, unit time.Duration, stages []Stage, start int64, steps []int64) *Schedule {
	type part struct {
		from, length   float64 // nanoseconds
		before, after  float64 // rates, by nanosecond
		startsAt, ends float64 // iterations until then
	}
	var parts []part
	at, rate, done := 0.0, startRate/float64(unit), 0.0
	for _, stage := range stages {
		target, length := stage.Target/float64(unit), float64(stage.Duration)
		area := length * (rate + target) / 2
		parts = append(parts, part{at, length, rate, target, done, done + area})
		at, rate, done = at+length, target, done+area
	}
	return &Schedule{users: users, index: start, steps: steps, length: math.MaxInt64, due: func(index int64) time.Duration {
		n := float64(index + 1)
		for _, p := range parts {
			if n > p.ends || p.ends == p.startsAt {
				continue
			}
			// before·t + slope·t²/2 = wanted, in the form that is exact for small slopes as well
			wanted, slope := n-p.startsAt, (p.after-p.before)/p.length
			root := math.Sqrt(math.Max(0, p.before*p.before+2*slope*wanted))
			return time.Duration(p.from + 2*wanted/(p.before+root))
		}
		return time.Duration(at) // it will never be
	}}
}

// StartAt says when the first unit of time begins, where that is not when the load does.
func (s *Schedule) StartAt(at time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.origin = at
}

// take is when the next iteration is due, by wire.Now. It is not of the load where it is due when that has ended: k6, when
// it is late itself, goes on for a few.
func (s *Schedule) take(beganAt int64) (at int64, ofLoad bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	due := s.due(s.index)
	s.index += s.steps[s.taken%len(s.steps)]
	s.taken++
	if !s.origin.IsZero() {
		beganAt = wire.TimeOf(s.origin)
	}
	return beganAt + int64(due), due < s.length
}
